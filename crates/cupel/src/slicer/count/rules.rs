//! The phases that both count slicers share.

use crate::marks::Marks;
use crate::model::{KindMap, clamp_tokens};
use crate::push::push_within;
use crate::slicer::greedy::{self, Outlook};
use crate::slicer::quota::refuse_duplicate_kinds;
use crate::slicer::{Refusal, RefusalReason, Selection, Slicer, select_checked};
use crate::sorting::Tie;
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

/// About how many candidates are looked at, best first, to find one that is still required.
const LOOKS_PER_REQUIRED: usize = 16;

/// What is chosen so far, at first what is required, whatever the budget.
pub(super) struct Committed {
    /// Entry by entry, best score first.
    selection: Selection,
    /// The number chosen per entry.
    counts: Vec<usize>,
    /// What is required.
    required: Marks,
    /// And its tokens.
    tokens: i128,
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
        let mut kept = scratch.take_positions(candidates.len());
        let mut counts = scratch.take_positions(self.entries.len());
        counts.resize(self.entries.len(), 0);
        let mut missing: usize =
            self.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.require_count));
        if missing > 0 && is_best_first(candidates) {
            for (at, candidate) in candidates.iter().enumerate() {
                if self.requires(candidate, &mut counts) {
                    push_within(&mut kept, at);
                    missing -= 1;
                    if missing == 0 {
                        break;
                    }
                }
            }
        } else if missing > 0 {
            let expected = missing.saturating_mul(LOOKS_PER_REQUIRED);
            let keys = candidates.iter().map(|it| order::descending(it.score()));
            scratch.visit_until(keys, (), expected, |at, _| {
                if self.requires(&candidates[at], &mut counts) {
                    push_within(&mut kept, at);
                    missing -= 1;
                }
                missing > 0
            });
        }
        if !kept.is_sorted_by_key(|at| self.entry_of(&candidates[*at])) {
            kept.sort_by_key(|at| self.entry_of(&candidates[*at]));
        }
        let tokens = kept.iter().map(|&at| i128::from(candidates[at].tokens())).sum();
        let mut required = scratch.take_marks(candidates.len());
        kept.iter().for_each(|at| required.insert(*at));
        let shortfalls = self.shortfalls(&counts, slicer)?;
        let selection = Selection { kept, refused: Vec::new(), shortfalls };
        Ok(Committed { selection, counts, required, tokens })
    }

    fn entry_of(&self, candidate: &Candidate<'_>) -> Option<usize> {
        self.by_kind.get_of(candidate.item()).copied()
    }

    /// Whether more of this candidate's kind are required than counted, of which it is then one.
    #[inline]
    fn requires(&self, candidate: &Candidate<'_>, counts: &mut [usize]) -> bool {
        let Some(entry) = self.entry_of(candidate) else { return false };
        let requires = counts[entry] < self.entries[entry].require_count;
        counts[entry] += usize::from(requires);
        requires
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

    /// Phases 2 and 3 where the rest is filled as [`GreedySlice`](crate::GreedySlice) does, in one
    /// go.
    pub(super) fn fill_greedily(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        mut committed: Committed,
        tie: impl Tie,
        scratch: &mut Scratch,
    ) -> Selection {
        let mut remaining = committed.target_left(budget);
        if remaining > 0 {
            let required = std::mem::take(&mut committed.required);
            let keys = candidates.iter().enumerate().map(|(at, candidate)| {
                if required.contains(at) { 0 } else { greedy::density_key(candidate) }
            });
            let wants_refusals = scratch.wants_refusals();
            let outlook = Outlook::new(candidates, remaining);
            scratch.visit_until(keys, tie, outlook.fitting, |at, _| {
                let candidate = &candidates[at];
                if greedy::fits(candidate, &mut remaining) {
                    self.admit(at, candidates, &mut committed, wants_refusals);
                }
                !outlook.is_over(candidate, remaining)
            });
            committed.required = required;
        }
        committed.finish(scratch)
    }

    /// Phase 3: what is required, then of what was `filled` what no cap forbids.
    pub(super) fn cap(
        &self,
        candidates: &[Candidate<'_>],
        mut committed: Committed,
        filled: Selection,
        scratch: &mut Scratch,
    ) -> Selection {
        let wants_refusals = scratch.wants_refusals();
        for &at in &filled.kept {
            self.admit(at, candidates, &mut committed, wants_refusals);
        }
        scratch.give_back_positions(filled.kept);
        committed.selection.refused.extend(filled.refused);
        committed.selection.shortfalls.extend(filled.shortfalls);
        committed.finish(scratch)
    }

    /// Chooses one more candidate, unless a cap forbids it.
    fn admit(
        &self,
        at: usize,
        candidates: &[Candidate<'_>],
        Committed { selection, counts, .. }: &mut Committed,
        wants_refusals: bool,
    ) {
        if let Some(entry) = self.entry_of(&candidates[at]) {
            let (cap, count) = (self.entries[entry].cap_count, counts[entry]);
            if count >= cap {
                if wants_refusals {
                    let reason = RefusalReason::CountCap { cap, count };
                    selection.refused.push(Refusal { position: at, reason });
                }
                return;
            }
            counts[entry] += 1;
        }
        push_within(&mut selection.kept, at);
    }
}

/// Whether no score is better than the one before, as is so for the pipeline's candidates.
fn is_best_first(candidates: &[Candidate<'_>]) -> bool {
    candidates.is_sorted_by(|a, b| a.score() >= b.score()) // the quick answer, without NaN
        || candidates.is_sorted_by_key(|it| order::descending(it.score()))
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
        let mut rest = scratch.take_candidates(candidates.len());
        let mut positions = scratch.take_positions(candidates.len());
        for (at, candidate) in candidates.iter().enumerate() {
            if !self.required.contains(at) {
                rest.push(*candidate);
                positions.push(at);
            }
        }
        let budget = ContextBudget::plain(budget.max_tokens(), self.target_left(budget));
        let inner = select_checked(inner, &rest, &budget, scratch)?;
        let mut filled = Selection::keeping(scratch.take_positions(inner.kept.len()));
        scratch.give_back_positions(filled.absorb(inner, &positions));
        scratch.give_back_positions(positions);
        scratch.give_back_candidates(rest);
        Ok(filled)
    }

    fn target_left(&self, budget: &ContextBudget) -> i64 {
        let left = (i128::from(budget.target_tokens()) - self.tokens).max(0);
        clamp_tokens(left).min(budget.max_tokens())
    }

    fn finish(self, scratch: &mut Scratch) -> Selection {
        scratch.give_back_positions(self.counts);
        scratch.give_back_marks(self.required);
        self.selection
    }
}

/// Puts positions in order of score, ties in order of candidates.
pub(super) fn best_first(positions: &mut [usize], candidates: &[Candidate<'_>]) {
    positions.sort_unstable_by_key(|&at| (order::descending(candidates[at].score()), at));
}
