//! From JSON to data.

mod scorer;
mod strategy;

use cupel::{
    CountQuotaSlice, CupelError, GreedySlice, KnapsackSlice, OverflowStrategy, QuotaSlice,
    ScarcityBehavior,
};

use super::{CountQuota, PlacerConfig, PolicyFile, Quota, SlicerConfig};
use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::read::{Context, Fields, boolean, count, integer, kind, list, number, one_of, string};
pub(crate) use scorer::SCORER_TYPES;
use scorer::scorers;
use strategy::{Strategy, strategy};

pub(crate) const SLICER_TYPES: &[&str] = &["greedy", "knapsack", "stream"];
pub(crate) const PLACER_TYPES: &[&str] = &["chronological", "uShaped"];

const SCARCITY_BEHAVIORS: &[(&str, ScarcityBehavior)] =
    &[("degrade", ScarcityBehavior::Degrade), ("throw", ScarcityBehavior::Throw)];

const OVERFLOW_STRATEGIES: &[(&str, OverflowStrategy)] = &[
    ("throw", OverflowStrategy::Throw),
    ("truncate", OverflowStrategy::Truncate),
    ("proceed", OverflowStrategy::Proceed),
];

/// Reads a policy. Whatever it returns can be built.
pub(crate) fn policy(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<PolicyFile> {
    let before = context.problems.count();
    let mut fields = Fields::of(node, path, "a policy object", context)?;
    let schema = fields.optional("$schema", context, string);
    let name = fields.optional("name", context, string);
    let description = fields.optional("description", context, string);
    let scorers = fields.required("scorers", context, scorers);
    let slicer = slicer(&mut fields, context);
    let quotas = fields.optional("quotas", context, quotas).unwrap_or_default();
    let counts = fields.optional("countQuotas", context, count_quotas);
    let scarcity = if fields.has("countQuotas") {
        fields.optional(
            "scarcityBehavior",
            context,
            one_of("scarcity behavior", SCARCITY_BEHAVIORS),
        )
    } else {
        fields.misplaced("scarcityBehavior", "a policy with countQuotas", context);
        None
    };
    let placer = fields.optional("placerType", context, placer);
    let deduplication = fields.optional("deduplicationEnabled", context, boolean);
    let overflow = fields.optional(
        "overflowStrategy",
        context,
        one_of("overflow strategy", OVERFLOW_STRATEGIES),
    );
    let (quotas_at, counts_at) = (fields.position("quotas"), fields.position("countQuotas"));
    fields.finish(context);

    let policy = PolicyFile {
        schema,
        name,
        description,
        scorers: scorers?,
        slicer: slicer?,
        quotas,
        count_quotas: counts.unwrap_or_default(),
        scarcity: scarcity.unwrap_or_default(),
        placer: placer.unwrap_or(PlacerConfig::Chronological),
        deduplication: deduplication.unwrap_or(true),
        overflow: overflow.unwrap_or_default(),
    };
    if context.problems.count() > before {
        return None;
    }
    // Each part is fine by itself; what is left is how slicer and quotas go together.
    if let Err(error) = policy.assemble(&context.parts()) {
        let (at, path) = match (&policy.slicer, counts_at) {
            (SlicerConfig::Stream { .. }, _) | (_, None) => (quotas_at, path.key("quotas")),
            (_, Some(_)) => (counts_at, path.key("countQuotas")),
        };
        context.problems.add(at.unwrap_or(node.at), &path, ProblemKind::Refused(error));
        return None;
    }
    Some(policy)
}

/// The slicer with the keys that only it has.
fn slicer(fields: &mut Fields<'_>, context: &mut Context<'_>) -> Option<SlicerConfig> {
    let read = fields.optional("slicerType", context, slicer_type);
    let given = if fields.has("slicerType") { read } else { Some(Strategy::BuiltIn("greedy")) };
    let is = |name| match &given {
        Some(strategy) => *strategy == Strategy::BuiltIn(name),
        None => true, // it was not understood, so nothing is out of place
    };

    let bucket_size = if is("knapsack") {
        fields.optional("knapsackBucketSize", context, bucket_size)
    } else {
        fields.misplaced("knapsackBucketSize", "the slicerType \"knapsack\"", context);
        None
    };
    let batch_size = if is("stream") {
        fields.optional("streamBatchSize", context, batch_size)
    } else {
        fields.misplaced("streamBatchSize", "the slicerType \"stream\"", context);
        None
    };
    Some(match given? {
        Strategy::BuiltIn("knapsack") => {
            let default = KnapsackSlice::with_default_bucket_size().bucket_size();
            SlicerConfig::Knapsack { bucket_size: bucket_size.unwrap_or(default) }
        }
        Strategy::BuiltIn("stream") => SlicerConfig::Stream { batch_size },
        Strategy::BuiltIn(_) => SlicerConfig::Greedy,
        Strategy::Custom(custom) => SlicerConfig::Custom(custom),
    })
}

fn slicer_type(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Strategy> {
    let registry = context.parts().registry;
    let make = |custom: &_| registry.slicer(custom).map(drop);
    let names: Vec<&str> = registry.slicer_names().collect();
    strategy("slicer type", SLICER_TYPES, &names, make, node, path, context)
}

fn placer(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<PlacerConfig> {
    let registry = context.parts().registry;
    let make = |custom: &_| registry.placer(custom).map(drop);
    let names: Vec<&str> = registry.placer_names().collect();
    Some(match strategy("placer type", PLACER_TYPES, &names, make, node, path, context)? {
        Strategy::BuiltIn("uShaped") => PlacerConfig::UShaped,
        Strategy::BuiltIn(_) => PlacerConfig::Chronological,
        Strategy::Custom(custom) => PlacerConfig::Custom(custom),
    })
}

fn bucket_size(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<i64> {
    let size = integer(node, path, context)?;
    context.accepted(node, path, KnapsackSlice::new(size).map(|knapsack| knapsack.bucket_size()))
}

fn batch_size(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<i64> {
    let size = integer(node, path, context)?;
    let parts = context.parts();
    let checked = SlicerConfig::Stream { batch_size: Some(size) }.build(&parts).map(|_| size);
    context.accepted(node, path, checked)
}

fn quotas(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Vec<Quota>> {
    let quotas = list(quota)(node, path, context)?;
    let entries = quotas.iter().map(Quota::entry).collect::<Result<_, CupelError>>();
    let together = entries.and_then(|entries| QuotaSlice::new(entries, Box::new(GreedySlice)));
    context.accepted(node, path, together).map(|_| quotas)
}

fn quota(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Quota> {
    let mut fields = Fields::of(node, path, "a quota object", context)?;
    let kind = fields.required("kind", context, kind);
    let min_percent = fields.optional("minPercent", context, number);
    let max_percent = fields.optional("maxPercent", context, number);
    let limited = fields.has("minPercent") || fields.has("maxPercent");
    fields.finish(context);
    if !limited {
        let message = "a quota needs minPercent, maxPercent or both".to_owned();
        context.problem(node, path, ProblemKind::Other { message });
        return None;
    }
    let quota = Quota { kind: kind?, min_percent, max_percent };
    context.accepted(node, path, quota.entry()).map(|_| quota)
}

fn count_quotas(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<CountQuota>> {
    let quotas = list(count_quota)(node, path, context)?;
    let entries = quotas.iter().map(CountQuota::entry).collect::<Result<_, CupelError>>();
    let together = entries.and_then(|entries| {
        CountQuotaSlice::new(entries, Box::new(GreedySlice), ScarcityBehavior::Degrade)
    });
    context.accepted(node, path, together).map(|_| quotas)
}

fn count_quota(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<CountQuota> {
    let mut fields = Fields::of(node, path, "a count quota object", context)?;
    let kind = fields.required("kind", context, kind);
    let require_count = fields.optional("requireCount", context, count).unwrap_or(0);
    let cap_count = fields.optional("capCount", context, count);
    fields.finish(context);
    let quota = CountQuota { kind: kind?, require_count, cap_count };
    context.accepted(node, path, quota.entry()).map(|_| quota)
}
