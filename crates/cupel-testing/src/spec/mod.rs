//! Strategies as plain data.
//!
//! A built strategy is opaque: it can be run, not looked into. A test that compares the engine with
//! something else (a naive model, another implementation, a stored expectation) needs the
//! configuration itself, so here every strategy has a description that can be printed, cloned,
//! compared and built as often as one likes.
//!
//! | family | description | builds |
//! |---|---|---|
//! | scorers | [`ScorerSpec`] | `Box<dyn Scorer>` |
//! | slicers | [`SlicerSpec`] | `Box<dyn Slicer>` |
//! | placers | [`PlacerSpec`] | `Box<dyn Placer>` |
//! | all of it | [`PolicySpec`] | [`Pipeline`] or [`Policy`] |
//!
//! Descriptions are not validated; building one goes through the public constructors and returns
//! their refusals.
//!
//! ```
//! use cupel::OverflowStrategy;
//! use cupel_testing::spec::{PlacerSpec, PolicySpec, ScorerSpec, SlicerSpec};
//!
//! let chat = PolicySpec {
//!     scorer: ScorerSpec::Composite(vec![
//!         (ScorerSpec::Recency, 3.0),
//!         (ScorerSpec::Priority, 1.0),
//!     ]),
//!     slicer: SlicerSpec::Greedy,
//!     placer: PlacerSpec::Chronological,
//!     deduplication: true,
//!     overflow: OverflowStrategy::Throw,
//! };
//! let pipeline = chat.pipeline()?;
//! # let _ = pipeline;
//! assert!(ScorerSpec::Composite(Vec::new()).build().is_err());
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod scorer;
mod slicer;

use std::sync::Arc;

use cupel::{
    ChronologicalPlacer, CupelError, OverflowStrategy, Pipeline, Placer, Policy, PolicyBuilder,
    Scorer, Slicer, UShapedPlacer,
};

pub use scorer::{CurveSpec, RawHintScorer, ScorerSpec, TagComparison};
pub use slicer::{CountSpec, QuotaSpec, SlicerSpec};

/// A placer, described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlacerSpec {
    /// [`ChronologicalPlacer`].
    Chronological,
    /// [`UShapedPlacer`].
    UShaped,
}

impl PlacerSpec {
    /// Builds the placer. Both placers have nothing to configure, so this cannot fail.
    pub fn build(&self) -> Box<dyn Placer> {
        match self {
            Self::Chronological => Box::new(ChronologicalPlacer),
            Self::UShaped => Box::new(UShapedPlacer),
        }
    }
}

/// Everything a run is configured with, apart from its budget.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicySpec {
    /// How items are ranked.
    pub scorer: ScorerSpec,
    /// How items are chosen within the budget.
    pub slicer: SlicerSpec,
    /// How the chosen items are ordered.
    pub placer: PlacerSpec,
    /// Whether items with equal content are reduced to the best one.
    pub deduplication: bool,
    /// What happens when the merged selection exceeds the budget.
    pub overflow: OverflowStrategy,
}

impl PolicySpec {
    /// Builds a pipeline of these strategies.
    pub fn pipeline(&self) -> Result<Pipeline, CupelError> {
        Pipeline::builder()
            .scorer(self.scorer.build()?)
            .slicer(self.slicer.build()?)
            .placer(self.placer.build())
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }

    /// Builds a policy of these strategies.
    pub fn policy(&self) -> Result<Policy, CupelError> {
        let scorer: Arc<dyn Scorer> = Arc::from(self.scorer.build()?);
        let slicer: Arc<dyn Slicer> = Arc::from(self.slicer.build()?);
        let placer: Arc<dyn Placer> = Arc::from(self.placer.build());
        PolicyBuilder::new()
            .scorer(scorer)
            .slicer(slicer)
            .placer(placer)
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }
}
