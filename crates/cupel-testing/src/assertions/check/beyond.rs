//! Assertions of our own.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use cupel::{ContextBudget, IncludedItem, SelectionReport};

use super::total::included_tokens;
use super::{
    Line, Outcome, ReasonKind, SelectionReportAssertionError, ensure, joined, listed, quoted,
    reasons,
};

pub(in crate::assertions) fn have_no_exclusions(report: &SelectionReport) -> Outcome {
    let excluded = &report.excluded;
    ensure(excluded.is_empty(), || {
        SelectionReportAssertionError::new(
            "HaveNoExclusions",
            "no excluded items",
            format!("Excluded had {}.{}", excluded.len(), listed(excluded.iter().map(Line::from)),),
        )
        .stating_expectation()
    })
}

pub(in crate::assertions) fn have_at_least_n_exclusions_with_reason(
    report: &SelectionReport,
    n: usize,
    reason: impl Into<ReasonKind>,
) -> Outcome {
    let reason = reason.into();
    let excluded = &report.excluded;
    let actual = excluded.iter().filter(|it| ReasonKind::from(&it.reason) == reason).count();
    ensure(actual >= n, || {
        SelectionReportAssertionError::new(
            "HaveAtLeastNExclusionsWithReason",
            format!("at least {n} excluded items with reason {reason}"),
            format!(
                "found {actual}. Excluded had {} items with reasons: [{}].",
                excluded.len(),
                joined(reasons(excluded)),
            ),
        )
        .called_with(format_args!("{n}, {reason}"))
        .stating_expectation()
    })
}

pub(in crate::assertions) fn have_included_tokens_within_budget(
    report: &SelectionReport,
    budget: impl Borrow<ContextBudget>,
) -> Outcome {
    let budget = budget.borrow();
    let (max, reserve) = (budget.max_tokens(), budget.output_reserve());
    let target = budget.target_tokens();
    let limit = budget.window_tokens();
    let actual = included_tokens(report);
    ensure(actual <= i128::from(limit), || {
        SelectionReportAssertionError::new(
            "HaveIncludedTokensWithinBudget",
            format!("at most {limit} included tokens"),
            format!(
                "Included had {actual} (budget.MaxTokens={max}, budget.TargetTokens={target}, \
                 budget.OutputReserve={reserve})."
            ),
        )
        .stating_expectation()
    })
}

pub(in crate::assertions) fn place_items_before(
    report: &SelectionReport,
    earlier: impl Fn(&IncludedItem) -> bool,
    later: impl Fn(&IncludedItem) -> bool,
) -> Outcome {
    let included = &report.included;
    let last_earlier = included.iter().rposition(earlier);
    let first_later = included.iter().position(later);
    let finding = match (last_earlier, first_later) {
        (Some(earlier), Some(later)) if earlier < later => return Ok(()),
        (Some(earlier), Some(later)) => format!(
            "the first predicate matched the item at index {earlier} and the second the item at \
             index {later}."
        ),
        (None, _) => "the first predicate matched no item in Included.".to_owned(),
        (_, None) => "the second predicate matched no item in Included.".to_owned(),
    };
    Err(SelectionReportAssertionError::new(
        "PlaceItemsBefore",
        "every item matching the first predicate before every item matching the second",
        format!(
            "{finding} Included had {} items.{}",
            included.len(),
            listed(included.iter().map(Line::from)),
        ),
    )
    .stating_expectation())
}

pub(in crate::assertions) fn keep_groups_whole(report: &SelectionReport) -> Outcome {
    let excluded: BTreeSet<&str> =
        report.excluded.iter().filter_map(|it| it.item.group()).collect();
    let split = report
        .included
        .iter()
        .find(|it| it.item.group().is_some_and(|group| excluded.contains(group)));
    let Some(group) = split.and_then(|it| it.item.group()) else { return Ok(()) };
    let included = report.included.iter().filter(|it| it.item.group() == Some(group));
    let out: Vec<_> = report.excluded.iter().filter(|it| it.item.group() == Some(group)).collect();
    Err(SelectionReportAssertionError::new(
        "KeepGroupsWhole",
        "every group to be included or excluded whole",
        format!(
            "Included had {} and Excluded {} of the items of group {}.{}",
            included.count(),
            out.len(),
            quoted(group),
            listed(out.iter().map(|it| Line::from(*it))),
        ),
    )
    .stating_expectation())
}

pub(in crate::assertions) fn shorten_item_matching(
    report: &SelectionReport,
    predicate: impl Fn(&IncludedItem) -> bool,
) -> Outcome {
    let included = &report.included;
    let matching: Vec<_> = included.iter().filter(|it| predicate(it)).collect();
    ensure(matching.iter().any(|it| it.shortened.is_some()), || {
        SelectionReportAssertionError::new(
            "ShortenItemMatching",
            "a shortened item matching the predicate",
            format!(
                "the predicate matched {} of {} items in Included, all whole.{}",
                matching.len(),
                included.len(),
                listed(matching.iter().map(|it| Line::from(*it))),
            ),
        )
        .stating_expectation()
    })
}

pub(in crate::assertions) fn include_items_whole(report: &SelectionReport) -> Outcome {
    let shortened: Vec<_> = report.included.iter().filter(|it| it.shortened.is_some()).collect();
    ensure(shortened.is_empty(), || {
        SelectionReportAssertionError::new(
            "IncludeItemsWhole",
            "no shortened items",
            format!(
                "Included had {}.{}",
                shortened.len(),
                listed(shortened.iter().map(|it| Line::from(*it))),
            ),
        )
        .stating_expectation()
    })
}
