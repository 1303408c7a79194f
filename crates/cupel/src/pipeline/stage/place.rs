//! Stage 6: merge, handle overflow, arrange.

use crate::model::clamp_tokens;
use crate::pipeline::run::{Prepared, Run};
use crate::placer::arrange_checked;
use crate::{
    Candidate, CupelError, ExclusionReason, InclusionReason, OverflowEvent, OverflowStrategy,
    PipelineStage, TraceCollector,
};

impl<C: TraceCollector> Run<'_, C> {
    /// The window: pinned items and `chosen`, within the budget, in the placer's order.
    pub(crate) fn place<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        chosen: Vec<Candidate<'a>>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.trace.stage_started(PipelineStage::Place);
        let entered = prepared.pinned.len() + chosen.len();
        let merged = self.merge(prepared, chosen)?;
        let window = self.arrange(&merged)?;
        for candidate in &window {
            let (score, reason) = inclusion(candidate);
            self.trace.included(candidate, score, reason);
        }
        self.trace.stage_done(PipelineStage::Place, entered, window.len());
        Ok(window)
    }

    /// Pinned items, then the chosen ones, with overflow handled.
    pub(crate) fn merge<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        chosen: Vec<Candidate<'a>>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let mut merged = chosen;
        merged.splice(0..0, prepared.pinned.iter().copied());
        let total: i128 = merged.iter().map(|it| i128::from(it.tokens())).sum();
        let limit = self.budget.window_tokens();
        if total > i128::from(limit) {
            match self.policy.overflow_strategy {
                OverflowStrategy::Throw => {
                    let merged_tokens = clamp_tokens(total);
                    return Err(CupelError::Overflow { merged_tokens, target_tokens: limit });
                }
                OverflowStrategy::Truncate => self.truncate(&mut merged, prepared),
                OverflowStrategy::Proceed => self.trace.overflowed(|| {
                    let over = clamp_tokens(total - i128::from(limit));
                    let items = merged.iter().map(|it| it.item().clone()).collect();
                    OverflowEvent::new(over, items, self.budget.clone())
                }),
            }
        }
        Ok(merged)
    }

    /// Keeps pinned items, then, best score first, whatever still fits.
    fn truncate(&mut self, merged: &mut Vec<Candidate<'_>>, prepared: &Prepared<'_>) {
        let limit = i128::from(self.budget.window_tokens());
        let mut chosen_tokens = 0;
        let mut position = 0;
        merged.retain(|candidate| {
            position += 1;
            if position <= prepared.pinned.len() {
                return true;
            }
            let item_tokens = i128::from(candidate.tokens());
            let left = limit - prepared.pinned_tokens - chosen_tokens;
            if item_tokens <= left {
                chosen_tokens += item_tokens;
                return true;
            }
            let fits_without_pinned = chosen_tokens + item_tokens <= limit;
            let displacing = prepared.first_pinned().filter(|_| fits_without_pinned);
            self.trace.excluded(PipelineStage::Place, candidate, || match displacing {
                Some(pinned) => {
                    ExclusionReason::PinnedOverride { displaced_by: pinned.content().to_owned() }
                }
                None => ExclusionReason::BudgetExceeded {
                    item_tokens: candidate.tokens(),
                    available_tokens: clamp_tokens(left),
                },
            });
            false
        });
    }

    /// The merged candidates in the placer's order.
    pub(crate) fn arrange<'a>(
        &self,
        merged: &[Candidate<'a>],
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let order = arrange_checked(&*self.policy.placer, merged, &self.context)?;
        Ok(order.into_iter().map(|at| merged[at]).collect())
    }
}

fn inclusion(candidate: &Candidate<'_>) -> (f64, InclusionReason) {
    if candidate.item().pinned() {
        (0.0, InclusionReason::Pinned)
    } else if candidate.tokens() == 0 {
        (0.0, InclusionReason::ZeroToken)
    } else {
        (candidate.score(), InclusionReason::Scored)
    }
}
