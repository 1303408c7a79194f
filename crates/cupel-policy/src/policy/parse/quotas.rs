//! Shares and numbers per kind.

use cupel::{CountQuotaSlice, CupelError, GreedySlice, QuotaSlice, ScarcityBehavior};

use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::policy::{CountQuota, Quota};
use crate::read::{Context, Fields, count, kind, list, number, one_of};

const SCARCITY_BEHAVIORS: &[(&str, ScarcityBehavior)] =
    &[("degrade", ScarcityBehavior::Degrade), ("throw", ScarcityBehavior::Throw)];

pub(super) fn quotas(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<Quota>> {
    let quotas = list(quota)(node, path, context)?;
    let entries = quotas.iter().map(Quota::entry).collect::<Result<Vec<_>, CupelError>>();
    let together = entries.and_then(|entries| QuotaSlice::new(entries, GreedySlice));
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

pub(super) fn count_quotas(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<CountQuota>> {
    let quotas = list(count_quota)(node, path, context)?;
    let entries = quotas.iter().map(CountQuota::entry).collect::<Result<Vec<_>, CupelError>>();
    let together = entries
        .and_then(|entries| CountQuotaSlice::new(entries, GreedySlice, ScarcityBehavior::Degrade));
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

pub(super) fn scarcity_behavior(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ScarcityBehavior> {
    one_of("scarcity behavior", SCARCITY_BEHAVIORS)(node, path, context)
}
