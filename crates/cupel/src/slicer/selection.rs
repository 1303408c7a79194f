//! A slicer's answer.

use crate::{Candidate, CountRequirementShortfall, ExclusionReason};

/// What a slicer chose, and what it knows about what it did not choose.
///
/// Positions refer to the candidates it was given.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// Chosen candidates, each at most once, in the slicer's own order.
    pub kept: Vec<usize>,
    /// Those of them that are chosen in a shorter form; all others are chosen whole.
    pub shortened: Vec<Shortening>,
    /// Candidates left out for a reason other than the budget.
    pub refused: Vec<Refusal>,
    /// Count requirements that there were not enough candidates for.
    pub shortfalls: Vec<CountRequirementShortfall>,
    /// All candidates in the order in which they are tried, from a slicer that tries each once, in an
    /// order that does not depend on the budget, and takes it, in the richest form that fits, exactly when one
    /// still does.
    ///
    /// That settles what it chooses at every budget, so simulations, which
    /// [ask for it](crate::RunContext::wants_trial), need not ask again, and compute the smallest
    /// sufficient budget instead of searching for it.
    pub trial: Option<Vec<usize>>,
}

/// A candidate chosen in a shorter form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shortening {
    /// Which candidate.
    pub position: usize,
    /// Which of its [forms](crate::Candidate::forms), counted from 1.
    pub form: usize,
}

impl Shortening {
    /// A shortening from its parts.
    pub fn new(position: usize, form: usize) -> Self {
        Self { position, form }
    }
}

/// A candidate left out for a reason that only the slicer knows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Refusal {
    /// Which candidate.
    pub position: usize,
    /// Why.
    pub reason: ExclusionReason,
}

impl Refusal {
    /// A refusal from its parts.
    pub fn new(position: usize, reason: ExclusionReason) -> Self {
        Self { position, reason }
    }
}

impl Selection {
    /// Nothing chosen.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// These chosen, and nothing to say about the rest.
    pub fn keeping(kept: Vec<usize>) -> Self {
        Self { kept, ..Self::default() }
    }

    /// Chooses one more candidate, in one of its forms.
    pub(crate) fn keep(&mut self, position: usize, form: usize) {
        self.kept.push(position);
        if form > 0 {
            self.shortened.push(Shortening { position, form });
        }
    }

    /// What all that is chosen of these candidates costs, each in the form in which it is chosen.
    pub fn kept_tokens(&self, candidates: &[Candidate<'_>]) -> i128 {
        let whole = |at: &usize| i128::from(candidates[*at].tokens());
        let saved = |it: &Shortening| {
            let candidate = &candidates[it.position];
            i128::from(candidate.tokens()) - i128::from(candidate.tokens_in(it.form))
        };
        self.kept.iter().map(whole).sum::<i128>() - self.shortened.iter().map(saved).sum::<i128>()
    }

    /// Adds the answer of an inner slicer that was given the candidates at these `positions` and
    /// [named none but them](super::select_checked). Its order of trial is not taken over.
    pub fn absorb(&mut self, inner: Selection, positions: &[usize]) {
        self.kept.extend(inner.kept.iter().map(|at| positions[*at]));
        let outer = |it: Shortening| Shortening::new(positions[it.position], it.form);
        self.shortened.extend(inner.shortened.into_iter().map(outer));
        let outer = |it: Refusal| Refusal::new(positions[it.position], it.reason);
        self.refused.extend(inner.refused.into_iter().map(outer));
        self.shortfalls.extend(inner.shortfalls);
    }
}
