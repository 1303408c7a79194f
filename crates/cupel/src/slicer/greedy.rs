//! Best score per token first.

use super::{Selection, Slicer, fill, slice_by_selecting};
use crate::sort_keys::{self, sorted_positions};
use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem};

/// Takes items by score per token, best first, skipping those that no longer fit.
///
/// Items that cost nothing are always taken. Ties go to the earlier candidate. An item with shorter forms is taken in
/// the richest that fits when its turn comes, which is decided by the score per token of the whole.
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
        let trial = context.wants_trial().then(|| order.clone().collect());
        Ok(Selection { trial, ..fill(order, candidates, budget.target_tokens()) })
    }
}

pub(super) fn density_key(candidate: &Candidate<'_>) -> u64 {
    match candidate.tokens() {
        0 => sort_keys::FIRST,
        tokens => sort_keys::descending(candidate.score() / tokens as f64),
    }
}
