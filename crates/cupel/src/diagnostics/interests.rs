//! What a collector wants to hear.

use super::TraceDetailLevel;

/// What a collector wants to hear of a run, besides one event per stage.
///
/// What nobody wants to hear is not built.
///
/// ```
/// use cupel::{Interests, TraceDetailLevel};
///
/// let counting = Interests::EVERYTHING.detail(TraceDetailLevel::Stage).decisions(false);
/// assert!(counting.completion && !counting.decisions);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interests {
    /// Whether each item has events of its own.
    pub detail: TraceDetailLevel,
    /// Whether it is told of each item that it is in or out.
    pub decisions: bool,
    /// Whether it is given the whole report at the end: a second record of the run.
    pub completion: bool,
}

impl Interests {
    /// All there is.
    pub const EVERYTHING: Self =
        Self { detail: TraceDetailLevel::Item, decisions: true, completion: true };

    /// Only that stages begin and end.
    pub const NOTHING: Self =
        Self { detail: TraceDetailLevel::Stage, decisions: false, completion: false };

    /// With or without an event per item.
    #[must_use]
    pub const fn detail(mut self, detail: TraceDetailLevel) -> Self {
        self.detail = detail;
        self
    }

    /// With or without being told of each item.
    #[must_use]
    pub const fn decisions(mut self, decisions: bool) -> Self {
        self.decisions = decisions;
        self
    }

    /// With or without the report at the end.
    #[must_use]
    pub const fn completion(mut self, completion: bool) -> Self {
        self.completion = completion;
        self
    }

    /// All that either wants.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            detail: self.detail.max(other.detail),
            decisions: self.decisions || other.decisions,
            completion: self.completion || other.completion,
        }
    }
}
