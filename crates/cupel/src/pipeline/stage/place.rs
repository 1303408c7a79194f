//! Stage 6: merge, handle overflow, arrange, and take units apart.

use crate::model::clamp_tokens;
use crate::pipeline::run::{Pinned, Prepared, Run};
use crate::placer::arrange_checked;
use crate::{
    Candidate, CupelError, ExclusionReason, InclusionReason, OverflowEvent, OverflowStrategy,
    PipelineStage, TraceCollector,
};

impl<C: TraceCollector> Run<'_, C> {
    /// The window: pinned items and `chosen`, within the budget, in the placer's order, units taken apart.
    pub(crate) fn place<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        pinned: &Pinned<'_, 'a>,
        chosen: Vec<Candidate<'a>>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.trace.stage_started(PipelineStage::Place);
        let entered = prepared.count(&pinned.candidates) + prepared.count(&chosen);
        let merged = self.merge(prepared, pinned, chosen)?;
        let window = self.arrange(prepared, &merged)?;
        if self.trace.is_enabled() {
            for candidate in &window {
                let (score, reason) = inclusion(candidate, &prepared.whole(candidate));
                self.trace.included(candidate, score, reason);
            }
        }
        self.trace.stage_done(PipelineStage::Place, entered, window.len());
        Ok(window)
    }

    /// Pinned candidates, then the chosen ones, with overflow handled.
    pub(crate) fn merge<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        pinned: &Pinned<'_, 'a>,
        chosen: Vec<Candidate<'a>>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let mut merged = chosen;
        merged.splice(0..0, pinned.candidates.iter().copied());
        let total = prepared.tokens(&merged);
        let limit = self.budget.window_tokens();
        if total > i128::from(limit) {
            match self.policy.overflow_strategy {
                OverflowStrategy::Throw => {
                    let merged_tokens = clamp_tokens(total);
                    return Err(CupelError::Overflow { merged_tokens, target_tokens: limit });
                }
                OverflowStrategy::Truncate => self.truncate(&mut merged, prepared, pinned),
                OverflowStrategy::Proceed => self.trace.overflowed(|| {
                    let over = clamp_tokens(total - i128::from(limit));
                    let members = merged.iter().flat_map(|it| prepared.members(it));
                    let items = members.map(|it| it.to_item()).collect();
                    OverflowEvent::new(over, items, self.budget.clone())
                }),
            }
        }
        Ok(merged)
    }

    /// Keeps pinned candidates, then, best score first, whatever still fits, in its present form or a shorter one.
    fn truncate<'a>(
        &mut self,
        merged: &mut Vec<Candidate<'a>>,
        prepared: &Prepared<'a>,
        pinned: &Pinned<'_, 'a>,
    ) {
        let limit = i128::from(self.budget.window_tokens());
        let mut chosen_tokens = 0;
        let mut position = 0;
        merged.retain_mut(|candidate| {
            position += 1;
            if position <= pinned.candidates.len() {
                return true;
            }
            let left = limit - pinned.tokens - chosen_tokens;
            let tokens = |form: usize| prepared.exact_tokens(&candidate.in_form(form));
            let shortest = candidate.shortest();
            if let Some(form) = (candidate.form()..=shortest).find(|form| tokens(*form) <= left) {
                chosen_tokens += tokens(form);
                *candidate = candidate.in_form(form);
                return true;
            }
            let least = tokens(shortest);
            let fits_without_pinned = chosen_tokens + least <= limit;
            let displacing = prepared.first_pinned().filter(|_| fits_without_pinned);
            let reason = match displacing {
                Some(pinned) => {
                    ExclusionReason::PinnedOverride { displaced_by: pinned.content().to_owned() }
                }
                None => ExclusionReason::BudgetExceeded {
                    item_tokens: candidate.tokens_in(0),
                    available_tokens: clamp_tokens(left),
                },
            };
            let whole = candidate.in_form(0);
            self.excluded(PipelineStage::Place, prepared, &whole, || reason);
            false
        });
    }

    /// The merged candidates in the placer's order, units taken apart.
    pub(crate) fn arrange<'a>(
        &self,
        prepared: &Prepared<'a>,
        merged: &[Candidate<'a>],
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let placer = &*self.policy.placer;
        let arranged = arrange_checked(placer, merged, &self.context)?;
        let arranged = arranged.into_iter().map(|at| merged[at]);
        if !prepared.has_units() {
            return Ok(arranged.collect());
        }
        let mut window = prepared.taken_apart(arranged);
        if placer.keeps_input_order() {
            window.sort_by_key(Candidate::index);
        }
        Ok(window)
    }
}

/// Why a candidate is in the window, itself or as a member of the `whole`.
fn inclusion(candidate: &Candidate<'_>, whole: &Candidate<'_>) -> (f64, InclusionReason) {
    if whole.pinned() {
        (0.0, InclusionReason::Pinned)
    } else if whole.tokens_in(0) == 0 {
        (0.0, InclusionReason::ZeroToken)
    } else {
        (candidate.score(), InclusionReason::Scored)
    }
}
