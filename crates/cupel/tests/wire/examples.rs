//! Examples of everything, both ways.

use cupel::{
    ContextKind, CountQuotaEntry, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    OverflowEvent, OverflowStrategy, PipelineStage, QuotaEntry, ScoredItem, StageTraceSnapshot,
    TraceDetailLevel, TraceEvent,
};

use crate::survives;

#[test]
fn event_of_a_stage() {
    let event: TraceEvent =
        survives(r#"{ "stage": "Score", "duration_ms": 12.4, "item_count": 47 }"#);
    assert_eq!(event, TraceEvent::stage(PipelineStage::Score, 12.4, 47));
}

#[test]
fn event_of_an_item() {
    let event: TraceEvent = survives(
        r#"{
            "stage": "Slice",
            "duration_ms": 0.0,
            "item_count": 1,
            "message": "BudgetExceeded: 2048 tokens requested, 512 available"
        }"#,
    );
    let message = "BudgetExceeded: 2048 tokens requested, 512 available".to_owned();
    assert_eq!(event, TraceEvent::item(PipelineStage::Slice, message));
}

#[test]
fn overflow_event() {
    let event: OverflowEvent = survives(
        r#"{
            "tokens_over_budget": 384,
            "overflowing_items": [
                { "content": "...", "tokens": 512, "kind": "Message" },
                { "content": "...", "tokens": 1024, "kind": "ToolOutput" }
            ],
            "budget": { "maxTokens": 4096, "targetTokens": 3072 }
        }"#,
    );
    assert_eq!(event.overflowing_items[1].kind(), &ContextKind::tool_output());
}

/// Rule [Exclusion reasons]: in JSON a reason is its name and its own data
#[test]
fn exclusion_reasons() {
    let reasons = [
        (
            r#"{ "reason": "BudgetExceeded", "item_tokens": 2048, "available_tokens": 512 }"#,
            ExclusionReason::BudgetExceeded { item_tokens: 2048, available_tokens: 512 },
        ),
        (
            r#"{ "reason": "Deduplicated", "deduplicated_against": "tool_output_abc123" }"#,
            ExclusionReason::Deduplicated { deduplicated_against: "tool_output_abc123".into() },
        ),
        (
            r#"{ "reason": "NegativeTokens", "tokens": -1 }"#,
            ExclusionReason::NegativeTokens { tokens: -1 },
        ),
        (
            r#"{ "reason": "ScoredTooLow", "score": 0.12, "threshold": 0.25 }"#,
            ExclusionReason::ScoredTooLow { score: 0.12, threshold: 0.25 },
        ),
        (
            r#"{ "reason": "QuotaCapExceeded", "kind": "ToolOutput", "cap": 3, "actual": 4 }"#,
            ExclusionReason::QuotaCapExceeded { kind: "ToolOutput".into(), cap: 3, actual: 4 },
        ),
        (
            r#"{ "reason": "QuotaRequireDisplaced", "displaced_by_kind": "SystemPrompt" }"#,
            ExclusionReason::QuotaRequireDisplaced { displaced_by_kind: "SystemPrompt".into() },
        ),
        (
            r#"{ "reason": "Filtered", "filter_name": "max_age_filter" }"#,
            ExclusionReason::Filtered { filter_name: "max_age_filter".into() },
        ),
        (
            r#"{ "reason": "PinnedOverride", "displaced_by": "You help customers." }"#,
            ExclusionReason::PinnedOverride { displaced_by: "You help customers.".into() },
        ),
        (
            r#"{ "reason": "CountCapExceeded", "kind": "ToolOutput", "cap": 2, "count": 2 }"#,
            ExclusionReason::CountCapExceeded { kind: "ToolOutput".into(), cap: 2, count: 2 },
        ),
        (
            r#"{ "reason": "NearDuplicate", "near_duplicate_of": "The job runs.", "overlap": 0.875 }"#,
            ExclusionReason::NearDuplicate {
                near_duplicate_of: "The job runs.".into(),
                overlap: 0.875,
            },
        ),
    ];
    for (example, reason) in reasons {
        assert_eq!(survives::<ExclusionReason>(example), reason);
    }
}

#[test]
fn inclusion_reason() {
    assert_eq!(survives::<InclusionReason>(r#"{ "reason": "Scored" }"#), InclusionReason::Scored);
}

#[test]
fn included_item() {
    let included: IncludedItem = survives(
        r#"{
            "item": { "content": "User's latest message", "tokens": 64, "kind": "Message" },
            "score": 0.95,
            "reason": { "reason": "Scored" }
        }"#,
    );
    assert_eq!(included.score, 0.95);
}

#[test]
fn excluded_items() {
    let too_large: ExcludedItem = survives(
        r#"{
            "item": { "content": "Large tool output", "tokens": 4096, "kind": "ToolOutput" },
            "score": 0.60,
            "reason": { "reason": "BudgetExceeded", "item_tokens": 4096, "available_tokens": 1024 }
        }"#,
    );
    assert_eq!(too_large.reason.name(), "BudgetExceeded");
    let repeated: ExcludedItem = survives(
        r#"{
            "item": { "content": "Duplicate content", "tokens": 256, "kind": "Message" },
            "score": 0.40,
            "reason": { "reason": "Deduplicated", "deduplicated_against": "Original message" }
        }"#,
    );
    assert_eq!(repeated.reason.name(), "Deduplicated");
}

#[test]
fn scored_item_quotas_and_snapshot() {
    survives::<ScoredItem>(
        r#"{ "item": { "content": "a", "tokens": 1, "kind": "Message" }, "score": 0.5 }"#,
    );
    survives::<QuotaEntry>(r#"{ "kind": "ToolOutput", "require": 20.0, "cap": 80.0 }"#);
    survives::<CountQuotaEntry>(r#"{ "kind": "note", "requireCount": 1, "capCount": 3 }"#);
    survives::<StageTraceSnapshot>(
        r#"{
            "stage": "Place", "item_count_in": 2, "item_count_out": 1, "duration_ms": 0.5,
            "excluded": []
        }"#,
    );
    assert_eq!(survives::<OverflowStrategy>(r#""Throw""#), OverflowStrategy::Throw);
    assert_eq!(survives::<TraceDetailLevel>(r#""Item""#), TraceDetailLevel::Item);
}
