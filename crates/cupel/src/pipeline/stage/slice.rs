//! Stage 5: choose what fits.

use crate::model::clamp_tokens;
use crate::pipeline::run::{Prepared, Run};
use crate::slicer::{Selection, select_checked};
use crate::{
    Candidate, CupelError, ExclusionReason, OverflowStrategy, PipelineStage, TraceCollector,
};

impl<C: TraceCollector> Run<'_, C> {
    /// The candidates that the slicer chooses, best score first. The stage began with sorting.
    pub(crate) fn slice<'a>(
        &mut self,
        prepared: &Prepared<'a>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let candidates = &prepared.candidates;
        let effective = prepared.effective_budget(self.budget);
        let slicer = &*self.policy.slicer;
        let selection = select_checked(slicer, candidates, &effective, &self.context)?;
        let is_kept = marks(&selection.kept, candidates.len());
        if self.trace.is_enabled() {
            self.trace.shortfalls(&selection.shortfalls);
            self.report_unchosen(prepared, selection, &is_kept, effective.target_tokens());
        }
        let chosen = chosen(prepared, &is_kept);
        self.trace.stage_done(PipelineStage::Slice, candidates.len(), chosen.len());
        Ok(chosen)
    }

    fn report_unchosen(
        &mut self,
        prepared: &Prepared<'_>,
        selection: Selection,
        is_kept: &[bool],
        target: i64,
    ) {
        let kept_tokens = |at: &usize| i128::from(prepared.candidates[*at].tokens());
        let kept_tokens: i128 = selection.kept.iter().map(kept_tokens).sum();
        let available_tokens = clamp_tokens(i128::from(target) - kept_tokens);
        let blame = PinnedToBlame::of(self, prepared, target);
        let mut refused = selection.refused;
        refused.sort_by_key(|refusal| refusal.position);
        let mut refused = refused.into_iter().peekable();
        let unkept = prepared.candidates.iter().enumerate().filter(|(at, _)| !is_kept[*at]);
        for (at, candidate) in unkept {
            while refused.next_if(|refusal| refusal.position < at).is_some() {}
            let refusal = refused.next_if(|refusal| refusal.position == at);
            self.trace.excluded(PipelineStage::Slice, candidate, || {
                let stated = refusal.map(|refusal| refusal.reason);
                stated.or_else(|| blame.as_ref()?.reason(candidate)).unwrap_or(
                    ExclusionReason::BudgetExceeded {
                        item_tokens: candidate.tokens(),
                        available_tokens,
                    },
                )
            });
        }
    }
}

/// One mark for each of `len` positions, set for those that are `kept`.
pub(crate) fn marks(kept: &[usize], len: usize) -> Vec<bool> {
    let mut marks = vec![false; len];
    kept.iter().for_each(|at| marks[*at] = true);
    marks
}

/// The candidates that are marked, in their order, with room for the pinned ones that will join them.
pub(crate) fn chosen<'a>(prepared: &Prepared<'a>, is_kept: &[bool]) -> Vec<Candidate<'a>> {
    let kept = is_kept.iter().filter(|is_kept| **is_kept).count();
    let mut chosen = Vec::with_capacity(kept + prepared.pinned.len());
    let candidates = prepared.candidates.iter().zip(is_kept);
    chosen.extend(candidates.filter(|(_, is_kept)| **is_kept).map(|(candidate, _)| *candidate));
    chosen
}

/// Pinned items that may be why something does not fit.
struct PinnedToBlame<'a> {
    /// Content of the first one.
    first: &'a str,
    /// The slicer's target.
    target: i64,
    /// The slicer's target if pinned items cost nothing.
    target_without: i64,
}

impl<'a> PinnedToBlame<'a> {
    fn of<C>(run: &Run<'_, C>, prepared: &Prepared<'a>, target: i64) -> Option<Self> {
        if run.policy.overflow_strategy != OverflowStrategy::Truncate || prepared.pinned_tokens == 0
        {
            return None;
        }
        let first = prepared.first_pinned()?.content();
        Some(Self { first, target, target_without: run.budget.effective(0).target_tokens() })
    }

    fn reason(&self, candidate: &Candidate<'_>) -> Option<ExclusionReason> {
        let tokens = candidate.tokens();
        let fits_without = tokens > self.target && tokens <= self.target_without;
        fits_without
            .then(|| ExclusionReason::PinnedOverride { displaced_by: self.first.to_owned() })
    }
}
