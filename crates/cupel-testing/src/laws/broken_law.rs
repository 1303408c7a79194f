//! Which law, by whom, and how.

use std::fmt;

/// A promise of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// A scorer's batch form gives what its single form gives, to the bit.
    BatchEqualsSingle,
    /// A slicer returns instances it was given, none more often than given.
    Subset,
    /// What a slicer chooses costs at most `target_tokens`.
    WithinBudget,
    /// A slicer chooses nothing when there are no candidates or the target is 0.
    NothingFromNothing,
    /// A slicer's `select` chooses what its `slice` chooses, in the same order.
    SelectAgreesWithSlice,
    /// Taking, in a slicer's order of trial, what still fits gives what its `select` chooses.
    TrialAgreesWithSelect,
    /// A slicer shortens what it chooses, nothing else, each at most once and to a form that it has.
    OneForm,
    /// Candidates that share a group are in the window together or not at all.
    UnitsWhole,
    /// A placer returns exactly the instances it was given.
    ReorderOnly,
    /// A placer's `arrange` gives the order its `place` gives.
    ArrangeAgreesWithPlace,
    /// Equal input gives equal output.
    Deterministic,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BatchEqualsSingle => "scoring a batch equals scoring each item",
            Self::Subset => "a slicer chooses among what it was given",
            Self::WithinBudget => "what a slicer chooses fits its budget",
            Self::NothingFromNothing => {
                "a slicer without candidates or without budget chooses nothing"
            }
            Self::SelectAgreesWithSlice => "select and slice agree",
            Self::TrialAgreesWithSelect => "the order of trial and select agree",
            Self::OneForm => "at most one form of a candidate is chosen",
            Self::UnitsWhole => "what shares a group is in the window or out of it together",
            Self::ReorderOnly => "a placer reorders and nothing else",
            Self::ArrangeAgreesWithPlace => "arrange and place agree",
            Self::Deterministic => "equal input gives equal output",
        })
    }
}

/// A strategy did not keep a promise.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokenLaw {
    strategy: String,
    law: Law,
    finding: String,
}

impl BrokenLaw {
    /// `finding` continues a sentence that begins with the strategy as "it".
    pub(super) fn new(strategy: &str, law: Law, finding: impl Into<String>) -> Self {
        Self { strategy: strategy.to_owned(), law, finding: finding.into() }
    }

    /// The strategy's name.
    pub fn strategy(&self) -> &str {
        &self.strategy
    }

    /// The law.
    pub fn law(&self) -> Law {
        self.law
    }

    /// What it did instead.
    pub fn finding(&self) -> &str {
        &self.finding
    }
}

impl fmt::Display for BrokenLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, law, finding } = self;
        write!(f, "{strategy} breaks the law that {law}: it {finding}")
    }
}

impl fmt::Debug for BrokenLaw {
    /// The message: it is what `unwrap` and a test that returns the error show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BrokenLaw {}
