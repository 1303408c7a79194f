//! A slicer's answer.

use crate::{CountRequirementShortfall, ExclusionReason};

/// What a slicer chose, and what it knows about what it did not choose.
///
/// Positions refer to the candidates it was given.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// Chosen candidates, each at most once, in the slicer's own order.
    pub kept: Vec<usize>,
    /// Candidates left out for a reason other than the budget.
    pub refused: Vec<Refusal>,
    /// Count requirements that there were not enough candidates for.
    pub shortfalls: Vec<CountRequirementShortfall>,
    /// All candidates in the order in which they are tried, from a slicer that tries each once, in an
    /// order that does not depend on the budget, and takes it exactly when it still fits.
    ///
    /// That settles what it chooses at every budget, so simulations, which
    /// [ask for it](crate::RunContext::wants_trial), need not ask again, and compute the smallest
    /// sufficient budget instead of searching for it.
    pub trial: Option<Vec<usize>>,
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

    /// Adds an inner slicer's answer, whose positions index into `positions`.
    pub(crate) fn absorb(&mut self, inner: Selection, positions: &[usize]) {
        self.kept.extend(inner.kept.iter().map(|at| positions[*at]));
        let outer = |it: Refusal| Refusal::new(positions[it.position], it.reason);
        self.refused.extend(inner.refused.into_iter().map(outer));
        self.shortfalls.extend(inner.shortfalls);
    }
}
