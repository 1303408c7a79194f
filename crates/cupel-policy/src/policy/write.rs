//! From data to JSON: the canonical form, and its schema.

mod numbers;
mod scorer;
mod slicer;

use serde::{Serialize, Serializer};

use cupel::OverflowStrategy;
use schemars::JsonSchema;

use super::{CustomConfig, PlacerConfig, PolicyFile, SlicerConfig};
use crate::Arguments;
use scorer::Weighted;
use slicer::{
    BucketSizeDefinition, CountQuotaDefinition, QuotaDefinition, Scarcity, SlicerName, SlicerType,
    define_all,
};

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
    /// How a choice is made, before the quotas given here; greedy, the best score per token first,
    /// unless given.
    #[schemars(with = "Option<SlicerType<'a>>")]
    slicer_type: Strategy<'a, SlicerType<'a>>,
    /// How much size counts: from 0, not at all, which it is unless given, to 1, score per token; only with the name
    /// rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    size_exponent: Option<f64>,
    /// Below how many tokens size makes no difference; 0 unless given; only with the name rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    size_floor: Option<i64>,
    /// Tokens per bucket, 100 unless given, or auto, which follows the budget and leaves nothing out
    /// that would still fit; only with the name knapsack.
    #[serde(skip_serializing_if = "Option::is_none")]
    knapsack_bucket_size: Option<BucketSizeDefinition>,
    /// Items per batch; only with the name stream.
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
enum PlacerType {
    /// Oldest first; items without a timestamp last.
    Chronological,
    /// The best at both ends, the worst in the middle.
    UShaped,
    /// As in the input.
    InputOrder,
    /// The parts of a document together, by position; the best document first.
    ReadingOrder,
    /// The same, with the best documents at both ends.
    ReadingOrderUShaped,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Overflow {
    Throw,
    Truncate,
    Proceed,
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
        let (mut knapsack_bucket_size, mut stream_batch_size) = (None, None);
        let mut size = None;
        let slicer_type = match &file.slicer {
            SlicerConfig::Rank { size_exponent, size_floor } => {
                size = Some((*size_exponent, *size_floor));
                Strategy::BuiltIn(SlicerType::Named(SlicerName::Rank))
            }
            SlicerConfig::Knapsack { bucket_size } => {
                knapsack_bucket_size = Some((*bucket_size).into());
                Strategy::BuiltIn(SlicerType::Named(SlicerName::Knapsack))
            }
            SlicerConfig::Stream { batch_size } => {
                stream_batch_size = *batch_size;
                Strategy::BuiltIn(SlicerType::Named(SlicerName::Stream))
            }
            other => other.into(),
        };
        let counts = !file.count_quotas.is_empty();
        Self {
            schema: file.schema.as_deref(),
            name: file.name.as_deref(),
            description: file.description.as_deref(),
            scorers: file.scorers.iter().map(Weighted::from).collect(),
            slicer_type,
            size_exponent: size.map(|(exponent, _)| exponent),
            size_floor: size.map(|(_, floor)| floor),
            knapsack_bucket_size,
            stream_batch_size,
            quotas: (!file.quotas.is_empty()).then(|| define_all(&file.quotas)),
            count_quotas: counts.then(|| define_all(&file.count_quotas)),
            scarcity_behavior: counts.then_some(file.scarcity.into()),
            placer_type: match &file.placer {
                PlacerConfig::Chronological => Strategy::BuiltIn(PlacerType::Chronological),
                PlacerConfig::UShaped => Strategy::BuiltIn(PlacerType::UShaped),
                PlacerConfig::InputOrder => Strategy::BuiltIn(PlacerType::InputOrder),
                PlacerConfig::ReadingOrder => Strategy::BuiltIn(PlacerType::ReadingOrder),
                PlacerConfig::ReadingOrderUShaped => {
                    Strategy::BuiltIn(PlacerType::ReadingOrderUShaped)
                }
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
