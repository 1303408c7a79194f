//! Stage 5: choose what fits.

use std::collections::BTreeMap;

use crate::model::clamp_tokens;
use crate::pipeline::run::{Pinned, Prepared, Run};
use crate::slicer::{Selection, select_checked};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, OverflowStrategy,
    PipelineStage, TraceCollector,
};

/// What a slicer may not fill, because it is taken.
pub(crate) struct Taken<'p> {
    pub(crate) first_pinned: Option<&'p ContextItem>,
    pub(crate) pinned_tokens: i128,
    /// What was chosen before, from earlier parts of a stream.
    pub(crate) chosen_tokens: i128,
}

impl Taken<'_> {
    /// What is left for a slicer, if the pinned items cost `pinned_tokens`.
    fn leaves_of(&self, budget: &ContextBudget, pinned_tokens: i128) -> ContextBudget {
        let effective = budget.effective(pinned_tokens);
        let left = |tokens: i64| clamp_tokens((i128::from(tokens) - self.chosen_tokens).max(0));
        ContextBudget::plain(left(effective.max_tokens()), left(effective.target_tokens()))
    }

    /// What is left of `budget` for a slicer.
    pub(crate) fn leaves(&self, budget: &ContextBudget) -> ContextBudget {
        self.leaves_of(budget, self.pinned_tokens)
    }
}

impl<C: TraceCollector> Run<'_, C> {
    /// The candidates that the slicer chooses beside the pinned ones, best score first. The stage began with
    /// sorting.
    pub(crate) fn slice<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        pinned: &Pinned<'_, 'a>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let taken = Taken {
            first_pinned: prepared.first_pinned(),
            pinned_tokens: pinned.tokens,
            chosen_tokens: 0,
        };
        self.slice_beside(&taken, prepared, pinned.candidates.len())
    }

    /// The candidates that the slicer chooses from what is left, with room for as many `more`.
    pub(crate) fn slice_beside<'a>(
        &mut self,
        taken: &Taken<'_>,
        prepared: &Prepared<'a>,
        more: usize,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let candidates = &prepared.candidates;
        let left = taken.leaves(self.budget);
        let slicer = &*self.policy.slicer;
        let selection = select_checked(slicer, candidates, &left, &self.context)?;
        let chosen = chosen(candidates, &selection, more);
        if self.trace.is_enabled() {
            self.trace.shortfalls(&selection.shortfalls);
            self.report_unchosen(prepared, taken, selection, left.target_tokens());
        }
        let (entered, left) = (prepared.count(candidates), prepared.count(&chosen));
        self.trace.stage_done(PipelineStage::Slice, entered, left);
        Ok(chosen)
    }

    fn report_unchosen(
        &mut self,
        prepared: &Prepared<'_>,
        taken: &Taken<'_>,
        selection: Selection,
        target: i64,
    ) {
        let kept_tokens = selection.kept_tokens(&prepared.candidates);
        let available_tokens = clamp_tokens(i128::from(target) - kept_tokens);
        let blame = PinnedToBlame::of(self, taken, target);
        let is_kept = marks(&selection.kept, prepared.candidates.len());
        let mut stated = BTreeMap::new();
        for refusal in selection.refused {
            stated.entry(refusal.position).or_insert(refusal.reason);
        }
        let unkept = prepared.candidates.iter().enumerate().filter(|(at, _)| !is_kept[*at]);
        for (at, candidate) in unkept {
            let reason = stated
                .remove(&at)
                .or_else(|| blame.as_ref()?.reason(candidate))
                .unwrap_or(ExclusionReason::BudgetExceeded {
                    item_tokens: candidate.tokens(),
                    available_tokens,
                });
            self.excluded(PipelineStage::Slice, prepared, candidate, || reason);
        }
    }
}

/// One mark for each of `len` positions, set for those that are `kept`.
fn marks(kept: &[usize], len: usize) -> Vec<bool> {
    let mut marks = vec![false; len];
    kept.iter().for_each(|at| marks[*at] = true);
    marks
}

/// The candidates that are chosen, in their order and in the forms they are chosen in, with room for as many `more`.
pub(crate) fn chosen<'a>(
    candidates: &[Candidate<'a>],
    selection: &Selection,
    more: usize,
) -> Vec<Candidate<'a>> {
    let is_kept = marks(&selection.kept, candidates.len());
    let mut chosen = Vec::with_capacity(selection.kept.len() + more);
    let kept = candidates.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
    chosen.extend(kept.map(|(candidate, _)| *candidate));
    if !selection.shortened.is_empty() {
        let mut forms = vec![0; candidates.len()];
        selection.shortened.iter().for_each(|it| forms[it.position] = it.form);
        let kept = forms.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
        for (candidate, (form, _)) in chosen.iter_mut().zip(kept) {
            *candidate = candidate.in_form(form);
        }
    }
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
    fn of<C>(run: &Run<'_, C>, taken: &Taken<'a>, target: i64) -> Option<Self> {
        if run.policy.overflow_strategy != OverflowStrategy::Truncate || taken.pinned_tokens == 0 {
            return None;
        }
        let first = taken.first_pinned?.content();
        let target_without = taken.leaves_of(run.budget, 0).target_tokens();
        Some(Self { first, target, target_without })
    }

    fn reason(&self, candidate: &Candidate<'_>) -> Option<ExclusionReason> {
        let tokens = candidate.tokens_in(candidate.shortest());
        let fits_without = tokens > self.target && tokens <= self.target_without;
        fits_without
            .then(|| ExclusionReason::PinnedOverride { displaced_by: self.first.to_owned() })
    }
}
