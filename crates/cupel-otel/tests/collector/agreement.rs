//! Spans are made on the way; what they say must be what the run itself says at its end.

use cupel::{ContextBudget, SelectionReport, StageTraceSnapshot, TraceCollector, TraceEvent};
use cupel_otel::CupelVerbosity;
use cupel_testing::generate::{policies, problems};
use opentelemetry::Value;
use opentelemetry_sdk::trace::SpanData;
use proptest::prelude::*;

use crate::recording::Recording;

/// Keeps what a run says at its end.
#[derive(Default)]
struct AtTheEnd {
    stages: Vec<StageTraceSnapshot>,
    included: usize,
}

impl TraceCollector for AtTheEnd {
    fn is_enabled(&self) -> bool {
        true
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn on_pipeline_completed(
        &mut self,
        report: &SelectionReport,
        _budget: &ContextBudget,
        stages: &[StageTraceSnapshot],
    ) {
        self.stages = stages.to_vec();
        self.included = report.included.len();
    }
}

fn number(span: &SpanData, key: &str) -> Option<i64> {
    let attribute = span.attributes.iter().find(|it| it.key.as_str() == key)?;
    match attribute.value {
        Value::I64(number) => Some(number),
        _ => None,
    }
}

fn reasons(span: &SpanData) -> Vec<String> {
    let is_reason = |key: &str| key == "cupel.exclusion.reason";
    let attributes = span.events.iter().flat_map(|event| &event.attributes);
    attributes.filter(|it| is_reason(it.key.as_str())).map(|it| it.value.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Rule [OpenTelemetry]: counts and reasons are those of the run, whatever the policy
    #[test]
    fn spans_agree_with_the_runs_own_account(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        let recording = Recording::new();
        let spans = recording.collector(CupelVerbosity::Full);
        let mut both = (spans, AtTheEnd::default());
        let outcome = policy.pipeline()?.run_traced(&items, &budget, &mut both);
        let said = both.1;

        let root = recording.span("cupel.pipeline");
        prop_assert_eq!(root.attributes.iter().any(|it| it.key.as_str() == "error.type"), outcome.is_err());
        if outcome.is_ok() {
            prop_assert_eq!(recording.spans().len(), 1 + said.stages.len());
        }
        for stage in &said.stages {
            let span = recording.span(&format!("cupel.stage.{}", stage.stage.name().to_lowercase()));
            let told = |key| number(&span, key).map(|it| it as usize);
            prop_assert_eq!(told("cupel.stage.item_count_in"), Some(stage.item_count_in));
            prop_assert_eq!(told("cupel.stage.item_count_out"), Some(stage.item_count_out));
            prop_assert_eq!(told("cupel.exclusion.count"), Some(stage.excluded.len()));
            let given: Vec<_> = stage.excluded.iter().map(|it| it.reason.name()).collect();
            prop_assert_eq!(reasons(&span), given);
        }
        if let Some(place) = recording.spans().iter().find(|span| span.name == "cupel.stage.place")
            && outcome.is_ok()
        {
            let included = place.events.iter().filter(|it| it.name == "cupel.item.included");
            prop_assert_eq!(included.count(), said.included);
        }
    }
}
