//! A share of the tokens per kind.

mod entry;
mod share;

pub(super) use entry::refuse_duplicate_kinds;
pub use entry::{QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy};

use std::fmt;

use share::{Limits, Share, Shares, percent_of, proportion};

use super::greedy::{self, ByScore, Outlook};
use super::{Selection, Slicer, UnsortedSlicer, select_checked, slice_by_selecting};
use crate::model::KindMap;
use crate::push::push_within;
use crate::sorting::Tie;
use crate::{Candidate, ContextBudget, ContextItem, ContextKind, CupelError, ScoredItem, Scratch};

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
/// let slicer = QuotaSlice::new(vec![tools], Box::new(GreedySlice))?;
/// # let _ = slicer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct QuotaSlice {
    quotas: KindMap<ContextKind, QuotaEntry>,
    inner: Box<dyn Slicer>,
}

impl QuotaSlice {
    /// Each kind at most once; requirements of at most 100 percent together.
    pub fn new(entries: Vec<QuotaEntry>, inner: Box<dyn Slicer>) -> Result<Self, CupelError> {
        /// Percentages like 33.4 + 66.6 need not add up exactly.
        const ROUNDING: f64 = 1e-9;
        refuse_duplicate_kinds(entries.iter().map(QuotaEntry::kind))?;
        let required: f64 = entries.iter().map(QuotaEntry::require).sum();
        if required > 100.0 + ROUNDING {
            return Err(CupelError::SlicerConfig(format!(
                "the required percentages add up to {required}; they must not exceed 100"
            )));
        }
        let quotas = entries.into_iter().map(|entry| (entry.kind.clone(), entry)).collect();
        Ok(Self { quotas, inner })
    }

    /// The entries, in configured order.
    pub fn entries(&self) -> impl Iterator<Item = &QuotaEntry> {
        self.quotas.values()
    }

    /// What the kind of `item` must and may have of `target` tokens.
    fn limits(&self, item: &ContextItem, target: i64) -> Limits {
        match self.quotas.get_of(item) {
            Some(entry) => Limits {
                require: percent_of(entry.require, target),
                cap: percent_of(entry.cap, target),
            },
            None => Limits { require: 0, cap: target },
        }
    }

    /// Fills in the parts of `target` tokens that the kinds there are get; gives of each candidate the
    /// place of its kind's.
    fn share_out<'a>(
        &self,
        candidates: &[Candidate<'a>],
        target: i64,
        shares: &mut Shares<'a>,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        let mut of_candidates = scratch.take_positions(candidates.len());
        // Items are visited out of their order. Without a decision on the way, processors wait for
        // many of them at once.
        of_candidates.extend(candidates.iter().map(|candidate| candidate.item().kind_place()));
        for (candidate, place) in candidates.iter().zip(&mut of_candidates) {
            let item = candidate.item();
            *place = shares.place_of(item, *place);
            // Negative counts never reach a slicer through the pipeline; by hand they weigh nothing.
            let tokens = candidate.tokens().max(0).unsigned_abs();
            shares.count(*place, tokens, || self.limits(item, target));
        }
        self.distribute(shares, target);
        of_candidates
    }

    /// How many of `target` tokens each kind gets.
    fn distribute(&self, shares: &mut Shares<'_>, target: i64) {
        let required: i128 =
            self.entries().map(|entry| i128::from(percent_of(entry.require, target))).sum();
        let unassigned = (i128::from(target) - required).max(0).unsigned_abs();
        let growing = |share: &&Share| share.limits.cap > share.limits.require;
        let total_mass: u128 = shares.iter().filter(growing).map(|share| share.mass).sum();

        shares.for_each(|share| {
            let Limits { require, cap } = share.limits;
            let grows = total_mass > 0 && cap > require;
            let extra = if grows { proportion(unassigned, share.mass, total_mass) } else { 0 };
            share.budget = cap.min(require.saturating_add(extra));
        });
    }

    /// Lets the inner slicer choose within each share.
    fn ask_inner(
        &self,
        candidates: &[Candidate<'_>],
        shares: &Shares<'_>,
        members: &[usize],
        selection: &mut Selection,
        scratch: &mut Scratch,
    ) -> Result<(), CupelError> {
        let most = shares.iter().map(|share| share.members.len()).max().unwrap_or(0);
        let mut of_kind = scratch.take_candidates(most);
        for share in shares.iter().filter(|share| share.budget > 0) {
            let members = &members[share.members.clone()];
            of_kind.clear();
            of_kind.extend(members.iter().map(|&at| candidates[at]));
            let budget = ContextBudget::plain(share.limits.cap, share.budget);
            let inner = select_checked(&self.inner, &of_kind, &budget, scratch)?;
            scratch.give_back_positions(selection.absorb(inner, members));
        }
        scratch.give_back_candidates(of_kind);
        Ok(())
    }
}

/// The budget of a kind of which a slicer would choose nothing, not even what costs nothing.
const NOT_EVEN_FREE: i64 = -1;

/// Tells `choose` what [`GreedySlice`](crate::GreedySlice) chooses within each share, for all of them in
/// one go: those of other kinds do not change in which order it tries those of one.
fn fill(
    candidates: &[Candidate<'_>],
    tie: impl Tie,
    of_candidates: &[usize],
    shares: &mut Shares<'_>,
    scratch: &mut Scratch,
    mut choose: impl FnMut(&mut Share, usize),
) {
    let mut target = 0i64;
    shares.for_each(|share| {
        target = target.saturating_add(share.budget);
        share.budget = if share.budget > 0 { share.budget } else { NOT_EVEN_FREE };
    });
    let outlook = Outlook::new(candidates, target);
    let mut open = shares.iter().filter(|share| share.budget >= outlook.smallest).count();
    let keys = candidates.iter().map(greedy::density_key);
    scratch.visit_until(keys, tie, outlook.fitting, |at, _| {
        let candidate = &candidates[at];
        let share = shares.get_mut(of_candidates[at]);
        if share.budget != NOT_EVEN_FREE && greedy::fits(candidate, &mut share.budget) {
            choose(share, at);
            open -= usize::from(share.budget < outlook.smallest && candidate.tokens() != 0);
        }
        open > 0 || candidate.tokens() == 0
    });
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
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        let target = budget.target_tokens();
        if candidates.is_empty() || target <= 0 {
            return Ok(Selection::nothing());
        }
        let mut shares = Shares::new(scratch);
        let of_candidates = self.share_out(candidates, target, &mut shares, scratch);
        shares.stand_apart();
        let mut members = scratch.take_positions(candidates.len());
        members.resize(candidates.len(), 0);
        let mut selection = Selection::keeping(scratch.take_positions(candidates.len()));
        if self.inner.is_greedy() {
            fill(candidates, (), &of_candidates, &mut shares, scratch, |share, at| {
                share.add_member(at, &mut members);
            });
            for share in shares.iter() {
                selection.kept.extend_from_slice(&members[share.members.clone()]);
            }
        } else {
            shares.group(&of_candidates, &mut members);
            self.ask_inner(candidates, &shares, &members, &mut selection, scratch)?;
        }
        scratch.give_back_positions(members);
        scratch.give_back_positions(of_candidates);
        shares.give_back(scratch);
        Ok(selection)
    }

    fn unsorted(&self) -> Option<&dyn UnsortedSlicer> {
        self.inner.is_greedy().then_some(self as &dyn UnsortedSlicer)
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

impl UnsortedSlicer for QuotaSlice {
    fn select_unsorted(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        let target = budget.target_tokens();
        if candidates.is_empty() || target <= 0 {
            return Ok(Selection::nothing());
        }
        let mut shares = Shares::new(scratch);
        let of_candidates = self.share_out(candidates, target, &mut shares, scratch);
        let mut kept = scratch.take_positions(candidates.len());
        fill(candidates, ByScore(candidates), &of_candidates, &mut shares, scratch, |_, at| {
            push_within(&mut kept, at);
        });
        scratch.give_back_positions(of_candidates);
        shares.give_back(scratch);
        Ok(Selection::keeping(kept))
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
