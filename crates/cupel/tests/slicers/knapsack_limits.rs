//! KnapsackSlice: what it refuses, and numbers at the ends of their ranges.

use cupel::{CupelError, KnapsackSlice, ScoredItem, Slicer};

use crate::fixtures::{assert_names, assert_slicer_config, budget, contents, scored, sliced};

fn refused(slicer: &KnapsackSlice, candidates: &[ScoredItem], target: i64) -> CupelError {
    slicer.slice(candidates, &budget(target)).unwrap_err()
}

/// Rule [KnapsackSlice]: the bucket size is positive
#[test]
fn a_bucket_size_below_one_is_refused() {
    assert_slicer_config(KnapsackSlice::new(0), &["bucket size", "(0)", "at least 1"]);
    assert_slicer_config(KnapsackSlice::new(-5), &["bucket size", "(-5)", "at least 1"]);
    let smallest = i64::MIN.to_string();
    assert_slicer_config(KnapsackSlice::new(i64::MIN), &[&smallest]);
    assert!(KnapsackSlice::new(1).is_ok());
}

/// Rule [KnapsackSlice]: more than 50,000,000 cells are refused, by name and number (ours)
#[test]
fn a_table_of_fifty_million_cells_is_the_largest() {
    let slicer = KnapsackSlice::new(1).unwrap();
    let one = scored(&[("a", 5, 0.5)]);
    assert_eq!(sliced(&slicer, &one, 50_000_000), ["a"]);
    assert_eq!(
        refused(&slicer, &one, 50_000_001),
        CupelError::TableTooLarge { candidates: 1, capacity: 50_000_001, cells: 50_000_001 }
    );
}

/// Rule [KnapsackSlice]: more than 50,000,000 cells are refused, by name and number (ours)
#[test]
fn the_refusal_names_the_numbers_the_limit_and_the_remedies() {
    let slicer = KnapsackSlice::new(100).unwrap();
    let error = refused(&slicer, &scored(&[("a", 1, 0.5), ("b", 1, 0.5)]), 5_000_000_000);
    assert_eq!(
        error,
        CupelError::TableTooLarge { candidates: 2, capacity: 50_000_000, cells: 100_000_000 }
    );
    let parts = ["2 candidates", "50000000 buckets", "100000000", "bucket size", "GreedySlice"];
    assert_names(&error, &parts);
}

/// Rule [KnapsackSlice]: more than 50,000,000 cells are refused, by name and number (ours)
#[test]
fn items_that_cost_nothing_do_not_count_towards_the_table() {
    let slicer = KnapsackSlice::new(1).unwrap();
    let candidates = scored(&[("x", 0, 0.9), ("a", 5, 0.5), ("y", 0, 0.1)]);
    assert_eq!(sliced(&slicer, &candidates, 50_000_000), ["x", "y", "a"]);
    let only_free = scored(&[("x", 0, 0.9), ("y", 0, 0.1)]);
    assert_eq!(sliced(&slicer, &only_free, i64::MAX), ["x", "y"]);
}

/// Rule [KnapsackSlice]: more than 50,000,000 cells are refused, by name and number (ours)
#[test]
fn the_number_of_cells_does_not_wrap() {
    let slicer = KnapsackSlice::new(1).unwrap();
    let candidates = scored(&[("a", 1, 0.5), ("b", 1, 0.5), ("c", 1, 0.5)]);
    assert_eq!(
        refused(&slicer, &candidates, i64::MAX),
        CupelError::TableTooLarge { candidates: 3, capacity: i64::MAX as usize, cells: u64::MAX }
    );
}

/// Rule [KnapsackSlice]: sizes and sums do not wrap (ours)
#[test]
fn sizes_at_the_end_of_the_range_do_not_wrap() {
    let candidates = scored(&[("a", i64::MAX, 0.9), ("b", 1, 0.1)]);
    assert_eq!(sliced(&KnapsackSlice::new(1).unwrap(), &candidates, 100), ["b"]);
    // In buckets of the largest size everything weighs one bucket, and there is one.
    let huge = KnapsackSlice::new(i64::MAX).unwrap();
    assert_eq!(sliced(&huge, &candidates, i64::MAX), ["a"]);
    assert!(sliced(&huge, &candidates, i64::MAX - 1).is_empty());
}

/// Rule [KnapsackSlice]: sizes and sums do not wrap (ours)
#[test]
fn sums_of_enormous_scores_do_not_wrap() {
    // Each is worth the largest value there is; two of them together still beat one.
    let candidates = scored(&[
        ("a", 200, f64::INFINITY),
        ("b", 100, f64::INFINITY),
        ("c", 100, 1e300),
        ("d", 100, 0.5),
    ]);
    let chosen = KnapsackSlice::default().slice(&candidates, &budget(200)).unwrap();
    assert_eq!(contents(&chosen), ["c", "b"]);
}
