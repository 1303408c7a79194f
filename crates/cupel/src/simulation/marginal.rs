//! Which items would a smaller budget lose?

use std::collections::HashSet;

use super::probe::Probe;
use crate::{ContextBudget, ContextItem, CupelError, Pipeline};

impl Pipeline {
    /// The items that are in the window at `budget` and would not be with `slack_tokens` less, in
    /// window order.
    ///
    /// Both `max_tokens` and `target_tokens` shrink by the slack; reservations and margin stay.
    /// Items are told apart by instance.
    ///
    /// # Errors
    /// [`CupelError::PipelineConfig`] when the slicer shares the budget out by percentage, where a
    /// smaller budget may bring items *in*; [`CupelError::InvalidBudget`] when the slack is
    /// negative, larger than the target, or leaves `max_tokens` below the output reserve; and the
    /// errors of either run.
    pub fn get_marginal_items(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        slack_tokens: impl Into<i64>,
    ) -> Result<Vec<ContextItem>, CupelError> {
        if self.policy().slicer.is_quota() {
            return Err(CupelError::PipelineConfig(
                "GetMarginalItems requires monotonic item inclusion. QuotaSlice produces \
                 non-monotonic inclusion as budget changes shift percentage allocations."
                    .to_owned(),
            ));
        }
        let reduced = reduce(budget, slack_tokens.into())?;
        let probe = Probe::prepare(self.policy(), items, budget)?;
        let mut lost: Vec<_> =
            probe.window(budget)?.into_iter().map(|it| it.item().clone()).collect();
        let kept = probe.window(&reduced)?;
        let kept: HashSet<usize> = kept.iter().map(|it| it.item().instance()).collect();
        lost.retain(|item: &ContextItem| !kept.contains(&item.instance()));
        Ok(lost)
    }
}

fn reduce(budget: &ContextBudget, slack: i64) -> Result<ContextBudget, CupelError> {
    let most = budget.max_tokens().min(budget.target_tokens());
    if !(0..=most).contains(&slack) {
        return Err(CupelError::InvalidBudget(format!(
            "slack_tokens ({slack}) must be between 0 and the budget's target ({most})"
        )));
    }
    if budget.max_tokens() - slack < budget.output_reserve() {
        return Err(CupelError::InvalidBudget(format!(
            "slack_tokens ({slack}) must leave max_tokens ({}) at least the output_reserve ({})",
            budget.max_tokens(),
            budget.output_reserve()
        )));
    }
    Ok(budget.resized(budget.max_tokens() - slack, budget.target_tokens() - slack))
}
