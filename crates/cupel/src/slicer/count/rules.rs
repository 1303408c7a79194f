//! The phases that both count slicers share.

use crate::model::{KindMap, clamp_tokens};
use crate::slicer::quota::refuse_duplicate_kinds;
use crate::slicer::{Refusal, RefusalReason, Selection, Slicer, select_checked};
use crate::{
    Candidate, ContextBudget, ContextKind, CountQuotaEntry, CountRequirementShortfall, CupelError,
    QuotaConstraint, QuotaConstraintMode, ScarcityBehavior, Scratch, order,
};

/// Entries by kind, and what to do when there are too few candidates.
#[derive(Debug, Clone)]
pub(super) struct CountRules {
    entries: Vec<CountQuotaEntry>,
    by_kind: KindMap<ContextKind, usize>,
    scarcity: ScarcityBehavior,
}

/// What is required and therefore chosen, whatever the budget.
pub(super) struct Committed {
    /// The number chosen per entry; then their positions, entry by entry, best score first; then
    /// the same, ascending. In one allocation.
    numbers: Vec<usize>,
    entries: usize,
    shortfalls: Vec<CountRequirementShortfall>,
    tokens: i128,
}

impl Committed {
    fn len(&self) -> usize {
        (self.numbers.len() - self.entries) / 2
    }

    fn ascending(&self) -> &[usize] {
        &self.numbers[self.entries + self.len()..]
    }
}

impl CountRules {
    pub(super) fn new(
        entries: Vec<CountQuotaEntry>,
        scarcity: ScarcityBehavior,
    ) -> Result<Self, CupelError> {
        refuse_duplicate_kinds(entries.iter().map(CountQuotaEntry::kind))?;
        let by_kind = entries.iter().enumerate().map(|(at, it)| (it.kind.clone(), at)).collect();
        Ok(Self { entries, by_kind, scarcity })
    }

    pub(super) fn entries(&self) -> &[CountQuotaEntry] {
        &self.entries
    }

    pub(super) fn scarcity(&self) -> ScarcityBehavior {
        self.scarcity
    }

    pub(super) fn constraints(&self) -> Vec<QuotaConstraint> {
        let constraint = |entry: &CountQuotaEntry| QuotaConstraint {
            kind: entry.kind.clone(),
            mode: QuotaConstraintMode::Count,
            require: entry.require_count as f64,
            cap: entry.cap_count as f64,
        };
        self.entries.iter().map(constraint).collect()
    }

    /// Phase 1: the best candidates of each required kind, as many as required.
    pub(super) fn commit(
        &self,
        candidates: &[Candidate<'_>],
        slicer: &str,
        scratch: &mut Scratch,
    ) -> Result<Committed, CupelError> {
        let required: usize =
            self.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.require_count));
        let entries = self.entries.len();
        let mut numbers = Vec::with_capacity(entries + 2 * required.min(candidates.len()));
        numbers.resize(entries, 0);
        let entry_of = |at: usize| self.by_kind.get(candidates[at].item().kind()).copied();
        let mut missing = required;
        // Says whether nothing more is required.
        let mut commit = |at: usize| {
            if let Some(entry) = entry_of(at)
                && numbers[entry] < self.entries[entry].require_count
            {
                numbers[entry] += 1;
                numbers.push(at);
                missing -= 1;
            }
            missing == 0
        };
        if required == 0 {
            // Caps only.
        } else if is_best_first(candidates) {
            (0..candidates.len()).any(commit);
        } else {
            let scores = candidates.iter().map(Candidate::score);
            let (positions, _) = scratch.order(scores.map(order::descending));
            positions.iter().any(|&at| commit(at as usize));
        }
        let (counts, kept) = numbers.split_at_mut(entries);
        kept.sort_by_key(|at| entry_of(*at));
        let tokens = kept.iter().map(|&at| i128::from(candidates[at].tokens())).sum();
        let shortfalls = self.shortfalls(counts, slicer)?;
        let end = numbers.len();
        numbers.extend_from_within(entries..);
        numbers[end..].sort_unstable();
        Ok(Committed { numbers, entries, shortfalls, tokens })
    }

    /// The requirements that `counts` does not meet, or an error for the first if they are hard.
    fn shortfalls(
        &self,
        counts: &[usize],
        slicer: &str,
    ) -> Result<Vec<CountRequirementShortfall>, CupelError> {
        let mut shortfalls = Vec::new();
        for (CountQuotaEntry { kind, require_count, .. }, &satisfied) in
            self.entries.iter().zip(counts)
        {
            if satisfied >= *require_count {
                continue;
            }
            if self.scarcity == ScarcityBehavior::Throw {
                return Err(CupelError::SlicerConfig(format!(
                    "{slicer}: candidate pool for kind '{kind}' has {satisfied} items but \
                     RequireCount is {require_count}."
                )));
            }
            shortfalls.push(CountRequirementShortfall {
                kind: kind.to_string(),
                required_count: *require_count,
                satisfied_count: satisfied,
            });
        }
        Ok(shortfalls)
    }

    /// Phase 3: the committed candidates, then of `filled` (positions among the rest) what no cap
    /// forbids.
    pub(super) fn cap(
        &self,
        candidates: &[Candidate<'_>],
        mut committed: Committed,
        filled: Selection,
        scratch: &Scratch,
    ) -> Selection {
        let len = committed.len();
        let (counts, positions) = committed.numbers.split_at_mut(committed.entries);
        let (kept, ascending) = positions.split_at(len);
        let outer = |at: usize| outer_position(ascending, at);
        let mut selection = Selection::keeping(filled.kept);
        selection.kept.retain_mut(|at| {
            *at = outer(*at);
            let Some(&entry) = self.by_kind.get(candidates[*at].item().kind()) else { return true };
            let (cap, count) = (self.entries[entry].cap_count, counts[entry]);
            if count < cap {
                counts[entry] += 1;
                return true;
            }
            if scratch.wants_refusals() {
                let reason = RefusalReason::CountCap { cap, count };
                selection.refused.push(Refusal { position: *at, reason });
            }
            false
        });
        selection.kept.splice(0..0, kept.iter().copied());
        selection.absorb_remarks(filled.refused, filled.shortfalls, outer);
        selection.shortfalls.splice(0..0, committed.shortfalls);
        selection
    }
}

/// Whether no score is better than the one before, as is so for the pipeline's candidates.
fn is_best_first(candidates: &[Candidate<'_>]) -> bool {
    candidates.is_sorted_by(|a, b| a.score() >= b.score()) // the quick answer, without NaN
        || candidates.is_sorted_by_key(|it| order::descending(it.score()))
}

/// Where among all candidates the one at `position` among the rest stands, if those at the
/// `committed` positions are taken away.
fn outer_position(committed: &[usize], position: usize) -> usize {
    // Of the committed, those before it shift it; each had as many fewer before it as shifted it.
    let (mut low, mut high) = (0, committed.len());
    while low < high {
        let middle = (low + high) / 2;
        if committed[middle] - middle <= position {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    position + low
}

impl Committed {
    /// Phase 2: what `inner` makes of the rest with what is left of the budget.
    pub(super) fn fill(
        &self,
        inner: &(impl Slicer + ?Sized),
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        let mut rest = Vec::with_capacity(candidates.len() - self.len());
        let mut start = 0;
        for &at in self.ascending() {
            rest.extend_from_slice(&candidates[start..at]);
            start = at + 1;
        }
        rest.extend_from_slice(&candidates[start..]);
        let target = (i128::from(budget.target_tokens()) - self.tokens).max(0);
        let target = clamp_tokens(target).min(budget.max_tokens());
        let budget = ContextBudget::plain(budget.max_tokens(), target);
        select_checked(inner, &rest, &budget, scratch)
    }

    /// Puts what filled the rest in order of score, ties in order of candidates.
    pub(super) fn best_first(&self, filled: &mut Selection, candidates: &[Candidate<'_>]) {
        let score = |at: usize| candidates[outer_position(self.ascending(), at)].score();
        filled.kept.sort_unstable_by_key(|&at| (order::descending(score(at)), at));
    }
}
