//! Who listens to a run.

use super::{
    CountRequirementShortfall, ExclusionReason, InclusionReason, OverflowEvent, PipelineStage,
    SelectionReport, StageTraceSnapshot, TraceEvent,
};
use crate::{ContextBudget, ContextItem, CupelError};

/// How much a collector records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum TraceDetailLevel {
    /// One event per stage.
    #[default]
    Stage,
    /// Also one event per scored item and per exclusion.
    Item,
}

/// Listens to a run.
///
/// Three methods say whether and what to record; the rest default to nothing. A run asks
/// [`is_enabled`](Self::is_enabled) before it builds anything to report.
pub trait TraceCollector {
    /// Whether anything is recorded at all. The answer must not change during a run.
    fn is_enabled(&self) -> bool;

    /// A run begins. Called before everything else.
    fn on_pipeline_started(&mut self, _budget: &ContextBudget) {}

    /// A stage begins.
    fn on_stage_started(&mut self, _stage: PipelineStage) {}

    /// A stage finished. Called once per stage, after that stage's items.
    fn record_stage_event(&mut self, event: TraceEvent);

    /// A stage finished, having let `left` of `entered` items through. Called right after
    /// [`record_stage_event`](Self::record_stage_event).
    fn on_stage_finished(&mut self, _stage: PipelineStage, _entered: usize, _left: usize) {}

    /// A stage decided about an item.
    fn record_item_event(&mut self, event: TraceEvent);

    /// Which events are worth building: [`record_item_event`](Self::record_item_event) is only
    /// called at [`TraceDetailLevel::Item`], the default.
    fn detail_level(&self) -> TraceDetailLevel {
        TraceDetailLevel::Item
    }

    /// Whether [`record_included`](Self::record_included) and
    /// [`record_excluded`](Self::record_excluded) are of interest. A collector that only counts
    /// saves the run a handle and a reason per item by saying no. Asked once the run has begun, and
    /// not to change until it is over.
    fn wants_decisions(&self) -> bool {
        true
    }

    /// So many items are about to be reported as in and as out: room can be made for all at once.
    fn expect_decisions(&mut self, _included: usize, _excluded: usize) {}

    /// An item is in the window. Called in window order.
    fn record_included(&mut self, _item: ContextItem, _score: f64, _reason: InclusionReason) {}

    /// An item was left out.
    fn record_excluded(&mut self, _item: ContextItem, _score: f64, _reason: ExclusionReason) {}

    /// An item was left out, for a reason that is yet to be made: what a run calls.
    ///
    /// The default makes it and calls [`record_excluded`](Self::record_excluded). An override must
    /// record the same.
    fn record_excluded_with(
        &mut self,
        item: &ContextItem,
        score: f64,
        reason: impl FnOnce() -> ExclusionReason,
    ) where
        Self: Sized,
    {
        self.record_excluded(item.clone(), score, reason());
    }

    /// A count requirement was not met.
    fn record_shortfall(&mut self, _shortfall: CountRequirementShortfall) {}

    /// A selection larger than its window was let through.
    fn record_overflow(&mut self, _event: OverflowEvent) {}

    /// How many candidates there are, and the sum of their tokens. Called first.
    fn set_candidates(&mut self, _count: usize, _tokens: i64) {}

    /// Whether [`on_pipeline_completed`](Self::on_pipeline_completed) is of interest. A collector
    /// that does not need it saves the run a second copy of the report by saying so.
    fn wants_completion(&self) -> bool {
        true
    }

    /// The run failed, in the stage that started last. Nothing is called after it.
    fn on_pipeline_failed(&mut self, _error: &CupelError) {}

    /// The run succeeded. Called once, last, with the five stages in order.
    fn on_pipeline_completed(
        &mut self,
        _report: &SelectionReport,
        _budget: &ContextBudget,
        _stages: &[StageTraceSnapshot],
    ) {
    }
}

/// Records nothing and costs nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NullTraceCollector;

impl TraceCollector for NullTraceCollector {
    fn is_enabled(&self) -> bool {
        false
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn detail_level(&self) -> TraceDetailLevel {
        TraceDetailLevel::Stage
    }

    fn wants_decisions(&self) -> bool {
        false
    }

    fn wants_completion(&self) -> bool {
        false
    }
}
