//! Reports.

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, CountRequirementShortfall, CupelError,
    DiagnosticTraceCollector, ExclusionReason, InclusionReason, Pipeline, PipelineStage,
    ReflexiveScorer, ScoredItem, SelectionReport, Slicer, TraceDetailLevel, TraceEvent,
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
    foreign["included"][0]["item"]["embedding"] = json!([0.5, { "model": "m" }]);
    foreign["included"][0]["item"]["future_relevance_hint"] = json!(0.5);
    foreign["included"][0]["reason"] = json!({ "reason": "Lucky", "draw": [1] });
    foreign["excluded"][0]["reason"] = json!({ "reason": "Vetoed", "cap": "none", "by": {} });
    let report: SelectionReport = serde_json::from_value(foreign).unwrap();
    assert_eq!(report.events[0].stage, PipelineStage::Unknown);
    assert_eq!(report.included[0].item.future_relevance_hint(), Some(0.5));
    assert_eq!(report.included[0].reason, InclusionReason::Unknown);
    assert_eq!(report.excluded[0].reason, ExclusionReason::Unknown);
}

#[test]
fn items_of_reports_are_validated_all_the_same() {
    for (key, value, expected) in [
        ("content", json!(""), "content is empty"),
        ("tokens", json!(1.5), "expected i64"),
        ("timestamp", json!("9999-12-31T23:59:59-01:00"), "years 0000 to 9999"),
    ] {
        let mut wrong = report();
        wrong["excluded"][0]["item"][key] = value;
        let message = refusal::<SelectionReport>(&wrong.to_string());
        assert!(message.contains(expected), "{message}");
    }
    let twice = report().to_string().replace(r#""tokens":3"#, r#""tokens":3,"tokens":3"#);
    assert!(refusal::<SelectionReport>(&twice).contains("duplicate field"));
    let listed = report()
        .to_string()
        .replace(r#"{"content":"b","kind":"Message","tokens":4}"#, r#"["b",4]"#);
    assert_ne!(listed, report().to_string());
    assert!(refusal::<SelectionReport>(&listed).contains("an item object"));
}

#[test]
fn the_report_of_a_failed_run_is_read_back() {
    let item = |content: &str, tokens| ContextItem::builder(content, tokens);
    let items = [
        item("broken", -1).build().unwrap(),
        item("large", 11).build().unwrap(),
        item("large", 11).build().unwrap(),
        item("rules", 1).pinned(true).build().unwrap(),
    ];
    let pipeline = Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(TakeAll)
        .placer(ChronologicalPlacer)
        .build()
        .unwrap();
    for (max_tokens, excluded) in [(10, 2), (0, 1)] {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
        let budget = ContextBudget::builder(max_tokens).build().unwrap();
        pipeline.run_traced(&items, &budget, &mut collector).unwrap_err();
        let report = collector.into_report();
        assert_eq!((report.included.len(), report.excluded.len()), (0, excluded));
        assert_eq!(report.total_candidates, excluded);
        assert_eq!(report.total_tokens_considered, [-1, 10][excluded - 1]);
        let json = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<SelectionReport>(&json).unwrap(), report);
    }
}

/// Chooses everything, whatever the budget.
struct TakeAll;

impl Slicer for TakeAll {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
    }
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
