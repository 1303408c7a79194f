//! What every slicer owes: the contract, and how slicers answer for what they wrap.

use std::sync::Arc;

use cupel::{
    Candidate, ContextBudget, CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice,
    GreedySlice, KnapsackSlice, QuotaEntry, QuotaSlice, RunContext, ScarcityBehavior, ScoredItem,
    Slicer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::{budget, kind, scored_kinds, sliced};

/// All five. Counts require nothing, so that the budget binds everywhere.
fn built_in() -> Vec<(&'static str, Box<dyn Slicer>)> {
    let share = || QuotaEntry::new(kind("Tool"), 20.0, 60.0).unwrap();
    let count = || CountQuotaEntry::new(kind("Tool"), 0, 3).unwrap();
    let buckets = || KnapsackSlice::new(1).unwrap();
    let greedy = || Box::new(GreedySlice);
    let degrade = ScarcityBehavior::Degrade;
    vec![
        ("greedy", greedy()),
        ("knapsack", Box::new(buckets())),
        ("quota", Box::new(QuotaSlice::new(vec![share()], greedy()).unwrap())),
        ("count quota", Box::new(CountQuotaSlice::new(vec![count()], greedy(), degrade).unwrap())),
        (
            "count knapsack",
            Box::new(
                CountConstrainedKnapsackSlice::new(vec![count()], buckets(), degrade).unwrap(),
            ),
        ),
    ]
}

/// Eight candidates of 180 tokens in all, two of which cost nothing.
fn mixed() -> Vec<ScoredItem> {
    scored_kinds(&[
        ("Tool", "t1", 40, 0.9),
        ("Message", "m1", 30, 0.8),
        ("Tool", "free tool", 0, 0.7),
        ("Memory", "y1", 20, 0.6),
        ("Tool", "t2", 40, 0.5),
        ("Message", "free message", 0, 0.4),
        ("Message", "m2", 30, 0.3),
        ("Memory", "y2", 20, 0.2),
    ])
}

/// Rule [Slicers]: a slicer returns a subset of the very items it was given
#[test]
fn every_slicer_returns_a_subset_of_the_instances_it_was_given() {
    let candidates = mixed();
    for (name, slicer) in built_in() {
        for target in [10, 60, 100, 1000] {
            let chosen = slicer.slice(&candidates, &budget(target)).unwrap();
            assert!(!chosen.is_empty(), "{name}");
            for (at, item) in chosen.iter().enumerate() {
                let given = candidates.iter().filter(|it| it.item.is_same_instance(item)).count();
                assert_eq!(given, 1, "{name} returned {item:?}");
                let again = chosen[..at].iter().any(|other| other.is_same_instance(item));
                assert!(!again, "{name} returned {item:?} twice");
            }
        }
    }
}

/// Rule [Slicers]: the selection does not exceed the target
#[test]
fn no_slicer_exceeds_the_target() {
    let candidates = mixed();
    for (name, slicer) in built_in() {
        for target in 1..=190 {
            let chosen = slicer.slice(&candidates, &budget(target)).unwrap();
            let total: i64 = chosen.iter().map(|item| item.tokens()).sum();
            assert!(total <= target, "{name} chose {total} tokens of {target}");
        }
    }
}

/// Rule [Slicers]: zero-token items are included
#[test]
fn every_slicer_includes_what_costs_nothing() {
    let candidates = mixed();
    for (name, slicer) in built_in() {
        // 10 tokens are too few for any item that costs something.
        let mut chosen = sliced(&slicer, &candidates, 10);
        chosen.sort_unstable();
        assert_eq!(chosen, ["free message", "free tool"], "{name}");
    }
}

/// Rule [Slicers]: no candidates, or a target of 0: an empty list
#[test]
fn every_slicer_returns_nothing_for_no_candidates_or_no_target() {
    let candidates = mixed();
    for (name, slicer) in built_in() {
        assert!(sliced(&slicer, &[], 100).is_empty(), "{name}");
        assert!(sliced(&slicer, &candidates, 0).is_empty(), "{name}");
    }
}

/// Rule [Slicers]: the richer form chooses the same (ours)
#[test]
fn every_slicer_selects_the_positions_of_what_it_slices() {
    let candidates = mixed();
    let borrowed = Candidate::all_of(&candidates);
    for (name, slicer) in built_in() {
        let of = |target: ContextBudget| {
            let selection = slicer.select(&borrowed, &target, &RunContext::default()).unwrap();
            let kept: Vec<&str> =
                selection.kept.iter().map(|&at| candidates[at].item.content()).collect();
            kept
        };
        assert_eq!(of(budget(100)), sliced(&slicer, &candidates, 100), "{name}");
    }
}

/// Rule [Slicers]: a slicer answers for itself and for what it wraps (ours)
#[test]
fn a_boxed_or_shared_slicer_answers_as_itself() {
    let quota = QuotaSlice::new(Vec::new(), KnapsackSlice::default()).unwrap();
    let shared: Arc<dyn Slicer> = Arc::new(quota);
    let boxed: Box<dyn Slicer> = Box::new(Arc::clone(&shared));
    assert!(boxed.is_quota() && boxed.is_knapsack() && !boxed.is_count_quota());
    assert!(boxed.name().contains("QuotaSlice"), "{}", boxed.name());
    let candidates = mixed();
    assert_eq!(sliced(&boxed, &candidates, 100), sliced(&shared, &candidates, 100));
}

/// Rule [Slicers]: a slicer answers for itself and for what it wraps (ours)
#[test]
fn slicers_say_what_they_are() {
    let said: Vec<(&str, [bool; 3])> = built_in()
        .into_iter()
        .map(|(name, it)| (name, [it.is_knapsack(), it.is_quota(), it.is_count_quota()]))
        .collect();
    assert_eq!(
        said,
        [
            ("greedy", [false, false, false]),
            ("knapsack", [true, false, false]),
            ("quota", [false, true, false]),
            ("count quota", [false, false, true]),
            ("count knapsack", [false, false, true]),
        ]
    );
    assert!(!TakeAll.is_knapsack() && !TakeAll.is_quota() && !TakeAll.is_count_quota());
}

/// Rule [Slicers]: a slicer answers for itself and for what it wraps (ours)
#[test]
fn a_wrapping_slicer_answers_for_what_it_wraps() {
    fn quota(inner: impl Slicer + 'static) -> QuotaSlice {
        QuotaSlice::new([], inner).unwrap()
    }
    fn counts(inner: impl Slicer + 'static) -> CountQuotaSlice {
        CountQuotaSlice::new([], inner, ScarcityBehavior::Degrade).unwrap()
    }
    assert!(quota(KnapsackSlice::with_default_bucket_size()).is_knapsack());
    assert!(quota(counts(GreedySlice)).is_count_quota());
    assert!(counts(quota(GreedySlice)).is_quota());
    assert!(counts(counts(quota(GreedySlice))).is_quota());
}
