//! One run on its way through the stages.

use std::borrow::Cow;

use super::Policy;
use super::input::Input;
use super::trace::Trace;
use crate::model::clamp_tokens;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, PipelineStage, RunContext,
    TraceCollector,
};

/// What the stages of one run share. Each stage is a method, in a file of its own.
pub(crate) struct Run<'r, C> {
    pub(crate) policy: &'r Policy,
    pub(crate) budget: &'r ContextBudget,
    pub(crate) context: RunContext,
    pub(crate) trace: Trace<'r, C>,
}

/// A run up to and including Sort: all that does not depend on the budget. What is chosen from it at
/// the run's budget is the window; simulations choose from it at other budgets.
#[derive(Clone)]
pub(crate) struct Prepared<'a> {
    input: &'a Input<'a>,
    /// In the window whatever happens, in input order.
    pub(crate) pinned: Vec<Candidate<'a>>,
    /// To be chosen from. In input order until they are sorted, best score first, ties in input order.
    pub(crate) candidates: Vec<Candidate<'a>>,
    /// The scores of members of units, by index; empty where there are no units.
    pub(crate) member_scores: Vec<f64>,
}

/// The pinned candidates, in forms that fit into some budget.
pub(crate) struct Pinned<'p, 'a> {
    pub(crate) candidates: Cow<'p, [Candidate<'a>]>,
    pub(crate) tokens: i128,
}

impl<'r, C: TraceCollector> Run<'r, C> {
    pub(crate) fn new(
        policy: &'r Policy,
        budget: &'r ContextBudget,
        context: &RunContext,
        collector: &'r mut C,
    ) -> Self {
        let trace = Trace::new(collector);
        let context = context.clone().with_reasons(trace.is_enabled());
        Self { policy, budget, context, trace }
    }

    /// Tells that a candidate is left out, every member of a unit by itself.
    pub(crate) fn excluded<'a>(
        &mut self,
        stage: PipelineStage,
        prepared: &Prepared<'a>,
        candidate: &Candidate<'a>,
        reason: impl FnOnce() -> ExclusionReason,
    ) {
        if !prepared.has_units() {
            self.trace.excluded(stage, candidate, reason);
        } else if self.trace.is_enabled() {
            let reason = reason();
            for member in prepared.members(candidate) {
                self.trace.excluded(stage, &member, || reason.clone());
            }
        }
    }
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(
        input: &'a Input<'a>,
        pinned: Vec<Candidate<'a>>,
        candidates: Vec<Candidate<'a>>,
    ) -> Self {
        Self { input, pinned, candidates, member_scores: Vec::new() }
    }

    /// The pinned candidates within the ceiling of `budget`.
    ///
    /// Where they do not fit into the window, those with shorter forms shrink: first the one that can save most, the
    /// earlier of equals, no further than needed, or as far as it can, and then the next.
    pub(crate) fn pinned_within(
        &self,
        budget: &ContextBudget,
    ) -> Result<Pinned<'_, 'a>, CupelError> {
        let mut candidates = Cow::Borrowed(&self.pinned[..]);
        let mut tokens = self.tokens(&candidates);
        let excess = tokens - i128::from(budget.window_tokens());
        if excess > 0 && candidates.iter().any(|it| !it.forms().is_empty()) {
            self.shrink(candidates.to_mut(), excess);
            tokens = self.tokens(&candidates);
        }
        let available = budget.ceiling();
        if tokens > i128::from(available) {
            let pinned_tokens = clamp_tokens(tokens);
            return Err(CupelError::PinnedExceedsBudget { pinned_tokens, available });
        }
        Ok(Pinned { candidates, tokens })
    }

    /// Shortens candidates until `excess` tokens are saved, or nothing more can be.
    fn shrink(&self, candidates: &mut [Candidate<'a>], mut excess: i128) {
        let tokens = |it: &Candidate<'a>, form: usize| self.exact_tokens(&it.in_form(form));
        let most_saved = |it: &Candidate<'a>| tokens(it, 0) - tokens(it, it.shortest());
        let mut by_saving: Vec<_> = candidates.iter_mut().collect();
        by_saving.sort_by_cached_key(|it| std::cmp::Reverse(most_saved(it)));
        for candidate in by_saving {
            let whole = tokens(candidate, 0);
            let saved = |form: usize| whole - tokens(candidate, form);
            let enough = (1..=candidate.shortest()).find(|form| saved(*form) >= excess);
            let form = enough.unwrap_or(candidate.shortest());
            excess -= saved(form);
            *candidate = candidate.in_form(form);
            if excess <= 0 {
                break;
            }
        }
    }

    /// The same without the pinned items.
    pub(crate) fn unpinned(&self) -> Self {
        Self { pinned: Vec::new(), ..self.clone() }
    }

    /// The first pinned item.
    pub(crate) fn first_pinned(&self) -> Option<&'a ContextItem> {
        let first = self.pinned.iter().flat_map(|it| self.members(it)).map(|it| it.item());
        first.into_iter().find(|item| item.pinned())
    }

    /// How many items these candidates are.
    pub(crate) fn count(&self, candidates: &[Candidate<'a>]) -> usize {
        match self.has_units() {
            true => candidates.iter().map(|it| it.indices().len().max(1)).sum(),
            false => candidates.len(),
        }
    }

    /// What these candidates cost together, exactly: a unit's own count may be clamped.
    pub(crate) fn tokens(&self, candidates: &[Candidate<'a>]) -> i128 {
        match self.has_units() {
            true => candidates.iter().map(|it| self.exact_tokens(it)).sum(),
            false => candidates.iter().map(|it| i128::from(it.tokens())).sum(),
        }
    }

    /// What a candidate costs in its present form.
    pub(crate) fn exact_tokens(&self, candidate: &Candidate<'a>) -> i128 {
        match candidate.tokens() {
            i64::MAX => self.members(candidate).map(|it| i128::from(it.tokens())).sum(),
            tokens => tokens.into(),
        }
    }

    /// Whether any items stay together.
    pub(crate) fn has_units(&self) -> bool {
        self.input.has_units()
    }

    /// The candidate itself; of a member of a unit, the unit.
    pub(crate) fn whole(&self, candidate: &Candidate<'a>) -> Candidate<'a> {
        let unit = self.input.unit_with(candidate.index());
        unit.map_or(*candidate, |unit| Candidate::of_unit(unit, candidate.score()))
    }

    /// Indices of the items to choose from, units taken apart, ascending.
    pub(crate) fn member_indices(&self) -> Vec<u32> {
        let mut indices = Vec::with_capacity(self.input.items.len());
        for candidate in &self.candidates {
            match candidate.indices() {
                [] => indices.push(candidate.index() as u32),
                members => indices.extend_from_slice(members),
            }
        }
        indices.sort_unstable();
        indices
    }

    /// The item of a candidate, or the members of a unit, each with its own score and in its own form.
    pub(crate) fn members(
        &self,
        candidate: &Candidate<'a>,
    ) -> impl Iterator<Item = Candidate<'a>> + use<'a, '_> {
        let (candidate, of_unit) = (*candidate, candidate.indices());
        let alone = of_unit.is_empty().then_some(candidate);
        alone.into_iter().chain(of_unit.iter().map(move |index| self.member(&candidate, *index)))
    }

    /// A member of a unit by its index.
    fn member(&self, unit: &Candidate<'a>, index: u32) -> Candidate<'a> {
        let index = index as usize;
        let score = self.member_scores.get(index).copied().unwrap_or(unit.score());
        let member = Candidate::new(index, &self.input.items[index], score);
        match unit.form() {
            0 => member,
            level => member.in_form(level.min(member.shortest())),
        }
    }

    /// The [members](Self::members) of all candidates.
    pub(crate) fn taken_apart(
        &self,
        candidates: impl ExactSizeIterator<Item = Candidate<'a>>,
    ) -> Vec<Candidate<'a>> {
        let mut members = Vec::with_capacity(2 * candidates.len());
        for candidate in candidates {
            match candidate.indices() {
                [] => members.push(candidate),
                of_unit => members.extend(of_unit.iter().map(|at| self.member(&candidate, *at))),
            }
        }
        members
    }
}
