//! CountQuotaSlice: commit what is required, fill the rest, hold kinds to their caps.

use cupel::{
    CountQuotaEntry, CountQuotaSlice, CountRequirementShortfall, GreedySlice, OverflowStrategy,
    QuotaEntry, QuotaSlice, ScarcityBehavior, Slicer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::spies::spy_slicer;
use crate::fixtures::{
    budget, contents, excluded, hinted_kind, included, kind, max_and_target, over_budget, over_cap,
    plain, scored_kinds, sliced,
};

fn entry(of: &str, require: usize, cap: usize) -> CountQuotaEntry {
    CountQuotaEntry::new(kind(of), require, cap).unwrap()
}

fn counts(entries: Vec<CountQuotaEntry>, inner: impl Slicer + 'static) -> CountQuotaSlice {
    CountQuotaSlice::new(entries, inner, ScarcityBehavior::Degrade).unwrap()
}

/// Rule [CountQuotaSlice]: no entries: the inner slicer unconstrained
#[test]
fn without_entries_the_inner_slicer_decides_alone() {
    let candidates = scored_kinds(&[("A", "a", 60, 0.9), ("B", "b", 50, 0.6), ("A", "c", 40, 0.4)]);
    assert_eq!(sliced(&counts(Vec::new(), GreedySlice), &candidates, 100), ["a", "c"]);
}

/// Rule [CountQuotaSlice]: requireCount = capCount: exactly so many
#[test]
fn a_requirement_equal_to_its_cap_is_exactly_what_there_is() {
    let pipeline = plain().slicer(counts(vec![entry("tool", 1, 1)], GreedySlice)).build().unwrap();
    let items = [hinted_kind("Tool", "a", 10, 0.9), hinted_kind("TOOL", "b", 10, 0.8)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a"]);
    // The kind is spelled as the item spells it.
    assert_eq!(excluded(&report), [("b", over_cap("TOOL", 1, 1))]);
    assert!(report.count_requirement_shortfalls.is_empty());
}

/// Rule [CountQuotaSlice]: requireCount = 0: nothing is committed, the output is capped
#[test]
fn a_cap_without_a_requirement_limits_what_the_inner_slicer_chose() {
    let pipeline = plain().slicer(counts(vec![entry("Tool", 0, 2)], GreedySlice)).build().unwrap();
    let items = [
        hinted_kind("Tool", "a", 10, 0.9),
        hinted_kind("Tool", "b", 10, 0.8),
        hinted_kind("Tool", "c", 10, 0.7),
        hinted_kind("Tool", "d", 10, 0.6),
    ];
    let report = pipeline.dry_run(&items, &budget(30)).unwrap();
    assert_eq!(included(&report), ["a", "b"]);
    // c was chosen and then capped; d had not been chosen at all.
    assert_eq!(excluded(&report), [("c", over_cap("Tool", 2, 2)), ("d", over_budget(10, 10))]);
}

/// Rule [CountQuotaSlice]: the best of each kind are committed, whatever the order of the input
#[test]
fn required_items_are_the_best_of_their_kind_and_come_first() {
    // By density the inner slicer would prefer b and m.
    let candidates =
        scored_kinds(&[("Tool", "a", 90, 0.9), ("Message", "m", 10, 0.8), ("Tool", "b", 10, 0.7)]);
    let slicer = counts(vec![entry("Tool", 1, 2)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a", "m"]);
}

/// Rule [CountQuotaSlice]: the best of each kind are committed, whatever the order of the input
#[test]
fn required_items_are_found_in_candidates_that_are_not_sorted() {
    let candidates = scored_kinds(&[
        ("Tool", "worst", 10, 0.1),
        ("Message", "m", 10, 0.2),
        ("Tool", "best", 10, 0.9),
        ("Tool", "second", 10, 0.5),
    ]);
    let slicer = counts(vec![entry("Tool", 2, 2)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 30), ["best", "second", "m"]);
}

/// Rule [CountQuotaSlice]: equal scores: the earlier is committed (ours)
#[test]
fn of_equally_good_required_items_the_earlier_is_committed() {
    let candidates = scored_kinds(&[
        ("Tool", "nan", 10, f64::NAN),
        ("Tool", "first", 10, 0.5),
        ("Tool", "second", 10, 0.5),
        ("Tool", "zero", 10, 0.0),
        ("Tool", "negative zero", 10, -0.0),
    ]);
    let take = |n| sliced(&counts(vec![entry("Tool", n, n)], GreedySlice), &candidates, 100);
    assert_eq!(take(1), ["first"]);
    assert_eq!(take(4), ["first", "second", "zero", "negative zero"]);
}

/// Rule [CountQuotaSlice]: committed items are in order of the entries
#[test]
fn required_items_come_in_order_of_the_entries() {
    let candidates = scored_kinds(&[("A", "a", 10, 0.9), ("B", "b", 10, 0.8)]);
    let entries = vec![entry("B", 1, 1), entry("A", 1, 1)];
    assert_eq!(sliced(&counts(entries, GreedySlice), &candidates, 100), ["b", "a"]);
}

/// Rule [CountQuotaSlice]: kinds compare without ASCII case throughout
#[test]
fn kinds_are_compared_without_case() {
    let candidates = scored_kinds(&[("TOOL", "a", 10, 0.9), ("tool", "b", 10, 0.8)]);
    let slicer = counts(vec![entry("Tool", 1, 1)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a"]);
}

/// Rule [CountQuotaSlice]: the inner slicer gets the rest, the target less what was committed, the maximum unchanged
#[test]
fn the_inner_slicer_gets_the_rest_with_what_is_left_of_the_target() {
    let (inner, seen) = spy_slicer(GreedySlice);
    let candidates =
        scored_kinds(&[("Tool", "a", 30, 0.9), ("Message", "m", 10, 0.8), ("Tool", "b", 20, 0.7)]);
    let slicer = counts(vec![entry("Tool", 1, 2)], inner);
    let chosen = slicer.slice(&candidates, &max_and_target(500, 100)).unwrap();
    assert_eq!(contents(&chosen), ["a", "m", "b"]);
    let call = seen.only();
    assert_eq!(call.candidates, [("m".to_owned(), 0.8), ("b".to_owned(), 0.7)]);
    // The maximum passes through unchanged.
    assert_eq!(call.max_and_target(), (500, 70));
}

/// Rule [CountQuotaSlice]: committed items use up the budget: nothing is added
#[test]
fn when_the_required_items_use_up_the_budget_nothing_is_added() {
    let (inner, seen) = spy_slicer(GreedySlice);
    let candidates = scored_kinds(&[
        ("Tool", "a", 100, 0.9),
        ("Message", "m", 1, 0.8),
        ("Message", "free", 0, 0.7),
    ]);
    let slicer = counts(vec![entry("Tool", 1, 1)], inner);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a"]);
    assert_eq!(seen.only().max_and_target(), (100, 0));
}

/// Rule [CountQuotaSlice]: committed items are always included, even beyond the budget
#[test]
fn required_items_are_included_even_beyond_the_budget() {
    let candidates = scored_kinds(&[("Tool", "a", 80, 0.9), ("Tool", "b", 80, 0.8)]);
    let slicer = counts(vec![entry("Tool", 2, 2)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a", "b"]);
}

/// Rule [CountQuotaSlice]: committed items are always included, even beyond the budget
#[test]
fn required_items_beyond_the_budget_are_for_the_overflow_strategy() {
    let pipeline = plain()
        .slicer(counts(vec![entry("Tool", 2, 2)], GreedySlice))
        .overflow_strategy(OverflowStrategy::Proceed)
        .build()
        .unwrap();
    let items = [
        hinted_kind("Tool", "a", 80, 0.9),
        hinted_kind("Tool", "b", 80, 0.8),
        hinted_kind("Message", "m", 10, 0.7),
    ];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a", "b"]);
    // 100 - 160: what is available is honestly less than nothing.
    assert_eq!(excluded(&report), [("m", over_budget(10, -60))]);
}

/// Rule [CountQuotaSlice]: token counts do not wrap (ours)
#[test]
fn token_counts_at_the_end_of_the_range_do_not_wrap() {
    let (inner, seen) = spy_slicer(GreedySlice);
    let candidates = scored_kinds(&[
        ("Tool", "a", i64::MAX, 0.9),
        ("Tool", "b", i64::MAX, 0.8),
        ("Message", "m", 1, 0.7),
    ]);
    let slicer = counts(vec![entry("Tool", 2, 2)], inner);
    assert_eq!(sliced(&slicer, &candidates, i64::MAX), ["a", "b"]);
    assert_eq!(seen.only().max_and_target(), (i64::MAX, 0));
}

/// Rule [CountQuotaSlice]: caps never remove committed items, which count towards them
#[test]
fn caps_never_remove_required_items() {
    // Two are required and two allowed; a third that the inner slicer adds is the one to go.
    let candidates =
        scored_kinds(&[("Tool", "a", 50, 0.9), ("Tool", "b", 50, 0.8), ("Tool", "dense", 1, 0.7)]);
    let slicer = counts(vec![entry("Tool", 2, 2)], TakeAll);
    assert_eq!(sliced(&slicer, &candidates, 1000), ["a", "b"]);
}

/// Rule [CountQuotaSlice]: caps never remove committed items, which count towards them
#[test]
fn required_items_count_towards_the_cap() {
    let candidates =
        scored_kinds(&[("Tool", "a", 10, 0.9), ("Tool", "b", 10, 0.8), ("Tool", "c", 10, 0.7)]);
    let slicer = counts(vec![entry("Tool", 1, 2)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a", "b"]);
}

/// Rule [CountQuotaSlice]: caps take the inner slicer's order
#[test]
fn caps_keep_what_the_inner_slicer_names_first() {
    // Densest first: b, then a.
    let candidates = scored_kinds(&[("Tool", "a", 90, 0.9), ("Tool", "b", 10, 0.5)]);
    let slicer = counts(vec![entry("Tool", 0, 1)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["b"]);
}

/// Rule [CountQuotaSlice]: kinds without an entry are free
#[test]
fn kinds_without_an_entry_are_neither_required_nor_capped() {
    let candidates = scored_kinds(&[
        ("Message", "m1", 10, 0.9),
        ("Message", "m2", 10, 0.8),
        ("Tool", "t", 10, 0.1),
        ("Message", "m3", 10, 0.7),
    ]);
    let slicer = counts(vec![entry("Tool", 1, 1)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["t", "m1", "m2", "m3"]);
}

/// Rule [CountQuotaSlice]: a handle given twice is two candidates (ours)
#[test]
fn a_handle_given_twice_is_two_candidates() {
    let mut candidates = scored_kinds(&[("Tool", "twin", 10, 0.9)]);
    candidates.push(candidates[0].clone());
    let slicer = counts(vec![entry("Tool", 1, 2)], GreedySlice);
    assert_eq!(sliced(&slicer, &candidates, 100), ["twin", "twin"]);
    let capped = counts(vec![entry("Tool", 1, 1)], GreedySlice);
    assert_eq!(sliced(&capped, &candidates, 100), ["twin"]);
}

/// Rule [CountQuotaSlice]: caps and shortfalls are told when nested (ours)
#[test]
fn caps_and_shortfalls_are_told_from_inside_a_quota() {
    let inner = counts(vec![entry("Tool", 2, 2), entry("Memory", 1, 1)], GreedySlice);
    let quota = QuotaSlice::new(vec![QuotaEntry::new(kind("Tool"), 50.0, 50.0).unwrap()], inner);
    let pipeline = plain().slicer(quota.unwrap()).build().unwrap();
    let items = [
        hinted_kind("Tool", "a", 10, 0.9),
        hinted_kind("Tool", "b", 10, 0.8),
        hinted_kind("Tool", "c", 10, 0.7),
    ];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a", "b"]);
    assert_eq!(excluded(&report), [("c", over_cap("Tool", 2, 2))]);
    let short = CountRequirementShortfall::new("Memory", 1, 0);
    assert_eq!(report.count_requirement_shortfalls, [short]);
}

/// Rule [CountQuotaSlice]: caps and shortfalls are told when nested (ours)
#[test]
fn the_innermost_cap_is_the_one_told() {
    let inner = counts(vec![entry("Tool", 0, 1)], GreedySlice);
    let outer = counts(vec![entry("Tool", 0, 2)], inner);
    let pipeline = plain().slicer(outer).build().unwrap();
    let items = [hinted_kind("Tool", "a", 10, 0.9), hinted_kind("Tool", "b", 10, 0.8)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_cap("Tool", 1, 1))]);
}
