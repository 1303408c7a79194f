//! Best score per token first.

use super::{Selection, Slicer, Sweep, slice_by_selecting};
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
        let kept = scratch.take_positions(candidates.len());
        let order = densest_first(candidates, scratch);
        Ok(fill(order, candidates, budget.target_tokens(), kept))
    }

    fn sweep<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Box<dyn Sweep + 'a> {
        let order = densest_first(candidates, &mut Scratch::new()).to_vec();
        Box::new(GreedySweep { candidates, order })
    }
}

/// Positions by score per token, densest first; what costs nothing comes before all others.
fn densest_first<'s>(candidates: &[Candidate<'_>], scratch: &'s mut Scratch) -> &'s [u64] {
    scratch.order(candidates.iter().map(density_key)).0
}

fn density_key(candidate: &Candidate<'_>) -> u64 {
    match candidate.tokens() {
        0 => order::FIRST,
        tokens => order::descending(candidate.score() / tokens as f64),
    }
}

/// Tries each position once; adds those that fit to `kept`.
fn fill(
    order: &[u64],
    candidates: &[Candidate<'_>],
    target: i64,
    mut kept: Vec<usize>,
) -> Selection {
    let mut remaining = target;
    kept.extend(order.iter().map(|&at| at as usize).filter(|&at| {
        let tokens = candidates[at].tokens();
        let fits = tokens <= remaining;
        if fits {
            remaining = remaining.saturating_sub(tokens);
        }
        fits
    }));
    Selection::keeping(kept)
}

/// The order in which items are tried does not depend on the budget.
struct GreedySweep<'a> {
    candidates: &'a [Candidate<'a>],
    order: Vec<u64>,
}

impl Sweep for GreedySweep<'_> {
    fn select(&mut self, budget: &ContextBudget) -> Result<Selection, CupelError> {
        if budget.target_tokens() <= 0 {
            return Ok(Selection::nothing());
        }
        let kept = Vec::with_capacity(self.candidates.len());
        Ok(fill(&self.order, self.candidates, budget.target_tokens(), kept))
    }

    fn tried_before(&self, position: usize) -> Option<Vec<i64>> {
        let before = self.order.iter().take_while(|&&at| at as usize != position);
        Some(before.map(|&at| self.candidates[at as usize].tokens()).collect())
    }
}
