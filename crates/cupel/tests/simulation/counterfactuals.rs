//! Which exclusions are answered, in which order, and in which words?

use cupel::{
    ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice, Counterfactual,
    CupelError, ExclusionReason, GreedySlice, KnapsackSlice, OverflowStrategy, Pipeline,
    ScarcityBehavior, Slicer,
};

use proptest::prelude::*;

use super::by_hand::{budget, item, pinned, slicing_by};
use super::{naive, small};

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Budget Simulation]: every exclusion has a counterfactual, in the report's order (ours)
        #[test]
        fn every_exclusion_is_answered_in_the_order_of_the_report(
            (items, budget) in small::problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            match (pipeline.counterfactuals(&items, &budget), pipeline.dry_run(&items, &budget)) {
                (Ok(answers), Ok(report)) => {
                    prop_assert_eq!(answers.len(), report.excluded.len());
                    for (answer, excluded) in answers.iter().zip(&report.excluded) {
                        prop_assert!(answer.item.is_same_instance(&excluded.item));
                        prop_assert_eq!(answer.score.to_bits(), excluded.score.to_bits());
                        prop_assert_eq!(&answer.reason, &excluded.reason);
                        let is_answered = answer.remedy.is_some() || !answer.obstacles.is_empty();
                        prop_assert!(is_answered, "nothing is said about {answer:?}");
                    }
                }
                (answers, report) => prop_assert_eq!(answers.err(), report.err()),
            }
        }

        /// Rule [Budget Simulation]: every exclusion has a counterfactual, in the report's order (ours)
        #[test]
        fn one_item_is_answered_as_among_all(
            (items, budget, target) in small::targeted_problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let answer = pipeline.counterfactual(&items, &budget, &target);
            let (answer, answers) = match (answer, pipeline.counterfactuals(&items, &budget)) {
                (Ok(answer), Ok(answers)) => (answer, answers),
                (answer, answers) => {
                    prop_assert_eq!(answer.err(), answers.err());
                    return Ok(());
                }
            };
            let window = pipeline.run(&items, &budget)?;
            let is_in = naive::occurrences(&target, &window) > 0;
            prop_assert_eq!(answer.is_none(), is_in, "{:?}", answer);
            if let Some(answer) = answer {
                let own: Vec<_> =
                    answers.iter().filter(|it| it.item.is_same_instance(&target)).collect();
                // Printed, because a NaN score makes an answer unequal to itself.
                let told = format!("{answer:?}");
                let is_own = own.iter().any(|it| format!("{it:?}") == told);
                prop_assert!(is_own, "{} is not among {:?}", told, own);
                let least = own.iter().filter_map(|it| more_tokens(it)).min();
                prop_assert_eq!(more_tokens(&answer), least);
            }
        }
    }
}

fn greedy(deduplication: bool) -> Pipeline {
    slicing_by(GreedySlice).deduplication(deduplication).build().unwrap()
}

fn more_tokens(answer: &Counterfactual) -> Option<i64> {
    answer.remedy.as_ref().map(|remedy| remedy.additional_tokens)
}

#[test]
fn an_item_in_the_window_needs_no_answer() {
    let items = [item("in", 10, 0.9), item("out", 10, 0.1)];
    let ask = |target| greedy(true).counterfactual(&items, &budget(10), target).unwrap();
    assert_eq!(ask(&items[0]), None);
    assert_eq!(more_tokens(&ask(&items[1]).unwrap()), Some(10));
}

#[test]
fn a_handle_given_twice_is_in_the_window_when_one_of_them_is() {
    let twice = item("twice", 10, 0.9);
    let items = [twice.clone(), twice.clone()];
    for pipeline in [greedy(true), greedy(false)] {
        assert_eq!(pipeline.counterfactual(&items, &budget(10), &twice), Ok(None));
        assert_eq!(pipeline.counterfactuals(&items, &budget(10)).unwrap().len(), 1);
    }
}

#[test]
fn a_handle_given_twice_and_out_twice_needs_room_for_one() {
    let twice = item("twice", 10, 0.1);
    let items = [item("in", 10, 0.9), twice.clone(), twice.clone()];
    for pipeline in [greedy(true), greedy(false)] {
        let answer = pipeline.counterfactual(&items, &budget(10), &twice).unwrap().unwrap();
        assert_eq!(more_tokens(&answer), Some(10), "{answer:?}");
    }
    let answers = greedy(false).counterfactuals(&items, &budget(10)).unwrap();
    assert_eq!(answers.iter().map(more_tokens).collect::<Vec<_>>(), [Some(10), Some(20)]);
}

/// One message is required and no more allowed, and the pinned item leaves too little for it. So
/// the first candidate is chosen and cut off in the end, and the second is not chosen.
#[test]
fn a_handle_given_twice_and_out_in_two_stages_has_two_answers_in_the_order_of_the_stages() {
    let entry = CountQuotaEntry::new(ContextKind::message(), 1, 1).unwrap();
    let one = CountQuotaSlice::new(vec![entry], GreedySlice, ScarcityBehavior::Degrade);
    let pipeline = slicing_by(one.unwrap())
        .deduplication(false)
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let budget = ContextBudget::builder(15).safety_margin_percent(50.0).build().unwrap();
    let twice = item("twice", 10, 0.9);
    let items = [pinned(10), twice.clone(), twice.clone()];

    let answers = pipeline.counterfactuals(&items, &budget).unwrap();
    let [not_chosen, cut_off] = &answers[..] else { panic!("two are out: {answers:?}") };
    assert!(matches!(not_chosen.reason, ExclusionReason::BudgetExceeded { .. }));
    assert_eq!(more_tokens(not_chosen), None);
    assert!(matches!(cut_off.reason, ExclusionReason::PinnedOverride { .. }));
    assert_eq!(more_tokens(cut_off), Some(5));
    let answer = pipeline.counterfactual(&items, &budget, &twice).unwrap().unwrap();
    assert_eq!(&answer, cut_off);
}

#[test]
fn two_equal_texts_are_two_items() {
    let items = [item("same", 10, 0.9), item("same", 10, 0.9)];
    assert_eq!(greedy(false).counterfactual(&items, &budget(10), &items[0]), Ok(None));
    let answer = greedy(false).counterfactual(&items, &budget(10), &items[1]).unwrap().unwrap();
    assert_eq!(more_tokens(&answer), Some(10));
}

#[test]
fn a_run_that_fails_has_no_counterfactuals() {
    let items = [pinned(20), item("out", 10, 0.9)];
    let failure = CupelError::PinnedExceedsBudget { pinned_tokens: 20, available: 10 };
    assert_eq!(greedy(true).counterfactuals(&items, &budget(10)), Err(failure.clone()));
    assert_eq!(greedy(true).counterfactual(&items, &budget(10), &items[1]), Err(failure));
}

/// What is said about these items at 20 tokens, in the order of the report.
fn sentences(slicer: impl Slicer + 'static, items: &[ContextItem]) -> Vec<String> {
    let pipeline = slicing_by(slicer).build().unwrap();
    let answers = pipeline.counterfactuals(items, &budget(20)).unwrap();
    answers.iter().map(Counterfactual::to_string).collect()
}

#[test]
fn a_remedy_is_one_sentence() {
    let one_too_many = [item("in", 20, 0.9), item("out", 1, 0.01)];
    assert_eq!(sentences(GreedySlice, &one_too_many), ["1 more token lets it in"]);
    let five_too_many = [item("in", 15, 0.9), item("out", 10, 0.1)];
    assert_eq!(sentences(GreedySlice, &five_too_many), ["5 more tokens let it in"]);
}

#[test]
fn a_remedy_names_what_it_pushes_out() {
    // Tried in this order; with 5 more tokens the second fits and the third no longer does.
    let items = [item("first", 10, 0.9), item("second", 15, 0.9), item("third", 10, 0.1)];
    assert_eq!(
        sentences(GreedySlice, &items),
        ["5 more tokens let it in and push out \"third\" (Message, 10 tokens)"]
    );
    let halves = [item("third", 5, 0.03), item("fourth", 5, 0.02)];
    let items = [&items[..2], &halves[..]].concat();
    assert_eq!(sentences(GreedySlice, &items), ["5 more tokens let it in and push out 2 items"]);
}

#[test]
fn a_remedy_that_was_searched_for_says_at_most() {
    let items = [item("in", 20, 0.9), item("out", 10, 0.1)];
    let knapsack = KnapsackSlice::new(1).unwrap();
    assert_eq!(sentences(knapsack, &items), ["at most 10 more tokens let it in"]);
}

#[test]
fn a_remedy_and_pinned_items_are_told_together() {
    let items = [pinned(15), item("out", 10, 0.1)];
    assert_eq!(
        sentences(GreedySlice, &items),
        ["5 more tokens let it in; without the pinned items, which take 15 tokens, it would be in"]
    );
}

#[test]
fn what_no_budget_lets_in_is_told_apart_from_what_none_tried_did() {
    let kind = ContextKind::tool_output();
    let original = ContextItem::builder("same", 5).kind(kind).future_relevance_hint(0.9);
    let items = [original.build().unwrap(), item("same", 5, 0.1), item("odd", -3, 0.9)];
    assert_eq!(
        sentences(GreedySlice, &items),
        [
            "no budget lets it in; it repeats \"same\" (ToolOutput, 5 tokens)",
            "no budget lets it in; its token count is negative (-3)",
        ]
    );
    // A knapsack never takes what is worth nothing.
    let worthless = [item("worthless", 1, 0.0)];
    let knapsack = KnapsackSlice::new(1).unwrap();
    assert_eq!(
        sentences(knapsack, &worthless),
        ["no larger budget was found that lets it in; increases of up to 128 tokens were tried"]
    );
}

#[test]
fn a_cap_is_named_with_its_kind() {
    let entry = CountQuotaEntry::new(ContextKind::message(), 0, 1).unwrap();
    let one = CountQuotaSlice::new(vec![entry], GreedySlice, ScarcityBehavior::Degrade);
    let items = [item("in", 1, 0.9), item("capped", 1, 0.1)];
    assert_eq!(
        sentences(one.unwrap(), &items),
        ["no larger budget was found that lets it in; Message items are capped at 1; increases \
             of up to 256 tokens were tried"]
    );
}
