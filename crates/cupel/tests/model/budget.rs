//! Which budgets exist and which are refused.

use std::collections::HashMap;

use cupel::{ContextBudget, ContextKind, CupelError};

use crate::shorthand::assert_says;

fn new(
    max_tokens: i64,
    target_tokens: i64,
    output_reserve: i64,
    margin: f64,
) -> Result<ContextBudget, CupelError> {
    ContextBudget::new(max_tokens, target_tokens, output_reserve, HashMap::new(), margin)
}

fn with_slot(kind: ContextKind, tokens: i64) -> Result<ContextBudget, CupelError> {
    ContextBudget::new(100, 100, 0, HashMap::from([(kind, tokens)]), 0.0)
}

fn assert_refused(built: Result<ContextBudget, CupelError>, parts: &[&str]) {
    let error = built.unwrap_err();
    assert!(matches!(error, CupelError::InvalidBudget(_)), "{error:?}");
    assert_says(&error, parts);
}

/// Rule [ContextBudget]: maxTokens >= 0
#[test]
fn a_negative_maximum_is_refused() {
    assert_refused(new(-1, 0, 0, 0.0), &["max_tokens (-1)", "at least 0"]);
    assert_refused(new(i64::MIN, 0, 0, 0.0), &["max_tokens (-9223372036854775808)"]);
}

/// Rule [ContextBudget]: targetTokens >= 0
#[test]
fn a_negative_target_is_refused() {
    assert_refused(new(100, -2, 0, 0.0), &["target_tokens (-2)", "at least 0"]);
}

/// Rule [ContextBudget]: targetTokens <= maxTokens
#[test]
fn a_target_above_the_maximum_is_refused() {
    let rule = "target_tokens (101) must not exceed max_tokens (100)";
    assert_refused(new(100, 101, 0, 0.0), &[rule]);
}

/// Rule [ContextBudget]: outputReserve >= 0
#[test]
fn a_negative_output_reserve_is_refused() {
    assert_refused(new(100, 50, -3, 0.0), &["output_reserve (-3)", "at least 0"]);
}

/// Rule [ContextBudget]: outputReserve <= maxTokens
#[test]
fn an_output_reserve_above_the_maximum_is_refused() {
    let rule = "output_reserve (101) must not exceed max_tokens (100)";
    assert_refused(new(100, 50, 101, 0.0), &[rule]);
}

/// Rule [ContextBudget]: 0 <= estimationSafetyMarginPercent <= 100
#[test]
fn a_safety_margin_below_zero_is_refused() {
    let rule = "estimation_safety_margin_percent (-0.5) must be between 0 and 100";
    assert_refused(new(100, 50, 0, -0.5), &[rule]);
    assert_refused(new(100, 50, 0, f64::NEG_INFINITY), &["(-inf)", "between 0 and 100"]);
}

/// Rule [ContextBudget]: 0 <= estimationSafetyMarginPercent <= 100
#[test]
fn a_safety_margin_above_a_hundred_is_refused() {
    let rule = "estimation_safety_margin_percent (100.5) must be between 0 and 100";
    assert_refused(new(100, 50, 0, 100.5), &[rule]);
    assert_refused(new(100, 50, 0, f64::INFINITY), &["(inf)", "between 0 and 100"]);
}

/// Rule [ContextBudget]: 0 <= estimationSafetyMarginPercent <= 100
#[test]
fn a_safety_margin_that_is_no_number_is_refused() {
    let rule = "estimation_safety_margin_percent (NaN) must be between 0 and 100";
    assert_refused(new(100, 50, 0, f64::NAN), &[rule]);
}

/// Rule [ContextBudget]: each reserved slot >= 0
#[test]
fn a_negative_reserved_slot_is_refused() {
    let rule = "reserved_slots[Memory] (-4) must be at least 0";
    assert_refused(with_slot(ContextKind::memory(), -4), &[rule]);
}

/// Rule [ContextBudget]: each reserved slot >= 0
#[test]
fn of_several_negative_slots_always_the_same_one_is_named() {
    let slots = [ContextKind::tool_output(), ContextKind::document(), ContextKind::memory()];
    for _ in 0..20 {
        let slots = slots.iter().map(|kind| (kind.clone(), -1));
        let built = ContextBudget::new(100, 100, 0, slots, 0.0);
        assert_refused(built, &["reserved_slots[Document] (-1)"]);
    }
}

/// Rule [ContextBudget]: a kind is reserved once, in whatever spelling
#[test]
fn one_kind_reserved_in_two_spellings_is_refused() {
    let shouted = ContextKind::new("MEMORY").unwrap();
    let budget = ContextBudget::builder(100).reserve(ContextKind::memory(), 1).reserve(shouted, 2);
    assert_refused(budget.build(), &["MEMORY", "twice", "without case"]);
}

/// Rule [ContextBudget]: no invalid budget exists, however it is built
#[test]
fn the_builder_refuses_what_the_constructor_refuses() {
    assert_refused(ContextBudget::builder(-1).build(), &["max_tokens (-1)"]);
    let target = ContextBudget::builder(10).target_tokens(11);
    assert_refused(target.build(), &["target_tokens (11)", "max_tokens (10)"]);
    let reserve = ContextBudget::builder(10).output_reserve(11);
    assert_refused(reserve.build(), &["output_reserve (11)", "max_tokens (10)"]);
    let margin = ContextBudget::builder(10).safety_margin_percent(101.0);
    assert_refused(margin.build(), &["estimation_safety_margin_percent (101)"]);
}

/// Rule [ContextBudget]: the bounds themselves are valid
#[test]
fn every_bound_itself_is_accepted() {
    new(0, 0, 0, 0.0).unwrap();
    new(100, 0, 0, 0.0).unwrap();
    new(100, 100, 100, 100.0).unwrap();
    new(i64::MAX, i64::MAX, i64::MAX, 0.0).unwrap();
    with_slot(ContextKind::memory(), 0).unwrap();
    with_slot(ContextKind::memory(), i64::MAX).unwrap();
}

/// Rule [ContextBudget]: reserve, slots and margin default to nothing
#[test]
fn only_the_maximum_must_be_given() {
    let budget = ContextBudget::builder(100).build().unwrap();
    assert_eq!(budget.max_tokens(), 100);
    assert_eq!(budget.target_tokens(), 100);
    assert_eq!(budget.output_reserve(), 0);
    assert!(budget.reserved_slots().is_empty());
    assert_eq!(budget.estimation_safety_margin_percent(), 0.0);
}

/// Rule [ContextBudget]: fields are kept as given
#[test]
fn what_was_set_is_given_back() {
    let budget = ContextBudget::builder(100)
        .target_tokens(70)
        .output_reserve(20)
        .reserve(ContextKind::memory(), 5)
        .reserve(ContextKind::document(), 6)
        .safety_margin_percent(2.5)
        .build()
        .unwrap();
    assert_eq!((budget.max_tokens(), budget.target_tokens()), (100, 70));
    assert_eq!(budget.output_reserve(), 20);
    assert_eq!(budget.reserved_slots()[&ContextKind::new("memory").unwrap()], 5);
    assert_eq!(budget.estimation_safety_margin_percent(), 2.5);
    assert_eq!(budget.total_reserved(), 31);
    assert_eq!(budget.unreserved_capacity(), 69);
    assert!(budget.has_capacity());
}

/// Rule [ContextBudget]: fields are kept as given
#[test]
fn reservations_that_exceed_the_numbers_range_are_clamped_not_wrapped() {
    let slots = [(ContextKind::memory(), i64::MAX), (ContextKind::document(), i64::MAX)];
    let budget = ContextBudget::new(10, 10, 10, HashMap::from(slots), 0.0).unwrap();
    assert_eq!(budget.total_reserved(), i64::MAX);
    assert_eq!(budget.unreserved_capacity(), i64::MIN);
    assert!(!budget.has_capacity());
}
