//! Which items would a smaller budget lose?

use foldhash::{HashMap, HashMapExt};

use super::probe::Probe;
use crate::pipeline::input::Input;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, Pipeline};

impl Pipeline {
    /// The items that are in the window at `budget` and would not be with `slack_tokens` less, in
    /// window order.
    ///
    /// Both `max_tokens` and `target_tokens` shrink by the slack; reservations and margin stay.
    /// Items are told apart by instance, and given whole, whatever their form in the window.
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
        let lost = self.get_marginal_changes(items, budget, slack_tokens)?.into_iter();
        Ok(lost.filter(|change| change.after.is_none()).map(|change| change.item).collect())
    }

    /// What `slack_tokens` less would change in the window at `budget`, in window order: items that would be lost, as
    /// [`get_marginal_items`](Self::get_marginal_items) gives them, and items that would be in another form.
    ///
    /// # Errors
    /// As [`get_marginal_items`](Self::get_marginal_items).
    pub fn get_marginal_changes(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        slack_tokens: impl Into<i64>,
    ) -> Result<Vec<MarginalChange>, CupelError> {
        if self.policy().slicer.is_quota() {
            return Err(CupelError::PipelineConfig(
                "GetMarginalItems requires monotonic item inclusion. QuotaSlice produces \
                 non-monotonic inclusion as budget changes shift percentage allocations."
                    .to_owned(),
            ));
        }
        let reduced = reduce(budget, slack_tokens.into())?;
        let input = Input::new(items);
        let probe = Probe::prepare(self, &input, budget)?;
        let window = probe.window(budget)?;
        let kept_window = probe.window(&reduced)?;
        let mut form_after: HashMap<usize, usize> = HashMap::with_capacity(kept_window.len());
        for kept in kept_window {
            form_after.entry(kept.item().instance()).or_insert(kept.form());
        }
        let change = |it: Candidate<'_>| {
            let after = form_after.get(&it.item().instance()).copied();
            (after != Some(it.form())).then(|| MarginalChange {
                item: it.item().clone(),
                index: it.index(),
                before: it.form(),
                after,
            })
        };
        Ok(window.into_iter().filter_map(change).collect())
    }
}

/// What a smaller budget does to an item of the window.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MarginalChange {
    /// The item, whole.
    pub item: ContextItem,
    /// Where it stands in the input.
    pub index: usize,
    /// The form it is in: 0 for whole, 1 for its first variant, and so on.
    pub before: usize,
    /// The form it would be in, if it would be in the window at all.
    pub after: Option<usize>,
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
