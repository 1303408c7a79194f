//! Stage 5: choose what fits.

use std::borrow::Cow;

use crate::marks::Marks;
use crate::model::clamp_tokens;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::slicer::{self, Refusal};
use crate::{
    Candidate, ContextBudget, CupelError, ExclusionReason, OverflowStrategy, PipelineStage,
    TraceCollector,
};

impl<C: TraceCollector> Run<'_, C> {
    /// Removes the candidates that the slicer does not choose. The stage began with sorting.
    pub(crate) fn slice(
        &mut self,
        sorted: &mut Vec<Candidate<'_>>,
        classified: &Classified<'_>,
    ) -> Result<(), CupelError> {
        let entered = sorted.len();
        let effective = effective_budget(self.budget, classified.pinned_tokens);
        let slicer = &self.policy.slicer;
        let mut selection = slicer.select(sorted, &effective, self.scratch);
        // Looked at where it is: a processor has to wait for what is copied as soon as it is written.
        let selection = selection.as_mut().map_err(|error| error.clone())?;
        slicer::check(slicer, selection, sorted, &mut self.scratch.marks)?;
        if self.trace.is_enabled() {
            self.trace.shortfalls(&selection.shortfalls);
            let kept = selection.kept.iter().map(|at| &sorted[*at]);
            let reasons = Reasons::new(self, kept, effective.target_tokens(), classified);
            self.trace.expect_decisions(0, sorted.len() - selection.kept.len());
            self.report_unchosen(sorted, &reasons, &mut selection.refused);
        }
        self.scratch.give_back_positions(std::mem::take(&mut selection.kept));
        retain(sorted, &self.scratch.marks);
        self.trace.stage_done(PipelineStage::Slice, entered, sorted.len());
        Ok(())
    }

    /// Reports all that is not marked.
    fn report_unchosen(
        &mut self,
        sorted: &[Candidate<'_>],
        reasons: &Reasons<'_>,
        refused: &mut [Refusal],
    ) {
        refused.sort_by_key(|refusal| refusal.position);
        let mut refused: &[Refusal] = refused;
        let is_kept = &self.scratch.marks;
        is_kept.for_each_other(|at| {
            let candidate = &sorted[at];
            while let [first, rest @ ..] = refused
                && first.position < at
            {
                refused = rest;
            }
            let refusal = refused.first().filter(|refusal| refusal.position == at);
            let (item, score) = (candidate.item(), candidate.score());
            // In two calls, so that the usual reason is made where it is kept.
            let refusal = refusal.map(|it| it.reason.exclusion(item));
            if let Some(reason) = refusal.or_else(|| reasons.pinned_to_blame(candidate)) {
                self.trace.excluded(PipelineStage::Slice, item, score, || reason);
            } else {
                let (item_tokens, available_tokens) =
                    (candidate.tokens(), reasons.available_tokens);
                self.trace.excluded(PipelineStage::Slice, item, score, || {
                    ExclusionReason::BudgetExceeded { item_tokens, available_tokens }
                });
            }
        });
    }
}

/// Removes the candidates that are not marked.
pub(crate) fn retain(candidates: &mut Vec<Candidate<'_>>, is_kept: &Marks) {
    let mut kept = 0;
    is_kept.for_each(|at| {
        candidates[kept] = candidates[at];
        kept += 1;
    });
    candidates.truncate(kept);
}

/// What is left for the slicer after pinned items, reservations and the safety margin.
pub(crate) fn effective_budget(
    budget: &ContextBudget,
    pinned_tokens: i128,
) -> Cow<'_, ContextBudget> {
    if pinned_tokens == 0 && budget.is_plain() {
        return Cow::Borrowed(budget);
    }
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
    Cow::Owned(ContextBudget::plain(max, target))
}

/// Why a candidate that the slicer says nothing about was not chosen.
struct Reasons<'a> {
    available_tokens: i64,
    /// If pinned items may be to blame.
    pinned: Option<Pinned<'a>>,
}

struct Pinned<'a> {
    /// Content of the first one.
    first: &'a str,
    /// The slicer's target.
    target: i64,
    /// The slicer's target if pinned items cost nothing.
    target_without: i64,
}

impl<'a> Reasons<'a> {
    fn new<'c, C: TraceCollector>(
        run: &Run<'_, C>,
        chosen: impl Iterator<Item = &'c Candidate<'c>>,
        target: i64,
        classified: &Classified<'a>,
    ) -> Self {
        let chosen_tokens: i128 = chosen.map(|it| i128::from(it.tokens())).sum();
        let may_blame_pinned = run.policy.overflow_strategy == OverflowStrategy::Truncate
            && classified.pinned_tokens > 0;
        let first_pinned = classified.pinned.first().filter(|_| may_blame_pinned);
        Self {
            available_tokens: clamp_tokens(i128::from(target) - chosen_tokens),
            pinned: first_pinned.map(|first| Pinned {
                first: first.content(),
                target,
                target_without: effective_budget(run.budget, 0).target_tokens(),
            }),
        }
    }

    fn pinned_to_blame(&self, candidate: &Candidate<'_>) -> Option<ExclusionReason> {
        let Pinned { first, target, target_without } = self.pinned.as_ref()?;
        let fits_without = candidate.tokens() > *target && candidate.tokens() <= *target_without;
        fits_without.then(|| ExclusionReason::PinnedOverride { displaced_by: (*first).to_owned() })
    }
}
