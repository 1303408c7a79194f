//! Budgets and quota entries.

use cupel::{ContextBudget, CountQuotaEntry, QuotaEntry};

use crate::refusal;

#[test]
fn defaults_are_omitted_and_slots_are_in_order() {
    let plain: ContextBudget =
        serde_json::from_str(r#"{"max_tokens": 10, "targetTokens": 5}"#).unwrap();
    assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"maxTokens":10,"targetTokens":5}"#);
    let text = concat!(
        r#"{"maxTokens":10,"targetTokens":5,"outputReserve":1,"#,
        r#""reservedSlots":{"Document":2,"Memory":3,"note":0},"#,
        r#""estimationSafetyMarginPercent":2.5}"#
    );
    let full: ContextBudget = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&full).unwrap(), text);
}

#[test]
fn what_is_not_a_budget_is_refused() {
    let cases = [
        (r#"{"maxTokens": 1}"#, "missing field `targetTokens`"),
        (r#"{"maxTokens": 1, "targetTokens": 2}"#, "target_tokens (2) must not exceed"),
        (r#"{"maxTokens": 1, "targetTokens": 1.0}"#, "invalid type: floating point"),
        (r#"{"maxTokens": 1, "targetTokens": 1, "max_tokens": 1}"#, "duplicate field"),
        (r#"{"maxTokens": 1, "targetTokens": 1, "slots": {}}"#, "unknown field `slots`"),
        (
            r#"{"maxTokens": 9, "targetTokens": 1, "reservedSlots": {"note": 1, "NOTE": 1}}"#,
            "names the kind NOTE twice",
        ),
        (
            r#"{"maxTokens": 9, "targetTokens": 1, "reservedSlots": {"note": -1}}"#,
            "must be at least 0",
        ),
        (r#"{"maxTokens": 9, "targetTokens": 1, "reservedSlots": {"": 1}}"#, "kind is blank"),
        (
            r#"{"maxTokens": 9, "targetTokens": 1, "estimationSafetyMarginPercent": 101}"#,
            "between 0 and 100",
        ),
        (
            r#"{"maxTokens": 9, "targetTokens": 1, "estimationSafetyMarginPercent": "NaN"}"#,
            "invalid type: string",
        ),
    ];
    for (json, expected) in cases {
        let message = refusal::<ContextBudget>(json);
        assert!(message.contains(expected), "{json}: {message}");
    }
}

#[test]
fn quota_entries_go_through_their_constructors() {
    let message = refusal::<QuotaEntry>(r#"{"kind": "a", "require": 50, "cap": 20}"#);
    assert!(message.contains("must not exceed its cap"), "{message}");
    let message = refusal::<QuotaEntry>(r#"{"kind": "a", "require": 5, "cap": 20, "x": 1}"#);
    assert!(message.contains("unknown field `x`"), "{message}");
    let message = refusal::<CountQuotaEntry>(r#"{"kind": "a", "requireCount": -1, "capCount": 1}"#);
    assert!(message.contains("invalid value: integer `-1`"), "{message}");
}
