//! Stage 5: what is left for the slicer after pinned items, reservations and the margin.

use cupel::{ContextBudget, ContextBudgetBuilder, ContextKind, GreedySlice, OverflowStrategy};

use crate::fixtures::spies::{SliceCall, spy_slicer};
use crate::fixtures::{budget, item, pinned, plain};

/// What the slicer is asked, with so many tokens pinned.
fn call(budget: ContextBudgetBuilder, pinned_tokens: i64) -> SliceCall {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline =
        plain().slicer(slicer).overflow_strategy(OverflowStrategy::Proceed).build().unwrap();
    let items = [pinned("p", pinned_tokens), item("a", 1)];
    pipeline.run(&items, &budget.build().unwrap()).unwrap();
    sliced.only()
}

fn effective(budget: ContextBudgetBuilder, pinned_tokens: i64) -> (i64, i64) {
    call(budget, pinned_tokens).max_and_target()
}

fn thousand() -> ContextBudgetBuilder {
    ContextBudget::builder(1000).target_tokens(800)
}

/// Rule [Stage 5: Slice]: effective budget: nothing taken
#[test]
fn with_nothing_taken_it_is_the_budget() {
    assert_eq!(effective(thousand(), 0), (1000, 800));
}

/// Rule [Stage 5: Slice]: effective maximum: minus output reserve, pinned tokens and slots
#[test]
fn the_output_reserve_lowers_the_maximum() {
    assert_eq!(effective(thousand().output_reserve(100), 0), (900, 800));
}

/// Rule [Stage 5: Slice]: effective target: minus pinned tokens and slots, at most the effective maximum
#[test]
fn the_target_is_held_to_the_maximum() {
    assert_eq!(effective(thousand().output_reserve(300), 0), (700, 700));
}

/// Rule [Stage 5: Slice]: effective maximum: minus output reserve, pinned tokens and slots
/// Rule [Stage 5: Slice]: effective target: minus pinned tokens and slots, at most the effective maximum
#[test]
fn pinned_tokens_lower_both() {
    assert_eq!(effective(thousand(), 50), (950, 750));
}

/// Rule [Stage 5: Slice]: effective maximum: minus output reserve, pinned tokens and slots
/// Rule [Stage 5: Slice]: effective target: minus pinned tokens and slots, at most the effective maximum
#[test]
fn reserved_slots_lower_both() {
    let slots = thousand().reserve(ContextKind::memory(), 30).reserve(ContextKind::document(), 20);
    assert_eq!(effective(slots, 0), (950, 750));
}

/// Rule [Stage 5: Slice]: the margin multiplies what is left and rounds down
#[test]
fn everything_is_subtracted_before_the_margin() {
    let all = || thousand().output_reserve(100).reserve(ContextKind::memory(), 50);
    assert_eq!(effective(all(), 50), (800, 700));
    // A tenth of what is left, not of the whole.
    assert_eq!(effective(all().safety_margin_percent(10.0), 50), (720, 630));
}

/// Rule [Stage 5: Slice]: the margin multiplies what is left and rounds down
#[test]
fn the_margin_rounds_down() {
    // Three quarters of 999 and 799 are 749.25 and 599.25.
    let odd = ContextBudget::builder(999).target_tokens(799).safety_margin_percent(25.0);
    assert_eq!(effective(odd, 0), (749, 599));
    let one = ContextBudget::builder(1).safety_margin_percent(0.5);
    assert_eq!(effective(one, 0), (0, 0));
}

/// Rule [Stage 5: Slice]: the margin multiplies what is left and rounds down
#[test]
fn a_margin_of_zero_changes_nothing_and_one_of_a_hundred_leaves_nothing() {
    assert_eq!(effective(thousand().safety_margin_percent(0.0), 0), (1000, 800));
    assert_eq!(effective(thousand().safety_margin_percent(100.0), 0), (0, 0));
}

/// Rule [Stage 5: Slice]: neither is below 0
#[test]
fn pinned_items_beyond_the_target_leave_none() {
    assert_eq!(effective(thousand(), 800), (200, 0));
    assert_eq!(effective(thousand(), 900), (100, 0));
}

/// Rule [Stage 5: Slice]: neither is below 0
#[test]
fn slots_beyond_the_rest_leave_nothing() {
    assert_eq!(effective(thousand().reserve(ContextKind::memory(), 2000), 0), (0, 0));
    let tight = thousand().output_reserve(500).reserve(ContextKind::memory(), 400);
    assert_eq!(effective(tight, 200), (0, 0));
}

/// Rule [Stage 5: Slice]: the slicer gets a fresh budget of maximum and target only
#[test]
fn the_slicer_gets_a_fresh_budget_with_nothing_reserved() {
    let given = thousand()
        .output_reserve(100)
        .reserve(ContextKind::memory(), 50)
        .safety_margin_percent(10.0);
    let budget = call(given, 50).budget;
    assert_eq!(budget.output_reserve(), 0);
    assert!(budget.reserved_slots().is_empty());
    assert_eq!(budget.estimation_safety_margin_percent(), 0.0);
}

/// Rule [Stage 5: Slice]: the arithmetic neither wraps nor adds (ours)
#[test]
fn sums_at_the_end_of_the_range_do_not_wrap() {
    let max = i64::MAX;
    assert_eq!(effective(ContextBudget::builder(max), 0), (max, max));
    assert_eq!(effective(ContextBudget::builder(max), max), (0, 0));
    let slots = ContextBudget::builder(max)
        .reserve(ContextKind::memory(), max)
        .reserve(ContextKind::document(), max);
    assert_eq!(effective(slots, max), (0, 0));
}

/// Rule [Stage 5: Slice]: the arithmetic neither wraps nor adds (ours)
#[test]
fn a_margin_never_adds_tokens() {
    // As a double this budget rounds up to 2^63.
    let almost = i64::MAX - 1;
    let margin = ContextBudget::builder(almost).safety_margin_percent(1e-300);
    assert_eq!(effective(margin, 0), (almost, almost));
}

/// Rule [Stage 5: Slice]: zero effective budget: nothing, not even zero-token items (ours)
#[test]
fn a_budget_of_zero_is_a_budget() {
    let pipeline = plain().build().unwrap();
    let report = pipeline.dry_run(&[item("a", 1), item("free", 0)], &budget(0)).unwrap();
    assert!(report.included.is_empty());
    assert_eq!(report.excluded.len(), 2);
}
