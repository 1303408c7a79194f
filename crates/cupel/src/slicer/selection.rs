//! A slicer's answer.

use crate::{CountRequirementShortfall, ExclusionReason};

/// What a slicer chose, and what it knows about what it did not choose.
///
/// Positions refer to the candidates it was given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Chosen candidates, each at most once, in the slicer's own order.
    pub kept: Vec<usize>,
    /// Candidates left out for a reason other than the budget.
    pub refused: Vec<Refusal>,
    /// Count requirements that there were not enough candidates for.
    pub shortfalls: Vec<CountRequirementShortfall>,
}

/// A candidate left out for a reason that only the slicer knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Which candidate.
    pub position: usize,
    /// Why.
    pub reason: ExclusionReason,
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
        self.kept.extend(inner.kept.into_iter().map(|at| positions[at]));
        self.absorb_remarks(inner.refused, inner.shortfalls, positions);
    }

    /// Adds what an inner slicer said about the items it did not choose.
    pub(crate) fn absorb_remarks(
        &mut self,
        refused: Vec<Refusal>,
        shortfalls: Vec<CountRequirementShortfall>,
        positions: &[usize],
    ) {
        let outer = |refusal: Refusal| Refusal { position: positions[refusal.position], ..refusal };
        self.refused.extend(refused.into_iter().map(outer));
        self.shortfalls.extend(shortfalls);
    }
}
