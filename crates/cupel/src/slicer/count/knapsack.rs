//! Numbers of items per kind, with a knapsack for the rest.

use super::{CountQuotaEntry, CountRules, ScarcityBehavior, rules};
use crate::slicer::{KnapsackSlice, Selection, Slicer, slice_by_selecting};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, QuotaConstraint, QuotaPolicy, RunContext,
    ScoredItem,
};

/// Takes a required number of items of some kinds first, packs the rest with a knapsack, and then
/// holds each kind to its cap, best items first.
///
/// What is required is taken even when it exceeds the budget. The knapsack does not know the caps:
/// tokens it spends on an item that a cap then drops stay unused.
#[derive(Debug, Clone)]
pub struct CountConstrainedKnapsackSlice {
    rules: CountRules,
    knapsack: KnapsackSlice,
}

impl CountConstrainedKnapsackSlice {
    /// Each kind at most once.
    pub fn new(
        entries: impl IntoIterator<Item = CountQuotaEntry>,
        knapsack: KnapsackSlice,
        scarcity: ScarcityBehavior,
    ) -> Result<Self, CupelError> {
        Ok(Self { rules: CountRules::new(entries, scarcity)?, knapsack })
    }

    /// The entries, in configured order.
    pub fn entries(&self) -> &[CountQuotaEntry] {
        self.rules.entries()
    }

    /// What happens when candidates are scarce.
    pub fn scarcity(&self) -> ScarcityBehavior {
        self.rules.scarcity()
    }
}

impl Slicer for CountConstrainedKnapsackSlice {
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
        if candidates.is_empty() || budget.target_tokens() <= 0 {
            return Ok(Selection::nothing());
        }
        let committed = self.rules.commit(candidates, budget, "CountConstrainedKnapsackSlice")?;
        let mut filled = committed.fill(&self.knapsack, candidates, budget, context)?;
        rules::best_first(&mut filled.kept, candidates);
        Ok(self.rules.cap(candidates, committed, filled, context))
    }

    fn is_count_quota(&self) -> bool {
        true
    }
}

impl QuotaPolicy for CountConstrainedKnapsackSlice {
    fn quota_constraints(&self) -> Vec<QuotaConstraint> {
        self.rules.constraints()
    }
}
