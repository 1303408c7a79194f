//! From data to JSON: the canonical form, and its schema.

mod numbers;
mod scorer;

use serde::{Serialize, Serializer};

use cupel::{ContextKind, OverflowStrategy, ScarcityBehavior};
use schemars::JsonSchema;

use super::{CountQuota, CustomConfig, PlacerConfig, PolicyFile, Quota, SlicerConfig};
use crate::Arguments;
use numbers::Percent;
use scorer::Weighted;

/// A declarative selection policy: how candidates are scored, chosen and arranged.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "Policy")]
pub(crate) struct PolicyDefinition<'a> {
    /// Where this schema is, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    schema: Option<&'a str>,
    /// What the policy is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// How relevance is judged: the weighted average of these.
    #[schemars(length(min = 1))]
    scorers: Vec<Weighted<'a>>,
    /// How a choice is made, before quotas; greedy unless given.
    #[schemars(with = "Option<SlicerType>")]
    slicer_type: Strategy<'a, SlicerType>,
    /// Tokens per bucket, 100 unless given; only with knapsack.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    knapsack_bucket_size: Option<i64>,
    /// Items per batch; only with stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    stream_batch_size: Option<i64>,
    /// Shares of the tokens per kind; each kind once. Not with stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    quotas: Option<Vec<QuotaDefinition<'a>>>,
    /// Numbers of items per kind; each kind once.
    #[serde(skip_serializing_if = "Option::is_none")]
    count_quotas: Option<Vec<CountQuotaDefinition<'a>>>,
    /// What happens when there are fewer items than a count quota requires: degrade (report it)
    /// unless given, or throw (fail); only with countQuotas.
    #[serde(skip_serializing_if = "Option::is_none")]
    scarcity_behavior: Option<Scarcity>,
    /// How the window is arranged; chronological unless given.
    #[schemars(with = "Option<PlacerType>")]
    placer_type: Strategy<'a, PlacerType>,
    /// Whether repeated contents are dropped; they are unless this says otherwise.
    #[schemars(with = "Option<bool>")]
    deduplication_enabled: bool,
    /// What happens when a selection is larger than its window: throw (fail) unless given,
    /// truncate (drop the worst) or proceed (report it).
    #[schemars(with = "Option<Overflow>")]
    overflow_strategy: Overflow,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum SlicerType {
    Greedy,
    Knapsack,
    Stream,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum PlacerType {
    Chronological,
    UShaped,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Scarcity {
    Degrade,
    Throw,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Overflow {
    Throw,
    Truncate,
    Proceed,
}

/// The share of the tokens that one kind gets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "Quota", extend("anyOf" = [
    { "required": ["minPercent"] }, { "required": ["maxPercent"] }
]))]
struct QuotaDefinition<'a> {
    /// The kind, without regard to case.
    kind: &'a ContextKind,
    /// At least so many percent; 0 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_percent: Option<Percent>,
    /// At most so many percent; 100 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_percent: Option<Percent>,
}

/// The number of items that one kind gets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "CountQuota")]
struct CountQuotaDefinition<'a> {
    /// The kind, without regard to case.
    kind: &'a ContextKind,
    /// At least so many; 0 unless given.
    #[schemars(with = "Option<usize>")]
    require_count: usize,
    /// At most so many; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    cap_count: Option<usize>,
}

/// A built-in strategy by name, or one that the program registered.
#[derive(Serialize)]
#[serde(untagged)]
enum Strategy<'a, T> {
    BuiltIn(T),
    Bare(&'a str),
    Custom {
        r#type: &'a str,
        #[serde(flatten)]
        arguments: &'a Arguments,
    },
}

impl<'a, T> From<&'a CustomConfig> for Strategy<'a, T> {
    fn from(custom: &'a CustomConfig) -> Self {
        if custom.arguments.as_map().is_empty() {
            return Self::Bare(&custom.name);
        }
        Self::Custom { r#type: &custom.name, arguments: &custom.arguments }
    }
}

impl Serialize for PolicyFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PolicyDefinition::from(self).serialize(serializer)
    }
}

impl<'a> From<&'a PolicyFile> for PolicyDefinition<'a> {
    fn from(file: &'a PolicyFile) -> Self {
        let quota = |quota: &'a Quota| QuotaDefinition {
            kind: &quota.kind,
            min_percent: quota.min_percent.map(Percent),
            max_percent: quota.max_percent.map(Percent),
        };
        let count_quota = |quota: &'a CountQuota| CountQuotaDefinition {
            kind: &quota.kind,
            require_count: quota.require_count,
            cap_count: quota.cap_count,
        };
        let (mut knapsack_bucket_size, mut stream_batch_size) = (None, None);
        let slicer_type = match &file.slicer {
            SlicerConfig::Greedy => Strategy::BuiltIn(SlicerType::Greedy),
            SlicerConfig::Knapsack { bucket_size } => {
                knapsack_bucket_size = Some(*bucket_size);
                Strategy::BuiltIn(SlicerType::Knapsack)
            }
            SlicerConfig::Stream { batch_size } => {
                stream_batch_size = *batch_size;
                Strategy::BuiltIn(SlicerType::Stream)
            }
            SlicerConfig::Custom(custom) => custom.into(),
        };
        let counts = !file.count_quotas.is_empty();
        Self {
            schema: file.schema.as_deref(),
            name: file.name.as_deref(),
            description: file.description.as_deref(),
            scorers: file.scorers.iter().map(Weighted::from).collect(),
            slicer_type,
            knapsack_bucket_size,
            stream_batch_size,
            quotas: (!file.quotas.is_empty()).then(|| file.quotas.iter().map(quota).collect()),
            count_quotas: counts.then(|| file.count_quotas.iter().map(count_quota).collect()),
            scarcity_behavior: counts.then_some(match file.scarcity {
                ScarcityBehavior::Degrade => Scarcity::Degrade,
                ScarcityBehavior::Throw => Scarcity::Throw,
            }),
            placer_type: match &file.placer {
                PlacerConfig::Chronological => Strategy::BuiltIn(PlacerType::Chronological),
                PlacerConfig::UShaped => Strategy::BuiltIn(PlacerType::UShaped),
                PlacerConfig::Custom(custom) => custom.into(),
            },
            deduplication_enabled: file.deduplication,
            overflow_strategy: match file.overflow {
                OverflowStrategy::Truncate => Overflow::Truncate,
                OverflowStrategy::Proceed => Overflow::Proceed,
                _ => Overflow::Throw,
            },
        }
    }
}
