//! What is in.

use std::borrow::Borrow;

use cupel::{ContextKind, IncludedItem, SelectionReport};

use super::{Line, Outcome, SelectionReportAssertionError, ensure, included_kinds, joined, listed};

pub(in crate::assertions) fn include_item_with_kind(
    report: &SelectionReport,
    kind: impl Borrow<ContextKind>,
) -> Outcome {
    let kind = kind.borrow();
    ensure(included_with_kind(report, kind) > 0, || {
        SelectionReportAssertionError::new(
            "IncludeItemWithKind",
            format!("at least one included item with Kind={kind}"),
            format!(
                "Included contained 0 items with Kind={kind}. Included had {} items with kinds: \
                 [{}].",
                report.included.len(),
                joined(included_kinds(report)),
            ),
        )
        .called_with(kind)
    })
}

pub(in crate::assertions) fn include_item_matching(
    report: &SelectionReport,
    predicate: impl Fn(&IncludedItem) -> bool,
) -> Outcome {
    ensure(report.included.iter().any(predicate), || {
        SelectionReportAssertionError::new(
            "IncludeItemMatching",
            "at least one included item matching the predicate",
            format!(
                "no item in Included matched the predicate. Included had {} items.{}",
                report.included.len(),
                listed(report.included.iter().map(Line::from)),
            ),
        )
    })
}

pub(in crate::assertions) fn include_exactly_n_items_with_kind(
    report: &SelectionReport,
    kind: impl Borrow<ContextKind>,
    n: usize,
) -> Outcome {
    let kind = kind.borrow();
    let actual = included_with_kind(report, kind);
    ensure(actual == n, || {
        SelectionReportAssertionError::new(
            "IncludeExactlyNItemsWithKind",
            format!("{n} items with Kind={kind} in Included"),
            format!("found {actual}. Included had {} items total.", report.included.len()),
        )
        .called_with(format_args!("{kind}, {n}"))
        .stating_expectation()
    })
}

fn included_with_kind(report: &SelectionReport, kind: &ContextKind) -> usize {
    report.included.iter().filter(|entry| entry.item.kind() == kind).count()
}
