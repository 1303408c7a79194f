//! Slicers: by name, or as objects with settings and slicers inside.

use cupel::{GreedySlice, RankSlice, Slicer};
use cupel_relevance::{DistinctSlice, NearDuplicateTreatment, NearDuplicates};

use super::quotas::{count_quotas, quotas, scarcity_behavior};
use super::scorer::owner;
use super::strategy::{Strategy, strategy};
use crate::error::ProblemKind;
use crate::json::{Node, Path, Value};
use crate::policy::{BucketSize, SlicerConfig};
use crate::read::{Context, Fields, Spelled, count, integer, number, one_of, string};

pub(crate) const SLICER_TYPES: &[&str] =
    &["greedy", "rank", "knapsack", "stream", "quota", "countQuota", "distinct"];

/// Which slicers have which keys beside `type`; the others are written as names only.
const SLICER_KEYS: &[(&str, &[&str])] = &[
    ("rank", &["sizeExponent", "sizeFloor"]),
    ("knapsack", &["knapsackBucketSize"]),
    ("stream", &["streamBatchSize"]),
    ("quota", &["quotas", "slicerType"]),
    ("countQuota", &["countQuotas", "scarcityBehavior", "slicerType"]),
    ("distinct", &["threshold", "shingleWords", "treatment", "slicerType"]),
];

/// A slicer that was read, and what it builds: what stands around it must go with that.
type Built = (SlicerConfig, Box<dyn Slicer>);

/// The slicer of a policy, which has the settings of a slicer that is given by name.
pub(super) fn of_policy(
    fields: &mut Fields<'_>,
    context: &mut Context<'_>,
) -> Option<SlicerConfig> {
    let mut is_object = false;
    let read = fields.optional("slicerType", context, |node, path, context| {
        is_object = matches!(node.value, Value::Object(_));
        slicer(node, path, context)
    });
    let mut slicer = match read {
        Some((slicer, _)) => Some(slicer),
        None if fields.has("slicerType") => None, // it was not understood, so nothing is out of place
        None => Some(SlicerConfig::Greedy),
    };
    let form = if is_object { "the slicerType object of type" } else { "the slicerType" };

    if matches!(slicer, Some(SlicerConfig::Rank { .. }) if !is_object) || slicer.is_none() {
        let given = rank(fields, context);
        if let (Some(SlicerConfig::Rank { .. }), Some(given)) = (&slicer, given) {
            slicer = Some(given);
        }
    } else {
        fields.misplaced("sizeExponent", &format!("{form} \"rank\""), context);
        fields.misplaced("sizeFloor", &format!("{form} \"rank\""), context);
    }
    if matches!(slicer, Some(SlicerConfig::Knapsack { .. }) if !is_object) || slicer.is_none() {
        let given = fields.optional("knapsackBucketSize", context, bucket_size);
        if let (Some(SlicerConfig::Knapsack { bucket_size }), Some(given)) = (&mut slicer, given) {
            *bucket_size = given;
        }
    } else {
        fields.misplaced("knapsackBucketSize", &format!("{form} \"knapsack\""), context);
    }
    if matches!(slicer, Some(SlicerConfig::Stream { .. }) if !is_object) || slicer.is_none() {
        let given = fields.optional("streamBatchSize", context, batch_size);
        if let Some(SlicerConfig::Stream { batch_size }) = &mut slicer {
            *batch_size = given;
        }
    } else {
        fields.misplaced("streamBatchSize", &format!("{form} \"stream\""), context);
    }
    slicer
}

fn slicer(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Built> {
    if let Some(name) = with_settings(node) {
        return object(name, node, path, context);
    }
    let parts = context.parts();
    let registry = parts.registry;
    let make = |custom: &_| registry.slicer(custom).map(drop);
    let names: Vec<&str> = registry.slicer_names().collect();
    let slicer = match strategy("slicer type", SLICER_TYPES, &names, make, node, path, context)? {
        Strategy::BuiltIn("greedy") => SlicerConfig::Greedy,
        Strategy::BuiltIn("rank") => SlicerConfig::Rank { size_exponent: 0.0, size_floor: 0 },
        Strategy::BuiltIn("knapsack") => SlicerConfig::Knapsack { bucket_size: USUAL_BUCKET_SIZE },
        Strategy::BuiltIn("stream") => SlicerConfig::Stream { batch_size: None },
        Strategy::BuiltIn(name) => {
            let example = match name {
                "quota" => r#"{ "type": "quota", "quotas": [...] }"#,
                "distinct" => r#"{ "type": "distinct", "slicerType": "rank" }"#,
                _ => r#"{ "type": "countQuota", "countQuotas": [...] }"#,
            };
            let message = format!("this slicer is written as an object: {example}");
            context.problem(node, path, ProblemKind::Other { message });
            return None;
        }
        Strategy::Custom(custom) => SlicerConfig::Custom(custom),
    };
    let built = context.accepted(node, path, slicer.build(&parts))?;
    Some((slicer, built))
}

/// The type of an object whose type has settings.
fn with_settings(node: &Node<'_>) -> Option<&'static str> {
    let Value::Object(members) = &node.value else { return None };
    let member = members.iter().find(|member| member.key == "type")?;
    let Value::String(name) = &member.value.value else { return None };
    SLICER_KEYS.iter().map(|(known, _)| *known).find(|known| Spelled(known).is_name(name))
}

/// A slicer of that type with its settings.
fn object(
    name: &str,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Built> {
    let mut fields = Fields::of(node, path, "a slicer object", context)?;
    fields.required("type", context, string);
    let mut built = None;
    let slicer = match name {
        "rank" => rank(&mut fields, context),
        "knapsack" => {
            let size = fields.optional("knapsackBucketSize", context, bucket_size);
            Some(SlicerConfig::Knapsack { bucket_size: size.unwrap_or(USUAL_BUCKET_SIZE) })
        }
        "stream" => {
            let batch_size = fields.optional("streamBatchSize", context, batch_size);
            Some(SlicerConfig::Stream { batch_size })
        }
        "quota" => {
            let quotas = fields.required("quotas", context, quotas);
            let inner = inner(&mut fields, &mut built, context);
            quotas.zip(inner).map(|(quotas, inner)| SlicerConfig::Quota { quotas, inner })
        }
        "distinct" => {
            let near_duplicates = near_duplicates(&mut fields, context);
            let inner = inner(&mut fields, &mut built, context);
            inner.map(|inner| SlicerConfig::Distinct { near_duplicates, inner })
        }
        _ => {
            let quotas = fields.required("countQuotas", context, count_quotas);
            let scarcity = fields.optional("scarcityBehavior", context, scarcity_behavior);
            let inner = inner(&mut fields, &mut built, context);
            quotas.zip(inner).map(|(quotas, inner)| SlicerConfig::CountQuota {
                quotas,
                scarcity: scarcity.unwrap_or_default(),
                inner,
            })
        }
    };
    fields.finish_knowing(|key| owner(key, SLICER_KEYS, "slicers"), context);
    let (slicer, parts) = (slicer?, context.parts());
    // What is inside was built when it was read; building it again at every level would add up.
    let made = slicer.build_around(&parts, |inner| built.map_or_else(|| inner.build(&parts), Ok));
    let made = context.accepted(node, path, made)?;
    Some((slicer, made))
}

const TREATMENTS: &[(&str, NearDuplicateTreatment)] =
    &[("last", NearDuplicateTreatment::Last), ("leaveOut", NearDuplicateTreatment::LeaveOut)];

/// When an item repeats another, each setting as it usually is unless given.
fn near_duplicates(fields: &mut Fields<'_>, context: &mut Context<'_>) -> NearDuplicates {
    let mut settings = NearDuplicates::default();
    // Alone among the usual ones, so that a problem stands at the number and not at the slicer.
    let threshold = fields.optional("threshold", context, |node, path, context| {
        let mut alone = NearDuplicates::default();
        alone.threshold = number(node, path, context)?;
        context.accepted(
            node,
            path,
            DistinctSlice::new(GreedySlice, alone).map(|_| alone.threshold),
        )
    });
    let words = fields.optional("shingleWords", context, |node, path, context| {
        let mut alone = NearDuplicates::default();
        alone.shingle_words = count(node, path, context)?;
        let checked = DistinctSlice::new(GreedySlice, alone).map(|_| alone.shingle_words);
        context.accepted(node, path, checked)
    });
    let treatment = one_of("treatment of near-duplicates", TREATMENTS);
    settings.treatment = fields.optional("treatment", context, treatment).unwrap_or_default();
    settings.threshold = threshold.unwrap_or(settings.threshold);
    settings.shingle_words = words.unwrap_or(settings.shingle_words);
    settings
}

/// The slicer inside another; what it builds goes to `built`.
fn inner(
    fields: &mut Fields<'_>,
    built: &mut Option<Box<dyn Slicer>>,
    context: &mut Context<'_>,
) -> Option<Box<SlicerConfig>> {
    let read = fields.optional("slicerType", context, slicer);
    let (slicer, made) = match read {
        None if !fields.has("slicerType") => (SlicerConfig::Greedy, Box::new(GreedySlice) as _),
        read => read?,
    };
    *built = Some(made);
    Some(Box::new(slicer))
}

/// A slicer by rank with its settings, each of which is 0 unless given.
fn rank(fields: &mut Fields<'_>, context: &mut Context<'_>) -> Option<SlicerConfig> {
    let exponent = fields.optional("sizeExponent", context, |node, path, context| {
        let exponent = number(node, path, context)?;
        context.accepted(node, path, RankSlice::new(exponent, 0).map(|_| exponent))
    });
    let floor = fields.optional("sizeFloor", context, |node, path, context| {
        let floor = integer(node, path, context)?;
        context.accepted(node, path, RankSlice::new(0.0, floor).map(|_| floor))
    });
    let (size_exponent, size_floor) = (exponent.unwrap_or(0.0), floor.unwrap_or(0));
    Some(SlicerConfig::Rank { size_exponent, size_floor })
}

/// That of [`KnapsackSlice::with_default_bucket_size`](cupel::KnapsackSlice::with_default_bucket_size).
const USUAL_BUCKET_SIZE: BucketSize = BucketSize::Tokens(100);

fn bucket_size(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<BucketSize> {
    if let Value::String(name) = &node.value {
        if Spelled("auto").is_name(name) {
            return Some(BucketSize::Auto);
        }
        let expected = "a whole number of tokens, or \"auto\"".to_owned();
        context.problem(node, path, ProblemKind::wrong_type(expected, &node.value));
        return None;
    }
    let size = BucketSize::Tokens(integer(node, path, context)?);
    context.accepted(node, path, size.knapsack().map(|_| size))
}

fn batch_size(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<i64> {
    let size = integer(node, path, context)?;
    let parts = context.parts();
    let checked = SlicerConfig::Stream { batch_size: Some(size) }.build(&parts).map(|_| size);
    context.accepted(node, path, checked)
}
