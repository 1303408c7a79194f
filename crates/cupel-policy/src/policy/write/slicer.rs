//! Slicers and quotas.

use cupel::{ContextKind, ScarcityBehavior};
use cupel_relevance::NearDuplicateTreatment;
use schemars::JsonSchema;
use serde::Serialize;

use super::Strategy;
use super::numbers::{Percent, Unit};
use crate::policy::{BucketSize, CountQuota, Quota, SlicerConfig};

/// How a choice is made: by name, or as an object where there are settings.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Slicer")]
pub(super) enum SlicerType<'a> {
    Named(SlicerName),
    Configured(SlicerDefinition<'a>),
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(super) enum SlicerName {
    /// The best score per token first, skipping what no longer fits.
    Greedy,
    /// The best score first, skipping what no longer fits.
    Rank,
    /// The greatest total score that fits.
    Knapsack,
    /// Greedy in batches.
    Stream,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schemars(inline, deny_unknown_fields)]
pub(super) enum SlicerDefinition<'a> {
    /// The best score first, if wished with some regard to size: by score / max(tokens, sizeFloor)^sizeExponent.
    Rank {
        /// How much size counts: from 0, not at all, which it is unless given, to 1, score per token.
        #[schemars(with = "Option<f64>", range(min = 0.0, max = 1.0))]
        size_exponent: f64,
        /// Below how many tokens size makes no difference; 0 unless given.
        #[schemars(with = "Option<i64>", range(min = 0))]
        size_floor: i64,
    },
    /// The best total score that fits.
    Knapsack {
        /// Tokens per bucket, 100 unless given, or auto, which follows the budget and leaves nothing
        /// out that would still fit.
        #[schemars(with = "Option<BucketSizeDefinition>")]
        knapsack_bucket_size: BucketSizeDefinition,
    },
    /// Greedy in batches.
    Stream {
        /// Items per batch.
        #[schemars(range(min = 1))]
        stream_batch_size: Option<i64>,
    },
    /// Shares of the tokens per kind.
    Quota {
        /// The shares; each kind once.
        quotas: Vec<QuotaDefinition<'a>>,
        /// How a choice is made within a share, not by stream; greedy unless given.
        #[schemars(with = "Option<SlicerType<'a>>")]
        slicer_type: Box<Strategy<'a, SlicerType<'a>>>,
    },
    /// Numbers of items per kind.
    CountQuota {
        /// The numbers; each kind once.
        count_quotas: Vec<CountQuotaDefinition<'a>>,
        /// What happens when there are fewer items than required: degrade (report it) unless
        /// given, or throw (fail).
        #[schemars(with = "Option<Scarcity>")]
        scarcity_behavior: Scarcity,
        /// How a choice is made beyond what is required; greedy unless given.
        #[schemars(with = "Option<SlicerType<'a>>")]
        slicer_type: Box<Strategy<'a, SlicerType<'a>>>,
    },
    /// What repeats a chosen item comes last, or stays out.
    Distinct {
        /// The share of an item's shingles that a better item must have, above 0; 0.8 unless given.
        #[schemars(with = "Option<Unit>")]
        threshold: Unit,
        /// How many words in a row make a shingle; 5 unless given.
        #[schemars(with = "Option<usize>", range(min = 1))]
        shingle_words: usize,
        /// What becomes of repetitions: last unless given, or leaveOut.
        #[schemars(with = "Option<Treatment>")]
        treatment: Treatment,
        /// How a choice is made, not by stream; greedy unless given.
        #[schemars(with = "Option<SlicerType<'a>>")]
        slicer_type: Box<Strategy<'a, SlicerType<'a>>>,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(super) enum Treatment {
    Last,
    LeaveOut,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum BucketSizeDefinition {
    Tokens(#[schemars(range(min = 1))] i64),
    Auto(Auto),
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(super) enum Auto {
    Auto,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(super) enum Scarcity {
    Degrade,
    Throw,
}

/// The share of the tokens that one kind gets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, rename = "Quota", extend("anyOf" = [
    { "required": ["minPercent"] }, { "required": ["maxPercent"] }
]))]
pub(super) struct QuotaDefinition<'a> {
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
pub(super) struct CountQuotaDefinition<'a> {
    /// The kind, without regard to case.
    kind: &'a ContextKind,
    /// At least so many; 0 unless given.
    #[schemars(with = "Option<usize>")]
    require_count: usize,
    /// At most so many; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    cap_count: Option<usize>,
}

impl<'a> From<&'a SlicerConfig> for Strategy<'a, SlicerType<'a>> {
    fn from(slicer: &'a SlicerConfig) -> Self {
        let definition = match slicer {
            SlicerConfig::Greedy => return Self::BuiltIn(SlicerType::Named(SlicerName::Greedy)),
            SlicerConfig::Stream { batch_size: None } => {
                return Self::BuiltIn(SlicerType::Named(SlicerName::Stream));
            }
            SlicerConfig::Custom(custom) => return custom.into(),
            SlicerConfig::Rank { size_exponent, size_floor } => {
                SlicerDefinition::Rank { size_exponent: *size_exponent, size_floor: *size_floor }
            }
            SlicerConfig::Knapsack { bucket_size } => {
                SlicerDefinition::Knapsack { knapsack_bucket_size: (*bucket_size).into() }
            }
            SlicerConfig::Stream { batch_size } => {
                SlicerDefinition::Stream { stream_batch_size: *batch_size }
            }
            SlicerConfig::Quota { quotas, inner } => SlicerDefinition::Quota {
                quotas: define_all(quotas),
                slicer_type: Box::new((&**inner).into()),
            },
            SlicerConfig::CountQuota { quotas, scarcity, inner } => SlicerDefinition::CountQuota {
                count_quotas: define_all(quotas),
                scarcity_behavior: (*scarcity).into(),
                slicer_type: Box::new((&**inner).into()),
            },
            SlicerConfig::Distinct { near_duplicates, inner } => SlicerDefinition::Distinct {
                threshold: Unit(near_duplicates.threshold),
                shingle_words: near_duplicates.shingle_words,
                treatment: match near_duplicates.treatment {
                    NearDuplicateTreatment::LeaveOut => Treatment::LeaveOut,
                    _ => Treatment::Last,
                },
                slicer_type: Box::new((&**inner).into()),
            },
        };
        Self::BuiltIn(SlicerType::Configured(definition))
    }
}

impl From<BucketSize> for BucketSizeDefinition {
    fn from(size: BucketSize) -> Self {
        match size {
            BucketSize::Tokens(tokens) => Self::Tokens(tokens),
            BucketSize::Auto => Self::Auto(Auto::Auto),
        }
    }
}

impl From<ScarcityBehavior> for Scarcity {
    fn from(scarcity: ScarcityBehavior) -> Self {
        match scarcity {
            ScarcityBehavior::Degrade => Self::Degrade,
            ScarcityBehavior::Throw => Self::Throw,
        }
    }
}

impl<'a> From<&'a Quota> for QuotaDefinition<'a> {
    fn from(quota: &'a Quota) -> Self {
        Self {
            kind: &quota.kind,
            min_percent: quota.min_percent.map(Percent),
            max_percent: quota.max_percent.map(Percent),
        }
    }
}

impl<'a> From<&'a CountQuota> for CountQuotaDefinition<'a> {
    fn from(quota: &'a CountQuota) -> Self {
        Self { kind: &quota.kind, require_count: quota.require_count, cap_count: quota.cap_count }
    }
}

/// What each of a list is written as.
pub(super) fn define_all<'a, T, D: From<&'a T>>(list: &'a [T]) -> Vec<D> {
    list.iter().map(D::from).collect()
}
