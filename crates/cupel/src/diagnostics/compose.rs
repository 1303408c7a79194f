//! Collectors made of collectors.

use super::{
    CountRequirementShortfall, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    Interests, OverflowEvent, PipelineStage, SelectionReport, StageTraceSnapshot, TraceCollector,
    TraceEvent,
};
use crate::{ContextBudget, ContextItem, CupelError};

/// Forwards every call to each listed collector that is enabled.
macro_rules! forward_to {
    ($self:ident => $($part:expr),+) => {
        fn on_pipeline_started(&mut $self, budget: &ContextBudget) {
            $(if $part.is_enabled() { $part.on_pipeline_started(budget); })+
        }

        fn on_stage_started(&mut $self, stage: PipelineStage) {
            $(if $part.is_enabled() { $part.on_stage_started(stage); })+
        }

        fn record_stage_event(&mut $self, event: TraceEvent) {
            $(if $part.is_enabled() { $part.record_stage_event(event.clone()); })+
        }

        fn on_stage_finished(&mut $self, stage: PipelineStage, entered: usize, left: usize) {
            $(if $part.is_enabled() { $part.on_stage_finished(stage, entered, left); })+
        }

        fn record_item_event(&mut $self, event: TraceEvent) {
            $(if $part.is_enabled() { $part.record_item_event(event.clone()); })+
        }

        fn record_included(&mut $self, item: ContextItem, score: f64, reason: InclusionReason) {
            $(if $part.is_enabled() && $part.interests().decisions {
                $part.record_included(item.clone(), score, reason);
            })+
        }

        fn record_excluded(&mut $self, item: ContextItem, score: f64, reason: ExclusionReason) {
            $(if $part.is_enabled() && $part.interests().decisions {
                $part.record_excluded(item.clone(), score, reason.clone());
            })+
        }

        fn record_inclusion(&mut $self, entry: IncludedItem) {
            $(if $part.is_enabled() && $part.interests().decisions {
                $part.record_inclusion(entry.clone());
            })+
        }

        fn record_exclusion(&mut $self, entry: ExcludedItem) {
            $(if $part.is_enabled() && $part.interests().decisions {
                $part.record_exclusion(entry.clone());
            })+
        }

        fn record_shortfall(&mut $self, shortfall: CountRequirementShortfall) {
            $(if $part.is_enabled() { $part.record_shortfall(shortfall.clone()); })+
        }

        fn record_overflow(&mut $self, event: OverflowEvent) {
            $(if $part.is_enabled() { $part.record_overflow(event.clone()); })+
        }

        fn set_candidates(&mut $self, count: usize, tokens: i64) {
            $(if $part.is_enabled() { $part.set_candidates(count, tokens); })+
        }

        fn on_pipeline_failed(&mut $self, error: &CupelError) {
            $(if $part.is_enabled() { $part.on_pipeline_failed(error); })+
        }

        fn on_pipeline_completed(
            &mut $self,
            report: &SelectionReport,
            budget: &ContextBudget,
            stages: &[StageTraceSnapshot],
        ) {
            $(if $part.is_enabled() && $part.interests().completion {
                $part.on_pipeline_completed(report, budget, stages);
            })+
        }
    };
}

impl<C: TraceCollector + ?Sized> TraceCollector for &mut C {
    fn is_enabled(&self) -> bool {
        (**self).is_enabled()
    }

    fn interests(&self) -> Interests {
        (**self).interests()
    }

    forward_to!(self => (**self));
}

/// Two collectors for one run; nest pairs for more.
///
/// Events are built at the finer of the two detail levels.
impl<A: TraceCollector, B: TraceCollector> TraceCollector for (A, B) {
    fn is_enabled(&self) -> bool {
        self.0.is_enabled() || self.1.is_enabled()
    }

    fn interests(&self) -> Interests {
        let of = |enabled, interests| if enabled { interests } else { Interests::NOTHING };
        let (first, second) = (
            of(self.0.is_enabled(), self.0.interests()),
            of(self.1.is_enabled(), self.1.interests()),
        );
        first.or(second)
    }

    forward_to!(self => self.0, self.1);
}
