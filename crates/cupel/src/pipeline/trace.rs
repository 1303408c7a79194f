//! Reporting a run to its collector, and doing nothing when it does not listen.

use std::time::{Duration, Instant};

use crate::model::{clamp_tokens, sum_tokens};
use crate::{
    ContextBudget, ContextItem, CountRequirementShortfall, CupelError, DiagnosticTraceCollector,
    ExcludedItem, ExclusionReason, InclusionReason, OverflowEvent, PipelineStage,
    StageTraceSnapshot, TraceCollector, TraceDetailLevel, TraceEvent,
};

/// One run's reporting. Every method is a no-op while the collector is disabled, without reading
/// the clock or allocating.
pub(crate) struct Trace<'c, C> {
    collector: &'c mut C,
    /// When the current stage began, which is when the last one ended: reading the clock takes longer
    /// than some stages. `None` while the collector is disabled.
    since: Option<Instant>,
    /// What the collector is told at the end, if it asked to be.
    completion: Option<Box<Completion>>,
}

/// A second record of the run, for the collector's last call.
struct Completion {
    record: DiagnosticTraceCollector,
    stages: Vec<StageTraceSnapshot>,
    /// Exclusions of the stage that is running.
    excluded: Vec<ExcludedItem>,
}

impl<'c, C: TraceCollector> Trace<'c, C> {
    pub(crate) fn new(collector: &'c mut C, items: &[ContextItem], budget: &ContextBudget) -> Self {
        let mut trace = Self { collector, since: None, completion: None };
        if trace.is_enabled() {
            if trace.collector.wants_completion() {
                trace.completion = Some(Box::new(Completion {
                    record: DiagnosticTraceCollector::new(trace.collector.detail_level()),
                    stages: Vec::with_capacity(PipelineStage::ALL.len()),
                    excluded: Vec::new(),
                }));
            }
            trace.collector.on_pipeline_started(budget);
            let tokens = clamp_tokens(sum_tokens(items));
            trace.each(|collector| collector.set_candidates(items.len(), tokens));
        }
        trace
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.collector.is_enabled()
    }

    pub(crate) fn wants_items(&self) -> bool {
        self.is_enabled() && self.collector.detail_level() >= TraceDetailLevel::Item
    }

    /// Whether the collector wants to know of each item whether it is in or out.
    fn wants_decisions(&self) -> bool {
        self.is_enabled() && self.collector.wants_decisions()
    }

    /// A stage begins.
    pub(crate) fn stage_started(&mut self, stage: PipelineStage) {
        if self.is_enabled() {
            if let Some(completion) = self.completion.as_deref_mut() {
                completion.record.on_stage_started(stage);
            }
            self.collector.on_stage_started(stage);
            self.since.get_or_insert_with(Instant::now);
        }
    }

    /// The stage that started last is done.
    pub(crate) fn stage_done(&mut self, stage: PipelineStage, entered: usize, left: usize) {
        if !self.is_enabled() {
            return;
        }
        let now = Instant::now();
        let since = self.since.replace(now).unwrap_or(now);
        let duration_ms = milliseconds(now.duration_since(since));
        let event = || TraceEvent::stage(stage, duration_ms, entered);
        if let Some(completion) = self.completion.as_deref_mut() {
            completion.stage_done(event(), left);
        }
        self.collector.record_stage_event(event());
        self.collector.on_stage_finished(stage, entered, left);
    }

    /// So many items are about to be reported as in and as out.
    pub(crate) fn expect_decisions(&mut self, included: usize, excluded: usize) {
        if self.wants_decisions() {
            self.collector.expect_decisions(included, excluded);
        }
    }

    pub(crate) fn scored(&mut self, score: f64) {
        if self.wants_items() {
            self.item_event(PipelineStage::Score, format!("Scored: {score}"));
        }
    }

    #[inline]
    pub(crate) fn excluded(
        &mut self,
        stage: PipelineStage,
        item: &ContextItem,
        score: f64,
        reason: impl FnOnce() -> ExclusionReason,
    ) {
        if self.completion.is_some() || self.wants_items() {
            self.excluded_in_detail(stage, item, score, reason());
        } else if self.wants_decisions() {
            self.collector.record_excluded_with(item, score, reason);
        }
    }

    /// Apart, so that the usual way builds its reason where it is kept.
    #[cold]
    fn excluded_in_detail(
        &mut self,
        stage: PipelineStage,
        item: &ContextItem,
        score: f64,
        reason: ExclusionReason,
    ) {
        if self.wants_items() {
            self.item_event(stage, reason.to_string());
        }
        if let Some(Completion { record, excluded, .. }) = self.completion.as_deref_mut() {
            record.record_excluded(item.clone(), score, reason.clone());
            excluded.push(ExcludedItem::new(item.clone(), score, reason.clone()));
        }
        if self.collector.wants_decisions() {
            self.collector.record_excluded(item.clone(), score, reason);
        }
    }

    #[inline]
    pub(crate) fn included(&mut self, item: &ContextItem, score: f64, reason: InclusionReason) {
        if let Some(completion) = &mut self.completion {
            completion.record.record_included(item.clone(), score, reason);
        }
        if self.wants_decisions() {
            self.collector.record_included(item.clone(), score, reason);
        }
    }

    #[inline]
    pub(crate) fn shortfalls(&mut self, shortfalls: &[CountRequirementShortfall]) {
        if self.is_enabled() {
            for shortfall in shortfalls {
                self.each(|collector| collector.record_shortfall(shortfall.clone()));
            }
        }
    }

    pub(crate) fn overflowed(&mut self, event: impl FnOnce() -> OverflowEvent) {
        if self.is_enabled() {
            self.collector.record_overflow(event());
        }
    }

    /// The run failed.
    pub(crate) fn fail(self, error: &CupelError) {
        if self.is_enabled() {
            self.collector.on_pipeline_failed(error);
        }
    }

    /// The run succeeded.
    #[inline]
    pub(crate) fn complete(self, budget: &ContextBudget) {
        if let Some(completion) = self.completion {
            let Completion { record, stages, .. } = *completion;
            self.collector.on_pipeline_completed(&record.into_report(), budget, &stages);
        }
    }

    fn item_event(&mut self, stage: PipelineStage, message: String) {
        let event = TraceEvent::item(stage, message);
        self.each(|collector| collector.record_item_event(event.clone()));
    }

    /// Tells the collector, and the second record if there is one.
    fn each(&mut self, mut tell: impl FnMut(&mut dyn TraceCollector)) {
        if let Some(completion) = &mut self.completion {
            tell(&mut completion.record);
        }
        tell(&mut *self.collector);
    }
}

impl Completion {
    /// Apart, so that the usual way stays short.
    #[cold]
    fn stage_done(&mut self, event: TraceEvent, left: usize) {
        let TraceEvent { stage, duration_ms, item_count: entered, .. } = event;
        let excluded = std::mem::take(&mut self.excluded);
        self.stages.push(StageTraceSnapshot::new(stage, entered, left, duration_ms, excluded));
        self.record.record_stage_event(event);
    }
}

/// Without a division, which would take as long as some stages do.
fn milliseconds(duration: Duration) -> f64 {
    // As signed numbers, which processors convert at once; no stage takes so long that it matters.
    let seconds = duration.as_secs().cast_signed();
    seconds as f64 * 1e3 + f64::from(duration.subsec_nanos()) * 1e-6
}
