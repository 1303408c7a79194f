//! The most score in total.

mod greedy;
mod packing;
mod reduce;
mod table;
#[cfg(test)]
mod tests;

use super::{Selection, Slicer, slice_by_selecting};
use crate::error::MAX_TABLE_CELLS;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, ScoredItem, Scratch};
use packing::{Offer, Packing};

/// Chooses the items of greatest total score that fit, by dynamic programming over token buckets.
///
/// Tokens are counted in buckets, items rounded up and the budget down, so the choice always fits
/// but may leave up to a bucket per item unused. Scores count to four decimal places; an item worth
/// less than 0.0001 is not chosen. Items that cost nothing are always chosen.
///
/// The table has one cell per costing candidate and bucket, and at most 50,000,000 of them:
/// [`CupelError::TableTooLarge`] says what to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnapsackSlice {
    bucket_size: i64,
}

impl KnapsackSlice {
    const DEFAULT_BUCKET_SIZE: i64 = 100;

    /// `bucket_size`, in tokens, is at least 1: smaller is more exact, larger is faster.
    pub fn new(bucket_size: i64) -> Result<Self, CupelError> {
        if bucket_size < 1 {
            return Err(CupelError::SlicerConfig(format!(
                "the bucket size ({bucket_size}) must be at least 1 token"
            )));
        }
        Ok(Self { bucket_size })
    }

    /// Buckets of 100 tokens.
    pub const fn with_default_bucket_size() -> Self {
        Self { bucket_size: Self::DEFAULT_BUCKET_SIZE }
    }

    /// Tokens per bucket.
    pub fn bucket_size(&self) -> i64 {
        self.bucket_size
    }
}

impl Default for KnapsackSlice {
    fn default() -> Self {
        Self::with_default_bucket_size()
    }
}

impl Slicer for KnapsackSlice {
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
        let (mut costing, mut tokens) = (0, 0);
        for (at, candidate) in candidates.iter().enumerate() {
            let cost = candidate.tokens();
            if cost > 0 {
                costing += 1;
                tokens += i128::from(cost);
            } else if cost == 0 {
                kept.push(at);
            }
        }
        let capacity = budget.target_tokens() / self.bucket_size;
        if costing == 0 || capacity == 0 {
            return Ok(Selection::keeping(kept));
        }
        let buckets = within_guard(costing, capacity)?;

        // Rounding up adds less than a bucket to each.
        let bucket_size = self.bucket_size;
        let exact = |buckets: i64| i128::from(buckets) * i128::from(bucket_size);
        if tokens + exact(costing as i64) <= exact(capacity) {
            let is_chosen = |it: &Candidate<'_>| it.tokens() > 0 && has_value(it.score());
            let last_first = (0..candidates.len()).rev();
            kept.extend(last_first.filter(|at| is_chosen(&candidates[*at])));
            return Ok(Selection::keeping(kept));
        }
        let costly = candidates.iter().enumerate().filter(|(_, it)| it.tokens() > 0);
        let offers = costly.map(|(position, candidate)| Offer {
            position,
            weight: (candidate.tokens() - 1) / bucket_size + 1,
            value: value(candidate.score()),
        });
        Packing::new(buckets, costing, offers).choose(&mut kept, scratch);
        Ok(Selection::keeping(kept))
    }

    fn is_knapsack(&self) -> bool {
        true
    }
}

const SCALE: f64 = 10_000.0;

/// A score as a whole number of ten-thousandths, at least 0; NaN is worth nothing.
fn value(score: f64) -> i64 {
    ((score * SCALE) as i64).max(0)
}

/// Whether the [`value`] is not 0.
fn has_value(score: f64) -> bool {
    score * SCALE >= 1.0
}

/// The capacity in buckets, if the table stays within the guard.
fn within_guard(candidates: usize, capacity: i64) -> Result<usize, CupelError> {
    let capacity = usize::try_from(capacity).unwrap_or(usize::MAX);
    let cells = (candidates as u64).saturating_mul(capacity as u64);
    if cells > MAX_TABLE_CELLS {
        return Err(CupelError::TableTooLarge { candidates, capacity, cells });
    }
    Ok(capacity)
}
