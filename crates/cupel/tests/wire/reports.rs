//! Reports.

use cupel::{
    CountRequirementShortfall, ExclusionReason, InclusionReason, PipelineStage, SelectionReport,
    TraceEvent,
};
use serde_json::{Value, json};

use crate::{refusal, survives};

fn report() -> Value {
    json!({
        "events": [{ "stage": "Classify", "duration_ms": 0.3, "item_count": 2 }],
        "included": [{
            "item": { "content": "a", "tokens": 3, "kind": "Message" },
            "score": 0.92,
            "reason": { "reason": "Scored" },
        }],
        "excluded": [{
            "item": { "content": "b", "tokens": 4, "kind": "Message" },
            "score": 0.45,
            "reason": { "reason": "BudgetExceeded", "item_tokens": 4, "available_tokens": 1 },
        }],
        "total_candidates": 2,
        "total_tokens_considered": 7,
    })
}

#[test]
fn a_whole_report_survives() {
    survives::<SelectionReport>(&report().to_string());
    let mut with_shortfall = report();
    with_shortfall["count_requirement_shortfalls"] =
        json!([{ "kind": "Memory", "required_count": 2, "satisfied_count": 0 }]);
    let report: SelectionReport = survives(&with_shortfall.to_string());
    assert_eq!(
        report.count_requirement_shortfalls,
        [CountRequirementShortfall::new("Memory", 2, 0)]
    );
}

/// Rule [Events]: a stage that is not known is read as Unknown
/// Rule [Exclusion reasons]: a reason that is not known is read as Unknown
#[test]
fn names_and_keys_of_other_implementations_are_read() {
    let mut foreign = report();
    foreign["engine"] = json!({ "name": "another" });
    foreign["events"][0]["stage"] = json!("Rerank");
    foreign["events"][0]["thread"] = json!(7);
    foreign["included"][0]["reason"] = json!({ "reason": "Lucky", "draw": [1] });
    foreign["excluded"][0]["reason"] = json!({ "reason": "Vetoed", "cap": "none", "by": {} });
    let report: SelectionReport = serde_json::from_value(foreign).unwrap();
    assert_eq!(report.events[0].stage, PipelineStage::Unknown);
    assert_eq!(report.included[0].reason, InclusionReason::Unknown);
    assert_eq!(report.excluded[0].reason, ExclusionReason::Unknown);
}

#[test]
fn camel_case_is_read_too() {
    let json = json!({
        "events": [{ "stage": "Score", "durationMs": 1, "itemCount": 2 }],
        "included": [], "excluded": [], "totalCandidates": 0, "totalTokensConsidered": 0,
        "countRequirementShortfalls": null,
    });
    let report: SelectionReport = serde_json::from_value(json).unwrap();
    assert_eq!(report.events, [TraceEvent::stage(PipelineStage::Score, 1.0, 2)]);
}

#[test]
fn a_count_that_does_not_match_the_lists_is_refused() {
    let mut wrong = report();
    wrong["total_candidates"] = json!(5);
    let message = refusal::<SelectionReport>(&wrong.to_string());
    assert!(message.contains("total_candidates (5)"), "{message}");
}

#[test]
fn a_known_reason_without_its_data_is_refused() {
    let message = refusal::<ExclusionReason>(r#"{"reason": "BudgetExceeded"}"#);
    assert!(message.contains("missing field `item_tokens`"), "{message}");
    let message = refusal::<ExclusionReason>(r#"{"item_tokens": 1}"#);
    assert!(message.contains("missing field `reason`"), "{message}");
    let message = refusal::<ExclusionReason>(r#"["NegativeTokens", 1]"#);
    assert!(message.contains("invalid type: sequence"), "{message}");
    let message =
        refusal::<ExclusionReason>(r#"{"reason": "NegativeTokens", "tokens": 1, "tokens": 1}"#);
    assert!(message.contains("duplicate field"), "{message}");
}

#[test]
fn scores_that_are_not_finite_survive() {
    let mut strange = report();
    strange["included"][0]["score"] = json!("Infinity");
    strange["excluded"][0]["score"] = json!("NaN");
    let report: SelectionReport = survives(&strange.to_string());
    assert!(report.excluded[0].score.is_nan());
}
