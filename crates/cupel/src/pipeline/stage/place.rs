//! Stage 6: merge, handle overflow, arrange.

use crate::model::clamp_tokens;
use crate::pipeline::stage::Classified;
use crate::pipeline::trace::Trace;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, InclusionReason,
    OverflowEvent, OverflowStrategy, PipelineStage, Placer, Scratch, TraceCollector, contract,
};

/// What a pinned item counts for when the window is arranged.
const PINNED_SCORE: f64 = 1.0;

/// The window: pinned items and `chosen`, within the budget, in the placer's order.
pub(crate) fn place<'a, C: TraceCollector>(
    placer: &dyn Placer,
    classified: &Classified<'a>,
    chosen: Vec<Candidate<'a>>,
    budget: &ContextBudget,
    overflow: OverflowStrategy,
    scratch: &mut Scratch,
    trace: &mut Trace<'_, C>,
) -> Result<Vec<ContextItem>, CupelError> {
    let mut merged = chosen;
    let pinned = classified.pinned.iter().map(|item| Candidate::new(item, PINNED_SCORE));
    merged.splice(0..0, pinned);
    let entered = merged.len();

    let total: i128 = merged.iter().map(|it| i128::from(it.tokens())).sum();
    if total > i128::from(budget.window()) {
        match overflow {
            OverflowStrategy::Throw => {
                return Err(CupelError::Overflow {
                    merged_tokens: clamp_tokens(total),
                    target_tokens: budget.window(),
                });
            }
            OverflowStrategy::Truncate => truncate(&mut merged, classified, budget, trace),
            OverflowStrategy::Proceed => trace.overflowed(|| {
                let over = clamp_tokens(total - i128::from(budget.window()));
                let items = merged.iter().map(|it| it.item().clone()).collect();
                OverflowEvent::new(over, items, budget.clone())
            }),
        }
    }

    let order = placer.arrange(&merged, scratch)?;
    check_arrangement(placer, &order, &merged, scratch)?;
    let placed = order.iter().map(|&at| &merged[at]);
    if trace.is_enabled() {
        for candidate in placed.clone() {
            let (score, reason) = inclusion(candidate);
            trace.included(candidate.item(), score, reason);
        }
    }
    let window: Vec<ContextItem> = placed.map(|candidate| candidate.item().clone()).collect();
    trace.stage_done(PipelineStage::Place, entered, window.len());
    Ok(window)
}

/// Keeps pinned items, then, best score first, whatever still fits.
fn truncate<C: TraceCollector>(
    merged: &mut Vec<Candidate<'_>>,
    classified: &Classified<'_>,
    budget: &ContextBudget,
    trace: &mut Trace<'_, C>,
) {
    let limit = i128::from(budget.window());
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
        trace.excluded(PipelineStage::Place, candidate.item(), candidate.score(), || {
            match displacing {
                Some(pinned) => {
                    ExclusionReason::PinnedOverride { displaced_by: pinned.content().to_owned() }
                }
                None => ExclusionReason::BudgetExceeded {
                    item_tokens: candidate.tokens(),
                    available_tokens: clamp_tokens(left),
                },
            }
        });
        false
    });
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

/// Whether `order` names every position once.
fn check_arrangement(
    placer: &dyn Placer,
    order: &[usize],
    merged: &[Candidate<'_>],
    scratch: &mut Scratch,
) -> Result<(), CupelError> {
    let broken = |problem| Err(contract::violation("placer", placer.name(), problem));
    if order.len() != merged.len() {
        return broken(format!("returned {} of {} items", order.len(), merged.len()));
    }
    let mut seen = scratch.take_marks(merged.len());
    for &at in order {
        match seen.get_mut(at) {
            None => return broken(format!("named position {at} of {} items", merged.len())),
            Some(true) => {
                let item = contract::describe(merged[at].item());
                return broken(format!("placed one item more than once: {item}"));
            }
            Some(seen) => *seen = true,
        }
    }
    scratch.give_back_marks(seen);
    Ok(())
}
