//! A share of the tokens per kind.

mod entry;
mod share;

pub(super) use entry::refuse_duplicate_kinds;
pub use entry::{QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy};

use std::fmt;

use share::{Limits, Share, percent_of, proportion};

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

    /// What `kind` must and may have of `target` tokens.
    fn limits(&self, kind: &ContextKind, target: i64) -> Limits {
        match self.quotas.get(kind) {
            Some(entry) => Limits {
                require: percent_of(entry.require, target),
                cap: percent_of(entry.cap, target),
            },
            None => Limits { require: 0, cap: target },
        }
    }

    /// The kinds there are, in order of appearance, with their parts of `target` tokens; and of each
    /// candidate which one it is.
    #[inline]
    fn share_out<'a>(
        &self,
        candidates: &[Candidate<'a>],
        target: i64,
        scratch: &mut Scratch,
    ) -> (KindMap<&'a ContextKind, Share>, Vec<usize>) {
        let mut of_candidates = scratch.take_positions(candidates.len());
        // Items are visited out of their order. Without a decision on the way, processors wait for
        // many of them at once.
        let places = scratch.words(candidates.len());
        for (place, candidate) in places.iter_mut().zip(candidates) {
            *place = candidate.item().kind_place().map_or(u64::MAX, |place| place as u64);
        }
        let mut shares = KindMap::with_capacity(self.quotas.len() + ContextKind::WELL_KNOWN.len());
        for (candidate, place) in candidates.iter().zip(places) {
            let of_candidate =
                shares.position_of_well_known(*place as usize).unwrap_or_else(|| {
                    let kind = candidate.item().kind();
                    shares.position_or_insert_with(kind, || Share {
                        limits: self.limits(kind, target),
                        mass: 0,
                        budget: 0,
                        members: 0..0,
                    })
                });
            push_within(&mut of_candidates, of_candidate);
            let share = shares.value_mut(of_candidate);
            // Negative counts never reach a slicer through the pipeline; by hand they weigh nothing.
            share.mass += u128::from(candidate.tokens().max(0).unsigned_abs());
            share.members.end += 1;
        }
        self.distribute(&mut shares, target);
        (shares, of_candidates)
    }

    /// How many of `target` tokens each kind gets.
    fn distribute(&self, shares: &mut KindMap<&ContextKind, Share>, target: i64) {
        let required: i128 =
            self.entries().map(|entry| i128::from(percent_of(entry.require, target))).sum();
        let unassigned = (i128::from(target) - required).max(0).unsigned_abs();
        let growing = |share: &&Share| share.limits.cap > share.limits.require;
        let total_mass: u128 = shares.values().filter(growing).map(|share| share.mass).sum();

        for share in shares.values_mut() {
            let Limits { require, cap } = share.limits;
            let grows = total_mass > 0 && cap > require;
            let extra = if grows { proportion(unassigned, share.mass, total_mass) } else { 0 };
            share.budget = cap.min(require.saturating_add(extra));
        }
    }

    /// Lets the inner slicer choose within each share.
    fn ask_inner(
        &self,
        candidates: &[Candidate<'_>],
        shares: &KindMap<&ContextKind, Share>,
        members: &[usize],
        selection: &mut Selection,
        scratch: &mut Scratch,
    ) -> Result<(), CupelError> {
        let most = shares.values().map(|share| share.members.len()).max().unwrap_or(0);
        let mut of_kind = scratch.take_candidates(most);
        for share in shares.values().filter(|share| share.budget > 0) {
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
    shares: &mut KindMap<&ContextKind, Share>,
    scratch: &mut Scratch,
    mut choose: impl FnMut(&mut Share, usize),
) {
    let mut target = 0i64;
    for share in shares.values_mut() {
        target = target.saturating_add(share.budget);
        share.budget = if share.budget > 0 { share.budget } else { NOT_EVEN_FREE };
    }
    let outlook = Outlook::new(candidates, target);
    let mut open = shares.values().filter(|share| share.budget >= outlook.smallest).count();
    let keys = candidates.iter().map(greedy::density_key);
    scratch.visit_until(keys, tie, outlook.fitting, |at, _| {
        let candidate = &candidates[at];
        let share = shares.value_mut(of_candidates[at]);
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
        let (mut shares, of_candidates) = self.share_out(candidates, target, scratch);
        share::stand_apart(&mut shares);
        let mut members = scratch.take_positions(candidates.len());
        members.resize(candidates.len(), 0);
        let mut selection = Selection::keeping(scratch.take_positions(candidates.len()));
        if self.inner.is_greedy() {
            fill(candidates, (), &of_candidates, &mut shares, scratch, |share, at| {
                share.add_member(at, &mut members);
            });
            for share in shares.values() {
                selection.kept.extend_from_slice(&members[share.members.clone()]);
            }
        } else {
            share::group(&of_candidates, &mut shares, &mut members);
            self.ask_inner(candidates, &shares, &members, &mut selection, scratch)?;
        }
        scratch.give_back_positions(members);
        scratch.give_back_positions(of_candidates);
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
        let (mut shares, of_candidates) = self.share_out(candidates, target, scratch);
        let mut kept = scratch.take_positions(candidates.len());
        fill(candidates, ByScore(candidates), &of_candidates, &mut shares, scratch, |_, at| {
            push_within(&mut kept, at);
        });
        scratch.give_back_positions(of_candidates);
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
