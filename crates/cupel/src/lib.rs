//! Deterministic context selection for language models.
//!
//! Give Cupel candidates (messages, documents, tool outputs, memories) and a token budget; it gives
//! back the window: which items, in which order, and for every single one the reason why it is in
//! or out. The same input gives the same output on every platform.
//!
//! ```
//! use cupel::{
//!     ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind, GreedySlice,
//!     KindScorer, Pipeline, RecencyScorer,
//! };
//!
//! let at = |time: &str| time.parse().expect("a valid time");
//! let items = [
//!     ContextItem::builder("You help customers of a bike shop.", 9)
//!         .kind(ContextKind::system_prompt())
//!         .pinned(true)
//!         .build()?,
//!     ContextItem::builder("Hi! Do you repair bikes?", 7)
//!         .timestamp(at("2025-06-01T09:00:00Z"))
//!         .build()?,
//!     ContextItem::builder("{\"workshop\": \"open\", \"slots\": [\"Tue 10:00\"]}", 16)
//!         .kind(ContextKind::tool_output())
//!         .timestamp(at("2025-06-01T09:01:00Z"))
//!         .build()?,
//!     ContextItem::builder("Can you do Tuesday?", 5)
//!         .timestamp(at("2025-06-01T09:02:00Z"))
//!         .build()?,
//! ];
//!
//! let pipeline = Pipeline::builder()
//!     .scorer(CompositeScorer::new(vec![
//!         (Box::new(RecencyScorer), 3.0),
//!         (Box::new(KindScorer::with_default_weights()), 1.0),
//!     ])?)
//!     .slicer(GreedySlice)
//!     .placer(ChronologicalPlacer)
//!     .build()?;
//!
//! let report = pipeline.dry_run(&items, &ContextBudget::builder(30).build()?)?;
//! assert_eq!(report.included.len(), 3);
//! assert_eq!(report.excluded[0].item.content(), "Hi! Do you repair bikes?");
//! # Ok::<(), cupel::CupelError>(())
//! ```
//!
//! # A map of the crate
//!
//! | module | answers |
//! |---|---|
//! | [`model`] | what is a candidate, what is a budget? |
//! | [`scorer`] | how relevant is an item? |
//! | [`slicer`] | which items fit? |
//! | [`placer`] | in which order? |
//! | [`pipeline`] | how do the stages hang together? |
//! | [`diagnostics`] | why is it in, why is it out? |
//! | [`analytics`] | how full, how diverse is a window? |
//! | [`simulation`] | what if the budget, or the policy, were another? |
//! | [`stream`] | what if the candidates do not fit into memory? |
//!
//! Everything is also available at the root.
//!
//! # Features
//!
//! Both are off by default.
//!
//! - `serde`: `Serialize` and `Deserialize` for the model and the diagnostics, made for JSON. Items,
//!   budgets and quota entries are written in camelCase, reports in snake_case; both spellings of a
//!   key are read, once. What is at its default is omitted, and `null` is read as absent. Reading
//!   validates: what could not be built cannot be read, unknown keys of items, budgets and quota
//!   entries are refused, and so is a report whose `total_candidates` does not match its lists.
//!   Reports may hold unknown keys, also in their items, and unknown stages and reasons. Timestamps are RFC 3339, written in UTC.
//!   Scores and hints that are not finite are written as `"NaN"`, `"Infinity"` and `"-Infinity"`.
//! - `schema`: the JSON Schema of the same format, as `schemars::JsonSchema`.

#![deny(clippy::unwrap_used)]

pub mod analytics;
pub mod diagnostics;
pub mod error;
pub mod model;
pub mod pipeline;
pub mod placer;
pub mod scorer;
pub mod simulation;
pub mod slicer;
pub mod stream;

mod any_case;
mod candidate;
mod context;
mod contract;
mod sort_keys;
#[cfg(feature = "serde")]
mod wire;

pub use analytics::{
    KindQuotaUtilization, budget_utilization, kind_diversity, quota_utilization, timestamp_coverage,
};
pub use candidate::Candidate;
pub use context::RunContext;
pub use diagnostics::{
    CountRequirementShortfall, DiagnosticTraceCollector, ExcludedItem, ExclusionReason,
    IncludedItem, InclusionReason, Interests, NullTraceCollector, OverflowEvent, PipelineStage,
    SelectionReport, Shortened, StageTraceSnapshot, TraceCollector, TraceDetailLevel, TraceEvent,
};
pub use error::CupelError;
pub use model::{
    ContextBudget, ContextBudgetBuilder, ContextItem, ContextItemBuilder, ContextKind,
    ContextSource, Form, ItemVariant, OverflowStrategy, ParseContextKindError,
    ParseContextSourceError, Query, ScoredItem,
};
pub use pipeline::{Pipeline, PipelineBuilder, Policy, PolicyBuilder};
pub use placer::{
    ChronologicalPlacer, InputOrderPlacer, Placer, ReadingOrderPlacer, UShapedPlacer,
};
pub use scorer::{
    CompositeScorer, DecayCurve, DecayScorer, FadingRecencyScorer, FrequencyScorer, KindScorer,
    MetadataKeyScorer, MetadataTrustScorer, PriorityScorer, RecencyScorer, ReflexiveScorer,
    ScaledScorer, ScoreBreakdown, ScoreDetail, ScorePart, Scorer, SystemTimeProvider, TagScorer,
    TimeProvider,
};
pub use simulation::{
    Certainty, Counterfactual, ItemStatus, MarginalChange, Obstacle, PolicySensitivityDiffEntry,
    PolicySensitivityReport, Remedy, Restoration, policy_sensitivity,
    policy_sensitivity_from_pipelines,
};
pub use slicer::{
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, GreedySlice, KnapsackSlice,
    QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy, QuotaSlice, RankSlice, Refusal,
    ScarcityBehavior, Selection, Shortening, Slicer,
};
pub use stream::{StreamOutcome, StreamRun};

/// The READMEs' examples, compiled and run.
#[cfg(doctest)]
mod readmes {
    #[doc = include_str!("../../../README.md")]
    struct Project;

    #[doc = include_str!("../README.md")]
    struct Crate;
}
