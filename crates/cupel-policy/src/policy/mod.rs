//! A policy as data: what a policy file says, before it becomes strategies.
//!
//! | question | where |
//! |---|---|
//! | what can a file say? | the types here |
//! | how is it read, and what is refused? | `parse` |
//! | how do its parts become strategies? | `build` |
//! | how is it written? | `write` |

mod build;
mod parse;
mod scorer;
mod write;

use chrono::{DateTime, Utc};
use cupel::{ContextKind, CupelError, OverflowStrategy, Policy, ScarcityBehavior};

pub(crate) use build::Parts;
pub(crate) use parse::{PLACER_TYPES, SCORER_TYPES, SLICER_TYPES, policy as read_policy};
pub(crate) use write::PolicyDefinition;

use crate::{Arguments, Loader, PolicyError};

/// The most windows a step curve in a file may have.
pub const MAX_STEP_WINDOWS: usize = 1_000;

/// The most bytes a policy file may have. A longer one is refused before it is looked at.
///
/// Policies are written by hand; ten thousand weighted kinds are half a megabyte. Reading JSON takes
/// up to sixty times its size in memory, where it consists of nothing but small values.
pub const MAX_POLICY_BYTES: usize = 4 << 20;

/// What a policy file says.
///
/// Read one with [`from_json`](Self::from_json), or build one field by field, and write it with
/// serde or [`to_json`](Self::to_json). [`Loader`](crate::Loader) does the same with custom
/// strategies, a clock of your own, or leniency.
///
/// ```
/// use cupel_policy::PolicyFile;
///
/// let file = PolicyFile::from_json(
///     r#"{ "scorers": [{ "type": "recency", "weight": 1 }], "placerType": "uShaped" }"#,
/// )?;
/// let pipeline: cupel::Pipeline = file.policy()?.into();
/// # let _ = pipeline;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyFile {
    /// Where the schema of policy files is (`$schema`): for editors, kept and not looked at.
    pub schema: Option<String>,
    /// What the policy is called.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// How relevance is judged: the weighted average of these, at least one.
    pub scorers: Vec<WeightedScorer>,
    /// How a choice is made, before quotas.
    pub slicer: SlicerConfig,
    /// Shares of the tokens per kind; empty for none.
    pub quotas: Vec<Quota>,
    /// Numbers of items per kind; empty for none.
    pub count_quotas: Vec<CountQuota>,
    /// What happens when there are fewer items than a count quota requires.
    pub scarcity: ScarcityBehavior,
    /// How the window is arranged.
    pub placer: PlacerConfig,
    /// Whether repeated contents are dropped.
    pub deduplication: bool,
    /// What happens when a selection is larger than its window.
    pub overflow: OverflowStrategy,
}

impl PolicyFile {
    /// These scorers, and for everything else the defaults of a file: greedy, chronological,
    /// duplicates dropped, overflow an error.
    pub fn new(scorers: Vec<WeightedScorer>) -> Self {
        Self {
            schema: None,
            name: None,
            description: None,
            scorers,
            slicer: SlicerConfig::Greedy,
            quotas: Vec::new(),
            count_quotas: Vec::new(),
            scarcity: ScarcityBehavior::default(),
            placer: PlacerConfig::Chronological,
            deduplication: true,
            overflow: OverflowStrategy::default(),
        }
    }

    /// Reads a policy file of built-in strategies; [`Loader`](crate::Loader) knows custom ones.
    ///
    /// # Errors
    /// With every problem of the file, each with its place.
    pub fn from_json(json: &str) -> Result<Self, PolicyError> {
        Ok(Loader::new().parse(json)?.policy)
    }

    /// The file in its canonical form: indented, keys in their usual order.
    ///
    /// # Errors
    /// When a reference time is outside the years 0000 to 9999, which a file cannot say.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// The strategies it describes, decay scorers without a reference time reading the system's
    /// clock; [`Loader::build`](crate::Loader::build) takes another clock and custom strategies.
    ///
    /// # Errors
    /// When a value is refused, which cannot happen to a file that was read.
    pub fn policy(&self) -> Result<Policy, CupelError> {
        Loader::new().build(self)
    }
}

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

/// A slicer, before quotas.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SlicerConfig {
    /// [`cupel::GreedySlice`].
    Greedy,
    /// [`cupel::KnapsackSlice`].
    Knapsack {
        /// Tokens per bucket; at least 1.
        bucket_size: i64,
    },
    /// Greedy in batches. Where all items are there at once, that is greedy.
    Stream {
        /// Items per batch; at least 1.
        batch_size: Option<i64>,
    },
    /// A slicer that the program registered.
    Custom(CustomConfig),
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
