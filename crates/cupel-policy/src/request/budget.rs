//! Budgets, by the same rules as the engine's own reader, but with the place of each problem.

use cupel::{ContextBudget, CupelError};

use crate::json::{Node, Path};
use crate::read::{Context, Fields, by_kind, integer, number};

pub(crate) fn budget(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextBudget> {
    let mut fields = Fields::of(node, path, "a budget object", context)?;
    let max_tokens = fields.required("maxTokens", context, integer);
    let target_tokens = fields.required("targetTokens", context, integer);
    let output_reserve = fields.optional("outputReserve", context, integer);
    let slots = by_kind(integer, CupelError::InvalidBudget);
    let slots = fields.optional("reservedSlots", context, slots);
    let margin = fields.optional("estimationSafetyMarginPercent", context, number);
    fields.finish(context);

    let budget = ContextBudget::new(
        max_tokens?,
        target_tokens?,
        output_reserve.unwrap_or(0),
        slots.unwrap_or_default(),
        margin.unwrap_or(0.0),
    );
    context.accepted(node, path, budget)
}
