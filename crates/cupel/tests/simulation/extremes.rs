//! Does anything overflow, hang or score twice?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cupel::{
    Certainty, ChronologicalPlacer, ContextItem, GreedySlice, KnapsackSlice, Pipeline, Policy,
    PolicyBuilder, Scorer, Slicer, policy_sensitivity,
};
use cupel_policy::SlicerConfig;
use cupel_testing::generate;
use proptest::prelude::*;

use super::by_hand::{budget, item, slicing_by};
use super::{naive, small};

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Token counts, budgets and ceilings up to the limits of `i64`.
        ///
        /// Rule [Budget Simulation]: no question overflows or hangs (ours)
        #[test]
        fn no_question_panics(
            (items, budget) in generate::problems(12),
            policy in generate::policies(),
            slack in prop_oneof![0_i64..=100, Just(i64::MIN), Just(i64::MAX)],
            ceiling in prop_oneof![0_i64..=2_000, Just(i64::MIN), Just(i64::MAX)],
        ) {
            let pipeline = policy.pipeline()?;
            let _ = pipeline.get_marginal_items(&items, &budget, slack);
            let answers = pipeline.counterfactuals(&items, &budget);
            prop_assert_eq!(answers.err(), pipeline.run(&items, &budget).err());
            for target in &items {
                let searched = pipeline.find_min_budget_for(&items, &budget, target, ceiling);
                let exact = pipeline.find_exact_min_budget_for(&items, &budget, target, ceiling);
                for found in [&searched, &exact] {
                    if let Ok(Some(tokens)) = *found {
                        prop_assert!(naive::includes(&pipeline, &items, &budget, target, tokens));
                    }
                }
                let is_computed =
                    policy.slicer == SlicerConfig::Greedy && !small::pinned_can_shrink(&items);
                if is_computed && ceiling >= target.tokens() {
                    let (searched, exact) = (searched?, exact?);
                    prop_assert!(
                        searched.is_none() || exact.is_some_and(|it| it <= searched.unwrap_or(0))
                    );
                }
            }
        }
    }
}

fn greedy() -> Pipeline {
    slicing_by(GreedySlice).build().unwrap()
}

#[test]
fn items_as_large_as_an_integer_can_be_are_answered() {
    let items =
        [item("huge", i64::MAX, 1.0), item("also huge", i64::MAX, 0.5), item("one", 1, 0.0)];
    let pipeline = greedy();
    let exact = |at: usize| {
        pipeline.find_exact_min_budget_for(&items, &budget(0), &items[at], i64::MAX).unwrap()
    };
    assert_eq!([exact(0), exact(1), exact(2)], [Some(i64::MAX), None, Some(1)]);
    let answers = pipeline.counterfactuals(&items, &budget(0)).unwrap();
    let more: Vec<_> =
        answers.iter().map(|it| it.remedy.as_ref().map(|it| it.additional_tokens)).collect();
    assert_eq!(more, [Some(i64::MAX), None, Some(1)]);
    assert_eq!(pipeline.get_marginal_items(&items, &budget(i64::MAX), i64::MAX).unwrap().len(), 1);
}

/// Sizes 2^40, 2^39, ..., 1, tried in that order, and then a target of 1: every budget up to the sum
/// of all is spent to the last token before the target is tried.
fn powers_of_two() -> Vec<ContextItem> {
    let power = |exponent: u32| {
        // Of equal density, so that the order is that of the scores.
        let tokens = 1_i64 << exponent;
        item(&format!("2^{exponent}"), tokens, tokens as f64 / (1_i64 << 41) as f64)
    };
    let mut items: Vec<ContextItem> = (0..=40).rev().map(power).collect();
    items.push(item("target", 1, 0.0));
    items
}

/// Rule [Budget Simulation]: no question overflows or hangs (ours)
#[test]
fn exponentially_many_cases_do_not_hang() {
    let items = powers_of_two();
    let target = items.last().unwrap();
    let pipeline = greedy();
    let started = Instant::now();
    let exact = pipeline.find_exact_min_budget_for(&items, &budget(9), target, i64::MAX);
    assert_eq!(exact, Ok(Some(1 << 41)));
    let answer = pipeline.counterfactual(&items, &budget(9), target).unwrap().unwrap();
    let remedy = answer.remedy.unwrap();
    assert_eq!(remedy.additional_tokens, (1 << 41) - 9);
    assert_eq!(remedy.certainty, Certainty::Smallest);
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
}

/// Counts how often it is asked.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Scorer for Counting {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        item.future_relevance_hint().unwrap_or(0.0)
    }
}

fn policy(scorer: Arc<dyn Scorer>, slicer: impl Slicer + 'static) -> Policy {
    PolicyBuilder::new()
        .scorer(scorer)
        .slicer(Arc::new(slicer))
        .placer(Arc::new(ChronologicalPlacer))
        .build()
        .unwrap()
}

/// Fails unless a question about `items` has each of them scored once.
fn scores_each_item_once(
    items: &[ContextItem],
    slicer: impl Slicer + 'static,
    ask: impl FnOnce(&Pipeline),
) {
    let scorer = Arc::new(Counting::default());
    ask(&policy(scorer.clone(), slicer).into());
    assert_eq!(scorer.0.load(Ordering::Relaxed), items.len());
}

/// Rule [Budget Simulation]: one question scores every item once (ours)
#[test]
fn a_question_has_every_item_scored_once() {
    let items = [item("a", 10, 0.9), item("b", 10, 0.5), item("c", 10, 0.1), item("d", 10, 0.1)];
    let (budget, target) = (budget(20), &items[3]);
    scores_each_item_once(&items, GreedySlice, |pipeline| {
        assert_eq!(pipeline.get_marginal_items(&items, &budget, 10).unwrap().len(), 1);
    });
    scores_each_item_once(&items, GreedySlice, |pipeline| {
        let found = pipeline.find_min_budget_for(&items, &budget, target, 1_000);
        assert_eq!(found, Ok(Some(40)));
    });
    scores_each_item_once(&items, GreedySlice, |pipeline| {
        let found = pipeline.find_exact_min_budget_for(&items, &budget, target, 1_000);
        assert_eq!(found, Ok(Some(40)));
    });
    scores_each_item_once(&items, GreedySlice, |pipeline| {
        assert_eq!(pipeline.counterfactuals(&items, &budget).unwrap().len(), 2);
    });
    scores_each_item_once(&items, KnapsackSlice::new(1).unwrap(), |pipeline| {
        assert!(pipeline.counterfactual(&items, &budget, target).unwrap().is_some());
    });
    scores_each_item_once(&items, GreedySlice, |pipeline| {
        pipeline.dry_run(&items, &budget).unwrap();
    });
}

/// Rule [Policy Sensitivity]: each variant scores every item once (ours)
#[test]
fn each_variant_scores_every_item_once() {
    let items = [item("a", 10, 0.9), item("b", 10, 0.5)];
    let (one, other) = (Arc::new(Counting::default()), Arc::new(Counting::default()));
    let policies = [policy(one.clone(), GreedySlice), policy(other.clone(), GreedySlice)];
    let variants = [("one", &policies[0]), ("other", &policies[1])];
    policy_sensitivity(&items, &budget(10), &variants).unwrap();
    assert_eq!([one, other].map(|scorer| scorer.0.load(Ordering::Relaxed)), [2, 2]);
}
