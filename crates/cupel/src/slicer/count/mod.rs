//! At least and at most so many items of a kind.
//!
//! Both slicers work in three phases: commit what is required, let another slicer fill the rest of
//! the budget, then drop what exceeds a cap. [`CountRules`] holds the first and the last.

mod knapsack;
mod quota;
mod rules;

pub use knapsack::CountConstrainedKnapsackSlice;
pub use quota::CountQuotaSlice;
use rules::CountRules;

use crate::{ContextKind, CupelError};

/// What to do when there are fewer candidates of a kind than required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ScarcityBehavior {
    /// Take what there is and report a
    /// [`CountRequirementShortfall`](crate::CountRequirementShortfall).
    #[default]
    Degrade,
    /// Fail with [`CupelError::SlicerConfig`].
    Throw,
}

/// How many items of one kind there must and may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountQuotaEntry {
    kind: ContextKind,
    require_count: usize,
    cap_count: usize,
}

impl CountQuotaEntry {
    /// `require_count <= cap_count`.
    pub fn new(
        kind: ContextKind,
        require_count: usize,
        cap_count: usize,
    ) -> Result<Self, CupelError> {
        if require_count > cap_count {
            return Err(CupelError::SlicerConfig(format!(
                "require_count of kind {kind} ({require_count}) must not exceed its cap_count \
                 ({cap_count})"
            )));
        }
        Ok(Self { kind, require_count, cap_count })
    }

    /// The kind.
    pub fn kind(&self) -> &ContextKind {
        &self.kind
    }

    /// At least so many.
    pub fn require_count(&self) -> usize {
        self.require_count
    }

    /// At most so many.
    pub fn cap_count(&self) -> usize {
        self.cap_count
    }
}
