//! A slicer's answer.

use crate::{ContextItem, CountRequirementShortfall, ExclusionReason};

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
    pub reason: RefusalReason,
}

/// Why a slicer left a candidate out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// Enough items of its kind were chosen already. Says of itself only what the item does not, so
    /// that a run that nobody listens to builds no text.
    CountCap {
        /// The greatest number allowed.
        cap: usize,
        /// The number chosen before it.
        count: usize,
    },
    /// Anything else.
    Because(Box<ExclusionReason>),
}

impl RefusalReason {
    /// The reason that is reported for `item`.
    pub fn exclusion(&self, item: &ContextItem) -> ExclusionReason {
        match self {
            Self::CountCap { cap, count } => ExclusionReason::CountCapExceeded {
                kind: item.kind().to_string(),
                cap: *cap,
                count: *count,
            },
            Self::Because(reason) => ExclusionReason::clone(reason),
        }
    }
}

impl From<ExclusionReason> for RefusalReason {
    fn from(reason: ExclusionReason) -> Self {
        Self::Because(Box::new(reason))
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

    /// Adds an inner slicer's answer, whose positions index into `positions`; returns the memory
    /// it was in.
    pub(crate) fn absorb(&mut self, inner: Selection, positions: &[usize]) -> Vec<usize> {
        self.kept.extend(inner.kept.iter().map(|at| positions[*at]));
        self.absorb_remarks(inner.refused, inner.shortfalls, |at| positions[at]);
        inner.kept
    }

    /// Adds what an inner slicer said about the items it did not choose.
    pub(crate) fn absorb_remarks(
        &mut self,
        refused: Vec<Refusal>,
        shortfalls: Vec<CountRequirementShortfall>,
        outer_position: impl Fn(usize) -> usize,
    ) {
        let outer = |it: Refusal| Refusal { position: outer_position(it.position), ..it };
        if !refused.is_empty() {
            self.refused.extend(refused.into_iter().map(outer));
        }
        if !shortfalls.is_empty() {
            self.shortfalls.extend(shortfalls);
        }
    }
}
