//! The questions of simulation, answered by running the whole pipeline at every budget in question.

use std::collections::HashMap;

use cupel::{ContextBudget, ContextItem, CupelError, Pipeline, SelectionReport};

use super::small::least_tokens;

/// The budget with the same reservations and margin at another size; the output reserve as far as
/// it fits.
pub(crate) fn resized(
    budget: &ContextBudget,
    max_tokens: i64,
    target_tokens: i64,
) -> ContextBudget {
    ContextBudget::new(
        max_tokens,
        target_tokens,
        budget.output_reserve().min(max_tokens),
        budget.reserved_slots().clone(),
        budget.estimation_safety_margin_percent(),
    )
    .expect("sizes in question are valid")
}

/// The budget with `tokens` more of both maximum and target.
pub(crate) fn with_more(budget: &ContextBudget, tokens: i64) -> ContextBudget {
    resized(budget, budget.max_tokens() + tokens, budget.target_tokens() + tokens)
}

/// How often the instance is among these, in whatever form.
pub(crate) fn occurrences(item: &ContextItem, among: &[ContextItem]) -> usize {
    among.iter().filter(|other| other.whole().is_same_instance(item.whole())).count()
}

/// The same handles in the same order, in whatever form.
pub(crate) fn same_handles(a: &[ContextItem], b: &[ContextItem]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.whole().is_same_instance(b.whole()))
}

/// What a report has in the window.
pub(crate) fn included(report: &SelectionReport) -> Vec<ContextItem> {
    report.included.iter().map(|entry| entry.item.clone()).collect()
}

/// Whether the target is in the window of a run with a maximum and target of `tokens`.
pub(crate) fn includes(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    target: &ContextItem,
    tokens: i64,
) -> bool {
    match pipeline.dry_run(items, &resized(budget, tokens, tokens)) {
        Ok(report) => occurrences(target, &included(&report)) > 0,
        Err(CupelError::PinnedExceedsBudget { .. } | CupelError::Overflow { .. }) => false,
        Err(other) => panic!("no small problem fails like this: {other}"),
    }
}

/// The specified search, with the low end tried first.
pub(crate) fn find_min_budget_for(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    target: &ContextItem,
    search_ceiling: i64,
) -> Option<i64> {
    if target.tokens() < 0 {
        return None;
    }
    let includes = |tokens| includes(pipeline, items, budget, target, tokens);
    let mut low = least_tokens(target);
    let mut high = search_ceiling;
    if includes(low) {
        return Some(low);
    }
    while high - low > 1 {
        let mid = low + (high - low) / 2;
        if includes(mid) {
            high = mid;
        } else {
            low = mid;
        }
    }
    if includes(high) { Some(high) } else { None }
}

/// The smallest of all budgets up to the ceiling that includes the target.
pub(crate) fn smallest_budget_for(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    target: &ContextItem,
    search_ceiling: i64,
) -> Option<i64> {
    (0..=search_ceiling).find(|&tokens| includes(pipeline, items, budget, target, tokens))
}

/// What is in the full window and not in the reduced one, by instance, in window order.
pub(crate) fn marginal_items(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    slack_tokens: i64,
) -> Result<Vec<ContextItem>, CupelError> {
    let reduced =
        resized(budget, budget.max_tokens() - slack_tokens, budget.target_tokens() - slack_tokens);
    let primary = included(&pipeline.dry_run(items, budget)?);
    let margin = included(&pipeline.dry_run(items, &reduced)?);
    Ok(primary.into_iter().filter(|item| occurrences(item, &margin) == 0).collect())
}

/// Real windows at growing budgets, each run at most once.
pub(crate) struct Windows<'a> {
    pipeline: &'a Pipeline,
    items: &'a [ContextItem],
    budget: &'a ContextBudget,
    known: HashMap<i64, Result<Vec<ContextItem>, CupelError>>,
}

impl<'a> Windows<'a> {
    pub(crate) fn new(
        pipeline: &'a Pipeline,
        items: &'a [ContextItem],
        budget: &'a ContextBudget,
    ) -> Self {
        Self { pipeline, items, budget, known: HashMap::new() }
    }

    /// The window of a run with so many more tokens.
    pub(crate) fn with_more(&mut self, tokens: i64) -> &Result<Vec<ContextItem>, CupelError> {
        let run = || self.pipeline.run(self.items, &with_more(self.budget, tokens));
        self.known.entry(tokens).or_insert_with(run)
    }

    /// How often the instance is in the window of a run with so many more tokens; never if it fails.
    pub(crate) fn occurrences(&mut self, item: &ContextItem, more_tokens: i64) -> usize {
        match self.with_more(more_tokens) {
            Ok(window) => occurrences(item, window),
            Err(_) => 0,
        }
    }
}
