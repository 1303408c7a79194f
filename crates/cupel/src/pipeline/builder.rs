//! Building a pipeline.

use crate::{CupelError, OverflowStrategy, Pipeline, Placer, PolicyBuilder, Scorer, Slicer};

/// Builds a [`Pipeline`].
#[derive(Debug, Clone, Default)]
pub struct PipelineBuilder {
    policy: PolicyBuilder,
}

impl PipelineBuilder {
    /// How relevance is judged.
    pub fn scorer(self, scorer: impl Scorer + 'static) -> Self {
        Self { policy: self.policy.scorer(scorer) }
    }

    /// How a choice is made.
    pub fn slicer(self, slicer: impl Slicer + 'static) -> Self {
        Self { policy: self.policy.slicer(slicer) }
    }

    /// How the window is arranged.
    pub fn placer(self, placer: impl Placer + 'static) -> Self {
        Self { policy: self.policy.placer(placer) }
    }

    /// Whether repeated contents are dropped; they are unless this says otherwise.
    pub fn deduplication(self, enabled: bool) -> Self {
        Self { policy: self.policy.deduplication(enabled) }
    }

    /// What happens when a selection is larger than its window; an error unless this says
    /// otherwise.
    pub fn overflow_strategy(self, strategy: OverflowStrategy) -> Self {
        Self { policy: self.policy.overflow_strategy(strategy) }
    }

    /// The pipeline, once it has all three strategies.
    pub fn build(self) -> Result<Pipeline, CupelError> {
        Ok(self.policy.build()?.into())
    }
}
