//! With which budget would an item get in?

use super::exact::least_budget;
use super::probe::Probe;
use crate::pipeline::input::Input;
use crate::{ContextBudget, ContextItem, CupelError, Pipeline, Policy};

/// Steps after which an exact search gives up rather than seem to hang.
const MOST_STEPS: u64 = 100_000_000;

impl Pipeline {
    /// A small budget, at most `search_ceiling`, at which `target` is in the window, or `None` when
    /// the search finds none.
    ///
    /// Budgets tried have `max_tokens` and `target_tokens` alike and keep the reservations and the
    /// margin of `budget`, the output reserve as far as it fits. The item may be in any of its forms, and as one of
    /// its unit. Its own size, in its shortest form, is tried first, then the rest by halving, about seventeen tries for a ceiling of 128,000. A budget
    /// that cannot hold the pinned items counts as one that leaves `target` out.
    ///
    /// The answer always includes the item, but halving takes for granted that more tokens never
    /// hurt. They can: a little more room may admit a large item that a smaller one after it then
    /// has no room beside. Where that happens there may be a smaller answer than this one, or an
    /// answer where this one is `None`; see
    /// [`find_exact_min_budget_for`](Self::find_exact_min_budget_for).
    ///
    /// # Errors
    /// [`CupelError::InvalidBudget`] when `target` is not one of `items` (by instance) or the
    /// ceiling is below its size; [`CupelError::PipelineConfig`] when the slicer, or one inside it,
    /// is a quota; and any other error of a run, such as [`CupelError::TableTooLarge`] when the
    /// ceiling is beyond what a knapsack can pack.
    pub fn find_min_budget_for(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        target: &ContextItem,
        search_ceiling: impl Into<i64>,
    ) -> Result<Option<i64>, CupelError> {
        let ceiling = search_ceiling.into();
        refuse_quotas(self.policy())?;
        check_question(items, target, ceiling)?;
        if target.tokens() < 0 {
            return Ok(None);
        }
        let input = Input::new(items);
        let probe = Probe::prepare(self, &input, budget)?;
        let includes = |tokens| includes(&probe, budget, tokens, target);
        let (mut low, mut high) = (target.least_tokens(), ceiling);
        if includes(low)? {
            return confirmed(&probe, budget, Some(low));
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if includes(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        let found = includes(high)?.then_some(high);
        confirmed(&probe, budget, found)
    }

    /// The smallest budget, at most `search_ceiling`, at which `target` is in the window, or `None`
    /// when there is none: exact even where inclusion is not monotone.
    ///
    /// For slicers only whose order of trial does not depend on the budget, as [`GreedySlice`](crate::GreedySlice) and
    /// [`RankSlice`](crate::RankSlice), and pinned items without variants. With k items tried before the target it follows the ranges of budgets on which those
    /// k decisions stay the same, smallest first, dropping a range as soon as it leaves too little
    /// for the target. That is about k steps where inclusion is monotone and stayed below k² for
    /// all sizes we could think of; it gives up after 100 million.
    ///
    /// # Errors
    /// As [`find_min_budget_for`](Self::find_min_budget_for);
    /// [`CupelError::PipelineConfig`] for any other slicer, or when it gives up.
    pub fn find_exact_min_budget_for(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        target: &ContextItem,
        search_ceiling: impl Into<i64>,
    ) -> Result<Option<i64>, CupelError> {
        let ceiling = search_ceiling.into();
        check_question(items, target, ceiling)?;
        let order_unknown = || {
            CupelError::PipelineConfig(format!(
                "an exact minimum needs a slicer that tries items in an order independent of the \
                 budget, such as GreedySlice or RankSlice, and pinned items without variants; {} \
                 or a pinned item is in the way, use find_min_budget_for",
                self.policy().slicer.name()
            ))
        };
        let input = Input::new(items);
        let probe = Probe::prepare(self, &input, budget)?;
        if !probe.knows_order_of_trial() {
            return Err(order_unknown());
        }
        if target.tokens() < 0 {
            return Ok(None);
        }
        if probe.is_pinned(target) {
            let found = least_for_pinned(&probe, budget, target, ceiling)?;
            return confirmed(&probe, budget, found);
        }
        let Some(position) = probe.position(target) else { return Ok(None) };
        let tried_before = probe.tried_before(position).ok_or_else(order_unknown)?;
        let target_at = |tokens| probe.effective_target(&budget.resized(tokens, tokens));
        let candidate = &probe.candidates()[position];
        let tokens = candidate.tokens_in(candidate.shortest());
        let least = target.least_tokens();
        let found = least_budget(tried_before, tokens, least, ceiling, MOST_STEPS, target_at);
        let found = found.map_err(|_| {
            CupelError::PipelineConfig(format!(
                "the exact minimum was not found in {MOST_STEPS} steps, with {} items tried before \
                 this one; use find_min_budget_for",
                tried_before.len()
            ))
        })?;
        confirmed(&probe, budget, found)
    }
}

/// The budget that was found, if a whole run at it succeeds: the search does without the placer.
fn confirmed(
    probe: &Probe<'_>,
    budget: &ContextBudget,
    found: Option<i64>,
) -> Result<Option<i64>, CupelError> {
    if let Some(tokens) = found {
        probe.window(&budget.resized(tokens, tokens))?;
    }
    Ok(found)
}

/// A pinned item is in as soon as the pinned items fit, and from there on: a slicer that takes only
/// what fits never overflows.
fn least_for_pinned(
    probe: &Probe<'_>,
    budget: &ContextBudget,
    target: &ContextItem,
    ceiling: i64,
) -> Result<Option<i64>, CupelError> {
    if !includes(probe, budget, ceiling, target)? {
        return Ok(None);
    }
    let (mut low, mut high) = (target.least_tokens(), ceiling);
    while low < high {
        let middle = low + (high - low) / 2;
        if includes(probe, budget, middle, target)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(high))
}

fn includes(
    probe: &Probe<'_>,
    budget: &ContextBudget,
    tokens: i64,
    target: &ContextItem,
) -> Result<bool, CupelError> {
    probe.includes(&budget.resized(tokens, tokens), target)
}

fn refuse_quotas(policy: &Policy) -> Result<(), CupelError> {
    if policy.slicer.is_quota() || policy.slicer.is_count_quota() {
        return Err(CupelError::PipelineConfig(
            "FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and CountQuotaSlice \
             produce non-monotonic inclusion as budget changes shift allocations. Use a \
             GreedySlice or KnapsackSlice inner slicer for budget simulation."
                .to_owned(),
        ));
    }
    Ok(())
}

fn check_question(
    items: &[ContextItem],
    target: &ContextItem,
    ceiling: i64,
) -> Result<(), CupelError> {
    if !items.iter().any(|item| item.is_same_instance(target)) {
        return Err(CupelError::InvalidBudget(
            "targetItem must be an element of items; an equal item is another one".to_owned(),
        ));
    }
    if ceiling < target.least_tokens() {
        return Err(CupelError::InvalidBudget(format!(
            "searchCeiling ({ceiling}) must be >= targetItem.Tokens ({})",
            target.least_tokens()
        )));
    }
    Ok(())
}
