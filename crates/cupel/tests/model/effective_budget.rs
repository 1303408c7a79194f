//! What is left for the slicer, and what a selection is measured against.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, OverflowStrategy, ScoredItem, Slicer,
};

use crate::shorthand::{assert_says, choosing_all, contents, greedy, hinted, pinned, sized};

/// Chooses nothing and remembers the budget it was given.
#[derive(Clone, Default)]
struct Probe(Arc<Mutex<Option<ContextBudget>>>);

impl Slicer for Probe {
    fn slice(
        &self,
        _sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        *self.0.lock().unwrap() = Some(budget.clone());
        Ok(Vec::new())
    }
}

/// The budget a slicer is given when so many tokens are pinned.
fn left_by(budget: &ContextBudget, pinned_tokens: i64) -> ContextBudget {
    let probe = Probe::default();
    let items = [sized("candidate", 1), pinned("pinned", pinned_tokens)];
    let pipeline = greedy()
        .slicer(probe.clone())
        .overflow_strategy(OverflowStrategy::Proceed)
        .build()
        .unwrap();
    pipeline.run(&items, budget).unwrap();
    let seen = probe.0.lock().unwrap();
    seen.clone().expect("the slicer was asked")
}

/// Maximum and target that a slicer is given.
fn effective(budget: &ContextBudget, pinned_tokens: i64) -> (i64, i64) {
    let left = left_by(budget, pinned_tokens);
    (left.max_tokens(), left.target_tokens())
}

fn slots(memory: i64, document: i64) -> HashMap<ContextKind, i64> {
    HashMap::from([(ContextKind::memory(), memory), (ContextKind::document(), document)])
}

/// Rule [ContextBudget]: effective budget: nothing taken
#[test]
fn with_nothing_taken_everything_is_left() {
    let budget = ContextBudget::new(1_000, 800, 0, HashMap::new(), 0.0).unwrap();
    assert_eq!(effective(&budget, 0), (1_000, 800));
}

/// Rule [ContextBudget]: effective budget: the reserve lowers the maximum; the target is clamped to it
#[test]
fn the_output_reserve_lowers_the_maximum_and_the_target_only_to_it() {
    let small = ContextBudget::new(1_000, 800, 150, HashMap::new(), 0.0).unwrap();
    assert_eq!(effective(&small, 0), (850, 800));
    let large = ContextBudget::new(1_000, 800, 300, HashMap::new(), 0.0).unwrap();
    assert_eq!(effective(&large, 0), (700, 700));
}

/// Rule [ContextBudget]: effective budget: pinned tokens are subtracted from both
#[test]
fn pinned_tokens_lower_both() {
    let budget = ContextBudget::new(1_000, 800, 0, HashMap::new(), 0.0).unwrap();
    assert_eq!(effective(&budget, 100), (900, 700));
}

/// Rule [ContextBudget]: effective budget: reserved slots are subtracted from both
#[test]
fn reserved_slots_lower_both_by_their_sum() {
    let budget = ContextBudget::new(1_000, 800, 0, slots(50, 70), 0.0).unwrap();
    assert_eq!(effective(&budget, 0), (880, 680));
}

/// Rule [ContextBudget]: effective budget: reserved slots are subtracted from both
#[test]
fn reserved_slots_are_nobodys_even_if_their_kind_has_candidates() {
    let budget = ContextBudget::builder(100).reserve(ContextKind::memory(), 60).build().unwrap();
    let memory = ContextItem::builder("fact", 50).kind(ContextKind::memory()).build().unwrap();
    let window = greedy().build().unwrap().run(&[memory], &budget).unwrap();
    assert!(window.is_empty());
}

/// Rule [ContextBudget]: effective budget: never below zero
#[test]
fn pinned_tokens_over_the_target_leave_no_target() {
    let budget = ContextBudget::new(1_000, 200, 0, HashMap::new(), 0.0).unwrap();
    assert_eq!(effective(&budget, 300), (700, 0));
}

/// Rule [ContextBudget]: effective budget: never below zero
#[test]
fn reservations_over_everything_leave_nothing() {
    let budget = ContextBudget::new(1_000, 800, 100, slots(500, 500), 0.0).unwrap();
    assert_eq!(effective(&budget, 0), (0, 0));
    let beyond_range = ContextBudget::new(1_000, 800, 0, slots(i64::MAX, i64::MAX), 0.0).unwrap();
    assert_eq!(effective(&beyond_range, 1), (0, 0));
}

/// Rule [ContextBudget]: effective budget: the margin multiplies what the subtractions leave
#[test]
fn the_safety_margin_is_taken_off_what_the_rest_leaves() {
    // 1000 - 100 - 60 - 40 = 800 and 800 - 60 - 40 = 700, then nine tenths of each.
    let budget = ContextBudget::new(1_000, 800, 100, slots(30, 10), 10.0).unwrap();
    assert_eq!(effective(&budget, 60), (720, 630));
}

/// Rule [ContextBudget]: effective budget: floor of a double product
#[test]
fn the_safety_margin_rounds_down() {
    // 899.1 and 895.5.
    let budget = ContextBudget::new(999, 995, 0, HashMap::new(), 10.0).unwrap();
    assert_eq!(effective(&budget, 0), (899, 895));
}

/// Rule [ContextBudget]: effective budget: floor of a double product
#[test]
fn the_safety_margin_is_a_double_as_written() {
    // 1 - 7 / 100 is a little less than 0.93 in binary, so 1000 of it round down to 929.
    let budget = ContextBudget::new(1_000, 500, 0, HashMap::new(), 7.0).unwrap();
    assert_eq!(effective(&budget, 0), (929, 464));
}

/// Rule [ContextBudget]: effective budget: the margin multiplies what the subtractions leave
#[test]
fn a_safety_margin_of_everything_leaves_nothing() {
    let budget = ContextBudget::new(1_000, 800, 0, HashMap::new(), 100.0).unwrap();
    assert_eq!(effective(&budget, 0), (0, 0));
}

/// Rule [ContextBudget]: the slicer's budget carries nothing else
#[test]
fn the_slicers_budget_has_only_a_maximum_and_a_target() {
    let budget = ContextBudget::new(1_000, 800, 100, slots(30, 10), 10.0).unwrap();
    let left = left_by(&budget, 60);
    assert_eq!(left.output_reserve(), 0);
    assert!(left.reserved_slots().is_empty());
    assert_eq!(left.estimation_safety_margin_percent(), 0.0);
}

/// Rule [ContextBudget]: pinned and sliced tokens together never exceed maxTokens - outputReserve
#[test]
fn a_selection_never_exceeds_the_maximum_less_the_output_reserve() {
    let budget = ContextBudget::new(100, 80, 50, HashMap::new(), 0.0).unwrap();
    let items = [hinted("a", 30, 0.9), hinted("b", 30, 0.5), hinted("c", 20, 0.1)];

    let error = choosing_all(OverflowStrategy::Throw).run(&items, &budget).unwrap_err();
    assert_eq!(error, CupelError::Overflow { merged_tokens: 80, target_tokens: 50 });
    let window = choosing_all(OverflowStrategy::Truncate).run(&items, &budget).unwrap();
    assert_eq!(contents(&window), ["a", "c"]);
    let window = greedy().build().unwrap().run(&items, &budget).unwrap();
    assert_eq!(contents(&window), ["a", "c"]);
}

/// Rule [ContextBudget]: pinned items alone over maxTokens - outputReserve are an error of Classify
#[test]
fn pinned_items_over_the_maximum_less_the_output_reserve_are_an_error() {
    let budget = ContextBudget::new(100, 40, 50, HashMap::new(), 0.0).unwrap();
    for overflow in [OverflowStrategy::Throw, OverflowStrategy::Truncate, OverflowStrategy::Proceed]
    {
        let pipeline = greedy().overflow_strategy(overflow).build().unwrap();
        let error = pipeline.run(&[pinned("a", 30), pinned("b", 21)], &budget).unwrap_err();
        assert_eq!(error, CupelError::PinnedExceedsBudget { pinned_tokens: 51, available: 50 });
        assert_says(&error, &["Pinned items require 51 tokens, but only 50 are available"]);
    }
}

/// Rule [ContextBudget]: pinned items alone over maxTokens - outputReserve are an error of Classify
#[test]
fn pinned_items_may_fill_the_maximum_less_the_output_reserve() {
    let budget = ContextBudget::new(100, 50, 50, HashMap::new(), 0.0).unwrap();
    let items = [pinned("a", 30), pinned("b", 20)];
    let window = greedy().build().unwrap().run(&items, &budget).unwrap();
    assert_eq!(contents(&window), ["a", "b"]);
}

/// Rule [ContextBudget]: the slicer aims at the target
#[test]
fn a_selection_stays_at_most_at_the_target() {
    let budget = ContextBudget::new(1_000, 60, 0, HashMap::new(), 0.0).unwrap();
    let items = [hinted("a", 30, 0.9), hinted("b", 30, 0.5), hinted("c", 1, 0.0)];
    let window = greedy().build().unwrap().run(&items, &budget).unwrap();
    assert_eq!(contents(&window), ["a", "b"]);
}

/// Rule [ContextBudget]: overflow is measured against the target as given
#[test]
fn overflow_is_measured_against_the_target_as_given_not_as_lowered() {
    // The slicer is left 50 of 100 and takes 80 all the same: within the target, so no overflow.
    let budget = ContextBudget::new(100, 100, 0, HashMap::new(), 50.0).unwrap();
    let window = choosing_all(OverflowStrategy::Throw).run(&[sized("a", 80)], &budget).unwrap();
    assert_eq!(contents(&window), ["a"]);
}

/// Rule [ContextBudget]: a budget of zero is valid and selects nothing
#[test]
fn a_budget_of_zero_selects_nothing() {
    let budget = ContextBudget::builder(0).build().unwrap();
    let window = greedy().build().unwrap().run(&[sized("a", 1), sized("free", 0)], &budget);
    assert!(window.unwrap().is_empty());
}
