//! Asking a prepared run what it would choose at some budget.

use super::exact::Costs;
use crate::model::clamp_tokens;
use crate::pipeline::Policy;
use crate::pipeline::input::Input;
use crate::pipeline::run::{Pinned, Prepared, Run};
use crate::pipeline::stage::chosen;
use crate::slicer::{fill, select_checked};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, NullTraceCollector,
    Pipeline, RunContext, Selection,
};

/// A run up to and including Sort, to be continued at any budget.
pub(super) struct Probe<'a> {
    policy: &'a Policy,
    prepared: Prepared<'a>,
    context: RunContext,
    trial: Option<Trial>,
}

/// A slicer's [order of trial](crate::Selection::trial).
struct Trial {
    order: Vec<usize>,
    /// The rank of each candidate in it.
    ranks: Vec<u32>,
    /// What each candidate costs, in all its forms, richest first, one after the other, in order.
    costs: Vec<i64>,
    /// Where in `costs` each one's end; empty where none has another form.
    ends: Vec<usize>,
}

impl Trial {
    fn new(order: Vec<usize>, candidates: &[Candidate<'_>]) -> Self {
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(at, rank)| ranks[*at] = rank);
        let in_order = || order.iter().map(|at| &candidates[*at]);
        let mut costs: Vec<i64> = in_order().map(Candidate::tokens).collect();
        let mut ends = Vec::new();
        if in_order().any(|it| it.has_forms()) {
            costs.clear();
            for candidate in in_order() {
                costs.push(candidate.tokens());
                costs.extend(candidate.forms().iter().map(|form| form.tokens));
                ends.push(costs.len());
            }
        }
        Self { order, ranks, costs, ends }
    }
}

impl<'a> Probe<'a> {
    /// Prepares a run of `pipeline` over `input`. The budget is one of those that will be tried.
    pub(super) fn prepare(
        pipeline: &'a Pipeline,
        input: &'a Input<'a>,
        budget: &ContextBudget,
    ) -> Result<Self, CupelError> {
        let (policy, context) = (pipeline.policy(), pipeline.context().clone());
        let prepared =
            Run::new(policy, budget, &context, &mut NullTraceCollector).prepare(input, None)?;
        Ok(Self::new(policy, prepared, context))
    }

    pub(super) fn new(policy: &'a Policy, prepared: Prepared<'a>, context: RunContext) -> Self {
        let context = context.with_reasons(true);
        // With nothing to spend a slicer chooses nothing, and may still say in which order it would try.
        let nothing = ContextBudget::plain(0, 0);
        let asking = context.clone().with_trial(true);
        let asked = select_checked(&*policy.slicer, &prepared.candidates, &nothing, &asking);
        let order = asked.ok().and_then(|selection| selection.trial);
        let trial = order.map(|order| Trial::new(order, &prepared.candidates));
        Self { policy, prepared, context, trial }
    }

    /// What there is to choose from, best score first: units as one.
    pub(super) fn candidates(&self) -> &[Candidate<'a>] {
        &self.prepared.candidates
    }

    /// The item of a candidate, or the members of a unit.
    pub(super) fn members(&self, candidate: &Candidate<'a>) -> impl Iterator<Item = Candidate<'a>> {
        self.prepared.members(candidate)
    }

    /// The item at an index of the input; of a member of a unit, the unit.
    pub(super) fn whole(&self, index: usize, item: &'a ContextItem) -> Candidate<'a> {
        self.prepared.whole(&Candidate::new(index, item, 0.0))
    }

    /// What would be in the window, pinned items first, then best score first.
    pub(super) fn chosen(&self, budget: &ContextBudget) -> Result<Vec<Candidate<'a>>, CupelError> {
        let merged = self.continue_at(budget, &self.prepared)?;
        Ok(self.taken_apart(merged))
    }

    fn taken_apart(&self, merged: Vec<Candidate<'a>>) -> Vec<Candidate<'a>> {
        if !self.prepared.has_units() {
            return merged;
        }
        self.prepared.taken_apart(merged.into_iter())
    }

    /// The window.
    pub(super) fn window(&self, budget: &ContextBudget) -> Result<Vec<Candidate<'a>>, CupelError> {
        let merged = self.continue_at(budget, &self.prepared)?;
        let mut nobody = NullTraceCollector;
        Run::new(self.policy, budget, &self.context, &mut nobody).arrange(&self.prepared, &merged)
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
        self.effective_budget(budget).target_tokens()
    }

    fn effective_budget(&self, budget: &ContextBudget) -> ContextBudget {
        let pinned = self.prepared.pinned_within(budget);
        let tokens = pinned.map_or_else(|_| self.exact_pinned_tokens(), |pinned| pinned.tokens);
        budget.effective(tokens)
    }

    /// Whether what is chosen at each budget follows from the order in which the slicer tries, which it says, or there
    /// is nothing to try. Pinned items that shrink take more of a larger budget, so they must not have to.
    pub(super) fn knows_order_of_trial(&self) -> bool {
        let pinned_never_shrink = self.prepared.pinned.iter().all(|it| !it.has_forms());
        pinned_never_shrink && (self.trial.is_some() || self.candidates().is_empty())
    }

    /// What the candidates cost that are tried before the one at `position`, in order, each in all its forms.
    pub(super) fn tried_before(&self, position: usize) -> Option<Costs<'_>> {
        let trial = self.trial.as_ref().filter(|_| self.knows_order_of_trial())?;
        let count = trial.ranks[position] as usize;
        Some(match trial.ends.is_empty() {
            true => Costs::of_whole(&trial.costs[..count]),
            false => Costs::of_forms(&trial.costs, &trial.ends[..count]),
        })
    }

    /// Where `item`, or the unit it belongs to, stands in Sort order, if it got that far; the first position if several.
    pub(super) fn position(&self, item: &ContextItem) -> Option<usize> {
        let is_it = |given: &ContextItem| given.is_same_instance(item);
        self.candidates().iter().position(|it| it.items().any(is_it))
    }

    /// Whether `item` is pinned, by itself or by a member of its unit.
    pub(super) fn is_pinned(&self, item: &ContextItem) -> bool {
        let mut pinned = self.prepared.pinned.iter().flat_map(|it| self.members(it));
        pinned.any(|it| it.item().is_same_instance(item))
    }

    /// What the pinned items cost, in whole, clamped to `i64`.
    pub(super) fn pinned_tokens(&self) -> i64 {
        clamp_tokens(self.exact_pinned_tokens())
    }

    fn exact_pinned_tokens(&self) -> i128 {
        self.prepared.tokens(&self.prepared.pinned)
    }

    pub(super) fn first_pinned(&self) -> Option<&'a ContextItem> {
        self.prepared.first_pinned()
    }

    /// What would be in the window if there were no pinned items; nothing if there are none, if
    /// they cost nothing, or if the run would fail without them.
    pub(super) fn chosen_without_pinned(&self, budget: &ContextBudget) -> Vec<Candidate<'a>> {
        if self.exact_pinned_tokens() == 0 {
            return Vec::new();
        }
        let merged = self.continue_at(budget, &self.prepared.unpinned()).unwrap_or_default();
        self.taken_apart(merged)
    }

    /// Why the slicer leaves out the candidate at `position`, if it says so.
    pub(super) fn refusal(
        &self,
        position: usize,
        budget: &ContextBudget,
    ) -> Option<ExclusionReason> {
        let effective = self.effective_budget(budget);
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
        let pinned: Pinned<'_, 'a> = prepared.pinned_within(budget)?;
        let selection = self.selection(&budget.effective(pinned.tokens))?;
        let chosen = chosen(&prepared.candidates, &selection, pinned.candidates.len());
        let mut nobody = NullTraceCollector;
        Run::new(self.policy, budget, &self.context, &mut nobody).merge(prepared, &pinned, chosen)
    }

    /// What the slicer chooses.
    fn selection(&self, effective: &ContextBudget) -> Result<Selection, CupelError> {
        let candidates = self.candidates();
        if let Some(trial) = &self.trial {
            return Ok(fill(trial.order.iter().copied(), candidates, effective.target_tokens()));
        }
        select_checked(&*self.policy.slicer, candidates, effective, &self.context)
    }
}
