//! Why an item is in.

use cupel::{ContextItem, InclusionReason};

use crate::shorthand::{budget, greedy, hinted, pinned};

/// Why the only candidate is in.
fn reason_of(item: ContextItem) -> InclusionReason {
    greedy().build().unwrap().dry_run(&[item], &budget(100)).unwrap().included[0].reason
}

/// Rule [Exclusion reasons]: Scored
#[test]
fn an_item_chosen_for_its_score_says_so() {
    assert_eq!(reason_of(hinted("a", 10, 0.9)), InclusionReason::Scored);
    assert_eq!(reason_of(hinted("a", 10, 0.0)), InclusionReason::Scored);
}

/// Rule [Exclusion reasons]: Pinned
#[test]
fn a_pinned_item_says_so() {
    assert_eq!(reason_of(pinned("a", 10)), InclusionReason::Pinned);
}

/// Rule [Exclusion reasons]: ZeroToken
#[test]
fn an_item_that_costs_nothing_says_so() {
    assert_eq!(reason_of(hinted("a", 0, 0.9)), InclusionReason::ZeroToken);
}

/// Rule [Exclusion reasons]: Pinned
#[test]
fn a_pinned_item_that_costs_nothing_is_pinned() {
    assert_eq!(reason_of(pinned("a", 0)), InclusionReason::Pinned);
}

/// Rule [Exclusion reasons]: inclusion reasons carry no data
#[test]
fn inclusion_reasons_are_names_and_nothing_else() {
    let reasons = [
        InclusionReason::Scored,
        InclusionReason::Pinned,
        InclusionReason::ZeroToken,
        InclusionReason::Unknown,
    ];
    assert_eq!(reasons.map(InclusionReason::name), ["Scored", "Pinned", "ZeroToken", "Unknown"]);
    assert_eq!(reasons.map(|reason| reason.to_string()), reasons.map(InclusionReason::name));
    assert_eq!(size_of::<InclusionReason>(), 1);
}
