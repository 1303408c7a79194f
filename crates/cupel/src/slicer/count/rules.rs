//! The phases that both count slicers share.

use crate::model::{KindMap, clamp_tokens};
use crate::slicer::quota::refuse_duplicate_kinds;
use crate::slicer::{Refusal, Selection, Slicer, select_checked};
use crate::sort_keys::{descending, sorted_positions};
use crate::{
    Candidate, ContextBudget, ContextKind, CountQuotaEntry, CountRequirementShortfall, CupelError,
    ExclusionReason, QuotaConstraint, QuotaConstraintMode, RunContext, ScarcityBehavior,
};

/// Entries by kind, and what to do when there are too few candidates.
#[derive(Debug, Clone)]
pub(super) struct CountRules {
    entries: Vec<CountQuotaEntry>,
    /// Their kinds, in the same order.
    kinds: KindMap<ContextKind, ()>,
    scarcity: ScarcityBehavior,
}

/// What is required, whatever the budget.
pub(super) struct Committed {
    /// Entry by entry, best score first.
    selection: Selection,
    /// The number committed per entry.
    counts: Vec<usize>,
    /// Whether each candidate is committed.
    is_committed: Vec<bool>,
    tokens: i128,
}

impl CountRules {
    pub(super) fn new(
        entries: impl IntoIterator<Item = CountQuotaEntry>,
        scarcity: ScarcityBehavior,
    ) -> Result<Self, CupelError> {
        let entries: Vec<_> = entries.into_iter().collect();
        refuse_duplicate_kinds(entries.iter().map(CountQuotaEntry::kind))?;
        let kinds = entries.iter().map(|entry| (entry.kind.clone(), ())).collect();
        Ok(Self { entries, kinds, scarcity })
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
        budget: &ContextBudget,
        slicer: &str,
    ) -> Result<Committed, CupelError> {
        let mut kept = Vec::with_capacity(candidates.len());
        let mut counts = vec![0; self.entries.len()];
        let mut missing =
            self.entries.iter().fold(0usize, |sum, it| sum.saturating_add(it.require_count));
        for at in sorted_positions(candidates.len(), |at| descending(candidates[at].score())) {
            if missing == 0 {
                break;
            }
            let Some(entry) = self.entry_of(&candidates[at]) else { continue };
            if counts[entry] < self.entries[entry].require_count {
                counts[entry] += 1;
                missing -= 1;
                kept.push(at);
            }
        }
        kept.sort_by_key(|&at| self.entry_of(&candidates[at]));

        let mut is_committed = vec![false; candidates.len()];
        kept.iter().for_each(|&at| is_committed[at] = true);
        let shortfalls = self.shortfalls(&counts, slicer)?;
        let selection = Selection { shortfalls, ..in_fitting_forms(kept, candidates, budget) };
        let tokens = selection.kept_tokens(candidates);
        Ok(Committed { selection, counts, is_committed, tokens })
    }

    fn entry_of(&self, candidate: &Candidate<'_>) -> Option<usize> {
        self.kinds.position_of(candidate.well_known_kind(), candidate.kind())
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

    /// Phase 3: what is committed, then of what was `filled` what no cap forbids.
    pub(super) fn cap(
        &self,
        candidates: &[Candidate<'_>],
        committed: Committed,
        filled: Selection,
        context: &RunContext,
    ) -> Selection {
        let Committed { mut selection, mut counts, .. } = committed;
        let any_shortened = !filled.shortened.is_empty();
        let mut is_capped = vec![false; if any_shortened { candidates.len() } else { 0 }];
        for at in filled.kept {
            let Some(entry) = self.entry_of(&candidates[at]) else {
                selection.kept.push(at);
                continue;
            };
            let (cap, count) = (self.entries[entry].cap_count, counts[entry]);
            if count < cap {
                counts[entry] += 1;
                selection.kept.push(at);
                continue;
            }
            if any_shortened {
                is_capped[at] = true;
            }
            if context.wants_reasons() {
                let kind = candidates[at].kind().to_string();
                let reason = ExclusionReason::CountCapExceeded { kind, cap, count };
                selection.refused.push(Refusal::new(at, reason));
            }
        }
        let shortened = filled.shortened.into_iter();
        selection.shortened.extend(shortened.filter(|it| !is_capped[it.position]));
        selection.refused.extend(filled.refused);
        selection.shortfalls.extend(filled.shortfalls);
        selection
    }
}

impl Committed {
    /// Phase 2: what `inner` makes of the rest with what is left of the budget.
    pub(super) fn fill(
        &self,
        inner: &dyn Slicer,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let mut positions = Vec::with_capacity(candidates.len());
        positions.extend((0..candidates.len()).filter(|at| !self.is_committed[*at]));
        let rest: Vec<_> = positions.iter().map(|&at| candidates[at]).collect();
        let left = (i128::from(budget.target_tokens()) - self.tokens).max(0);
        let left = clamp_tokens(left).min(budget.max_tokens());
        let budget = ContextBudget::plain(budget.max_tokens(), left);
        let chosen = select_checked(inner, &rest, &budget, context)?;
        let mut filled = Selection::keeping(Vec::with_capacity(chosen.kept.len()));
        filled.absorb(chosen, &positions);
        Ok(filled)
    }
}

/// What is required, each in the richest form that still fits, or its shortest.
fn in_fitting_forms(
    required: Vec<usize>,
    candidates: &[Candidate<'_>],
    budget: &ContextBudget,
) -> Selection {
    if required.iter().all(|&at| candidates[at].forms().is_empty()) {
        return Selection::keeping(required);
    }
    let mut selection = Selection::nothing();
    let mut left = i128::from(budget.target_tokens());
    for at in required {
        let candidate = &candidates[at];
        let form = candidate.richest_within(clamp_tokens(left)).unwrap_or(candidate.shortest());
        left -= i128::from(candidate.tokens_in(form));
        selection.keep(at, form);
    }
    selection
}

/// Puts positions in order of score, ties in order of candidates.
pub(super) fn best_first(positions: &mut [usize], candidates: &[Candidate<'_>]) {
    positions.sort_unstable_by_key(|&at| (descending(candidates[at].score()), at));
}
