//! The collector that records.

use std::fmt;

use super::exclusions::Earlier;
use super::{
    CountRequirementShortfall, ExclusionReason, IncludedItem, InclusionReason, OverflowEvent,
    PipelineStage, SelectionReport, TraceCollector, TraceDetailLevel, TraceEvent,
};
use crate::push::push_in_place;
use crate::{ContextBudget, ContextItem};

/// Called with each event as it is recorded.
type Callback = Box<dyn Fn(&TraceEvent)>;

/// Records a run and gives its [`SelectionReport`].
///
/// Used again, it starts over: the report is always that of the last run. After a failed run the report holds what was recorded up to the failure, and
/// its totals count all candidates.
#[derive(Default)]
pub struct DiagnosticTraceCollector {
    detail_level: TraceDetailLevel,
    callback: Option<Callback>,
    report: SelectionReport,
    earlier: Earlier,
    /// In a box, since there is hardly ever one.
    overflow: Option<Box<OverflowEvent>>,
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
        self.overflow.as_deref()
    }

    /// The report.
    #[inline]
    pub fn into_report(mut self) -> SelectionReport {
        self.earlier.finish(&mut self.report.excluded);
        self.report
    }

    /// The report, and the overflow that was let through, if there was one.
    #[inline]
    pub fn into_parts(mut self) -> (SelectionReport, Option<OverflowEvent>) {
        self.earlier.finish(&mut self.report.excluded);
        (self.report, self.overflow.map(|event| *event))
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
        self.earlier = Earlier::default();
        self.overflow = None;
    }

    #[inline]
    fn on_stage_started(&mut self, stage: PipelineStage) {
        if stage == PipelineStage::Slice {
            self.earlier.begin_slicing(&mut self.report.excluded);
        }
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        self.record(event);
    }

    fn record_item_event(&mut self, event: TraceEvent) {
        if self.detail_level >= TraceDetailLevel::Item {
            self.record(event);
        }
    }

    fn detail_level(&self) -> TraceDetailLevel {
        self.detail_level
    }

    fn expect_decisions(&mut self, included: usize, excluded: usize) {
        make_room(&mut self.report.included, included);
        make_room(&mut self.report.excluded, self.earlier.len() + excluded);
    }

    // Inlined, as is `record_excluded_with`: what is made in place must not be passed on first.
    #[inline(always)]
    fn record_included(&mut self, item: ContextItem, score: f64, reason: InclusionReason) {
        push_in_place(&mut self.report.included, move || IncludedItem { item, score, reason });
    }

    fn record_excluded(&mut self, item: ContextItem, score: f64, reason: ExclusionReason) {
        self.record_excluded_with(&item, score, || reason);
    }

    #[inline(always)]
    fn record_excluded_with(
        &mut self,
        item: &ContextItem,
        score: f64,
        reason: impl FnOnce() -> ExclusionReason,
    ) {
        self.earlier.push(&mut self.report.excluded, item, score, reason);
    }

    fn record_shortfall(&mut self, shortfall: CountRequirementShortfall) {
        self.report.count_requirement_shortfalls.push(shortfall);
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        self.overflow = Some(Box::new(event));
    }

    fn set_candidates(&mut self, count: usize, tokens: i64) {
        make_room(&mut self.report.events, PipelineStage::ALL.len());
        self.report.total_candidates = count;
        self.report.total_tokens_considered = tokens;
    }

    fn wants_completion(&self) -> bool {
        false
    }
}

/// Makes room for so many more. The first time that is a new list, which is simpler than a longer one.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() == 0 {
        *list = Vec::with_capacity(more);
    } else {
        list.reserve_exact(more);
    }
}

impl fmt::Debug for DiagnosticTraceCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiagnosticTraceCollector")
            .field("detail_level", &self.detail_level)
            .field("report", &self.report)
            .field("earlier", &self.earlier)
            .field("overflow", &self.overflow)
            .finish_non_exhaustive()
    }
}
