//! KnapsackSlice: the most score in total, in token buckets.

use cupel::{KnapsackSlice, Slicer};

use crate::fixtures::{scored, sliced};

fn exact() -> KnapsackSlice {
    KnapsackSlice::new(1).unwrap()
}

fn hundreds() -> KnapsackSlice {
    KnapsackSlice::with_default_bucket_size()
}

/// Rule [KnapsackSlice]: no candidates: an empty list
#[test]
fn no_candidates_give_an_empty_list() {
    assert!(sliced(&exact(), &[], 1000).is_empty());
}

/// Rule [KnapsackSlice]: a target of 0: an empty list
#[test]
fn a_target_of_zero_gives_an_empty_list_even_of_items_that_cost_nothing() {
    assert!(sliced(&exact(), &scored(&[("free", 0, 1.0), ("a", 1, 0.5)]), 0).is_empty());
}

/// Rule [KnapsackSlice]: all zero-token: all selected
#[test]
fn items_that_cost_nothing_are_all_selected() {
    let candidates = scored(&[("a", 0, 0.9), ("b", 0, 0.0), ("c", 0, f64::NAN)]);
    assert_eq!(sliced(&hundreds(), &candidates, 1), ["a", "b", "c"]);
}

/// Rule [KnapsackSlice]: no whole bucket: only zero-token items
#[test]
fn a_budget_of_less_than_one_bucket_takes_only_items_that_cost_nothing() {
    let candidates = scored(&[("a", 1, 0.9), ("free", 0, 0.1)]);
    assert_eq!(sliced(&hundreds(), &candidates, 99), ["free"]);
    assert_eq!(sliced(&hundreds(), &candidates, 100), ["free", "a"]);
}

/// Rule [KnapsackSlice]: all exceed the capacity: only zero-token items
#[test]
fn when_every_item_exceeds_the_capacity_only_those_that_cost_nothing_are_selected() {
    // 201 tokens are three buckets, the budget is two.
    let candidates = scored(&[("a", 201, 0.9), ("free", 0, 0.1), ("b", 300, 0.8)]);
    assert_eq!(sliced(&hundreds(), &candidates, 299), ["free"]);
}

/// Rule [KnapsackSlice]: a single candidate fits: it and the zero-token items
#[test]
fn a_single_candidate_that_fits_joins_the_items_that_cost_nothing() {
    let candidates = scored(&[("a", 200, 0.9), ("free", 0, 0.1)]);
    assert_eq!(sliced(&hundreds(), &candidates, 200), ["free", "a"]);
}

/// Rule [KnapsackSlice]: the greatest total score wins
#[test]
fn the_best_total_beats_the_densest_item() {
    // Densest first would take a (0.6 for 60) and be left with 40 unused tokens.
    let candidates = scored(&[("a", 60, 0.6), ("b", 50, 0.45), ("c", 50, 0.4)]);
    assert_eq!(sliced(&exact(), &candidates, 100), ["c", "b"]);
}

/// Rule [KnapsackSlice]: zero-token items are set apart before the packing
/// Rule [KnapsackSlice]: output: zero-token items, then packed ones last first
#[test]
fn items_that_cost_nothing_take_no_part_in_the_packing() {
    // They are in front in their own order, however low their scores.
    let candidates = scored(&[("a", 100, 0.9), ("x", 0, 0.0), ("b", 100, 0.8), ("y", 0, 0.7)]);
    assert_eq!(sliced(&hundreds(), &candidates, 100), ["x", "y", "a"]);
}

/// Rule [KnapsackSlice]: output: zero-token items, then packed ones last first
#[test]
fn packed_items_are_returned_last_candidate_first() {
    let candidates = scored(&[("a", 100, 0.9), ("b", 100, 0.8), ("c", 100, 0.7), ("d", 100, 0.6)]);
    assert_eq!(sliced(&hundreds(), &candidates, 400), ["d", "c", "b", "a"]);
    assert_eq!(sliced(&hundreds(), &candidates, 399), ["c", "b", "a"]);
}

/// Rule [KnapsackSlice]: each item at most once (reverse iteration)
#[test]
fn no_item_is_packed_twice() {
    // Walking the weights upwards would fill 300 tokens with a three times.
    let candidates = scored(&[("a", 100, 0.9), ("b", 200, 0.2), ("c", 300, 0.3)]);
    assert_eq!(sliced(&hundreds(), &candidates, 300), ["b", "a"]);
}

/// Rule [KnapsackSlice]: reconstruction from the last candidate: ties do without later ones
#[test]
fn of_equally_good_packings_the_one_without_later_items_is_taken() {
    let twins = scored(&[("a", 100, 0.5), ("b", 100, 0.5)]);
    assert_eq!(sliced(&hundreds(), &twins, 100), ["a"]);
    // a + b and c are worth 0.6 each for 200 tokens.
    let pair = scored(&[("c", 200, 0.6), ("a", 100, 0.3), ("b", 100, 0.3)]);
    assert_eq!(sliced(&hundreds(), &pair, 200), ["c"]);
    let pair_first = scored(&[("a", 100, 0.3), ("b", 100, 0.3), ("c", 200, 0.6)]);
    assert_eq!(sliced(&hundreds(), &pair_first, 200), ["b", "a"]);
}

/// Rule [KnapsackSlice]: weights round up to buckets, the capacity rounds down
#[test]
fn item_sizes_round_up_to_whole_buckets() {
    // 101 tokens weigh two buckets, so of four buckets only two such items fit, not three.
    let candidates = scored(&[("a", 101, 0.9), ("b", 101, 0.8), ("c", 101, 0.7)]);
    assert_eq!(sliced(&hundreds(), &candidates, 400), ["b", "a"]);
}

/// Rule [KnapsackSlice]: weights round up to buckets, the capacity rounds down
#[test]
fn the_budget_rounds_down_to_whole_buckets() {
    let candidates = scored(&[("a", 150, 0.9)]);
    assert!(sliced(&hundreds(), &candidates, 199).is_empty());
    assert_eq!(sliced(&hundreds(), &candidates, 200), ["a"]);
}

/// Rule [KnapsackSlice]: weights round up to buckets, the capacity rounds down
#[test]
fn a_packing_never_exceeds_the_budget_in_tokens() {
    let candidates: Vec<_> = (1..=30).map(|n| (n, n * 37 % 250 + 1)).collect();
    let names: Vec<String> = candidates.iter().map(|(n, _)| n.to_string()).collect();
    let entries: Vec<(&str, i64, f64)> = names
        .iter()
        .zip(&candidates)
        .map(|(name, (n, tokens))| (name.as_str(), *tokens, *n as f64 / 30.0))
        .collect();
    let candidates = scored(&entries);
    for bucket in [1, 7, 100] {
        for target in [1, 99, 100, 101, 777, 2000] {
            let slicer = KnapsackSlice::new(bucket).unwrap();
            let chosen = slicer.slice(&candidates, &crate::fixtures::budget(target)).unwrap();
            let total: i64 = chosen.iter().map(|item| item.tokens()).sum();
            assert!(total <= target, "{total} tokens in {target} with buckets of {bucket}");
        }
    }
}

/// Rule [KnapsackSlice]: the bucket size defaults to 100
#[test]
fn the_bucket_size_is_a_hundred_tokens_unless_set() {
    assert_eq!(KnapsackSlice::with_default_bucket_size().bucket_size(), Some(100));
    assert_eq!(KnapsackSlice::default(), KnapsackSlice::with_default_bucket_size());
    assert_eq!(KnapsackSlice::new(7).unwrap().bucket_size(), Some(7));
}

/// Rule [KnapsackSlice]: scores scale by 10000, rounded down, at least 0
#[test]
fn scores_count_to_four_decimal_places() {
    // 0.50009 and 0.5 are both worth 5000: a tie, which goes to the earlier.
    let tied = scored(&[("a", 100, 0.5), ("b", 100, 0.500_09)]);
    assert_eq!(sliced(&hundreds(), &tied, 100), ["a"]);
    let apart = scored(&[("a", 100, 0.5), ("b", 100, 0.5002)]);
    assert_eq!(sliced(&hundreds(), &apart, 100), ["b"]);
}

/// Rule [KnapsackSlice]: scores scale by 10000, rounded down, at least 0
#[test]
fn an_item_worth_less_than_a_ten_thousandth_is_not_packed() {
    let candidates = scored(&[("a", 100, 0.000_15), ("b", 100, 0.000_09), ("c", 100, 0.0)]);
    assert_eq!(sliced(&hundreds(), &candidates, 1000), ["a"]);
}

/// Rule [KnapsackSlice]: scores scale by 10000, rounded down, at least 0
#[test]
fn negative_scores_and_those_that_are_no_number_are_worth_nothing() {
    let candidates = scored(&[("a", 100, 0.1), ("b", 100, -0.9), ("c", 100, f64::NAN)]);
    assert_eq!(sliced(&hundreds(), &candidates, 1000), ["a"]);
}

/// Rule [KnapsackSlice]: items of negative tokens are no candidates
#[test]
fn items_with_negative_tokens_are_not_packed() {
    // The pipeline never passes them; a caller of the slicer may.
    let candidates = scored(&[("a", -100, 0.9), ("b", 100, 0.8)]);
    assert_eq!(sliced(&hundreds(), &candidates, 1000), ["b"]);
}
