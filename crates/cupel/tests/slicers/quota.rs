//! QuotaSlice: configuration, kinds, and what the inner slicer is asked.

use cupel::{
    ContextBudget, ContextKind, CupelError, GreedySlice, KnapsackSlice, QuotaEntry, QuotaSlice,
    Slicer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::spies::spy_slicer;
use crate::fixtures::{
    assert_slicer_config, budget, excluded, hinted_kind, included, kind, over_budget, plain,
    scored_kinds, sliced,
};

fn entry(of: &str, require: f64, cap: f64) -> QuotaEntry {
    QuotaEntry::new(kind(of), require, cap).unwrap()
}

fn greedy(entries: Vec<QuotaEntry>) -> QuotaSlice {
    QuotaSlice::new(entries, GreedySlice).unwrap()
}

fn built(entries: Vec<QuotaEntry>) -> Result<QuotaSlice, CupelError> {
    QuotaSlice::new(entries, GreedySlice)
}

/// Rule [QuotaSlice]: no candidates: an empty list
#[test]
fn no_candidates_give_an_empty_list() {
    assert!(sliced(&greedy(vec![entry("A", 50.0, 100.0)]), &[], 1000).is_empty());
}

/// Rule [QuotaSlice]: a target of 0: an empty list
#[test]
fn a_target_of_zero_gives_an_empty_list() {
    let candidates = scored_kinds(&[("A", "free", 0, 0.9), ("A", "a", 1, 0.5)]);
    assert!(sliced(&greedy(vec![entry("A", 50.0, 100.0)]), &candidates, 0).is_empty());
}

/// Rule [QuotaSlice]: require <= cap
#[test]
fn a_requirement_above_its_cap_is_refused() {
    assert_slicer_config(
        QuotaEntry::new(kind("Tool"), 60.0, 40.0),
        &["require", "Tool", "60", "cap", "40"],
    );
    assert!(QuotaEntry::new(kind("Tool"), 40.0, 40.0).is_ok());
}

/// Rule [QuotaSlice]: percentages are within [0, 100] and finite
#[test]
fn percentages_outside_zero_to_a_hundred_are_refused() {
    let new = |require, cap| QuotaEntry::new(kind("Tool"), require, cap);
    assert_slicer_config(new(-0.1, 50.0), &["require", "Tool", "-0.1", "between 0 and 100"]);
    assert_slicer_config(new(100.5, 100.5), &["require", "Tool", "100.5", "between 0 and 100"]);
    assert_slicer_config(new(0.0, 100.5), &["cap", "Tool", "100.5", "between 0 and 100"]);
    assert_slicer_config(new(0.0, -1.0), &["cap", "Tool", "-1", "between 0 and 100"]);
    assert!(new(0.0, 0.0).is_ok() && new(0.0, 100.0).is_ok() && new(100.0, 100.0).is_ok());
}

/// Rule [QuotaSlice]: percentages are within [0, 100] and finite
#[test]
fn percentages_that_are_not_finite_are_refused() {
    let new = |require, cap| QuotaEntry::new(kind("Tool"), require, cap);
    assert_slicer_config(new(f64::NAN, 50.0), &["require", "Tool", "NaN"]);
    assert_slicer_config(new(0.0, f64::NAN), &["cap", "Tool", "NaN"]);
    assert_slicer_config(new(0.0, f64::INFINITY), &["cap", "Tool", "inf"]);
    assert_slicer_config(new(f64::NEG_INFINITY, 50.0), &["require", "Tool", "-inf"]);
}

/// Rule [QuotaSlice]: requirements add up to at most 100 %, within 1e-9 (the tolerance is ours)
#[test]
fn requirements_of_more_than_a_hundred_percent_together_are_refused() {
    let entries = vec![entry("A", 60.0, 100.0), entry("B", 50.0, 100.0)];
    assert_slicer_config(built(entries), &["110", "must not exceed 100"]);
    let caps = vec![entry("A", 50.0, 100.0), entry("B", 50.0, 100.0)];
    assert!(built(caps).is_ok(), "caps may add up to anything");
}

/// Rule [QuotaSlice]: requirements add up to at most 100 %, within 1e-9 (the tolerance is ours)
#[test]
fn requirements_may_miss_a_hundred_by_a_billionth() {
    let almost = |over: f64| vec![entry("A", 50.0, 100.0), entry("B", 50.0 + over, 100.0)];
    assert!(built(almost(5e-10)).is_ok());
    assert_slicer_config(built(almost(2e-9)), &["must not exceed 100"]);
    // Eleven times 8.4 and 7.6 are 100.00000000000001 in doubles.
    let parts = [8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 8.4, 7.6];
    let of = |(n, &percent): (usize, &f64)| entry(&format!("K{n}"), percent, 100.0);
    assert!(built(parts.iter().enumerate().map(of).collect()).is_ok());
}

/// Rule [QuotaSlice]: one entry per kind (ours)
#[test]
fn two_entries_for_one_kind_are_refused_whatever_their_case() {
    let entries = vec![entry("ToolOutput", 10.0, 50.0), entry("TOOLoutput", 10.0, 50.0)];
    assert_slicer_config(built(entries), &["TOOLoutput", "two entries"]);
}

/// Rule [QuotaSlice]: entries are given back in order (ours)
#[test]
fn entries_are_kept_in_configured_order() {
    let slicer = greedy(vec![entry("B", 10.0, 20.0), entry("A", 5.0, 100.0)]);
    let entries: Vec<_> =
        slicer.entries().map(|it| (it.kind().as_str(), it.require(), it.cap())).collect();
    assert_eq!(entries, [("B", 10.0, 20.0), ("A", 5.0, 100.0)]);
}

/// Rule [QuotaSlice]: kinds compare without ASCII case throughout
#[test]
fn kinds_are_compared_without_case() {
    let (inner, seen) = spy_slicer(GreedySlice);
    let entries = vec![entry("tooloutput", 50.0, 60.0)];
    let slicer = QuotaSlice::new(entries, inner).unwrap();
    let candidates = scored_kinds(&[
        ("ToolOutput", "a", 10, 0.9),
        ("TOOLOUTPUT", "b", 10, 0.8),
        ("toolOutput", "c", 10, 0.7),
    ]);
    assert_eq!(sliced(&slicer, &candidates, 100), ["a", "b", "c"]);
    let call = seen.only();
    assert_eq!(call.contents(), ["a", "b", "c"]);
    assert_eq!(call.max_and_target(), (60, 60));
}

/// Rule [QuotaSlice]: the inner slicer gets the cap as maximum, the share as target, nothing else
/// Rule [QuotaSlice]: reserved slots do not change the shares (ours)
#[test]
fn the_inner_slicer_gets_the_cap_as_maximum_and_the_share_as_target() {
    let (inner, seen) = spy_slicer(GreedySlice);
    let entries = vec![entry("A", 20.0, 50.0)];
    let slicer = QuotaSlice::new(entries, inner).unwrap();
    let candidates = scored_kinds(&[("A", "a", 100, 0.9), ("B", "b", 300, 0.8)]);
    let given = ContextBudget::builder(5000)
        .target_tokens(1000)
        .output_reserve(7)
        .reserve(ContextKind::memory(), 9)
        .safety_margin_percent(50.0)
        .build()
        .unwrap();
    slicer.slice(&candidates, &given).unwrap();

    let calls = seen.calls();
    // A: 200 required + 800 * 100 / 400 shared out; B: 800 * 300 / 400.
    assert_eq!(calls[0].max_and_target(), (500, 400));
    assert_eq!(calls[1].max_and_target(), (1000, 600));
    for call in calls {
        assert_eq!(call.budget.output_reserve(), 0);
        assert!(call.budget.reserved_slots().is_empty());
        assert_eq!(call.budget.estimation_safety_margin_percent(), 0.0);
    }
}

/// Rule [QuotaSlice]: output: kind after kind, in order of first appearance (the order is ours)
#[test]
fn kinds_come_in_order_of_first_appearance() {
    let slicer = QuotaSlice::new(vec![entry("A", 0.0, 100.0)], TakeAll).unwrap();
    let candidates = scored_kinds(&[
        ("C", "c1", 10, 0.9),
        ("A", "a1", 10, 0.8),
        ("c", "c2", 10, 0.7),
        ("B", "b1", 10, 0.6),
        ("A", "a2", 10, 0.5),
    ]);
    assert_eq!(sliced(&slicer, &candidates, 100), ["c1", "c2", "a1", "a2", "b1"]);
}

/// Rule [QuotaSlice]: output: kind after kind, in order of first appearance (the order is ours)
#[test]
fn many_kinds_still_come_in_order_of_first_appearance() {
    let names: Vec<String> = (0..200).map(|n| format!("kind-{}", n * 73 % 200)).collect();
    let entries: Vec<_> = names.iter().map(|name| (name.as_str(), name.as_str(), 1, 0.5)).collect();
    let candidates = scored_kinds(&entries);
    for _ in 0..3 {
        assert_eq!(sliced(&greedy(Vec::new()), &candidates, 200), names);
    }
}

/// Rule [QuotaSlice]: any slicer may be inside
#[test]
fn a_knapsack_inside_packs_each_share() {
    let knapsack = KnapsackSlice::new(1).unwrap();
    let slicer = QuotaSlice::new(vec![entry("A", 50.0, 50.0)], knapsack).unwrap();
    let candidates = scored_kinds(&[
        ("A", "a60", 60, 0.6),
        ("A", "a50", 50, 0.45),
        ("A", "a40", 40, 0.4),
        ("B", "b", 100, 0.3),
    ]);
    // A has exactly 100 of 200 tokens: 60 + 40 is worth the most.
    assert_eq!(sliced(&slicer, &candidates, 200), ["a40", "a60", "b"]);
}

/// Rule [QuotaSlice]: reserved reasons are not emitted
#[test]
fn what_a_quota_leaves_out_exceeded_the_budget() {
    let pipeline = plain().slicer(greedy(vec![entry("A", 0.0, 30.0)])).build().unwrap();
    let items = [hinted_kind("A", "a1", 30, 0.9), hinted_kind("A", "a2", 30, 0.8)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a1"]);
    assert_eq!(excluded(&report), [("a2", over_budget(30, 70))]);
}
