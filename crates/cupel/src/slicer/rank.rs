//! Best score first.

use super::{Selection, Slicer, fill, slice_by_selecting};
use crate::sort_keys::{self, sorted_positions};
use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem};

/// Takes items best score first, skipping those that no longer fit.
///
/// The order may take size into account: it is by score / max(tokens, floor)^exponent. An exponent of 0, the default,
/// is the order of scores alone; 1 without a floor is [`GreedySlice`](crate::GreedySlice). Score per token favours many
/// short weak items over one long strong one, which is rarely what an answer needs; an exponent of about 0.25 with a floor
/// of some 200 tokens prefers short items only among near equals.
///
/// Items that cost nothing are always taken, ties go to the earlier candidate, and an item with shorter forms is taken
/// in the richest that fits when its turn comes.
///
/// ```
/// use cupel::RankSlice;
///
/// let by_score = RankSlice::default();
/// let mildly_by_size = RankSlice::new(0.25, 200)?;
/// # let _ = (by_score, mildly_by_size);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankSlice {
    size_exponent: f64,
    size_floor: i64,
}

impl RankSlice {
    /// `size_exponent` from 0 to 1; `size_floor`, in tokens, at least 0.
    pub fn new(size_exponent: f64, size_floor: i64) -> Result<Self, CupelError> {
        if !(0.0..=1.0).contains(&size_exponent) {
            return Err(CupelError::SlicerConfig(format!(
                "the size exponent ({size_exponent}) must be from 0, by score alone, to 1, by score per token"
            )));
        }
        if size_floor < 0 {
            return Err(CupelError::SlicerConfig(format!(
                "the size floor ({size_floor}) must be at least 0 tokens"
            )));
        }
        Ok(Self { size_exponent, size_floor })
    }

    /// How much size counts: 0 not at all, 1 in full.
    pub fn size_exponent(&self) -> f64 {
        self.size_exponent
    }

    /// Below how many tokens size makes no difference.
    pub fn size_floor(&self) -> i64 {
        self.size_floor
    }

    fn key(&self, candidate: &Candidate<'_>) -> u64 {
        let size = candidate.tokens().max(self.size_floor);
        if self.size_exponent == 0.0 {
            sort_keys::descending(candidate.score())
        } else if size == 0 {
            sort_keys::FIRST
        } else {
            // Not the standard library's power, which is the platform's.
            sort_keys::descending(candidate.score() / libm::pow(size as f64, self.size_exponent))
        }
    }
}

impl Slicer for RankSlice {
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
        let order = sorted_positions(candidates.len(), |at| self.key(&candidates[at]));
        let trial = context.wants_trial().then(|| order.clone().collect());
        Ok(Selection { trial, ..fill(order, candidates, budget.target_tokens()) })
    }
}
