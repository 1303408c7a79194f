//! Reporting a run to its collector, and doing nothing when it does not listen.

use std::time::Instant;

use crate::model::{clamp_tokens, sum_tokens};
use crate::{
    Candidate, ContextBudget, ContextItem, CountRequirementShortfall, CupelError,
    DiagnosticTraceCollector, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    Interests, OverflowEvent, PipelineStage, Shortened, StageTraceSnapshot, TraceCollector,
    TraceDetailLevel, TraceEvent,
};

/// One run's reporting. Every method is a no-op while the collector is disabled, without reading
/// the clock or allocating.
pub(crate) struct Trace<'c, C> {
    collector: &'c mut C,
    /// Asked for once, when the run began.
    interests: Interests,
    /// When the current stage began, which is when the last one ended.
    since: Option<Instant>,
    /// What the collector is told at the end, if it asked to be.
    completion: Option<Completion>,
    /// Exclusions, if a simulation asked for them.
    left_out: Option<Vec<LeftOut>>,
}

/// An exclusion by index, which a report does not tell.
pub(crate) struct LeftOut {
    pub(crate) index: usize,
    pub(crate) score: f64,
    pub(crate) reason: ExclusionReason,
}

/// A second record of the run, for the collector's last call.
struct Completion {
    record: DiagnosticTraceCollector,
    stages: Vec<StageTraceSnapshot>,
    /// Exclusions of the stage that is running.
    excluded: Vec<ExcludedItem>,
}

impl<'c, C: TraceCollector> Trace<'c, C> {
    pub(crate) fn new(collector: &'c mut C) -> Self {
        let interests = Interests::NOTHING;
        Self { collector, interests, since: None, completion: None, left_out: None }
    }

    /// Remembers exclusions by index from now on.
    pub(crate) fn remember_left_out(&mut self) {
        self.left_out = Some(Vec::new());
    }

    /// What was left out since then, in that order.
    pub(crate) fn into_left_out(self) -> Vec<LeftOut> {
        self.left_out.unwrap_or_default()
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.collector.is_enabled()
    }

    fn wants_items(&self) -> bool {
        self.is_enabled() && self.interests.detail >= TraceDetailLevel::Item
    }

    /// The run begins.
    pub(crate) fn started(&mut self, items: &[ContextItem], budget: &ContextBudget) {
        if !self.is_enabled() {
            return;
        }
        self.collector.on_pipeline_started(budget);
        self.interests = self.collector.interests();
        if self.interests.completion {
            self.completion = Some(Completion {
                record: DiagnosticTraceCollector::new(self.interests.detail),
                stages: Vec::with_capacity(PipelineStage::ALL.len()),
                excluded: Vec::new(),
            });
        }
        let tokens = clamp_tokens(sum_tokens(items));
        self.each(|collector| collector.set_candidates(items.len(), tokens));
    }

    /// A stage begins.
    pub(crate) fn stage_started(&mut self, stage: PipelineStage) {
        if self.is_enabled() {
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
        let duration_ms = now.duration_since(since).as_secs_f64() * 1e3;
        let event = TraceEvent::stage(stage, duration_ms, entered);
        if let Some(Completion { stages, excluded, .. }) = &mut self.completion {
            let excluded = std::mem::take(excluded);
            stages.push(StageTraceSnapshot::new(stage, entered, left, duration_ms, excluded));
        }
        self.each(|collector| collector.record_stage_event(event.clone()));
        self.collector.on_stage_finished(stage, entered, left);
    }

    pub(crate) fn scored(&mut self, score: f64) {
        if self.wants_items() {
            self.item_event(PipelineStage::Score, format!("Scored: {score}"));
        }
    }

    pub(crate) fn excluded(
        &mut self,
        stage: PipelineStage,
        candidate: &Candidate<'_>,
        reason: impl FnOnce() -> ExclusionReason,
    ) {
        if !self.is_enabled() || self.interests == Interests::NOTHING {
            return;
        }
        let (item, score, reason) = (candidate.item(), candidate.score(), reason());
        if let Some(left_out) = &mut self.left_out {
            left_out.push(LeftOut { index: candidate.index(), score, reason: reason.clone() });
        }
        if self.wants_items() {
            self.item_event(stage, reason.to_string());
        }
        let index = Some(candidate.index());
        let entry = |reason| ExcludedItem { item: item.clone(), score, reason, index };
        if let Some(Completion { record, excluded, .. }) = &mut self.completion {
            record.record_exclusion(entry(reason.clone()));
            excluded.push(entry(reason.clone()));
        }
        if self.interests.decisions {
            self.collector.record_exclusion(entry(reason));
        }
    }

    pub(crate) fn included(
        &mut self,
        candidate: &Candidate<'_>,
        score: f64,
        reason: InclusionReason,
    ) {
        if !self.is_enabled() || self.interests == Interests::NOTHING {
            return;
        }
        let (shortened, index) = (shortened(candidate), Some(candidate.index()));
        let entry = || IncludedItem { item: candidate.to_item(), score, reason, shortened, index };
        if let Some(Completion { record, .. }) = &mut self.completion {
            record.record_inclusion(entry());
        }
        if self.interests.decisions {
            self.collector.record_inclusion(entry());
        }
    }

    pub(crate) fn shortfalls(&mut self, shortfalls: &[CountRequirementShortfall]) {
        for shortfall in shortfalls {
            self.each(|collector| collector.record_shortfall(shortfall.clone()));
        }
    }

    pub(crate) fn overflowed(&mut self, event: impl FnOnce() -> OverflowEvent) {
        if self.is_enabled() {
            self.collector.record_overflow(event());
        }
    }

    /// The run is over, with or without an error.
    pub(crate) fn finished(&mut self, budget: &ContextBudget, error: Option<&CupelError>) {
        if !self.is_enabled() {
            return;
        }
        match (error, self.completion.take()) {
            (Some(error), _) => self.collector.on_pipeline_failed(error),
            (None, Some(Completion { record, stages, .. })) => {
                self.collector.on_pipeline_completed(&record.into_report(), budget, &stages);
            }
            (None, None) => {}
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

/// Which shorter form of its item a candidate is in.
pub(crate) fn shortened(candidate: &Candidate<'_>) -> Option<Shortened> {
    let saved = || candidate.tokens_in(0) - candidate.tokens();
    (candidate.form() > 0).then(|| Shortened::new(candidate.form(), candidate.shortest(), saved()))
}
