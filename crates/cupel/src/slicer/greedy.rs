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
        let mut kept = scratch.take_positions(candidates.len());
        let mut remaining = budget.target_tokens();
        visit_densest_first(candidates, scratch, |at| {
            if fits(&candidates[at], &mut remaining) {
                kept.push(at);
            }
        });
        Ok(Selection::keeping(kept))
    }

    fn is_greedy(&self) -> bool {
        true
    }

    fn sweep<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Box<dyn Sweep + 'a> {
        let mut order = Vec::with_capacity(candidates.len());
        visit_densest_first(candidates, &mut Scratch::new(), |at| order.push(at));
        Box::new(GreedySweep { candidates, order })
    }
}

/// Visits positions by score per token, densest first; what costs nothing comes before all others.
fn visit_densest_first(
    candidates: &[Candidate<'_>],
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize),
) {
    scratch.visit_in_order(candidates.iter().map(density_key), |at, _| visit(at));
}

/// An integer to sort by, greater than 0.
#[inline]
pub(super) fn density_key(candidate: &Candidate<'_>) -> u64 {
    match candidate.tokens() {
        0 => order::FIRST,
        tokens => order::descending(candidate.score() / tokens as f64),
    }
}

/// Whether a candidate fits into what is `remaining`, which it then takes its tokens from.
#[inline]
pub(super) fn fits(candidate: &Candidate<'_>, remaining: &mut i64) -> bool {
    let fits = candidate.tokens() <= *remaining;
    if fits {
        *remaining = remaining.saturating_sub(candidate.tokens());
    }
    fits
}

/// The order in which items are tried does not depend on the budget.
struct GreedySweep<'a> {
    candidates: &'a [Candidate<'a>],
    order: Vec<usize>,
}

impl Sweep for GreedySweep<'_> {
    fn select(&mut self, budget: &ContextBudget) -> Result<Selection, CupelError> {
        if budget.target_tokens() <= 0 {
            return Ok(Selection::nothing());
        }
        let mut remaining = budget.target_tokens();
        let mut kept = Vec::with_capacity(self.order.len());
        kept.extend(self.order.iter().filter(|at| fits(&self.candidates[**at], &mut remaining)));
        Ok(Selection::keeping(kept))
    }

    fn tried_before(&self, position: usize) -> Option<Vec<i64>> {
        let before = self.order.iter().take_while(|&&at| at != position);
        Some(before.map(|&at| self.candidates[at].tokens()).collect())
    }
}
