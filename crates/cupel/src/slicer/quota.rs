//! A share of the tokens per kind.

use std::fmt;
use std::ops::Range;

use super::{Selection, Slicer, select_checked, slice_by_selecting};
use crate::model::KindMap;
use crate::{Candidate, ContextBudget, ContextItem, ContextKind, CupelError, ScoredItem, Scratch};

/// How much of the budget one kind gets at least and at most, in percent.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaEntry {
    kind: ContextKind,
    require: f64,
    cap: f64,
}

impl QuotaEntry {
    /// `0 <= require <= cap <= 100`.
    pub fn new(kind: ContextKind, require: f64, cap: f64) -> Result<Self, CupelError> {
        for (name, percent) in [("require", require), ("cap", cap)] {
            if !(0.0..=100.0).contains(&percent) {
                return Err(CupelError::SlicerConfig(format!(
                    "{name} of kind {kind} ({percent}) must be between 0 and 100 percent"
                )));
            }
        }
        if require > cap {
            return Err(CupelError::SlicerConfig(format!(
                "require of kind {kind} ({require}) must not exceed its cap ({cap})"
            )));
        }
        Ok(Self { kind, require, cap })
    }

    /// The kind.
    pub fn kind(&self) -> &ContextKind {
        &self.kind
    }

    /// Least share in percent.
    pub fn require(&self) -> f64 {
        self.require
    }

    /// Greatest share in percent.
    pub fn cap(&self) -> f64 {
        self.cap
    }
}

/// Whether a constraint speaks of shares or of numbers of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuotaConstraintMode {
    /// Percent of the target tokens.
    Percentage,
    /// Number of items.
    Count,
}

/// One kind's least and greatest, in the unit that `mode` says.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaConstraint {
    /// The kind.
    pub kind: ContextKind,
    /// The unit.
    pub mode: QuotaConstraintMode,
    /// At least.
    pub require: f64,
    /// At most.
    pub cap: f64,
}

/// A slicer that can list its constraints per kind, for
/// [`quota_utilization`](crate::analytics::quota_utilization).
pub trait QuotaPolicy {
    /// The constraints, in configured order.
    fn quota_constraints(&self) -> Vec<QuotaConstraint>;
}

/// Refuses a kind that is configured twice.
pub(super) fn refuse_duplicate_kinds<'a>(
    kinds: impl Iterator<Item = &'a ContextKind>,
) -> Result<(), CupelError> {
    let mut seen = KindMap::new();
    for kind in kinds {
        let before = seen.len();
        seen.position_or_insert_with(kind, || ());
        if seen.len() == before {
            return Err(CupelError::SlicerConfig(format!(
                "kind {kind} has two entries; kinds are compared without case, keep one"
            )));
        }
    }
    Ok(())
}

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

    /// The kinds there are, in order of appearance, and into `of_candidate` which each one is.
    fn shares<'a>(
        &self,
        candidates: &[Candidate<'a>],
        of_candidate: &mut [usize],
        target: i64,
    ) -> KindMap<&'a ContextKind, Share> {
        let mut shares = KindMap::with_capacity(self.quotas.len() + ContextKind::WELL_KNOWN.len());
        for (candidate, of_candidate) in candidates.iter().zip(of_candidate) {
            let kind = candidate.item().kind();
            *of_candidate = shares.position_or_insert_with(kind, || Share {
                limits: self.limits(kind, target),
                mass: 0,
                budget: 0,
                members: 0..0,
            });
            let share = shares.value_mut(*of_candidate);
            // Negative counts never reach a slicer through the pipeline; by hand they weigh nothing.
            share.mass += u128::from(candidate.tokens().max(0).unsigned_abs());
            share.members.end += 1;
        }
        shares
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
}

/// Tokens a kind must and may have.
#[derive(Clone, Copy)]
struct Limits {
    require: i64,
    cap: i64,
}

/// One kind's part in the distribution.
struct Share {
    limits: Limits,
    /// Tokens its candidates have.
    mass: u128,
    /// Tokens it gets.
    budget: i64,
    /// Where its candidates stand once they are grouped; before that, counted from 0.
    members: Range<usize>,
}

impl Share {
    fn len(&self) -> usize {
        self.members.len()
    }
}

/// Puts positions into `grouped` kind by kind, those of one kind in their order.
fn group(of_candidate: &[usize], shares: &mut KindMap<&ContextKind, Share>, grouped: &mut [usize]) {
    let mut start = 0;
    for share in shares.values_mut() {
        let end = start + share.len();
        share.members = start..start; // to be refilled
        start = end;
    }
    for (at, &of_candidate) in of_candidate.iter().enumerate() {
        let members = &mut shares.value_mut(of_candidate).members;
        grouped[members.end] = at;
        members.end += 1;
    }
}

/// `percent` of `target`, rounded down, and never more than the target.
fn percent_of(percent: f64, target: i64) -> i64 {
    if percent >= 100.0 {
        return target; // exact even where a double no longer holds the target
    }
    ((percent / 100.0 * target as f64) as i64).min(target)
}

/// `whole * part / total`, rounded down exactly, for `whole < 2^63` and `part <= total < 2^95`.
///
/// The product may need 158 bits, so it is divided in two steps of 32 bits of `whole`.
fn proportion(whole: u128, part: u128, total: u128) -> i64 {
    let narrow = |it: u128| u64::try_from(it).ok();
    if let (Some(whole), Some(part), Some(total)) = (narrow(whole), narrow(part), narrow(total))
        && let Some(product) = whole.checked_mul(part)
    {
        return (product / total).cast_signed(); // at most `whole`
    }
    let (high, low) = (whole >> 32, whole & 0xffff_ffff);
    let (quotient, rest) = (high * part / total, high * part % total);
    let share = (quotient << 32) + ((rest << 32) + low * part) / total;
    i64::try_from(share).expect("a part of the whole is at most the whole, which was an i64")
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

        let mut memory = scratch.take_positions(candidates.len() * 2);
        memory.resize(candidates.len() * 2, 0);
        let (of_candidate, grouped) = memory.split_at_mut(candidates.len());
        let mut shares = self.shares(candidates, of_candidate, target);
        self.distribute(&mut shares, target);
        group(of_candidate, &mut shares, grouped);

        let mut selection = Selection::keeping(Vec::with_capacity(candidates.len()));
        let mut of_kind = Vec::with_capacity(shares.values().map(Share::len).max().unwrap_or(0));
        for share in shares.values().filter(|share| share.budget > 0) {
            let members = &grouped[share.members.clone()];
            of_kind.clear();
            of_kind.extend(members.iter().map(|&at| candidates[at]));
            let budget = ContextBudget::plain(share.limits.cap, share.budget);
            let inner = select_checked(&self.inner, &of_kind, &budget, scratch)?;
            scratch.give_back_positions(selection.absorb(inner, members));
        }
        scratch.give_back_positions(memory);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proportions_are_exact_where_the_product_exceeds_128_bits() {
        let huge = i64::MAX as u128;
        assert_eq!(proportion(huge, huge << 31, huge << 31), i64::MAX);
        assert_eq!(proportion(huge, huge << 30, huge << 31), i64::MAX / 2);
        assert_eq!(proportion(10, 1, 3), 3);
        assert_eq!(proportion(0, 5, 7), 0);
    }

    #[test]
    fn a_percentage_never_exceeds_its_target() {
        for target in [0, 1, 999, (1 << 53) + 1, i64::MAX - 1, i64::MAX] {
            for percent in [0.0, 1e-300, 33.3, 99.999_999_999_999_99, 100.0] {
                assert!((0..=target).contains(&percent_of(percent, target)));
            }
            assert_eq!(percent_of(100.0, target), target);
        }
        assert_eq!(percent_of(33.0, 1000), 330);
    }
}
