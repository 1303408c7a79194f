//! The collector that records.

use std::fmt;

use super::{
    CountRequirementShortfall, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    Interests, OverflowEvent, SelectionReport, TraceCollector, TraceDetailLevel, TraceEvent,
};
use crate::{ContextBudget, ContextItem, sort_keys};

/// Called with each event as it is recorded.
type Callback = Box<dyn Fn(&TraceEvent)>;

/// Records a run and gives its [`SelectionReport`].
///
/// Used again, it starts over: the report is always that of the last run. After a failed run, whose
/// error the run returned, the report is of what was decided up to the failure: nothing is in the
/// window, what was left out by then is listed, and the totals count what is listed. Candidates that
/// nothing was decided about are not in it.
#[derive(Default)]
pub struct DiagnosticTraceCollector {
    detail_level: TraceDetailLevel,
    callback: Option<Callback>,
    /// Exclusions are in the order they were recorded.
    report: SelectionReport,
    overflow: Option<OverflowEvent>,
}

impl DiagnosticTraceCollector {
    /// Records events up to `detail_level`; both lists and all totals are complete at every level.
    pub fn new(detail_level: TraceDetailLevel) -> Self {
        Self { detail_level, ..Self::default() }
    }

    /// Also calls `callback` with each event as it is recorded.
    pub fn with_callback(
        detail_level: TraceDetailLevel,
        callback: Box<dyn Fn(&TraceEvent)>,
    ) -> Self {
        Self { callback: Some(callback), ..Self::new(detail_level) }
    }

    /// The overflow that was let through, if there was one.
    pub fn overflow(&self) -> Option<&OverflowEvent> {
        self.overflow.as_ref()
    }

    /// The report.
    pub fn into_report(self) -> SelectionReport {
        self.into_parts().0
    }

    /// The report, and the overflow that was let through, if there was one.
    pub fn into_parts(mut self) -> (SelectionReport, Option<OverflowEvent>) {
        // Stable: earlier decisions first among equals.
        self.report.excluded.sort_by_key(|excluded| sort_keys::descending(excluded.score));
        let SelectionReport { included, excluded, total_candidates, .. } = &self.report;
        if included.len() + excluded.len() == *total_candidates {
            return (self.report, self.overflow);
        }
        // The run failed before it had decided about every candidate.
        let SelectionReport { events, included, excluded, count_requirement_shortfalls, .. } =
            self.report;
        let report = SelectionReport::new(events, included, excluded, count_requirement_shortfalls);
        (report, self.overflow)
    }

    fn record(&mut self, event: TraceEvent) {
        let events = &mut self.report.events;
        events.push(event);
        if let (Some(callback), Some(event)) = (&self.callback, events.last()) {
            callback(event);
        }
    }
}

impl TraceCollector for DiagnosticTraceCollector {
    fn is_enabled(&self) -> bool {
        true
    }

    fn on_pipeline_started(&mut self, _budget: &ContextBudget) {
        self.report = SelectionReport::default();
        self.overflow = None;
    }

    fn interests(&self) -> Interests {
        Interests::EVERYTHING.detail(self.detail_level).completion(false)
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        self.record(event);
    }

    fn record_item_event(&mut self, event: TraceEvent) {
        if self.detail_level >= TraceDetailLevel::Item {
            self.record(event);
        }
    }

    fn record_included(&mut self, item: ContextItem, score: f64, reason: InclusionReason) {
        self.record_inclusion(IncludedItem::new(item, score, reason));
    }

    fn record_excluded(&mut self, item: ContextItem, score: f64, reason: ExclusionReason) {
        self.record_exclusion(ExcludedItem::new(item, score, reason));
    }

    fn record_inclusion(&mut self, entry: IncludedItem) {
        let SelectionReport { included, excluded, total_candidates, .. } = &mut self.report;
        if included.is_empty() {
            // A run tells last what is in the window: all that it did not leave out.
            included.reserve_exact(total_candidates.saturating_sub(excluded.len()));
        }
        included.push(entry);
    }

    fn record_exclusion(&mut self, entry: ExcludedItem) {
        self.report.excluded.push(entry);
    }

    fn record_shortfall(&mut self, shortfall: CountRequirementShortfall) {
        self.report.count_requirement_shortfalls.push(shortfall);
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        self.overflow = Some(event);
    }

    fn set_candidates(&mut self, count: usize, tokens: i64) {
        self.report.excluded.reserve_exact(count);
        self.report.total_candidates = count;
        self.report.total_tokens_considered = tokens;
    }
}

impl fmt::Debug for DiagnosticTraceCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiagnosticTraceCollector")
            .field("detail_level", &self.detail_level)
            .field("report", &self.report)
            .field("overflow", &self.overflow)
            .finish_non_exhaustive()
    }
}
