//! A policy as data: what a policy file says, before it becomes strategies.
//!
//! | question | where |
//! |---|---|
//! | what can a file say? | [`PolicyFile`], and `config` for its strategies |
//! | how is it read, and what is refused? | `parse` |
//! | how do its parts become strategies? | `build` |
//! | how is it written? | `write` |

mod build;
mod config;
mod parse;
mod scorer;
mod slicer;
mod write;

use cupel::{CupelError, OverflowStrategy, Policy, ScarcityBehavior};

pub(crate) use build::{Parts, StoppedClock};
pub use config::{
    BucketSize, CountQuota, CurveConfig, CustomConfig, PlacerConfig, Quota, ScorerConfig,
    SlicerConfig, StepWindow, TagComparison, WeightedScorer,
};
pub(crate) use parse::{PLACER_TYPES, SCORER_TYPES, SLICER_TYPES, policy as read_policy};
pub(crate) use write::PolicyDefinition;

use crate::{Loader, PolicyError};

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
    /// How a choice is made, before the quotas of the policy.
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

    /// How many items a batch has, where the policy takes items in batches: for
    /// [`cupel::StreamRun`]. With quotas it does not, because they need the whole list.
    ///
    /// ```
    /// use cupel_policy::PolicyFile;
    ///
    /// let file = PolicyFile::from_json(
    ///     r#"{ "scorers": [{ "type": "recency", "weight": 1 }], "slicerType": "stream" }"#,
    /// )?;
    /// assert_eq!(file.stream_batch_size(), Some(32));
    /// # Ok::<(), cupel_policy::PolicyError>(())
    /// ```
    pub fn stream_batch_size(&self) -> Option<usize> {
        let has_quotas = !self.quotas.is_empty() || !self.count_quotas.is_empty();
        self.slicer.batch_size().filter(|_| !has_quotas)
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
