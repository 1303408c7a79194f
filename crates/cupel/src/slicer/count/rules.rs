//! The phases that both count slicers share.

use crate::model::{KindMap, clamp_tokens};
use crate::slicer::quota::refuse_duplicate_kinds;
use crate::slicer::{Refusal, Selection, Slicer, select_checked};
use crate::{
    Candidate, ContextBudget, CountQuotaEntry, CountRequirementShortfall, CupelError,
    ExclusionReason, QuotaConstraint, QuotaConstraintMode, ScarcityBehavior, Scratch, order,
};

/// Entries by kind, and what to do when there are too few candidates.
#[derive(Debug, Clone)]
pub(super) struct CountRules {
    entries: Vec<CountQuotaEntry>,
    by_kind: KindMap<usize>,
    scarcity: ScarcityBehavior,
}

/// What is required and therefore chosen, whatever the budget.
pub(super) struct Committed {
    /// Positions, entry by entry, best score first.
    kept: Vec<usize>,
    /// Number chosen so far, per entry.
    counts: Vec<usize>,
    shortfalls: Vec<CountRequirementShortfall>,
    /// Positions of the other candidates, in their order.
    rest: Vec<usize>,
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
    ) -> Result<Committed, CupelError> {
        let mut committed: Vec<Vec<usize>> = vec![Vec::new(); self.entries.len()];
        for at in by_score(candidates) {
            if let Some(entry) = self.by_kind.get(candidates[at].item().kind())
                && committed[*entry].len() < self.entries[*entry].require_count
            {
                committed[*entry].push(at);
            }
        }
        let counts: Vec<usize> = committed.iter().map(Vec::len).collect();
        let kept = committed.concat();
        let mut is_rest = vec![true; candidates.len()];
        for &at in &kept {
            is_rest[at] = false;
        }
        Ok(Committed {
            tokens: kept.iter().map(|&at| i128::from(candidates[at].tokens())).sum(),
            rest: (0..candidates.len()).filter(|&at| is_rest[at]).collect(),
            shortfalls: self.shortfalls(&counts, slicer)?,
            kept,
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
    ) -> Selection {
        let Committed { kept, mut counts, shortfalls, rest, .. } = committed;
        let mut selection = Selection { kept, shortfalls, refused: Vec::new() };
        for at in filled.kept.into_iter().map(|at| rest[at]) {
            let item = candidates[at].item();
            let entry = self.by_kind.get(item.kind()).copied();
            match entry {
                Some(entry) if counts[entry] >= self.entries[entry].cap_count => {
                    selection.refused.push(Refusal {
                        position: at,
                        reason: ExclusionReason::CountCapExceeded {
                            kind: item.kind().to_string(),
                            cap: self.entries[entry].cap_count,
                            count: counts[entry],
                        },
                    });
                }
                Some(entry) => {
                    counts[entry] += 1;
                    selection.kept.push(at);
                }
                None => selection.kept.push(at),
            }
        }
        selection.absorb_remarks(filled.refused, filled.shortfalls, &rest);
        selection
    }
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
        let rest: Vec<Candidate<'_>> = self.rest.iter().map(|&at| candidates[at]).collect();
        let target = (i128::from(budget.target_tokens()) - self.tokens).max(0);
        let target = clamp_tokens(target).min(budget.max_tokens());
        let budget = ContextBudget::plain(budget.max_tokens(), target);
        select_checked(inner, &rest, &budget, scratch)
    }

    /// Puts what filled the rest in order of score, ties in order of candidates.
    pub(super) fn best_first(&self, filled: &mut Selection, candidates: &[Candidate<'_>]) {
        let score = |at: usize| candidates[self.rest[at]].score();
        filled.kept.sort_unstable_by_key(|&at| (order::descending(score(at)), at));
    }
}

/// Positions best score first, ties in order. The pipeline's candidates are in that order already.
fn by_score(candidates: &[Candidate<'_>]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..candidates.len()).collect();
    positions.sort_by_key(|&at| order::descending(candidates[at].score()));
    positions
}
