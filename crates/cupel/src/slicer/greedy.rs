//! Best score per token first.

use super::{Selection, Slicer, Sweep, UnsortedSlicer, slice_by_selecting};
use crate::push::push_within;
use crate::sorting::{FEW, Tie};
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
        Ok(choose(candidates, budget, (), scratch))
    }

    fn unsorted(&self) -> Option<&dyn UnsortedSlicer> {
        Some(self)
    }

    fn is_greedy(&self) -> bool {
        true
    }

    fn sweep<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Box<dyn Sweep + 'a> {
        let mut order = Vec::with_capacity(candidates.len());
        let keys = candidates.iter().map(density_key);
        Scratch::new().visit_in_order(keys, |at, _| order.push(at));
        Box::new(GreedySweep { candidates, order })
    }
}

impl UnsortedSlicer for GreedySlice {
    fn select_unsorted(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        Ok(choose(candidates, budget, ByScore(candidates), scratch))
    }
}

fn choose(
    candidates: &[Candidate<'_>],
    budget: &ContextBudget,
    tie: impl Tie,
    scratch: &mut Scratch,
) -> Selection {
    let mut remaining = budget.target_tokens();
    if candidates.is_empty() || remaining <= 0 {
        return Selection::nothing();
    }
    let mut kept = scratch.take_positions(candidates.len());
    let outlook = Outlook::new(candidates, remaining);
    let keys = candidates.iter().map(density_key);
    scratch.visit_until(keys, tie, outlook.fitting, |at, _| {
        let candidate = &candidates[at];
        if fits(candidate, &mut remaining) {
            push_within(&mut kept, at);
        }
        !outlook.is_over(candidate, remaining)
    });
    Selection::keeping(kept)
}

/// Settles ties in favour of the better score: candidates in any order are then tried as if they had
/// been given best score first.
pub(super) struct ByScore<'a>(pub(super) &'a [Candidate<'a>]);

impl Tie for ByScore<'_> {
    const SETTLES: bool = true;

    fn of(&self, position: usize) -> u64 {
        order::descending(self.0[position].score())
    }
}

/// How far a greedy choice will get.
pub(super) struct Outlook {
    /// About how many candidates will be tried before nothing fits any more.
    pub(super) fitting: usize,
    /// The least that any costs which costs something.
    pub(super) smallest: i64,
}

impl Outlook {
    /// For a choice of some `candidates` that has `target` tokens.
    pub(super) fn new(candidates: &[Candidate<'_>], target: i64) -> Self {
        if candidates.len() <= FEW {
            return Self { fitting: candidates.len(), smallest: i64::MIN }; // not worth a look
        }
        let (mut total, mut smallest) = (0, i64::MAX);
        for tokens in candidates.iter().map(Candidate::tokens) {
            total += i128::from(tokens);
            smallest = smallest.min(if tokens == 0 { i64::MAX } else { tokens });
        }
        // Dense candidates are smaller than most, so that more of them fit.
        let fitting = 1.3 * candidates.len() as f64 * target as f64 / total as f64;
        Self { fitting: (fitting as usize).saturating_add(FEW), smallest }
    }

    /// Whether nothing fits any more after `candidate` was tried: what costs nothing is tried first.
    #[inline]
    pub(super) fn is_over(&self, candidate: &Candidate<'_>, remaining: i64) -> bool {
        remaining < self.smallest && candidate.tokens() != 0
    }
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
