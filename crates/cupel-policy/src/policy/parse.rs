//! From JSON to data.

mod quotas;
mod scorer;
mod slicer;
mod strategy;

use cupel::OverflowStrategy;

use super::{PlacerConfig, PolicyFile};
use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::read::{Context, Fields, boolean, one_of, string};
use quotas::{count_quotas, quotas, scarcity_behavior};
pub(crate) use scorer::SCORER_TYPES;
use scorer::scorers;
pub(crate) use slicer::SLICER_TYPES;
use strategy::{Strategy, strategy};

pub(crate) const PLACER_TYPES: &[&str] =
    &["chronological", "uShaped", "inputOrder", "readingOrder", "readingOrderUShaped"];

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
    let slicer = slicer::of_policy(&mut fields, context);
    let quotas = fields.optional("quotas", context, quotas).unwrap_or_default();
    let counts = fields.optional("countQuotas", context, count_quotas);
    let scarcity = if fields.has("countQuotas") {
        fields.optional("scarcityBehavior", context, scarcity_behavior)
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
        let (at, path) = match counts_at {
            Some(_) if !policy.slicer.streams() => (counts_at, path.key("countQuotas")),
            _ => (quotas_at, path.key("quotas")),
        };
        context.problems.add(at.unwrap_or(node.at), &path, ProblemKind::Refused(error));
        return None;
    }
    Some(policy)
}

fn placer(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<PlacerConfig> {
    let registry = context.parts().registry;
    let make = |custom: &_| registry.placer(custom).map(drop);
    let names: Vec<&str> = registry.placer_names().collect();
    Some(match strategy("placer type", PLACER_TYPES, &names, make, node, path, context)? {
        Strategy::BuiltIn("uShaped") => PlacerConfig::UShaped,
        Strategy::BuiltIn("inputOrder") => PlacerConfig::InputOrder,
        Strategy::BuiltIn("readingOrder") => PlacerConfig::ReadingOrder,
        Strategy::BuiltIn("readingOrderUShaped") => PlacerConfig::ReadingOrderUShaped,
        Strategy::BuiltIn(_) => PlacerConfig::Chronological,
        Strategy::Custom(custom) => PlacerConfig::Custom(custom),
    })
}
