//! Numbers of items per kind, around any slicer but a knapsack.

use std::fmt;

use super::{CountQuotaEntry, CountRules, ScarcityBehavior};
use crate::slicer::{Selection, Slicer, slice_by_selecting};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, QuotaConstraint, QuotaPolicy, RunContext,
    ScoredItem,
};

/// Takes a required number of items of some kinds first, lets another slicer fill the rest, and
/// then holds each kind to its cap.
///
/// What is required is taken even when it exceeds the budget; the pipeline's overflow strategy
/// decides what happens then. The inner slicer must return items best first, or a cap would keep
/// the wrong ones, which is why a knapsack is refused.
///
/// ```
/// use cupel::{ContextKind, CountQuotaEntry, CountQuotaSlice, GreedySlice, ScarcityBehavior};
///
/// // At least two tool outputs, at most five.
/// let tools = CountQuotaEntry::new(ContextKind::tool_output(), 2, 5)?;
/// let slicer = CountQuotaSlice::new([tools], GreedySlice, ScarcityBehavior::Degrade)?;
/// # let _ = slicer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct CountQuotaSlice {
    rules: CountRules,
    inner: Box<dyn Slicer>,
}

impl CountQuotaSlice {
    /// Each kind at most once; `inner` no knapsack, nor anything around one.
    pub fn new(
        entries: impl IntoIterator<Item = CountQuotaEntry>,
        inner: impl Slicer + 'static,
        scarcity: ScarcityBehavior,
    ) -> Result<Self, CupelError> {
        if inner.is_knapsack() {
            return Err(CupelError::SlicerConfig(
                "CountQuotaSlice does not support KnapsackSlice inside it, whose order would make \
                 caps keep the wrong items; use GreedySlice, or CountConstrainedKnapsackSlice"
                    .to_owned(),
            ));
        }
        Ok(Self { rules: CountRules::new(entries, scarcity)?, inner: Box::new(inner) })
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

impl Slicer for CountQuotaSlice {
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
        let committed = self.rules.commit(candidates, budget, "CountQuotaSlice")?;
        let filled = committed.fill(&*self.inner, candidates, budget, context)?;
        Ok(self.rules.cap(candidates, committed, filled, context))
    }

    fn is_quota(&self) -> bool {
        self.inner.is_quota()
    }

    fn is_count_quota(&self) -> bool {
        true
    }
}

impl QuotaPolicy for CountQuotaSlice {
    fn quota_constraints(&self) -> Vec<QuotaConstraint> {
        self.rules.constraints()
    }
}

impl fmt::Debug for CountQuotaSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountQuotaSlice")
            .field("entries", &self.entries())
            .field("inner", &self.inner.name())
            .field("scarcity", &self.scarcity())
            .finish()
    }
}
