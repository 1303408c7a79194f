//! GreedySlice: best score per token first.

use cupel::{Candidate, GreedySlice, RunContext, Slicer};

use crate::fixtures::{budget, scored, sliced};

/// Rule [GreedySlice]: no candidates: an empty list
#[test]
fn no_candidates_give_an_empty_list() {
    assert!(sliced(&GreedySlice, &[], 1000).is_empty());
}

/// Rule [GreedySlice]: a target of 0: an empty list
#[test]
fn a_target_of_zero_gives_an_empty_list_even_of_items_that_cost_nothing() {
    let candidates = scored(&[("free", 0, 1.0), ("cheap", 1, 0.9)]);
    assert!(sliced(&GreedySlice, &candidates, 0).is_empty());
}

/// Rule [GreedySlice]: all zero-token: all selected
#[test]
fn items_that_cost_nothing_are_all_selected() {
    let candidates = scored(&[("a", 0, 0.9), ("b", 0, 0.0), ("c", 0, 0.4)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 1), ["a", "b", "c"]);
}

/// Rule [GreedySlice]: a single item fits: selected
#[test]
fn a_single_item_that_fits_is_selected() {
    assert_eq!(sliced(&GreedySlice, &scored(&[("a", 100, 0.5)]), 100), ["a"]);
}

/// Rule [GreedySlice]: a single item exceeds the budget: only zero-token items
#[test]
fn a_single_item_one_token_too_large_is_not_selected() {
    assert!(sliced(&GreedySlice, &scored(&[("a", 101, 0.5)]), 100).is_empty());
    let with_free = scored(&[("a", 101, 0.5), ("free", 0, 0.1)]);
    assert_eq!(sliced(&GreedySlice, &with_free, 100), ["free"]);
}

/// Rule [GreedySlice]: all exceed the budget: only zero-token items
#[test]
fn when_every_item_is_too_large_only_those_that_cost_nothing_are_selected() {
    let candidates = scored(&[("a", 200, 0.9), ("free", 0, 0.5), ("b", 300, 0.4)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 100), ["free"]);
}

/// Rule [GreedySlice]: all fit: all selected
#[test]
fn when_everything_fits_everything_is_selected() {
    let candidates = scored(&[("a", 50, 0.9), ("b", 30, 0.5), ("c", 20, 0.1)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 100), ["a", "b", "c"]);
}

/// Rule [GreedySlice]: density is score per token, highest first
#[test]
fn score_per_token_decides_not_score() {
    // a: 0.9 / 90 = 0.01 a token; b: 0.5 / 10 = 0.05 a token. Both do not fit.
    let candidates = scored(&[("a", 90, 0.9), ("b", 10, 0.5)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 95), ["b"]);
}

/// Rule [GreedySlice]: zero-token items sort first and are always included
#[test]
fn items_that_cost_nothing_come_before_the_densest_item() {
    // An infinite score is infinitely dense, above the largest finite density.
    let candidates = scored(&[("infinite", 1, f64::INFINITY), ("a", 1, 1.0), ("free", 0, 0.0)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 10), ["free", "infinite", "a"]);
}

/// Rule [GreedySlice]: scores do not order zero-token items
#[test]
fn scores_do_not_order_items_that_cost_nothing() {
    let rising = scored(&[("a", 0, 0.1), ("b", 0, 0.9), ("c", 0, 0.5)]);
    assert_eq!(sliced(&GreedySlice, &rising, 10), ["a", "b", "c"]);
    let odd = scored(&[("a", 0, f64::NAN), ("b", 0, f64::INFINITY), ("c", 0, -1.0)]);
    assert_eq!(sliced(&GreedySlice, &odd, 10), ["a", "b", "c"]);
}

/// Rule [GreedySlice]: equal densities: the lower index first
#[test]
fn of_equally_dense_items_the_earlier_is_preferred() {
    // Every one is worth 0.01 a token; only two fit.
    let candidates = scored(&[("a", 50, 0.5), ("b", 50, 0.5), ("c", 50, 0.5), ("d", 50, 0.5)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 100), ["a", "b"]);
}

/// Rule [GreedySlice]: equal densities: the lower index first
#[test]
fn equal_densities_of_unequal_sizes_keep_their_order() {
    // 0.75 / 3, 0.5 / 2 and 0.25 / 1 are all exactly 0.25.
    let candidates = scored(&[("a", 3, 0.75), ("b", 2, 0.5), ("c", 1, 0.25)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 6), ["a", "b", "c"]);
    assert_eq!(sliced(&GreedySlice, &candidates, 5), ["a", "b"]);
    assert_eq!(sliced(&GreedySlice, &candidates, 4), ["a", "c"]);
}

/// Rule [GreedySlice]: equal densities: the lower index first
#[test]
fn both_zeros_are_one_density() {
    let candidates = scored(&[("negative zero", 10, -0.0), ("zero", 10, 0.0)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 10), ["negative zero"]);
}

/// Rule [GreedySlice]: one pass: an item that does not fit is skipped, later ones are tried, nothing is undone
#[test]
fn the_fill_goes_on_past_an_item_that_does_not_fit() {
    // b is denser than c but only 40 tokens are left for it.
    let candidates = scored(&[("a", 60, 0.9), ("b", 50, 0.6), ("c", 40, 0.4)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 100), ["a", "c"]);
}

/// Rule [GreedySlice]: one pass: an item that does not fit is skipped, later ones are tried, nothing is undone
#[test]
fn a_skipped_item_is_not_tried_again() {
    // b does not fit beside a; dropping a for b and c would be worth more, but nothing is undone.
    let candidates = scored(&[("b", 60, 0.6), ("c", 40, 0.4), ("a", 50, 0.55)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 100), ["a", "c"]);
}

/// Rule [GreedySlice]: the answer is in density order
#[test]
fn the_answer_is_in_density_order() {
    let candidates = scored(&[("large", 100, 0.9), ("medium", 20, 0.8), ("small", 1, 0.7)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 1000), ["small", "medium", "large"]);
}

/// Rule [GreedySlice]: identical inputs, identical answers
#[test]
fn repeated_calls_give_the_same_answer() {
    let candidates = scored(&[("a", 30, 0.3), ("b", 30, 0.3), ("c", 10, 0.1), ("d", 0, 0.0)]);
    for _ in 0..20 {
        assert_eq!(sliced(&GreedySlice, &candidates, 60), ["d", "a", "b"]);
    }
}

/// Rule [GreedySlice]: NaN comes last (ours)
#[test]
fn an_item_without_a_number_for_a_score_comes_last() {
    let candidates = scored(&[("nan", 10, f64::NAN), ("worst", 10, f64::NEG_INFINITY)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 20), ["worst", "nan"]);
    assert_eq!(sliced(&GreedySlice, &candidates, 10), ["worst"]);
}

/// Rule [GreedySlice]: density is score per token, highest first
#[test]
fn a_negative_score_is_no_reason_to_leave_room_unused() {
    let candidates = scored(&[("a", 10, 0.5), ("b", 10, -0.5)]);
    assert_eq!(sliced(&GreedySlice, &candidates, 20), ["a", "b"]);
}

/// Rule [GreedySlice]: token counts do not wrap (ours)
#[test]
fn token_counts_at_the_end_of_the_range_neither_wrap_nor_fail() {
    let candidates = scored(&[("a", i64::MAX, 0.9), ("b", i64::MAX, 0.8), ("c", 1, 0.1)]);
    assert_eq!(sliced(&GreedySlice, &candidates, i64::MAX), ["c"]);
    assert_eq!(sliced(&GreedySlice, &candidates[..2], i64::MAX), ["a"]);
}

#[test]
fn asked_for_its_order_of_trial_it_names_also_what_does_not_fit() {
    let candidates = scored(&[("a", 100, 0.9), ("b", 10, 0.8), ("free", 0, 0.1)]);
    let candidates = Candidate::all_of(&candidates);
    let trial = |context| GreedySlice.select(&candidates, &budget(50), &context).unwrap().trial;
    assert_eq!(trial(RunContext::default().with_trial(true)), Some(vec![2, 1, 0]));
    assert_eq!(trial(RunContext::default()), None);
}
