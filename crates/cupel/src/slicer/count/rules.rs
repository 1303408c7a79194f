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
    /// Positions, entry by entry, best score first.
    kept: Vec<usize>,
    /// The same, ascending.
    ascending: Vec<usize>,
    /// Number chosen so far, per entry.
    counts: Vec<usize>,
    shortfalls: Vec<CountRequirementShortfall>,
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
        let mut counts = vec![0; self.entries.len()];
        let mut committed: Vec<(usize, usize)> = Vec::new();
        let required: usize =
            self.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.require_count));
        let mut missing = required;
        // Says whether nothing more is required.
        let mut commit = |at: usize| {
            if let Some(&entry) = self.by_kind.get(candidates[at].item().kind())
                && counts[entry] < self.entries[entry].require_count
            {
                counts[entry] += 1;
                missing -= 1;
                committed.push((entry, at));
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
        committed.sort_by_key(|(entry, _)| *entry);

        let kept: Vec<usize> = committed.into_iter().map(|(_, at)| at).collect();
        let mut ascending = kept.clone();
        ascending.sort_unstable();
        Ok(Committed {
            tokens: kept.iter().map(|&at| i128::from(candidates[at].tokens())).sum(),
            shortfalls: self.shortfalls(&counts, slicer)?,
            kept,
            ascending,
            counts,
        })
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
        committed: Committed,
        filled: Selection,
        scratch: &mut Scratch,
    ) -> Selection {
        let Committed { kept, mut counts, shortfalls, ascending, .. } = committed;
        let mut selection = Selection { kept, shortfalls, refused: Vec::new() };
        selection.kept.reserve_exact(filled.kept.len());
        for at in filled.kept.iter().map(|at| outer_position(&ascending, *at)) {
            let item = candidates[at].item();
            let entry = self.by_kind.get(item.kind()).copied();
            match entry {
                Some(entry) if counts[entry] >= self.entries[entry].cap_count => {
                    let reason = RefusalReason::CountCap {
                        cap: self.entries[entry].cap_count,
                        count: counts[entry],
                    };
                    selection.refused.push(Refusal { position: at, reason });
                }
                Some(entry) => {
                    counts[entry] += 1;
                    selection.kept.push(at);
                }
                None => selection.kept.push(at),
            }
        }
        let outer = |at| outer_position(&ascending, at);
        selection.absorb_remarks(filled.refused, filled.shortfalls, outer);
        scratch.give_back_positions(filled.kept);
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
        let mut rest = Vec::with_capacity(candidates.len() - self.ascending.len());
        let mut start = 0;
        for &at in &self.ascending {
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
        let score = |at: usize| candidates[outer_position(&self.ascending, at)].score();
        filled.kept.sort_unstable_by_key(|&at| (order::descending(score(at)), at));
    }
}
