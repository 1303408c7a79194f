//! The strategies as data: the one description that files, tests, fuzzing and the command share.
//!
//! [`Loader::build_scorer`](crate::Loader::build_scorer) and its like turn a description into a
//! strategy.

use chrono::{DateTime, Utc};
use cupel::{ContextKind, ScarcityBehavior};
use cupel_relevance::{NearDuplicates, RelevanceParameters};

use crate::Arguments;

/// A scorer and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedScorer {
    /// The scorer.
    pub scorer: ScorerConfig,
    /// How much it counts, relative to the others; finite and greater than 0.
    pub weight: f64,
}

/// A scorer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScorerConfig {
    /// [`cupel::RecencyScorer`].
    Recency,
    /// [`cupel::PriorityScorer`].
    Priority,
    /// [`cupel::FrequencyScorer`].
    Frequency,
    /// [`cupel::ReflexiveScorer`].
    Reflexive,
    /// [`cupel::KindScorer`].
    Kind {
        /// The weight of each kind, each kind once; the default weights if `None`.
        weights: Option<Vec<(ContextKind, f64)>>,
    },
    /// [`cupel::TagScorer`].
    Tag {
        /// The weight of each tag, each tag once.
        weights: Vec<(String, f64)>,
        /// When a tag is a weighted one.
        comparison: TagComparison,
    },
    /// [`cupel::ScaledScorer`].
    Scaled {
        /// The scorer whose scores are stretched.
        inner: Box<ScorerConfig>,
        /// A weight that the file gives it, which means nothing but is kept.
        inner_weight: Option<f64>,
    },
    /// [`cupel::CompositeScorer`].
    Composite {
        /// The scorers it averages, at least one.
        scorers: Vec<WeightedScorer>,
    },
    /// [`cupel::MetadataTrustScorer`].
    MetadataTrust {
        /// For items without a usable value; 0 to 1.
        default_score: f64,
    },
    /// [`cupel::MetadataKeyScorer`].
    MetadataKey {
        /// The metadata key looked at.
        key: String,
        /// The value that earns the boost.
        value: String,
        /// The score of a match; finite and greater than 0.
        boost: f64,
    },
    /// [`cupel::DecayScorer`].
    Decay {
        /// How the score falls with age.
        curve: CurveConfig,
        /// For items without a timestamp; 0 to 1.
        null_timestamp_score: f64,
        /// What time it is; the loader's clock if `None`.
        reference_time: Option<DateTime<Utc>>,
    },
    /// [`cupel::FadingRecencyScorer`].
    FadingRecency {
        /// Over which share of the history the score halves; above 0, at most 1.
        half_life: f64,
    },
    /// [`cupel_relevance::RelevanceScorer`].
    Relevance(RelevanceParameters),
    /// [`cupel_relevance::SimilarityScorer`].
    Similarity,
    /// A scorer that the program registered.
    Custom(CustomConfig),
}

/// When an item's tag is a weighted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TagComparison {
    /// When they are equal to the byte.
    #[default]
    Ordinal,
    /// When they are equal but for the case of ASCII letters.
    AsciiCaseInsensitive,
}

/// How a score falls with age. Seconds are rounded to the nearest nanosecond when built.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CurveConfig {
    /// Halves again and again.
    Exponential {
        /// How long it takes to halve; more than 0.
        half_life_seconds: f64,
    },
    /// 1, and from a certain age 0.
    Window {
        /// That age; more than 0.
        max_age_seconds: f64,
    },
    /// Falls in steps.
    Step {
        /// The steps, youngest first; at least one.
        windows: Vec<StepWindow>,
    },
}

/// One step of a decay curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepWindow {
    /// Below which age it applies; more than that of the window before.
    pub max_age_seconds: f64,
    /// The score; 0 to 1.
    pub score: f64,
}

/// A slicer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SlicerConfig {
    /// [`cupel::GreedySlice`].
    Greedy,
    /// [`cupel::RankSlice`].
    Rank {
        /// How much size counts: 0 not at all, to 1.
        size_exponent: f64,
        /// Below how many tokens size makes no difference; at least 0.
        size_floor: i64,
    },
    /// [`cupel::KnapsackSlice`].
    Knapsack {
        /// How large its buckets are.
        bucket_size: BucketSize,
    },
    /// Greedy in batches, by a [`cupel::StreamRun`]; see
    /// [`PolicyFile::stream_batch_size`](crate::PolicyFile::stream_batch_size). Where all items are
    /// there at once, that is greedy.
    Stream {
        /// Items per batch; at least 1.
        batch_size: Option<i64>,
    },
    /// [`cupel::QuotaSlice`].
    Quota {
        /// Shares of the tokens per kind, each kind once.
        quotas: Vec<Quota>,
        /// What chooses within each share; nothing that streams.
        inner: Box<SlicerConfig>,
    },
    /// [`cupel::CountQuotaSlice`]; directly around a knapsack,
    /// [`cupel::CountConstrainedKnapsackSlice`].
    CountQuota {
        /// Numbers of items per kind, each kind once.
        quotas: Vec<CountQuota>,
        /// What happens when there are fewer items than required.
        scarcity: ScarcityBehavior,
        /// What chooses beyond the required items; no quotas around a knapsack.
        inner: Box<SlicerConfig>,
    },
    /// [`cupel_relevance::DistinctSlice`].
    Distinct {
        /// When an item repeats another, and what becomes of it.
        near_duplicates: NearDuplicates,
        /// What chooses among those that repeat nothing, then among the others; nothing that streams.
        inner: Box<SlicerConfig>,
    },
    /// A slicer that the program registered.
    Custom(CustomConfig),
}

/// How large the buckets of a knapsack are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BucketSize {
    /// So many tokens; at least 1.
    Tokens(i64),
    /// As small as the budget and the number of candidates allow:
    /// [`cupel::KnapsackSlice::adaptive`].
    Auto,
}

/// The share of the tokens that one kind gets. One of the two limits may be missing, not both.
#[derive(Debug, Clone, PartialEq)]
pub struct Quota {
    /// The kind.
    pub kind: ContextKind,
    /// At least so many percent; 0 if `None`.
    pub min_percent: Option<f64>,
    /// At most so many percent; 100 if `None`.
    pub max_percent: Option<f64>,
}

/// The number of items that one kind gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountQuota {
    /// The kind.
    pub kind: ContextKind,
    /// At least so many.
    pub require_count: usize,
    /// At most so many; no limit if `None`.
    pub cap_count: Option<usize>,
}

/// A placer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlacerConfig {
    /// [`cupel::ChronologicalPlacer`].
    Chronological,
    /// [`cupel::UShapedPlacer`].
    UShaped,
    /// [`cupel::InputOrderPlacer`].
    InputOrder,
    /// [`cupel::ReadingOrderPlacer`].
    ReadingOrder,
    /// [`cupel::ReadingOrderPlacer::u_shaped`].
    ReadingOrderUShaped,
    /// A placer that the program registered.
    Custom(CustomConfig),
}

/// A strategy that the program registered under a name; see [`Registry`](crate::Registry).
#[derive(Debug, Clone, PartialEq)]
pub struct CustomConfig {
    /// The name.
    pub name: String,
    /// What the file says beside the name.
    pub arguments: Arguments,
}
