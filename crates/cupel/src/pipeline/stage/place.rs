//! Stage 6: merge, handle overflow, arrange.

use crate::model::clamp_tokens;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::{
    Candidate, ContextItem, CupelError, ExclusionReason, InclusionReason, OverflowEvent,
    OverflowStrategy, PipelineStage, TraceCollector, contract,
};

/// What a pinned item counts for when the window is arranged.
const PINNED_SCORE: f64 = 1.0;

impl<C: TraceCollector> Run<'_, C> {
    /// The window: pinned items and `chosen`, within the budget, in the placer's order.
    pub(crate) fn place<'a, W: FromIterator<ContextItem>>(
        &mut self,
        chosen: Vec<Candidate<'a>>,
        classified: &Classified<'a>,
    ) -> Result<W, CupelError> {
        self.trace.stage_started(PipelineStage::Place);
        let entered = classified.pinned.len() + chosen.len();
        let mut merged = chosen;
        self.merge(&mut merged, classified)?;
        let mut order = self.policy.placer.arrange(&merged, self.scratch);
        // Looked at where it is: a processor has to wait for what is copied as soon as it is written.
        let order = order.as_mut().map_err(|error| error.clone())?;
        self.check_order(order, &merged)?;
        let placed = order.iter().map(|&at| &merged[at]);
        if self.trace.is_enabled() {
            self.trace.expect_decisions(order.len(), 0);
            for candidate in placed.clone() {
                let (score, reason) = inclusion(candidate);
                self.trace.included(candidate.item(), score, reason);
            }
        }
        let window = placed.map(|candidate| candidate.item().clone()).collect();
        self.trace.stage_done(PipelineStage::Place, entered, order.len());
        self.scratch.give_back_positions(std::mem::take(order));
        self.scratch.give_back_candidates(merged);
        Ok(window)
    }

    /// Puts pinned items before the chosen ones, and handles overflow.
    pub(crate) fn merge<'a>(
        &mut self,
        merged: &mut Vec<Candidate<'a>>,
        classified: &Classified<'a>,
    ) -> Result<(), CupelError> {
        if !classified.pinned.is_empty() {
            let pinned = classified.pinned.iter().map(|item| Candidate::new(item, PINNED_SCORE));
            merged.splice(0..0, pinned);
        }
        let total: i128 = merged.iter().map(|it| i128::from(it.tokens())).sum();
        let limit = self.budget.window();
        if total > i128::from(limit) {
            match self.policy.overflow_strategy {
                OverflowStrategy::Throw => {
                    let merged_tokens = clamp_tokens(total);
                    return Err(CupelError::Overflow { merged_tokens, target_tokens: limit });
                }
                OverflowStrategy::Truncate => self.truncate(merged, classified),
                OverflowStrategy::Proceed => self.trace.overflowed(|| {
                    let over = clamp_tokens(total - i128::from(limit));
                    let items = merged.iter().map(|it| it.item().clone()).collect();
                    OverflowEvent::new(over, items, self.budget.clone())
                }),
            }
        }
        Ok(())
    }

    /// Keeps pinned items, then, best score first, whatever still fits.
    fn truncate(&mut self, merged: &mut Vec<Candidate<'_>>, classified: &Classified<'_>) {
        let limit = i128::from(self.budget.window());
        let (mut pinned_tokens, mut chosen_tokens) = (0, 0);
        merged.retain(|candidate| {
            let item_tokens = i128::from(candidate.tokens());
            if candidate.item().pinned() {
                pinned_tokens += item_tokens;
                return true;
            }
            let left = limit - pinned_tokens - chosen_tokens;
            if item_tokens <= left {
                chosen_tokens += item_tokens;
                return true;
            }
            let fits_without_pinned = chosen_tokens + item_tokens <= limit;
            let displacing = classified.pinned.first().filter(|_| fits_without_pinned);
            let (item, score) = (candidate.item(), candidate.score());
            self.trace.excluded(PipelineStage::Place, item, score, || match displacing {
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

    /// Whether the placer's `order` names every position once.
    pub(crate) fn check_order(
        &mut self,
        order: &[usize],
        merged: &[Candidate<'_>],
    ) -> Result<(), CupelError> {
        let seen = &mut self.scratch.marks;
        seen.clear(merged.len());
        if order.len() == merged.len() && seen.insert_each_once(order) {
            return Ok(());
        }
        let problem = misplacement(order, merged);
        Err(contract::violation("placer", self.policy.placer.name(), problem))
    }
}

/// What is wrong with an `order` that does not name every position once.
#[cold]
fn misplacement(order: &[usize], merged: &[Candidate<'_>]) -> String {
    let count = format!("returned {} of {} items", order.len(), merged.len());
    let mut is_missing = vec![true; merged.len()];
    for &at in order {
        match is_missing.get_mut(at) {
            Some(is_missing) if *is_missing => *is_missing = false,
            Some(_) => {
                let item = contract::describe(merged[at].item());
                return format!("{count}, one of them more than once: {item}");
            }
            None => return format!("named position {at} of {} items", merged.len()),
        }
    }
    let missing = merged.iter().zip(is_missing).find(|(_, is_missing)| *is_missing);
    let item = missing.map(|(it, _)| contract::describe(it.item())).unwrap_or_default();
    format!("{count}; the first missing one is {item}")
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
