//! What if the budget were another: units and forms.

use cupel::{
    Certainty, ContextItem, CupelError, GreedySlice, InputOrderPlacer, ItemStatus, ItemVariant,
    KnapsackSlice, Obstacle, Pipeline, Policy, PolicyBuilder, RankSlice, ReflexiveScorer, Remedy,
    policy_sensitivity,
};
use proptest::prelude::*;

use super::by_hand::{budget, item, slicing_by};
use super::{naive, small};

fn grouped(content: &str, tokens: i64, hint: f64) -> ContextItem {
    let builder = ContextItem::builder(content, tokens).group("g");
    builder.future_relevance_hint(hint).build().unwrap()
}

fn with_forms(content: &str, tokens: i64, hint: f64, shorter: &[i64]) -> ContextItem {
    let variants = shorter.iter().map(|&tokens| ItemVariant::new("in short", tokens));
    let builder = ContextItem::builder(content, tokens).variants(variants);
    builder.future_relevance_hint(hint).build().unwrap()
}

fn greedy() -> Pipeline {
    slicing_by(GreedySlice).build().unwrap()
}

/// The form that the item at an index is in, with so many more tokens.
fn form_with_more(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &cupel::ContextBudget,
    index: usize,
    more: i64,
) -> Option<usize> {
    let report = pipeline.dry_run(items, &naive::with_more(budget, more)).ok()?;
    let entry = report.included.into_iter().find(|it| it.index == Some(index))?;
    Some(entry.shortened.map_or(0, |shortened| shortened.form))
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn remedies_bring_the_form_they_say_and_the_whole_where_they_say(
            (items, budget) in small::problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let Ok(answers) = pipeline.counterfactuals(&items, &budget) else { return Ok(()) };
            for answer in &answers {
                if naive::occurrences(&answer.item, &items) > 1 {
                    continue; // which of the two is meant cannot be seen from outside
                }
                let index = items.iter().position(|it| it.is_same_instance(&answer.item)).unwrap();
                let form = |more| form_with_more(&pipeline, &items, &budget, index, more);
                if let Some(remedy) = &answer.remedy {
                    prop_assert_eq!(form(remedy.additional_tokens), Some(remedy.form));
                }
                prop_assert!(answer.whole.is_none() || !answer.item.variants().is_empty());
                if let Some(whole) = &answer.whole {
                    prop_assert_eq!((whole.form, form(whole.additional_tokens)), (0, Some(0)));
                    if whole.certainty == Certainty::Smallest {
                        for fewer in 0..whole.additional_tokens {
                            prop_assert!(form(fewer) != Some(0), "{fewer} would do: {answer:?}");
                        }
                    }
                }
            }
        }

        #[test]
        fn restorations_are_for_what_is_shortened_and_work(
            (items, budget) in small::problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let (restorations, report) = match
                (pipeline.restorations(&items, &budget), pipeline.dry_run(&items, &budget))
            {
                (Ok(restorations), Ok(report)) => (restorations, report),
                (restorations, report) => {
                    prop_assert_eq!(restorations.err(), report.err());
                    return Ok(());
                }
            };
            let shortened: Vec<_> = report
                .included
                .iter()
                .filter_map(|it| Some((it.index.unwrap(), it.shortened?)))
                .collect();
            let told: Vec<_> = restorations.iter().map(|it| (it.index, it.shortened)).collect();
            prop_assert_eq!(told, shortened);
            for restoration in restorations {
                prop_assert!(restoration.item.is_same_instance(&items[restoration.index]));
                let Some(Remedy { additional_tokens, form, certainty, .. }) = restoration.remedy
                else { continue };
                let at = |more| {
                    form_with_more(&pipeline, &items, &budget, restoration.index, more)
                };
                prop_assert_eq!((form, at(additional_tokens)), (0, Some(0)));
                prop_assert!(at(additional_tokens - 1) != Some(0));
                if certainty == Certainty::Smallest {
                    prop_assert!((0..additional_tokens).all(|fewer| at(fewer) != Some(0)));
                }
            }
        }

        #[test]
        fn marginal_changes_are_the_difference_of_two_runs_in_forms(
            (items, budget) in small::problems(),
            policy in small::unguarded_policies(),
            share in 0_i64..=100,
        ) {
            let pipeline = policy.pipeline()?;
            let most = budget.target_tokens().min(budget.max_tokens() - budget.output_reserve());
            let slack = most * share / 100;
            let reduced = naive::with_more(&budget, -slack);
            let (changes, before, after) = match (
                pipeline.get_marginal_changes(&items, &budget, slack),
                pipeline.dry_run(&items, &budget),
                pipeline.dry_run(&items, &reduced),
            ) {
                (Ok(changes), Ok(before), Ok(after)) => (changes, before, after),
                (changes, before, after) => {
                    prop_assert_eq!(changes.err(), before.err().or(after.err()));
                    return Ok(());
                }
            };
            let form = |it: &cupel::IncludedItem| it.shortened.map_or(0, |it| it.form);
            let is_same = |it: &cupel::IncludedItem, index: usize| {
                it.item.whole().is_same_instance(&items[index])
            };
            let mut expected = Vec::new();
            for entry in &before.included {
                let index = entry.index.unwrap();
                // A handle given twice is one instance: what matters is whether it is there.
                let kept = after.included.iter().find(|it| is_same(it, index)).map(form);
                if kept != Some(form(entry)) {
                    expected.push((index, form(entry), kept));
                }
            }
            let told: Vec<_> = changes.iter().map(|it| (it.index, it.before, it.after)).collect();
            prop_assert_eq!(told, expected);
        }
    }
}

#[test]
fn a_unit_is_lost_and_found_whole() {
    let items = [item("first", 10, 0.9), grouped("call", 5, 0.5), grouped("result", 15, 0.1)];
    let lost = greedy().get_marginal_items(&items, &budget(30), 1).unwrap();
    assert!(naive::same_handles(&lost, &items[1..]));
    for target in &items[1..] {
        assert_eq!(greedy().find_min_budget_for(&items, &budget(9), target, 99), Ok(Some(30)));
        let exact = greedy().find_exact_min_budget_for(&items, &budget(9), target, 99);
        assert_eq!(exact, Ok(Some(30)));
    }
    for answer in greedy().counterfactuals(&items, &budget(25)).unwrap() {
        let remedy = answer.remedy.unwrap();
        assert_eq!((remedy.additional_tokens, remedy.form), (5, 0));
    }
}

#[test]
fn a_remedy_names_the_form_and_what_the_whole_needs() {
    let items = [item("first", 10, 0.9), with_forms("long", 50, 0.5, &[20, 5])];
    let answers = greedy().counterfactuals(&items, &budget(12)).unwrap();
    let remedy = answers[0].remedy.as_ref().unwrap();
    assert_eq!((remedy.additional_tokens, remedy.form), (3, 2));
    assert_eq!(answers[0].whole.as_ref().unwrap().additional_tokens, 48);
    let said = answers[0].to_string();
    assert_eq!(said, "3 more tokens let it in shortened; 48 let it in whole");
}

#[test]
fn restorations_say_what_brings_an_item_in_whole() {
    let items = [item("first", 10, 0.9), with_forms("long", 50, 0.5, &[20, 5])];
    for pipeline in [greedy(), slicing_by(RankSlice::default()).build().unwrap()] {
        let restorations = pipeline.restorations(&items, &budget(30)).unwrap();
        assert_eq!(restorations.len(), 1);
        assert_eq!((restorations[0].index, restorations[0].shortened.form), (1, 1));
        let remedy = restorations[0].remedy.as_ref().unwrap();
        assert_eq!((remedy.additional_tokens, remedy.certainty), (30, Certainty::Smallest));
        assert_eq!(pipeline.restorations(&items, &budget(60)).unwrap(), []);
    }
    let knapsack = slicing_by(KnapsackSlice::new(1).unwrap()).build().unwrap();
    let remedy = knapsack.restorations(&items, &budget(30)).unwrap()[0].remedy.clone().unwrap();
    assert_eq!((remedy.additional_tokens, remedy.certainty), (30, Certainty::Tested));
}

#[test]
fn pinned_items_that_shrink_are_restored_and_keep_the_minimum_from_being_computed() {
    let pinned = |tokens: i64| {
        let variant = ItemVariant::new("in short", 10);
        ContextItem::builder("pinned", tokens).pinned(true).variant(variant).build().unwrap()
    };
    let items = [pinned(50), item("other", 10, 0.5)];
    let restorations = greedy().restorations(&items, &budget(30)).unwrap();
    assert_eq!(restorations[0].remedy.as_ref().unwrap().additional_tokens, 20);
    let refused = greedy().find_exact_min_budget_for(&items, &budget(30), &items[1], 99);
    let Err(CupelError::PipelineConfig(said)) = refused else { panic!("{refused:?}") };
    assert!(said.contains("pinned items without variants"), "{said}");
    // More room for the pinned item may leave none for the other.
    let found = greedy().find_min_budget_for(&items, &budget(30), &items[1], 99).unwrap();
    assert!(naive::includes(&greedy(), &items, &budget(30), &items[1], found.unwrap()));
}

#[test]
fn a_minimum_is_for_the_shortest_form() {
    let items = [item("first", 10, 0.9), with_forms("long", 50, 0.5, &[20, 5])];
    let ask = |ceiling| greedy().find_min_budget_for(&items, &budget(9), &items[1], ceiling);
    assert_eq!(ask(99_i64), Ok(Some(5)));
    assert!(matches!(ask(4), Err(CupelError::InvalidBudget(_))));
    let exact = greedy().find_exact_min_budget_for(&items, &budget(9), &items[1], 99);
    // At 5 tokens the first does not fit, and the short form does.
    assert_eq!(exact, Ok(Some(5)));
}

#[test]
fn smaller_budgets_change_forms_before_they_lose_items() {
    let items = [item("first", 10, 0.9), with_forms("long", 50, 0.5, &[20])];
    let changes = greedy().get_marginal_changes(&items, &budget(60), 1).unwrap();
    let told: Vec<_> = changes.iter().map(|it| (it.index, it.before, it.after)).collect();
    assert_eq!(told, [(1, 0, Some(1))]);
    assert_eq!(greedy().get_marginal_items(&items, &budget(60), 1), Ok(vec![]));
    let lost = greedy().get_marginal_items(&items, &budget(30), 1).unwrap();
    assert!(lost[0].is_same_instance(&items[1]), "given whole, whatever its form was");
}

#[test]
fn a_broken_group_has_the_negative_count_in_its_way() {
    let items = [grouped("good", 5, 0.9), grouped("bad", -2, 0.9)];
    for answer in greedy().counterfactuals(&items, &budget(10)).unwrap() {
        assert_eq!(answer.remedy, None);
        assert_eq!(answer.obstacles, [Obstacle::NegativeTokens { tokens: -2 }]);
        assert_eq!(greedy().find_min_budget_for(&items, &budget(9), &answer.item, 99), Ok(None));
        let exact = greedy().find_exact_min_budget_for(&items, &budget(9), &answer.item, 99);
        assert_eq!(exact, Ok(None));
    }
}

#[test]
fn a_repeated_unit_names_its_counterpart_not_whatever_has_that_content() {
    let member = |content: &str, group: &str, hint| {
        let builder = ContextItem::builder(content, 1).group(group);
        builder.future_relevance_hint(hint).build().unwrap()
    };
    let items = [
        member("call", "kept", 0.9),
        member("ok", "kept", 0.9),
        item("call", 1, 0.5),
        member("call", "repeats", 0.4),
        member("ok", "repeats", 0.4),
        item("call", 1, 0.1),
    ];
    for (target, kept) in [(3, 0), (4, 1), (5, 2)] {
        let answer = greedy().counterfactual(&items, &budget(99), &items[target]).unwrap().unwrap();
        let [Obstacle::DuplicateOf { kept: named }] = &answer.obstacles[..] else {
            panic!("{answer:?}");
        };
        assert!(named.is_same_instance(&items[kept]), "{named:?}");
    }
}

#[test]
fn a_shortened_item_counts_as_included_when_policies_are_compared() {
    let policy = |slicer: RankSlice| -> Policy {
        let builder = PolicyBuilder::new().scorer(ReflexiveScorer).slicer(slicer);
        builder.placer(InputOrderPlacer).build().unwrap()
    };
    let items = [with_forms("long", 50, 0.9, &[5]), item("short", 10, 0.8)];
    let (rank, greedy) = (policy(RankSlice::default()), policy(RankSlice::new(1.0, 0).unwrap()));
    let report = policy_sensitivity(&items, &budget(12), &[("rank", &rank), ("greedy", &greedy)]);
    let diffs = report.unwrap().diffs;
    let of =
        |content: &str| diffs.iter().find(|it| it.content == content).unwrap().statuses.clone();
    let [yes, no] = [ItemStatus::Included, ItemStatus::Excluded];
    assert_eq!(of("long"), [("rank".to_owned(), yes), ("greedy".to_owned(), no)]);
    assert_eq!(of("short"), [("rank".to_owned(), no), ("greedy".to_owned(), yes)]);
}

#[test]
fn a_unit_that_a_larger_budget_pushes_out_is_displaced_member_by_member() {
    let items = [
        item("first", 10, 0.9),
        item("large", 20, 0.85),
        grouped("a", 4, 0.01),
        grouped("b", 4, 0.01),
    ];
    let pipeline = slicing_by(RankSlice::default()).build().unwrap();
    let answer = pipeline.counterfactual(&items, &budget(20), &items[1]).unwrap().unwrap();
    let remedy = answer.remedy.unwrap();
    assert_eq!(remedy.additional_tokens, 10);
    assert!(naive::same_handles(&remedy.displaced, &items[2..]));
}
