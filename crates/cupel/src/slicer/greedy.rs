//! Best score per token first.

use super::{Selection, Slicer, slice_by_selecting};
use crate::sort_keys::{self, sorted_positions};
use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem};

/// Takes items by score per token, best first, skipping those that no longer fit.
///
/// Items that cost nothing are always taken. Ties go to the earlier candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GreedySlice;

impl Slicer for GreedySlice {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        slice_by_selecting(self, sorted, budget)
    }

    fn select(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let order = sorted_positions(candidates.len(), |at| density_key(&candidates[at]));
        let trial = context.wants_trial().then(|| order.clone());
        let kept = fill(order, candidates, budget.target_tokens());
        Ok(Selection { trial, ..Selection::keeping(kept) })
    }
}

/// What is taken of candidates that are tried in `order`, each exactly when it fits in what is left of
/// the `target`. A target of 0 takes nothing, not even what costs nothing.
pub(crate) fn fill(mut order: Vec<usize>, candidates: &[Candidate<'_>], target: i64) -> Vec<usize> {
    if target <= 0 {
        return Vec::new();
    }
    let mut left = target;
    order.retain(|&at| {
        let tokens = candidates[at].tokens();
        let fits = tokens <= left;
        if fits {
            // Negative counts never reach a slicer through the pipeline; by hand they may.
            left = left.saturating_sub(tokens);
        }
        fits
    });
    order
}

fn density_key(candidate: &Candidate<'_>) -> u64 {
    match candidate.tokens() {
        0 => sort_keys::FIRST,
        tokens => sort_keys::descending(candidate.score() / tokens as f64),
    }
}
