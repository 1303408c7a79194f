//! Budgets, by the same rules as the engine's own reader, but with the place of each problem.

use cupel::{ContextBudget, CupelError};

use crate::json::{Node, Path};
use crate::read::{Context, Fields, by_kind, integer, number};

/// Reads a budget that stands alone, which says its target.
pub(crate) fn budget(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextBudget> {
    budget_by(true, node, path, context)
}

/// Reads the budget of a request, which aims for all that the output reserve leaves unless it says
/// its target.
pub(super) fn budget_of_request(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextBudget> {
    budget_by(false, node, path, context)
}

fn budget_by(
    needs_target: bool,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextBudget> {
    let mut fields = Fields::of(node, path, "a budget object", context)?;
    let max_tokens = fields.required("maxTokens", context, integer);
    let target_tokens = match needs_target {
        true => fields.required("targetTokens", context, integer).map(Some),
        false => Some(fields.optional("targetTokens", context, integer)),
    };
    let output_reserve = fields.optional("outputReserve", context, integer);
    let slots = by_kind(integer, CupelError::InvalidBudget);
    let slots = fields.optional("reservedSlots", context, slots);
    let margin = fields.optional("estimationSafetyMarginPercent", context, number);
    fields.finish(context);

    let mut budget = ContextBudget::builder(max_tokens?)
        .output_reserve(output_reserve.unwrap_or(0))
        .safety_margin_percent(margin.unwrap_or(0.0));
    if let Some(tokens) = target_tokens? {
        budget = budget.target_tokens(tokens);
    }
    for (kind, tokens) in slots.unwrap_or_default() {
        budget = budget.reserve(kind, tokens);
    }
    context.accepted(node, path, budget.build())
}
