//! The same candidates at many budgets.

use super::{Selection, Slicer};
use crate::{Candidate, ContextBudget, CupelError, Scratch};

/// A slicer's choices from the same candidates at many budgets, which is what simulation asks for.
///
/// What does not depend on the budget is done once, when the sweep is made.
pub trait Sweep {
    /// What [`Slicer::select`] would choose at this budget.
    fn select(&mut self, budget: &ContextBudget) -> Result<Selection, CupelError>;

    /// The token counts of the candidates tried before the one at `position`, in order, from a
    /// slicer that tries each once and takes it exactly when it still fits.
    ///
    /// With them the smallest sufficient budget is computed instead of searched for.
    fn tried_before(&self, _position: usize) -> Option<Vec<i64>> {
        None
    }
}

/// Selects anew at every budget.
pub(super) struct EachTime<'a, S: ?Sized> {
    pub(super) slicer: &'a S,
    pub(super) candidates: &'a [Candidate<'a>],
    pub(super) scratch: Scratch,
}

impl<S: Slicer + ?Sized> Sweep for EachTime<'_, S> {
    fn select(&mut self, budget: &ContextBudget) -> Result<Selection, CupelError> {
        self.slicer.select(self.candidates, budget, &mut self.scratch)
    }
}
