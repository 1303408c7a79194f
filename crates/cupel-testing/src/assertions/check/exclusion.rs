//! What is out, and why.

use std::borrow::Borrow;

use cupel::{ContextKind, ExcludedItem, ExclusionReason, SelectionReport};

use super::{Outcome, ReasonKind, SelectionReportAssertionError, ensure, joined, reasons};

pub(in crate::assertions) fn exclude_item_with_reason(
    report: &SelectionReport,
    reason: impl Into<ReasonKind>,
) -> Outcome {
    let reason = reason.into();
    let present = reasons(&report.excluded);
    ensure(present.contains(&reason), || {
        SelectionReportAssertionError::new(
            "ExcludeItemWithReason",
            format!("at least one excluded item with reason {reason}"),
            format!(
                "no excluded item had reason {reason}. Excluded had {} items with reasons: [{}].",
                report.excluded.len(),
                joined(present),
            ),
        )
        .called_with(reason)
    })
}

pub(in crate::assertions) fn exclude_item_matching_with_reason(
    report: &SelectionReport,
    predicate: impl Fn(&ExcludedItem) -> bool,
    reason: impl Into<ReasonKind>,
) -> Outcome {
    let reason = reason.into();
    let matching = matching(report, predicate);
    let present = reasons(matching.iter().copied());
    ensure(present.contains(&reason), || {
        SelectionReportAssertionError::new(
            "ExcludeItemMatchingWithReason",
            format!("at least one excluded item matching the predicate with reason {reason}"),
            format!(
                "predicate matched {} excluded item(s) but none had reason {reason}. Matched items \
                 had reasons: [{}].",
                matching.len(),
                joined(present),
            ),
        )
        .called_with(format_args!("reason={reason}"))
    })
}

pub(in crate::assertions) fn exclude_item_with_budget_details(
    report: &SelectionReport,
    predicate: impl Fn(&ExcludedItem) -> bool,
    expected_item_tokens: i64,
    expected_available_tokens: i64,
) -> Outcome {
    let matching = matching(report, predicate);
    let mut exceeding = matching.iter().filter_map(|entry| match entry.reason {
        ExclusionReason::BudgetExceeded { item_tokens, available_tokens } => {
            Some((item_tokens, available_tokens))
        }
        _ => None,
    });
    let first = exceeding.clone().next();
    let expected = (expected_item_tokens, expected_available_tokens);
    ensure(exceeding.any(|details| details == expected), || {
        let finding = match first {
            Some((item_tokens, available_tokens)) => {
                format!("found item_tokens={item_tokens}, available_tokens={available_tokens}.")
            }
            None => format!(
                "no matching item had reason BudgetExceeded. Predicate matched {} excluded item(s) \
                 with reasons: [{}].",
                matching.len(),
                joined(reasons(matching.iter().copied())),
            ),
        };
        SelectionReportAssertionError::new(
            "ExcludeItemWithBudgetDetails",
            format!(
                "BudgetExceeded with item_tokens={expected_item_tokens}, \
                 available_tokens={expected_available_tokens}"
            ),
            finding,
        )
        .stating_expectation()
    })
}

pub(in crate::assertions) fn have_no_exclusions_for_kind(
    report: &SelectionReport,
    kind: impl Borrow<ContextKind>,
) -> Outcome {
    let kind = kind.borrow();
    let found = matching(report, |entry| entry.item.kind() == kind);
    let Some(first) = found.first() else { return Ok(()) };
    Err(SelectionReportAssertionError::new(
        "HaveNoExclusionsForKind",
        format!("no excluded item with Kind={kind}"),
        format!(
            "found {} excluded item(s) with Kind={kind}. First: score={}, reason={}.",
            found.len(),
            first.score,
            first.reason.name(),
        ),
    )
    .called_with(kind))
}

fn matching(
    report: &SelectionReport,
    predicate: impl Fn(&ExcludedItem) -> bool,
) -> Vec<&ExcludedItem> {
    report.excluded.iter().filter(|entry| predicate(entry)).collect()
}
