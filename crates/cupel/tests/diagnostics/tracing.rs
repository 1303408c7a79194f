//! Runs that report.

use cupel::{
    ContextBudget, ContextItem, DiagnosticTraceCollector, ExcludedItem, ExclusionReason, Pipeline,
    SelectionReport, TraceDetailLevel, TraceEvent,
};

pub(crate) fn report_at(
    level: TraceDetailLevel,
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> SelectionReport {
    let mut collector = DiagnosticTraceCollector::new(level);
    pipeline.run_traced(items, budget, &mut collector).unwrap();
    collector.into_report()
}

/// Stage and message of each event.
pub(crate) fn told(events: &[TraceEvent]) -> Vec<(&'static str, Option<&str>)> {
    events.iter().map(|event| (event.stage.name(), event.message.as_deref())).collect()
}

/// Content and reason of each item left out.
pub(crate) fn reasons(excluded: &[ExcludedItem]) -> Vec<(&str, &ExclusionReason)> {
    excluded.iter().map(|it| (it.item.content(), &it.reason)).collect()
}

pub(crate) fn budget_exceeded(item_tokens: i64, available_tokens: i64) -> ExclusionReason {
    ExclusionReason::BudgetExceeded { item_tokens, available_tokens }
}

pub(crate) fn pinned_override(displaced_by: &str) -> ExclusionReason {
    ExclusionReason::PinnedOverride { displaced_by: displaced_by.to_owned() }
}
