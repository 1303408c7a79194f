//! Strategies as plain data.
//!
//! Nothing here is validated: refusing what cannot be built is part of what is checked. Lists stand
//! as the vector gives them, entries given twice included.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::name::names;
use super::number;

/// How relevance is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ScorerSpec {
    /// Rank by timestamp.
    Recency,
    /// Rank by priority.
    Priority,
    /// A weight per kind.
    Kind {
        /// The weights; absent for the default ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weights: Option<Vec<KindWeight>>,
    },
    /// A weight per tag.
    Tag {
        /// The weights.
        weights: Vec<TagWeight>,
        /// How tags are compared.
        comparison: TagComparison,
    },
    /// Share of peers with a common tag.
    Frequency,
    /// The item's hint.
    Reflexive,
    /// A weighted average.
    Composite {
        /// The scorers averaged.
        children: Vec<WeightedScorer>,
    },
    /// Another scorer's scores, stretched.
    Scaled {
        /// That scorer.
        inner: Box<ScorerSpec>,
    },
    /// The trust the item's metadata states.
    MetadataTrust {
        /// For items that state none.
        #[serde(with = "number")]
        default_score: f64,
    },
    /// A boost for one metadata entry.
    MetadataKey {
        /// The entry's key.
        key: String,
        /// The entry's value.
        value: String,
        /// The score of items that have it.
        #[serde(with = "number")]
        boost: f64,
    },
    /// A curve of the item's age.
    Decay {
        /// What the clock says.
        reference_time: DateTime<Utc>,
        /// The curve.
        curve: CurveSpec,
        /// For items without a timestamp.
        #[serde(with = "number")]
        null_timestamp_score: f64,
    },
}

/// One child of a composite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightedScorer {
    /// The child.
    pub scorer: ScorerSpec,
    /// Its weight.
    #[serde(with = "number")]
    pub weight: f64,
}

/// One kind's weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KindWeight {
    /// The kind.
    pub kind: String,
    /// Its weight.
    #[serde(with = "number")]
    pub weight: f64,
}

/// One tag's weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TagWeight {
    /// The tag.
    pub tag: String,
    /// Its weight.
    #[serde(with = "number")]
    pub weight: f64,
}

names! {
    /// How the tags of items are compared with the weighted ones.
    pub TagComparison, "tag comparison" {
        /// Byte by byte.
        Ordinal = "ordinal",
        /// Without regard to ASCII case.
        AsciiCaseInsensitive = "ascii_case_insensitive",
    }
}

/// How a score falls with age. Durations are in seconds, meant to the nearest nanosecond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CurveSpec {
    /// Halves with every half-life.
    Exponential {
        /// The half-life.
        #[serde(with = "number")]
        half_life_secs: f64,
    },
    /// 1 below an age, 0 from it on.
    Window {
        /// That age.
        #[serde(with = "number")]
        max_age_secs: f64,
    },
    /// The score of the first window that ends after the age, else the last one's.
    Step {
        /// The windows, youngest first.
        windows: Vec<StepWindow>,
    },
}

/// One window of a step curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepWindow {
    /// Where it ends.
    #[serde(with = "number")]
    pub max_age_secs: f64,
    /// The score in it.
    #[serde(with = "number")]
    pub score: f64,
}

/// How a choice is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SlicerSpec {
    /// Best score per token first.
    Greedy,
    /// Best score first.
    Rank {
        /// How much size counts against the score.
        #[serde(with = "number")]
        size_exponent: f64,
        /// Below how many tokens size makes no difference.
        size_floor: i64,
    },
    /// The most score in total.
    Knapsack {
        /// Tokens per bucket.
        bucket_size: i64,
    },
    /// A share of the tokens per kind.
    Quota {
        /// The shares.
        quotas: Vec<QuotaSpec>,
        /// What chooses within a share.
        inner: Box<SlicerSpec>,
    },
    /// A number of items per kind.
    CountQuota {
        /// The numbers.
        entries: Vec<CountEntry>,
        /// What happens when there are too few candidates.
        scarcity: Scarcity,
        /// What fills the rest.
        inner: Box<SlicerSpec>,
    },
    /// A number of items per kind, and a knapsack for the rest.
    CountConstrainedKnapsack {
        /// The numbers.
        entries: Vec<CountEntry>,
        /// What happens when there are too few candidates.
        scarcity: Scarcity,
        /// Tokens per bucket of the knapsack.
        bucket_size: i64,
    },
}

/// One kind's share in percent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuotaSpec {
    /// The kind.
    pub kind: String,
    /// At least.
    #[serde(with = "number")]
    pub require: f64,
    /// At most.
    #[serde(with = "number")]
    pub cap: f64,
}

/// One kind's number of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountEntry {
    /// The kind.
    pub kind: String,
    /// At least.
    pub require_count: i64,
    /// At most; absent for no cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_count: Option<i64>,
}

names! {
    /// What happens when there are fewer candidates than required.
    pub Scarcity, "scarcity behavior" {
        /// A shortfall is recorded.
        Degrade = "degrade",
        /// The run fails.
        Throw = "throw",
    }
}

names! {
    /// In which order the window is arranged.
    pub PlacerSpec, "placer" {
        /// Oldest first.
        Chronological = "chronological",
        /// Best at both ends.
        UShaped = "u-shaped",
        /// As in the input.
        InputOrder = "input-order",
        /// The parts of a document together, the best document first.
        ReadingOrder = "reading-order",
        /// The same, the best documents at both ends.
        ReadingOrderUShaped = "reading-order-u-shaped",
    }
}

names! {
    /// What happens when a selection is larger than its window.
    pub OverflowStrategy, "overflow strategy" {
        /// The run fails.
        Throw = "throw",
        /// What does not fit is dropped.
        Truncate = "truncate",
        /// It is let through and reported.
        Proceed = "proceed",
    }
}

/// A whole pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PipelineSpec {
    /// How relevance is judged.
    pub scorer: ScorerSpec,
    /// How a choice is made.
    pub slicer: SlicerSpec,
    /// In which order the window is arranged.
    pub placer: PlacerSpec,
    /// Whether repeated contents are dropped.
    pub deduplication: bool,
    /// What happens when the selection is too large.
    pub overflow_strategy: OverflowStrategy,
}
