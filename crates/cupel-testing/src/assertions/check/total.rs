//! The report as a whole: how much is out, how full the window is, how varied.

use std::borrow::Borrow;

use cupel::analytics::budget_utilization;
use cupel::{ContextBudget, SelectionReport};

use super::{Outcome, SelectionReportAssertionError, ensure, included_kinds, joined};
use crate::rank::best_first;

pub(in crate::assertions) fn have_at_least_n_exclusions(
    report: &SelectionReport,
    n: usize,
) -> Outcome {
    let actual = report.excluded.len();
    ensure(actual >= n, || {
        SelectionReportAssertionError::new(
            "HaveAtLeastNExclusions",
            format!("at least {n} excluded items"),
            format!("Excluded had {actual}."),
        )
        .called_with(n)
        .stating_expectation()
    })
}

pub(in crate::assertions) fn excluded_items_are_sorted_by_score_descending(
    report: &SelectionReport,
) -> Outcome {
    let scores = || report.excluded.iter().map(|entry| entry.score);
    let rising = scores().zip(scores().skip(1)).position(|(a, b)| best_first(a, b).is_gt());
    let Some(at) = rising else { return Ok(()) };
    Err(SelectionReportAssertionError::new(
        "ExcludedItemsAreSortedByScoreDescending",
        "non-increasing scores",
        format!(
            "item at index {} (score={}) is higher than item at index {at} (score={}). Expected \
             non-increasing scores.",
            at + 1,
            report.excluded[at + 1].score,
            report.excluded[at].score,
        ),
    ))
}

pub(in crate::assertions) fn have_budget_utilization_above(
    report: &SelectionReport,
    threshold: f64,
    budget: impl Borrow<ContextBudget>,
) -> Outcome {
    let budget = budget.borrow();
    let actual = budget_utilization(report, budget);
    ensure(actual >= threshold, || {
        SelectionReportAssertionError::new(
            "HaveBudgetUtilizationAbove",
            format!("a utilization of at least {threshold}"),
            format!(
                "computed utilization was {actual:.6} (includedTokens={}, budget.MaxTokens={}).",
                included_tokens(report),
                budget.max_tokens(),
            ),
        )
        .called_with(threshold)
    })
}

pub(in crate::assertions) fn have_kind_coverage_count(
    report: &SelectionReport,
    n: usize,
) -> Outcome {
    let kinds = included_kinds(report);
    ensure(kinds.len() >= n, || {
        SelectionReportAssertionError::new(
            "HaveKindCoverageCount",
            format!("at least {n} distinct ContextKind values in Included"),
            format!("found {}: [{}].", kinds.len(), joined(&kinds)),
        )
        .called_with(n)
        .stating_expectation()
    })
}

/// Exact, so that no sum of extreme counts looks small.
pub(super) fn included_tokens(report: &SelectionReport) -> i128 {
    report.included.iter().map(|entry| i128::from(entry.item.tokens())).sum()
}
