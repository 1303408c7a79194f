//! The most score in total.

mod adaptive;
mod bound;
mod table;
#[cfg(test)]
mod tests;

use bound::Bound;

use super::{Selection, Slicer, slice_by_selecting};
use crate::error::MAX_TABLE_CELLS;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem};

/// Chooses the items of greatest total score that fit, by dynamic programming over token buckets.
///
/// Tokens are counted in buckets, items rounded up and the budget down, so the choice always fits
/// but may leave up to a bucket per item unused. Scores count to four decimal places; an item worth
/// less than 0.0001 is not chosen. Items that cost nothing are always chosen. Of an item with shorter forms at most one
/// is chosen, each being worth its part of the score: again the choice of greatest total.
///
/// The table has one cell per costing candidate, or form of one, and bucket, and at most 50,000,000 of them:
/// [`CupelError::TableTooLarge`] says what to change.
///
/// Whoever does not know the budgets in advance lets the buckets [follow them](Self::adaptive).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnapsackSlice {
    /// Unless it follows the budget.
    bucket_size: Option<i64>,
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
        Ok(Self { bucket_size: Some(bucket_size) })
    }

    /// Buckets of 100 tokens.
    pub const fn with_default_bucket_size() -> Self {
        Self { bucket_size: Some(Self::DEFAULT_BUCKET_SIZE) }
    }

    /// Buckets that follow the budget: the smallest of which there are at most 1,000, or fewer
    /// where a table for more than 50,000 candidates must be smaller. No table is too large.
    ///
    /// What the packing leaves unused, because of larger buckets or because nothing left is worth
    /// 0.0001, is filled up as [`GreedySlice`](crate::GreedySlice) would: nothing stays out that would still fit.
    pub const fn adaptive() -> Self {
        Self { bucket_size: None }
    }

    /// Tokens per bucket, unless they [follow the budget](Self::adaptive).
    pub fn bucket_size(&self) -> Option<i64> {
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
        _context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let target = budget.target_tokens();
        if candidates.is_empty() || target <= 0 {
            return Ok(Selection::nothing());
        }
        // Every form of a candidate is a row of the table.
        let rows = candidates.iter().filter(|it| it.tokens() > 0);
        let rows = rows.map(|it| 1 + it.forms().len()).sum();
        let mut selection = match self.bucket_size {
            Some(bucket_size) => {
                let capacity = within_guard(rows, target / bucket_size)?;
                best_of(candidates, bucket_size, capacity)
            }
            None => {
                let (bucket_size, capacity) = adaptive::buckets(rows, target);
                let packed = best_of(candidates, bucket_size, capacity);
                adaptive::filled_up(packed, candidates, target)
            }
        };
        if candidates.iter().any(|it| it.has_forms()) {
            keep_free_forms(&mut selection, candidates);
        }
        Ok(selection)
    }

    fn is_knapsack(&self) -> bool {
        true
    }
}

/// What costs nothing, and of the rest the best packing.
fn best_of(candidates: &[Candidate<'_>], bucket_size: i64, capacity: usize) -> Selection {
    let mut selection = Selection::keeping(Vec::with_capacity(candidates.len()));
    let free = (0..candidates.len()).filter(|at| candidates[*at].tokens() == 0);
    selection.kept.extend(free);
    let offers = offers(candidates, bucket_size, capacity);
    let packed = offers.iter().zip(pack(&offers, capacity)).filter(|(_, is_packed)| *is_packed);
    packed.rev().for_each(|(offer, _)| selection.keep(offer.position, offer.form));
    selection
}

/// The candidates, in all their forms, that are worth something and fit. Forms of one candidate are neighbours, richest
/// first.
fn offers(candidates: &[Candidate<'_>], bucket_size: i64, capacity: usize) -> Vec<Offer> {
    let mut offers = Vec::with_capacity(candidates.len());
    for (position, candidate) in candidates.iter().enumerate() {
        if candidate.tokens() <= 0 {
            continue;
        }
        let mut offer = |form: usize, tokens: i64, score: f64| {
            let value = value(score);
            let buckets = tokens / bucket_size + i64::from(tokens % bucket_size > 0);
            if let Ok(weight) = usize::try_from(buckets)
                && weight <= capacity
                && value > 0
            {
                offers.push(Offer { position, form, weight, value });
            }
        };
        offer(0, candidate.tokens(), candidate.score());
        for (form, number) in candidate.forms().iter().zip(1..) {
            offer(number, form.tokens, candidate.score() * form.worth);
        }
    }
    offers
}

/// Adds every candidate that is not chosen and has a form that costs nothing, in that form.
fn keep_free_forms(selection: &mut Selection, candidates: &[Candidate<'_>]) {
    let mut is_kept = vec![false; candidates.len()];
    selection.kept.iter().for_each(|at| is_kept[*at] = true);
    for (at, candidate) in candidates.iter().enumerate().filter(|(at, _)| !is_kept[*at]) {
        if candidate.forms().last().is_some_and(|form| form.tokens == 0) {
            selection.keep(at, candidate.shortest());
        }
    }
}

/// What might be packed, for a value of at least 1.
struct Offer {
    /// Among the candidates. At most one offer of each is packed.
    position: usize,
    form: usize,
    weight: usize,
    value: i64,
}

/// Which of the offers the best packing holds: the bound settles most, the table decides the rest.
fn pack(offers: &[Offer], capacity: usize) -> Vec<bool> {
    // The bound takes every offer for a candidate of its own.
    if offers.windows(2).any(|pair| pair[0].position == pair[1].position) {
        return table::best_packing(&offers.iter().collect::<Vec<_>>(), capacity);
    }
    let Some(bound) = Bound::new(offers, capacity) else { return vec![true; offers.len()] };
    let mut is_packed = vec![false; offers.len()];
    let mut open = Vec::with_capacity(offers.len());
    let mut room = capacity;
    for (at, offer) in offers.iter().enumerate() {
        match bound.settle(offer) {
            Some(true) => {
                is_packed[at] = true;
                room -= offer.weight;
            }
            Some(false) => {}
            None => open.push(at),
        }
    }
    let undecided: Vec<_> = open.iter().map(|&at| &offers[at]).collect();
    for (at, decided) in open.into_iter().zip(table::best_packing(&undecided, room)) {
        is_packed[at] = decided;
    }
    is_packed
}

/// A score as a whole number of ten-thousandths, at least 0; NaN is worth nothing.
fn value(score: f64) -> i64 {
    const SCALE: f64 = 10_000.0;
    ((score * SCALE) as i64).max(0)
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
