//! Stage 5: choose what fits.

use crate::marks::{Marks, MarksRef};
use crate::model::clamp_tokens;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::slicer::{self, Refusal};
use crate::{
    Candidate, ContextBudget, CupelError, ExclusionReason, OverflowStrategy, PipelineStage,
    TraceCollector,
};

impl<C: TraceCollector> Run<'_, C> {
    /// The candidates the slicer chose, still best score first.
    pub(crate) fn slice<'a>(
        &mut self,
        sorted: Vec<Candidate<'a>>,
        classified: &Classified<'_>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.trace.stage_started(PipelineStage::Slice);
        let entered = sorted.len();
        let effective = effective_budget(self.budget, classified.pinned_tokens);
        let slicer = &self.policy.slicer;
        let selection = slicer.select(&sorted, &effective, &mut self.scratch)?;
        let is_kept = slicer::check(slicer, &selection, &sorted, &mut self.scratch)?;
        if self.trace.is_enabled() {
            let reasons =
                Reasons::new(self, &sorted, is_kept.as_ref(), selection.refused, classified);
            self.trace.shortfalls(selection.shortfalls);
            self.report_unchosen(&sorted, is_kept.as_ref(), &reasons);
        }
        self.scratch.give_back_positions(selection.kept);
        let chosen = self.retain_kept(sorted, is_kept);
        self.trace.stage_done(PipelineStage::Slice, entered, chosen.len());
        Ok(chosen)
    }

    pub(crate) fn retain_kept<'a>(
        &mut self,
        mut sorted: Vec<Candidate<'a>>,
        is_kept: Marks,
    ) -> Vec<Candidate<'a>> {
        let (mut at, kept) = (0, is_kept.as_ref());
        sorted.retain(|_| {
            at += 1;
            kept.contains(at - 1)
        });
        self.scratch.give_back_marks(is_kept);
        sorted
    }

    fn report_unchosen(
        &mut self,
        sorted: &[Candidate<'_>],
        is_kept: MarksRef<'_>,
        reasons: &Reasons<'_>,
    ) {
        let unchosen = sorted.iter().enumerate().filter(|(at, _)| !is_kept.contains(*at));
        for (at, candidate) in unchosen {
            self.trace.excluded(PipelineStage::Slice, candidate.item(), candidate.score(), || {
                reasons.of(at, candidate)
            });
        }
    }
}

/// What is left for the slicer after pinned items, reservations and the safety margin.
pub(crate) fn effective_budget(budget: &ContextBudget, pinned_tokens: i128) -> ContextBudget {
    let taken = pinned_tokens + budget.slot_tokens();
    let left_of = |tokens: i64| clamp_tokens((i128::from(tokens) - taken).max(0));
    let mut max = left_of(budget.ceiling());
    let mut target = left_of(budget.target_tokens()).min(max);
    let margin = budget.estimation_safety_margin_percent();
    if margin > 0.0 {
        let multiplier = 1.0 - margin / 100.0;
        // Beyond 2^53 a double may round up; a margin never adds.
        let reduced = |tokens: i64| ((tokens as f64 * multiplier).floor() as i64).min(tokens);
        max = reduced(max);
        target = reduced(target).min(max);
    }
    ContextBudget::plain(max, target)
}

/// Why each candidate that was not chosen was not.
struct Reasons<'a> {
    /// By position.
    refused: Vec<Refusal>,
    available_tokens: i64,
    /// Content of the first pinned item, if pinned items may be to blame.
    pinned: Option<&'a str>,
    effective_target: i64,
    /// The effective target if pinned items cost nothing.
    unpinned_target: i64,
}

impl<'a> Reasons<'a> {
    fn new<C: TraceCollector>(
        run: &Run<'_, C>,
        sorted: &[Candidate<'_>],
        is_kept: MarksRef<'_>,
        mut refused: Vec<Refusal>,
        classified: &Classified<'a>,
    ) -> Self {
        refused.sort_by_key(|refusal| refusal.position);
        let chosen = sorted.iter().enumerate().filter(|(at, _)| is_kept.contains(*at));
        let chosen_tokens: i128 = chosen.map(|(_, it)| i128::from(it.tokens())).sum();
        let target = |pinned| effective_budget(run.budget, pinned).target_tokens();
        let effective_target = target(classified.pinned_tokens);
        let may_blame_pinned = run.policy.overflow_strategy == OverflowStrategy::Truncate
            && classified.pinned_tokens > 0;
        let first_pinned = classified.pinned.first().map(|item| item.content());
        Self {
            refused,
            available_tokens: clamp_tokens(i128::from(effective_target) - chosen_tokens),
            pinned: first_pinned.filter(|_| may_blame_pinned),
            effective_target,
            unpinned_target: target(0),
        }
    }

    fn of(&self, position: usize, candidate: &Candidate<'_>) -> ExclusionReason {
        let item_tokens = candidate.tokens();
        if let Ok(at) = self.refused.binary_search_by_key(&position, |it| it.position) {
            return self.refused[at].reason.exclusion(candidate.item());
        }
        match self.pinned {
            Some(pinned)
                if item_tokens > self.effective_target && item_tokens <= self.unpinned_target =>
            {
                ExclusionReason::PinnedOverride { displaced_by: pinned.to_owned() }
            }
            _ => ExclusionReason::BudgetExceeded {
                item_tokens,
                available_tokens: self.available_tokens,
            },
        }
    }
}
