//! Budgets.

use serde::{Deserialize, Serialize};

use super::by_way_of;
use super::entries::Slots;
use crate::{ContextBudget, CupelError};

/// How many tokens a selection may use.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "a budget object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BudgetDefinition {
    /// Hard ceiling: the model's context window.
    #[serde(alias = "max_tokens")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    max_tokens: i64,
    /// Soft goal: what the slicer aims for; at most maxTokens.
    #[serde(alias = "target_tokens")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    target_tokens: i64,
    /// Tokens kept free for the model's answer; at most maxTokens.
    #[serde(alias = "output_reserve", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    output_reserve: Option<i64>,
    /// Tokens kept free per kind; each kind once, without regard to case.
    #[serde(alias = "reserved_slots", skip_serializing_if = "Option::is_none")]
    reserved_slots: Option<Slots>,
    /// Percentage by which the budget is lowered for inexact token counts.
    #[serde(alias = "estimation_safety_margin_percent", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    estimation_safety_margin_percent: Option<f64>,
}

by_way_of!(ContextBudget, BudgetDefinition);

impl From<&ContextBudget> for BudgetDefinition {
    fn from(budget: &ContextBudget) -> Self {
        let margin = budget.estimation_safety_margin_percent();
        Self {
            max_tokens: budget.max_tokens(),
            target_tokens: budget.target_tokens(),
            output_reserve: Some(budget.output_reserve()).filter(|tokens| *tokens != 0),
            reserved_slots: (!budget.reserved_slots().is_empty())
                .then(|| Slots(budget.reserved_slots().clone())),
            estimation_safety_margin_percent: Some(margin).filter(|percent| *percent != 0.0),
        }
    }
}

impl TryFrom<BudgetDefinition> for ContextBudget {
    type Error = CupelError;

    fn try_from(read: BudgetDefinition) -> Result<Self, CupelError> {
        Self::new(
            read.max_tokens,
            read.target_tokens,
            read.output_reserve.unwrap_or(0),
            read.reserved_slots.map(|Slots(slots)| slots).unwrap_or_default(),
            read.estimation_safety_margin_percent.unwrap_or(0.0),
        )
    }
}
