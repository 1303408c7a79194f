//! Asking a prepared run what it would choose at some budget.

use crate::model::clamp_tokens;
use crate::pipeline::Policy;
use crate::pipeline::run::Run;
use crate::pipeline::stage::{Classified, effective_budget, retain};
use crate::slicer::{self, Sweep};
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, NullTraceCollector, Scratch,
};

/// A run up to and including Sort, to be continued at any budget.
pub(super) struct Probe<'a> {
    policy: &'a Policy,
    classified: &'a Classified<'a>,
    pub(super) sorted: &'a [Candidate<'a>],
    sweep: Box<dyn Sweep + 'a>,
    scratch: Scratch,
}

/// Prepares a run of `policy` over `items` and hands it to `ask`.
pub(super) fn prepare<T>(
    policy: &Policy,
    items: &[ContextItem],
    budget: &ContextBudget,
    ask: impl FnOnce(&mut Probe<'_>) -> Result<T, CupelError>,
) -> Result<T, CupelError> {
    let (mut nobody, mut scratch) = (NullTraceCollector, Scratch::new());
    let mut run = Run::new(policy, items, budget, &mut nobody, &mut scratch);
    let mut classified = Classified::all(items);
    run.partition(items, &mut classified)?;
    let scores = run.score(&classified.scoreable)?;
    let repeated = run.deduplicate(&classified.scoreable, &scores);
    let sorted = run.sort(&classified, scores, repeated);
    ask(&mut Probe::new(policy, &classified, &sorted))
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        policy: &'a Policy,
        classified: &'a Classified<'a>,
        sorted: &'a [Candidate<'a>],
    ) -> Self {
        let sweep = policy.slicer.sweep(sorted);
        Self { policy, classified, sorted, sweep, scratch: Scratch::new() }
    }

    /// What would be in the window, pinned items first, before it is arranged.
    pub(super) fn chosen(
        &mut self,
        budget: &ContextBudget,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.continue_at(self.classified, budget, |_, chosen| Ok(chosen))
    }

    /// The window.
    pub(super) fn window(
        &mut self,
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        self.continue_at(self.classified, budget, |run, chosen| {
            let order = run.policy.placer.arrange(&chosen, run.scratch)?;
            run.check_order(&order, &chosen)?;
            Ok(order.into_iter().map(|at| chosen[at].item().clone()).collect())
        })
    }

    /// Whether `target` would be in the window. A budget too small for the pinned items, or one
    /// that overflows, includes nothing.
    pub(super) fn includes(
        &mut self,
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
        effective_budget(budget, self.classified.pinned_tokens).target_tokens()
    }

    /// Whether the slicer says in which order it tries; with nothing to try there is only one.
    pub(super) fn knows_order_of_trial(&self) -> bool {
        self.sorted.is_empty() || self.sweep.tried_before(0).is_some()
    }

    /// See [`Sweep::tried_before`].
    pub(super) fn tried_before(&self, position: usize) -> Option<Vec<i64>> {
        self.sweep.tried_before(position)
    }

    /// Where `item` stands in Sort order, if it got that far; the first place if several.
    pub(super) fn position(&self, item: &ContextItem) -> Option<usize> {
        self.sorted.iter().position(|candidate| candidate.item().is_same_instance(item))
    }

    /// What the pinned items cost, clamped to `i64`.
    pub(super) fn pinned_tokens(&self) -> i64 {
        clamp_tokens(self.classified.pinned_tokens)
    }

    pub(super) fn first_pinned(&self) -> Option<&'a ContextItem> {
        self.classified.pinned.first().copied()
    }

    /// What would be in the window if there were no pinned items; nothing if there are none, if
    /// they cost nothing, or if the run would fail without them.
    pub(super) fn chosen_without_pinned(&mut self, budget: &ContextBudget) -> Vec<Candidate<'a>> {
        if self.classified.pinned_tokens == 0 {
            return Vec::new();
        }
        let unpinned = Classified::all(&self.classified.scoreable);
        self.continue_at(&unpinned, budget, |_, chosen| Ok(chosen)).unwrap_or_default()
    }

    /// Why the slicer leaves out the candidate at `position`, if it says so.
    pub(super) fn refusal(
        &mut self,
        position: usize,
        budget: &ContextBudget,
    ) -> Option<ExclusionReason> {
        let effective = effective_budget(budget, self.classified.pinned_tokens);
        let refused = self.sweep.select(&effective).ok()?.refused;
        let refusal = refused.into_iter().find(|it| it.position == position);
        refusal.map(|it| it.reason.exclusion(self.sorted[position].item()))
    }

    /// Marks, by input place among those scored, the candidates that are `chosen`.
    pub(super) fn marks(&self, chosen: &[Candidate<'_>]) -> Vec<bool> {
        let mut marks = vec![false; self.classified.scoreable.len()];
        for at in chosen.iter().filter_map(|it| self.place(it)) {
            marks[at] = true;
        }
        marks
    }

    /// Whether `candidate` is marked; pinned items always are.
    pub(super) fn is_marked(&self, marks: &[bool], candidate: &Candidate<'_>) -> bool {
        self.place(candidate).is_none_or(|at| marks[at])
    }

    /// Where among those scored a candidate stands; pinned items do not.
    fn place(&self, candidate: &Candidate<'_>) -> Option<usize> {
        self.classified.scoreable.element_offset(candidate.item())
    }

    /// Slices and merges, with or without the pinned items, at `budget`.
    fn continue_at<T>(
        &mut self,
        classified: &Classified<'a>,
        budget: &ContextBudget,
        then: impl FnOnce(&mut Run<'_, NullTraceCollector>, Vec<Candidate<'a>>) -> Result<T, CupelError>,
    ) -> Result<T, CupelError> {
        classified.check_pinned(budget)?;
        let effective = effective_budget(budget, classified.pinned_tokens);
        let selection = self.sweep.select(&effective)?;
        let is_kept = &mut self.scratch.marks;
        slicer::check(&self.policy.slicer, &selection, self.sorted, is_kept)?;
        let mut chosen = self.sorted.to_vec();
        retain(&mut chosen, is_kept);

        let mut nobody = NullTraceCollector;
        let mut run = Run::new(self.policy, &[], budget, &mut nobody, &mut self.scratch);
        run.merge(&mut chosen, classified)?;
        then(&mut run, chosen)
    }
}
