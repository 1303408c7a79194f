//! Who listens to a run.

use super::{
    CountRequirementShortfall, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    Interests, OverflowEvent, PipelineStage, SelectionReport, StageTraceSnapshot, TraceEvent,
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
/// Three methods are required: whether anything is recorded, and the two kinds of events. The rest
/// defaults to nothing. A run asks [`is_enabled`](Self::is_enabled) before it builds anything to
/// report, and [`interests`](Self::interests) before it builds anything in particular.
pub trait TraceCollector {
    /// Whether anything is recorded at all. The answer must not change during a run.
    fn is_enabled(&self) -> bool;

    /// What is worth building. Asked once, when the run has begun.
    fn interests(&self) -> Interests {
        Interests::EVERYTHING
    }

    /// A run begins. Called before everything else.
    fn on_pipeline_started(&mut self, _budget: &ContextBudget) {}

    /// A stage begins.
    fn on_stage_started(&mut self, _stage: PipelineStage) {}

    /// A stage finished. Called once per stage, after that stage's items.
    fn record_stage_event(&mut self, event: TraceEvent);

    /// A stage finished, having let `left` of `entered` items through. Called right after
    /// [`record_stage_event`](Self::record_stage_event).
    fn on_stage_finished(&mut self, _stage: PipelineStage, _entered: usize, _left: usize) {}

    /// A stage decided about an item. Called if [`Interests::detail`] says so.
    fn record_item_event(&mut self, event: TraceEvent);

    /// An item is in the window. Called in window order, if [`Interests::decisions`] says so.
    fn record_included(&mut self, _item: ContextItem, _score: f64, _reason: InclusionReason) {}

    /// An item was left out. Called if [`Interests::decisions`] says so.
    fn record_excluded(&mut self, _item: ContextItem, _score: f64, _reason: ExclusionReason) {}

    /// An item is in the window: [`record_included`](Self::record_included), which it calls unless overridden, with all
    /// there is to tell.
    fn record_inclusion(&mut self, entry: IncludedItem) {
        self.record_included(entry.item, entry.score, entry.reason);
    }

    /// An item was left out: [`record_excluded`](Self::record_excluded), which it calls unless overridden, with all there
    /// is to tell.
    fn record_exclusion(&mut self, entry: ExcludedItem) {
        self.record_excluded(entry.item, entry.score, entry.reason);
    }

    /// A count requirement was not met.
    fn record_shortfall(&mut self, _shortfall: CountRequirementShortfall) {}

    /// A selection larger than its window was let through.
    fn record_overflow(&mut self, _event: OverflowEvent) {}

    /// How many candidates there are, and the sum of their tokens. Called first.
    fn set_candidates(&mut self, _count: usize, _tokens: i64) {}

    /// The run failed, in the stage that started last. Nothing is called after it.
    fn on_pipeline_failed(&mut self, _error: &CupelError) {}

    /// The run succeeded. Called once, last, with the five stages in order, if
    /// [`Interests::completion`] says so.
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

    fn interests(&self) -> Interests {
        Interests::NOTHING
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}
}
