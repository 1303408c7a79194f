//! What if the budget, or the policy, were another?
//!
//! | question | function |
//! |---|---|
//! | What would a run decide? | [`Pipeline::dry_run`], [`Pipeline::dry_run_with_policy`] |
//! | Which items am I about to lose? | [`Pipeline::get_marginal_items`], [`Pipeline::get_marginal_changes`] |
//! | With which budget would this item get in? | [`Pipeline::find_min_budget_for`], [`Pipeline::find_exact_min_budget_for`] |
//! | What kept each item out, and what would let it in? | [`Pipeline::counterfactuals`], [`Pipeline::counterfactual`] |
//! | What would bring back whole what was shortened? | [`Pipeline::restorations`] |
//! | What would other policies have done? | [`policy_sensitivity`], [`policy_sensitivity_from_pipelines`] |
//!
//! Scores do not depend on the budget. All of these classify, score, deduplicate and sort once and
//! only choose again for each budget they try.

mod counterfactual;
mod exact;
mod marginal;
mod min_budget;
mod probe;
mod question;
mod sensitivity;
mod sentence;

pub use counterfactual::{Certainty, Counterfactual, Obstacle, Remedy, Restoration};
pub use marginal::MarginalChange;
pub use sensitivity::{
    ItemStatus, PolicySensitivityDiffEntry, PolicySensitivityReport, policy_sensitivity,
    policy_sensitivity_from_pipelines,
};

#[cfg(doc)]
use crate::Pipeline;
