//! A share of the tokens per kind.

mod entry;
mod share;

pub(super) use entry::refuse_duplicate_kinds;
pub use entry::{QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy};

use std::fmt;

use share::{Share, percent_of, proportion};

use super::{Selection, Slicer, select_checked, slice_by_selecting};
use crate::model::KindMap;
use crate::{
    Candidate, ContextBudget, ContextItem, ContextKind, CupelError, RunContext, ScoredItem,
};

/// Shares the budget out among kinds and lets another slicer choose within each share.
///
/// A kind gets its required share, plus a part of what nobody requires in proportion to the tokens
/// its candidates have, up to its cap. Kinds without an entry require nothing and may have all.
///
/// ```
/// use cupel::{ContextKind, GreedySlice, QuotaEntry, QuotaSlice};
///
/// // Tool outputs get at least a fifth of the window and never more than half.
/// let tools = QuotaEntry::new(ContextKind::tool_output(), 20.0, 50.0)?;
/// let slicer = QuotaSlice::new([tools], GreedySlice)?;
/// # let _ = slicer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct QuotaSlice {
    quotas: KindMap<ContextKind, QuotaEntry>,
    inner: Box<dyn Slicer>,
}

impl QuotaSlice {
    /// Each kind at most once; requirements of at most 100 percent together.
    pub fn new(
        entries: impl IntoIterator<Item = QuotaEntry>,
        inner: impl Slicer + 'static,
    ) -> Result<Self, CupelError> {
        /// Percentages like 33.4 + 66.6 need not add up exactly.
        const ROUNDING: f64 = 1e-9;
        let entries: Vec<_> = entries.into_iter().collect();
        refuse_duplicate_kinds(entries.iter().map(QuotaEntry::kind))?;
        let required: f64 = entries.iter().map(QuotaEntry::require).sum();
        if required > 100.0 + ROUNDING {
            return Err(CupelError::SlicerConfig(format!(
                "the required percentages add up to {required}; they must not exceed 100"
            )));
        }
        let quotas = entries.into_iter().map(|entry| (entry.kind.clone(), entry)).collect();
        Ok(Self { quotas, inner: Box::new(inner) })
    }

    /// The entries, in configured order.
    pub fn entries(&self) -> impl Iterator<Item = &QuotaEntry> {
        self.quotas.values()
    }

    /// The parts of `target` tokens that the kinds there are get, in order of first appearance.
    fn share_out(&self, candidates: &[Candidate<'_>], target: i64) -> Vec<Share> {
        let mut shares: KindMap<&ContextKind, Share> = KindMap::new();
        let mut share_of = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let kind = candidate.kind();
            let at = shares.position_of(candidate.well_known_kind(), kind).unwrap_or_else(|| {
                shares.position_or_insert_with(kind, || self.empty_share(kind, target))
            });
            let share = shares.value_mut(at);
            share.count += 1;
            // Negative counts never reach a slicer through the pipeline; by hand they weigh nothing.
            share.mass += u128::from(candidate.tokens().max(0).unsigned_abs());
            share_of.push(at);
        }
        let mut shares: Vec<Share> = shares.into_values().collect();
        for (position, at) in share_of.into_iter().enumerate() {
            shares[at].add_member(position);
        }
        self.distribute(&mut shares, target);
        shares
    }

    /// What a kind must and may have of `target` tokens.
    fn empty_share(&self, kind: &ContextKind, target: i64) -> Share {
        let (require, cap) = match self.quotas.get(kind) {
            Some(entry) => (percent_of(entry.require, target), percent_of(entry.cap, target)),
            None => (0, target),
        };
        Share { count: 0, members: Vec::new(), require, cap, mass: 0, budget: 0 }
    }

    /// How many of `target` tokens each kind gets.
    fn distribute(&self, shares: &mut [Share], target: i64) {
        let required: i128 =
            self.entries().map(|entry| i128::from(percent_of(entry.require, target))).sum();
        let unassigned = (i128::from(target) - required).max(0).unsigned_abs();
        let total_mass: u128 =
            shares.iter().filter(|share| share.grows()).map(|share| share.mass).sum();
        for share in shares {
            let grows = total_mass > 0 && share.grows();
            let extra = if grows { proportion(unassigned, share.mass, total_mass) } else { 0 };
            share.budget = share.cap.min(share.require.saturating_add(extra));
        }
    }
}

impl Slicer for QuotaSlice {
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
        let target = budget.target_tokens();
        if candidates.is_empty() || target <= 0 {
            return Ok(Selection::nothing());
        }
        let mut selection = Selection::keeping(Vec::with_capacity(candidates.len()));
        for share in self.share_out(candidates, target).iter().filter(|share| share.budget > 0) {
            let of_kind: Vec<_> = share.members.iter().map(|&at| candidates[at]).collect();
            let budget = ContextBudget::plain(share.cap, share.budget);
            let inner = select_checked(&*self.inner, &of_kind, &budget, context)?;
            selection.absorb(inner, &share.members);
        }
        Ok(selection)
    }

    fn is_knapsack(&self) -> bool {
        self.inner.is_knapsack()
    }

    fn is_quota(&self) -> bool {
        true
    }

    fn is_count_quota(&self) -> bool {
        self.inner.is_count_quota()
    }
}

impl QuotaPolicy for QuotaSlice {
    fn quota_constraints(&self) -> Vec<QuotaConstraint> {
        self.entries()
            .map(|entry| QuotaConstraint {
                kind: entry.kind.clone(),
                mode: QuotaConstraintMode::Percentage,
                require: entry.require,
                cap: entry.cap,
            })
            .collect()
    }
}

impl fmt::Debug for QuotaSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QuotaSlice")
            .field("entries", &self.entries().collect::<Vec<_>>())
            .field("inner", &self.inner.name())
            .finish()
    }
}
