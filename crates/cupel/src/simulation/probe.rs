//! Asking a prepared run what it would choose at some budget.

use crate::model::clamp_tokens;
use crate::pipeline::Policy;
use crate::pipeline::run::{Prepared, Run};
use crate::pipeline::stage::{chosen, marks};
use crate::slicer::{fill, select_checked};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, NullTraceCollector,
    RunContext,
};

/// A run up to and including Sort, to be continued at any budget.
pub(super) struct Probe<'a> {
    policy: &'a Policy,
    prepared: Prepared<'a>,
    context: RunContext,
    /// The slicer's [order of trial](crate::Selection::trial), if it has one.
    trial: Option<Vec<usize>>,
}

impl<'a> Probe<'a> {
    /// Prepares a run of `policy` over `items`. The budget is one of those that will be tried.
    pub(super) fn prepare(
        policy: &'a Policy,
        items: &'a [ContextItem],
        budget: &ContextBudget,
    ) -> Result<Self, CupelError> {
        let context = RunContext::default();
        let prepared =
            Run::new(policy, budget, &context, &mut NullTraceCollector).prepare(items, None)?;
        Ok(Self::new(policy, prepared, context))
    }

    pub(super) fn new(policy: &'a Policy, prepared: Prepared<'a>, context: RunContext) -> Self {
        let context = context.with_reasons(true);
        // With nothing to spend a slicer chooses nothing, and may still say in which order it would try.
        let nothing = ContextBudget::plain(0, 0);
        let asking = context.clone().with_trial(true);
        let asked = select_checked(&*policy.slicer, &prepared.candidates, &nothing, &asking);
        let trial = asked.ok().and_then(|selection| selection.trial);
        Self { policy, prepared, context, trial }
    }

    /// What there is to choose from, best score first.
    pub(super) fn candidates(&self) -> &[Candidate<'a>] {
        &self.prepared.candidates
    }

    /// What would be in the window, pinned items first, then best score first.
    pub(super) fn chosen(&self, budget: &ContextBudget) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.continue_at(budget, &self.prepared)
    }

    /// The window.
    pub(super) fn window(&self, budget: &ContextBudget) -> Result<Vec<Candidate<'a>>, CupelError> {
        let chosen = self.chosen(budget)?;
        Run::new(self.policy, budget, &self.context, &mut NullTraceCollector).arrange(&chosen)
    }

    /// Whether `target` would be in the window. A budget too small for the pinned items, or one
    /// that overflows, includes nothing.
    pub(super) fn includes(
        &self,
        budget: &ContextBudget,
        target: &ContextItem,
    ) -> Result<bool, CupelError> {
        match self.chosen(budget) {
            Ok(chosen) => Ok(chosen.iter().any(|it| it.item().is_same_instance(target))),
            Err(CupelError::PinnedExceedsBudget { .. } | CupelError::Overflow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The slicer's target at this budget.
    pub(super) fn effective_target(&self, budget: &ContextBudget) -> i64 {
        self.prepared.effective_budget(budget).target_tokens()
    }

    /// Whether the slicer says in which order it tries; with nothing to try there is only one.
    pub(super) fn knows_order_of_trial(&self) -> bool {
        self.trial.is_some() || self.candidates().is_empty()
    }

    /// The token counts of the candidates tried before the one at `position`, in order.
    pub(super) fn tried_before(&self, position: usize) -> Option<Vec<i64>> {
        let before = self.trial.as_ref()?.iter().take_while(|at| **at != position);
        Some(before.map(|at| self.candidates()[*at].tokens()).collect())
    }

    /// Where `item` stands in Sort order, if it got that far; the first position if several.
    pub(super) fn position(&self, item: &ContextItem) -> Option<usize> {
        self.candidates().iter().position(|candidate| candidate.item().is_same_instance(item))
    }

    /// What the pinned items cost, clamped to `i64`.
    pub(super) fn pinned_tokens(&self) -> i64 {
        clamp_tokens(self.prepared.pinned_tokens)
    }

    pub(super) fn first_pinned(&self) -> Option<&'a ContextItem> {
        self.prepared.first_pinned()
    }

    /// What would be in the window if there were no pinned items; nothing if there are none, if
    /// they cost nothing, or if the run would fail without them.
    pub(super) fn chosen_without_pinned(&self, budget: &ContextBudget) -> Vec<Candidate<'a>> {
        if self.prepared.pinned_tokens == 0 {
            return Vec::new();
        }
        self.continue_at(budget, &self.prepared.unpinned()).unwrap_or_default()
    }

    /// Why the slicer leaves out the candidate at `position`, if it says so.
    pub(super) fn refusal(
        &self,
        position: usize,
        budget: &ContextBudget,
    ) -> Option<ExclusionReason> {
        let effective = self.prepared.effective_budget(budget);
        let slicer = &self.policy.slicer;
        let selection = slicer.select(self.candidates(), &effective, &self.context).ok()?;
        let refusal = selection.refused.into_iter().find(|it| it.position == position);
        refusal.map(|it| it.reason)
    }

    /// Slices and merges, with or without the pinned items, at `budget`.
    fn continue_at(
        &self,
        budget: &ContextBudget,
        prepared: &Prepared<'a>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        prepared.check_pinned(budget)?;
        let kept = self.kept(&prepared.effective_budget(budget))?;
        let chosen = chosen(prepared, &marks(&kept, prepared.candidates.len()));
        let mut nobody = NullTraceCollector;
        Run::new(self.policy, budget, &self.context, &mut nobody).merge(prepared, chosen)
    }

    /// The positions that the slicer chooses.
    fn kept(&self, effective: &ContextBudget) -> Result<Vec<usize>, CupelError> {
        let candidates = self.candidates();
        if let Some(trial) = &self.trial {
            return Ok(fill(trial.clone(), candidates, effective.target_tokens()));
        }
        Ok(select_checked(&*self.policy.slicer, candidates, effective, &self.context)?.kept)
    }
}
