//! KnapsackSlice with buckets that follow the budget.

use cupel::{CupelError, KnapsackSlice, Slicer};

use crate::fixtures::{budget, item, scored, sliced};

fn adaptive() -> KnapsackSlice {
    KnapsackSlice::adaptive()
}

#[test]
fn a_thousand_tokens_are_packed_to_the_token() {
    let candidates = scored(&[("a", 51, 0.6), ("b", 50, 0.5), ("c", 50, 0.5)]);
    assert_eq!(sliced(&adaptive(), &candidates, 100), ["c", "b"]);
    assert_eq!(sliced(&adaptive(), &candidates, 1_000).len(), 3);
    assert!(sliced(&KnapsackSlice::default(), &candidates, 100).len() < 2);
}

#[test]
fn items_that_cost_nothing_come_first_and_no_target_chooses_nothing() {
    let candidates = scored(&[("a", 1, 0.9), ("free", 0, 0.1)]);
    assert_eq!(sliced(&adaptive(), &candidates, 1), ["free", "a"]);
    assert!(sliced(&adaptive(), &candidates, 0).is_empty());
}

#[test]
fn what_larger_buckets_leave_is_filled_by_score_per_token() {
    // Eleven tokens a bucket: each of these counts as 22, and only 454 of them are packed.
    let names: Vec<String> = (0..1_000).map(|at| at.to_string()).collect();
    let entries: Vec<_> = names.iter().map(|name| (&**name, 12, 0.5)).collect();
    let candidates = scored(&entries);
    let chosen = sliced(&adaptive(), &candidates, 10_001);
    assert_eq!(chosen.len(), 10_001 / 12);
}

#[test]
fn nothing_stays_out_that_would_still_fit_even_if_it_is_worth_nothing() {
    let candidates = scored(&[("a", 70, 0.9), ("large", 40, 0.8), ("b", 20, 0.0), ("c", 9, -1.0)]);
    assert_eq!(sliced(&adaptive(), &candidates, 100), ["a", "b", "c"]);
}

#[test]
fn no_budget_and_no_number_of_candidates_is_too_large() {
    let few = scored(&[("a", i64::MAX / 2, 0.5), ("b", i64::MAX, 0.45), ("c", 1, 0.4)]);
    assert_eq!(sliced(&adaptive(), &few, i64::MAX), ["c", "a"]);
    let many: Vec<_> = (0..60_000)
        .map(|at| cupel::ScoredItem { item: item(&at.to_string(), 1_000), score: 0.5 })
        .collect();
    let million = budget(1_000_000);
    assert_eq!(adaptive().slice(&many, &million).unwrap().len(), 1_000);
    let refused = KnapsackSlice::default().slice(&many, &million).unwrap_err();
    assert!(matches!(refused, CupelError::TableTooLarge { .. }), "{refused}");
}

#[test]
fn it_is_a_knapsack_without_a_size_of_its_own() {
    assert!(adaptive().is_knapsack());
    assert_eq!(adaptive().bucket_size(), None);
}
