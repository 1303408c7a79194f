//! What stands in an item's way apart from the size of the budget?

use cupel::{
    Candidate, ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    Counterfactual, CupelError, ExclusionReason, GreedySlice, InclusionReason, KnapsackSlice,
    Obstacle, OverflowStrategy, Pipeline, Refusal, RunContext, ScarcityBehavior, ScoredItem,
    Selection, Slicer,
};

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::by_hand::{budget, item, pinned, slicing_by};
use super::naive::{Windows, occurrences, with_more};
use super::small;

/// The one candidate that is kept of those whose units have the contents of this one's, at its place among them.
fn survivor<'a>(
    item: &ContextItem,
    pipeline: &Pipeline,
    items: &'a [ContextItem],
    budget: &ContextBudget,
) -> Result<&'a ContextItem, CupelError> {
    let report = pipeline.dry_run(items, budget)?;
    let out = report.excluded.iter().filter(|entry| {
        !matches!(
            entry.reason,
            ExclusionReason::Deduplicated { .. }
                | ExclusionReason::NegativeTokens { .. }
                | ExclusionReason::GroupBroken { .. }
        )
    });
    let included = report.included.iter().filter(|it| it.reason != InclusionReason::Pinned);
    let rivals = included.map(|entry| entry.index).chain(out.map(|entry| entry.index));
    let rivals: Vec<usize> = rivals.map(|index| index.expect("runs know it")).collect();

    // By index: one handle may be several members of a group, or several candidates.
    let unit = |at: usize| -> Vec<usize> {
        let Some(group) = items[at].group() else { return vec![at] };
        (0..items.len()).filter(|other| items[*other].group() == Some(group)).collect()
    };
    let place = |at: usize| unit(at).iter().position(|member| *member == at);
    let contents = |at: usize| -> Vec<&str> {
        unit(at).into_iter().map(|member| items[member].content()).collect()
    };
    let asked = items.iter().position(|it| it.is_same_instance(item)).expect("one of the items");
    let is_counterpart =
        |rival: &&usize| contents(**rival) == contents(asked) && place(**rival) == place(asked);
    let kept: Vec<_> = rivals.iter().filter(is_counterpart).collect();
    assert_eq!(kept.len(), 1, "one of {item:?} is kept");
    Ok(&items[*kept[0]])
}

/// Whether the item is in when there are no pinned items.
fn is_in_without_pinned(
    item: &ContextItem,
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> bool {
    let pinned = small::pinned(items);
    let unpinned = (0..items.len()).filter(|at| !pinned.contains(at));
    let others: Vec<ContextItem> = unpinned.map(|at| items[at].clone()).collect();
    pipeline.run(&others, budget).is_ok_and(|window| occurrences(item, &window) > 0)
}

/// The cap that a reason names.
fn cap(reason: &ExclusionReason) -> Option<Obstacle> {
    match reason {
        ExclusionReason::CountCapExceeded { kind, cap, .. } => {
            Some(Obstacle::KindCap { kind: kind.clone(), cap: *cap })
        }
        _ => None,
    }
}

/// The caps in the way: the present one, and that at the largest budget tried in vain.
fn caps(
    answer: &Counterfactual,
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Vec<Obstacle> {
    let mut caps: Vec<Obstacle> = cap(&answer.reason).into_iter().collect();
    if let Some(Obstacle::NotChosen { tried_up_to }) = answer.obstacles.last()
        && let Ok(report) = pipeline.dry_run(items, &with_more(budget, *tried_up_to))
    {
        let own = report.excluded.iter().find(|it| it.item.is_same_instance(&answer.item));
        caps.extend(own.and_then(|it| cap(&it.reason)).filter(|cap| !caps.contains(cap)));
    }
    caps
}

/// Fails unless the search that found nothing did not miss what it says it tried.
fn tried_in_vain(
    answer: &Counterfactual,
    tried_up_to: i64,
    windows: &mut Windows<'_>,
) -> Result<(), TestCaseError> {
    prop_assert!(answer.remedy.is_none());
    let mut more = 1;
    while more < tried_up_to {
        prop_assert_eq!(windows.occurrences(&answer.item, more), 0, "{} more: {:?}", more, answer);
        more = more.saturating_mul(2);
    }
    prop_assert_eq!(windows.occurrences(&answer.item, tried_up_to), 0, "{:?}", answer);
    Ok(())
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Budget Simulation]: obstacles are those that real runs show (ours)
        #[test]
        fn obstacles_are_those_that_real_runs_show(
            (items, budget) in small::problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let Ok(answers) = pipeline.counterfactuals(&items, &budget) else { return Ok(()) };
            let mut windows = Windows::new(&pipeline, &items, &budget);
            let pinned: Vec<_> = small::pinned(&items).iter().map(|&at| &items[at]).collect();
            let pinned_tokens: i64 = pinned.iter().map(|item| item.tokens()).sum();

            // Which of two candidates with one handle is meant cannot be seen from outside.
            for answer in answers.iter().filter(|it| occurrences(&it.item, &items) == 1) {
                let Counterfactual { item, reason, obstacles, remedy, .. } = answer;
                match reason {
                    ExclusionReason::NegativeTokens { tokens } => {
                        prop_assert_eq!(obstacles, &[Obstacle::NegativeTokens { tokens: *tokens }]);
                        prop_assert!(remedy.is_none());
                        continue;
                    }
                    ExclusionReason::GroupBroken { tokens, .. } => {
                        prop_assert_eq!(obstacles, &[Obstacle::NegativeTokens { tokens: *tokens }]);
                        prop_assert!(remedy.is_none());
                        continue;
                    }
                    ExclusionReason::Deduplicated { .. } => {
                        let expected = survivor(item, &pipeline, &items, &budget)?;
                        let [Obstacle::DuplicateOf { kept }] = &obstacles[..] else {
                            return Err(TestCaseError::fail(format!("{answer:?}")));
                        };
                        prop_assert!(kept.is_same_instance(expected));
                        prop_assert!(remedy.is_none());
                        continue;
                    }
                    _ => {}
                }
                let is_cap = |obstacle: &&Obstacle| matches!(obstacle, Obstacle::KindCap { .. });
                let named: Vec<_> = obstacles.iter().filter(is_cap).cloned().collect();
                prop_assert_eq!(named, caps(answer, &pipeline, &items, &budget));
                let blamed = obstacles.iter().find_map(|obstacle| match obstacle {
                    Obstacle::PinnedItems { tokens, first } => Some((*tokens, first)),
                    _ => None,
                });
                let in_the_way =
                    pinned_tokens > 0 && is_in_without_pinned(item, &pipeline, &items, &budget);
                prop_assert_eq!(blamed.is_some(), in_the_way, "{:?}", answer);
                if let Some((tokens, first)) = blamed {
                    prop_assert_eq!(tokens, pinned_tokens);
                    prop_assert!(first.pinned() && pinned.iter().any(|it| it.is_same_instance(first)));
                }
                for obstacle in obstacles {
                    match obstacle {
                        Obstacle::NotChosen { tried_up_to } => {
                            tried_in_vain(answer, *tried_up_to, &mut windows)?;
                        }
                        Obstacle::NotTestable { additional_tokens, error } => {
                            prop_assert!(remedy.is_none());
                            let failed = windows.with_more(*additional_tokens).as_ref();
                            prop_assert_eq!(failed.err(), Some(error));
                        }
                        Obstacle::PinnedItems { .. } | Obstacle::KindCap { .. } => {}
                        other => {
                            return Err(TestCaseError::fail(format!("{other:?} in {answer:?}")));
                        }
                    }
                }
            }
        }
    }
}

fn pipeline(slicer: impl Slicer + 'static) -> Pipeline {
    slicing_by(slicer).build().unwrap()
}

/// So many messages, and others as they fit.
fn messages(require: usize, cap: usize, scarcity: ScarcityBehavior) -> CountQuotaSlice {
    let entry = CountQuotaEntry::new(ContextKind::message(), require, cap).unwrap();
    CountQuotaSlice::new(vec![entry], GreedySlice, scarcity).unwrap()
}

#[test]
fn pinned_items_are_blamed_when_the_item_would_fit_without_them() {
    let items = [pinned(15), item("fits otherwise", 10, 0.9), item("never fits", 30, 0.1)];
    let answers = pipeline(GreedySlice).counterfactuals(&items, &budget(20)).unwrap();
    let blame = Obstacle::PinnedItems { tokens: 15, first: items[0].clone() };
    assert_eq!(answers[0].obstacles, [blame]);
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(5));
    assert_eq!(answers[1].obstacles, []);
}

#[test]
fn pinned_items_that_cost_nothing_are_not_blamed() {
    let items = [pinned(0), item("out", 30, 0.9)];
    let answers = pipeline(GreedySlice).counterfactuals(&items, &budget(20)).unwrap();
    assert_eq!(answers[0].obstacles, []);
}

#[test]
fn pinned_items_are_not_blamed_for_what_required_items_displace() {
    // Both messages are required, and the second is cut off, with or without the pinned item.
    let items = [pinned(1), item("first", 10, 0.9), item("second", 10, 0.5)];
    let pipeline = slicing_by(messages(2, 2, ScarcityBehavior::Degrade))
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let answer = pipeline.counterfactual(&items, &budget(15), &items[2]).unwrap().unwrap();
    assert_eq!(answer.obstacles, []);
    assert_eq!(answer.remedy.map(|remedy| remedy.additional_tokens), Some(6));
}

#[test]
fn pinned_items_are_not_blamed_when_a_run_without_them_would_fail() {
    // The pinned item leaves nothing to share out. Without it the required message overflows.
    let items = [pinned(5), item("required", 10, 0.9)];
    let pipeline = pipeline(messages(1, 1, ScarcityBehavior::Degrade));
    assert!(matches!(pipeline.run(&items[1..], &budget(5)), Err(CupelError::Overflow { .. })));
    let answers = pipeline.counterfactuals(&items, &budget(5)).unwrap();
    assert_eq!(answers[0].obstacles, []);
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(10));
}

#[test]
fn asking_about_pinned_items_never_fails_a_run_that_works() {
    // Without the pinned item there would be tokens to share out, and two messages are required.
    let items = [pinned(20), item("lonely", 10, 0.9)];
    let strict = pipeline(messages(2, 2, ScarcityBehavior::Throw));
    assert!(strict.run(&items, &budget(20)).is_ok());
    let answers = strict.counterfactuals(&items, &budget(20)).unwrap();
    let error = strict.run(&items, &budget(21)).unwrap_err();
    assert_eq!(answers[0].obstacles, [Obstacle::NotTestable { additional_tokens: 1, error }]);

    // Without the pinned item the table would be too large.
    let packed = pipeline(KnapsackSlice::new(1).unwrap());
    let items = [pinned(60_000_000), item("out", 100, 0.9)];
    let answers = packed.counterfactuals(&items, &budget(60_000_010)).unwrap();
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(90));
}

#[test]
fn a_margin_of_everything_stands_in_the_way_of_any_budget() {
    let budget = ContextBudget::builder(20).safety_margin_percent(100.0).build().unwrap();
    let items = [item("out", 10, 0.9)];
    for pipeline in [pipeline(GreedySlice), pipeline(KnapsackSlice::new(1).unwrap())] {
        let answers = pipeline.counterfactuals(&items, &budget).unwrap();
        assert_eq!(answers[0].remedy, None);
        assert_eq!(answers[0].obstacles, [Obstacle::NotChosen { tried_up_to: i64::MAX - 20 }]);
    }
}

#[test]
fn a_budget_as_large_as_an_integer_can_be_cannot_grow() {
    let items = [item("huge", i64::MAX, 1.0), item("one", 1, 0.0)];
    for pipeline in [pipeline(GreedySlice), pipeline(KnapsackSlice::new(i64::MAX).unwrap())] {
        let answers = pipeline.counterfactuals(&items, &budget(i64::MAX)).unwrap();
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].remedy, None);
        assert_eq!(answers[0].obstacles, [Obstacle::NotChosen { tried_up_to: 0 }]);
    }
}

/// Greedy, but fails at one target.
struct FailsAt(i64);

impl Slicer for FailsAt {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        if budget.target_tokens() == self.0 {
            return Err(CupelError::SlicerConfig("not this one".to_owned()));
        }
        GreedySlice.slice(sorted, budget)
    }
}

#[test]
fn a_failure_on_the_way_up_is_an_obstacle() {
    // Tried are 1, 2 and 4 more.
    let items = [item("out", 30, 0.9)];
    let answers = pipeline(FailsAt(24)).counterfactuals(&items, &budget(20)).unwrap();
    let error = CupelError::SlicerConfig("not this one".to_owned());
    assert_eq!(answers[0].obstacles, [Obstacle::NotTestable { additional_tokens: 4, error }]);
    assert_eq!(answers[0].remedy, None);
}

#[test]
fn a_failure_on_the_way_down_lets_nothing_in() {
    // 16 more let it in; on the way down to 10 more, 12 more fail.
    let items = [item("out", 30, 0.9)];
    let answers = pipeline(FailsAt(32)).counterfactuals(&items, &budget(20)).unwrap();
    assert_eq!(answers[0].obstacles, []);
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(13));
}

#[test]
fn a_cap_on_a_kind_stands_in_the_way_of_any_budget() {
    let items = [item("in", 10, 0.9), item("capped", 5, 0.1)];
    let pipeline = pipeline(messages(0, 1, ScarcityBehavior::Degrade));
    let answers = pipeline.counterfactuals(&items, &budget(20)).unwrap();
    assert_eq!(answers[0].remedy, None);
    let cap = Obstacle::KindCap { kind: "Message".to_owned(), cap: 1 };
    assert!(
        matches!(&answers[0].obstacles[..], [first, Obstacle::NotChosen { .. }] if *first == cap),
        "{:?}",
        answers[0]
    );
}

#[test]
fn a_cap_that_only_larger_budgets_reach_is_named_too() {
    let items = [item("in", 10, 0.9), item("too large, then capped", 15, 0.1)];
    let pipeline = pipeline(messages(0, 1, ScarcityBehavior::Degrade));
    let answers = pipeline.counterfactuals(&items, &budget(20)).unwrap();
    assert!(matches!(answers[0].reason, ExclusionReason::BudgetExceeded { .. }));
    let cap = Obstacle::KindCap { kind: "Message".to_owned(), cap: 1 };
    assert!(
        matches!(&answers[0].obstacles[..], [first, Obstacle::NotChosen { .. }] if *first == cap),
        "{:?}",
        answers[0]
    );
}

/// Takes the first candidate and says that the others repeat half of it.
struct TakesTheFirst;

impl Slicer for TakesTheFirst {
    fn slice(&self, _: &[ScoredItem], _: &ContextBudget) -> Result<Vec<ContextItem>, CupelError> {
        unreachable!("it has positions to give")
    }

    fn select(
        &self,
        candidates: &[Candidate<'_>],
        _: &ContextBudget,
        _: &RunContext,
    ) -> Result<Selection, CupelError> {
        let near_duplicate_of = candidates[0].item().content().to_owned();
        let reason = ExclusionReason::NearDuplicate { near_duplicate_of, overlap: 0.5 };
        let mut selection = Selection::keeping(vec![0]);
        let others = 1..candidates.len();
        selection.refused.extend(others.map(|at| Refusal::new(at, reason.clone())));
        Ok(selection)
    }
}

#[test]
fn a_near_duplicate_names_the_item_that_says_most_of_it() {
    let items = [item("the same, more or less", 10, 0.1), item("the same", 10, 0.9)];
    let answers = pipeline(TakesTheFirst).counterfactuals(&items, &budget(100)).unwrap();
    assert_eq!(answers[0].remedy, None);
    let [Obstacle::NearDuplicateOf { kept, overlap }] = &answers[0].obstacles[..] else {
        panic!("{:?}", answers[0]);
    };
    assert!(kept.is_same_instance(&items[1]) && *overlap == 0.5);
    let told = answers[0].to_string();
    assert!(
        told.starts_with("no budget lets it in beside what it repeats; 50% of it is in "),
        "{told}"
    );
}

#[test]
fn a_near_duplicate_of_a_unit_names_its_first_member() {
    let member = |content: &str, hint| {
        let item = ContextItem::builder(content, 10).future_relevance_hint(hint).group("call");
        item.build().unwrap()
    };
    let items = [item("a call, a result", 10, 0.1), member("a call", 0.9), member("a result", 0.2)];
    let answers = pipeline(TakesTheFirst).counterfactuals(&items, &budget(100)).unwrap();
    let [Obstacle::NearDuplicateOf { kept, .. }] = &answers[0].obstacles[..] else {
        panic!("{:?}", answers[0]);
    };
    assert!(kept.is_same_instance(&items[1]));
}
