use std::sync::Arc;

use chrono::{DateTime, Utc};
use cupel::{
    ContextItem, CupelError, OverflowStrategy, Pipeline, Placer, Policy, PolicyBuilder, Scorer,
    Slicer, TimeProvider,
};
use cupel_policy::{
    Arguments, CustomConfig, Loader, PlacerConfig, Registry, ScorerConfig, SlicerConfig,
};

/// Everything a run is configured with, apart from its budget.
///
/// Unlike a [`PolicyFile`](cupel_policy::PolicyFile) it has any one scorer, not always an average.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyConfig {
    /// How items are ranked.
    pub scorer: ScorerConfig,
    /// How items are chosen within the budget.
    pub slicer: SlicerConfig,
    /// How the chosen items are ordered.
    pub placer: PlacerConfig,
    /// Whether items with equal content are reduced to the best one.
    pub deduplication: bool,
    /// What happens when the merged selection exceeds the budget.
    pub overflow: OverflowStrategy,
}

impl PolicyConfig {
    /// Builds a pipeline of these strategies with [`loader`].
    pub fn pipeline(&self) -> Result<Pipeline, CupelError> {
        let loader = loader();
        Pipeline::builder()
            .scorer(loader.build_scorer(&self.scorer)?)
            .slicer(loader.build_slicer(&self.slicer)?)
            .placer(loader.build_placer(&self.placer)?)
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }

    /// Builds a policy of these strategies with [`loader`].
    pub fn policy(&self) -> Result<Policy, CupelError> {
        let loader = loader();
        let scorer: Arc<dyn Scorer> = loader.build_scorer(&self.scorer)?.into();
        let slicer: Arc<dyn Slicer> = loader.build_slicer(&self.slicer)?.into();
        let placer: Arc<dyn Placer> = loader.build_placer(&self.placer)?.into();
        PolicyBuilder::new()
            .scorer(scorer)
            .slicer(slicer)
            .placer(placer)
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }
}

/// Builds what is generated: it knows [`RawHintScorer`], and its clock stands still at
/// [`reference_time`].
pub fn loader() -> Loader {
    let mut registry = Registry::new();
    registry
        .add_scorer(RAW_HINT, |_| Ok(Box::new(RawHintScorer)))
        .expect("no other scorer has that name");
    Loader::new().registry(registry).clock(StoppedClock)
}

/// What the clocks of generated decay scorers show, unless they are given another time:
/// 2025-01-01T12:00:00Z.
pub fn reference_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_735_732_800, 0).expect("a moment within chrono's range")
}

struct StoppedClock;

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        reference_time()
    }
}

/// The name of [`RawHintScorer`] in configurations.
pub const RAW_HINT: &str = "rawHint";

/// [`RawHintScorer`], described.
pub fn raw_hint() -> ScorerConfig {
    let (name, arguments) = (RAW_HINT.to_owned(), Arguments::default());
    ScorerConfig::Custom(CustomConfig { name, arguments })
}

/// Scores an item with its relevance hint exactly as given: NaN, infinities and negative numbers
/// included, 0.0 without a hint.
///
/// Built-in scorers are well behaved; custom ones need not be, and this one is not. It also has no
/// batch form of its own, so it exercises the default one.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawHintScorer;

impl Scorer for RawHintScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.future_relevance_hint().unwrap_or(0.0)
    }
}
