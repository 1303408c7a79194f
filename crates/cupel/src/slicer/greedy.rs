//! Best score per token first.

use super::{Selection, Slicer, slice_by_selecting};
use crate::{Candidate, ContextBudget, ContextItem, CupelError, ScoredItem, Scratch, order};

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
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        if candidates.is_empty() || budget.target_tokens() <= 0 {
            return Ok(Selection::nothing());
        }
        let keys = scratch.keys(candidates.len());
        let entries = candidates.iter().enumerate();
        keys.extend(entries.map(|(at, it)| order::pack(u128::from(density_key(it)), at)));
        keys.sort_unstable();

        let mut remaining = budget.target_tokens();
        let mut kept = Vec::with_capacity(candidates.len());
        for &key in keys.iter() {
            let at = order::position(key);
            let tokens = candidates[at].tokens();
            if tokens <= remaining {
                kept.push(at);
                remaining = remaining.saturating_sub(tokens);
            }
        }
        Ok(Selection::keeping(kept))
    }
}

/// Sorts by score per token, densest first; an item that costs nothing comes before all others.
fn density_key(candidate: &Candidate<'_>) -> u64 {
    match candidate.tokens() {
        0 => 0,
        tokens => order::descending(candidate.score() / tokens as f64),
    }
}
