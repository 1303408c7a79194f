//! The one implementation of each assertion.

mod beyond;
mod exclusion;
mod inclusion;
mod ordering;
mod total;

pub(super) use beyond::*;
pub(super) use exclusion::exclude_item_with_budget_details as have_excluded_item_with_budget_details;
pub(super) use exclusion::*;
pub(super) use inclusion::include_exactly_n_items_with_kind as include_exact_n_items_with_kind;
pub(super) use inclusion::*;
pub(super) use ordering::*;
pub(super) use total::*;

use cupel::{ContextItem, ContextKind, ExcludedItem, IncludedItem, SelectionReport};

use super::{ReasonKind, SelectionReportAssertionError};
use crate::describe::{joined, quoted};

/// Holds, or the error that says why not.
type Outcome = Result<(), SelectionReportAssertionError>;

/// How many items a message lists.
const LISTED: usize = 5;

fn ensure(holds: bool, otherwise: impl FnOnce() -> SelectionReportAssertionError) -> Outcome {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The kinds among the included items, each once, in order of first appearance.
fn included_kinds(report: &SelectionReport) -> Vec<&ContextKind> {
    distinct(report.included.iter().map(|entry| entry.item.kind()))
}

/// The reasons among these exclusions, each once, in order of first appearance.
fn reasons<'a>(excluded: impl IntoIterator<Item = &'a ExcludedItem>) -> Vec<ReasonKind> {
    distinct(excluded.into_iter().map(|entry| ReasonKind::from(&entry.reason)))
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// One line for each of the first entries, to stand below a message.
fn listed<'a>(entries: impl ExactSizeIterator<Item = Line<'a>>) -> String {
    let hidden = entries.len().saturating_sub(LISTED);
    let mut lines: String = entries
        .take(LISTED)
        .enumerate()
        .map(|(at, Line { item, score, reason })| {
            let content = quoted(item.content());
            format!("\n  [{at}] kind={}, score={score}, reason={reason}: {content}", item.kind())
        })
        .collect();
    if hidden > 0 {
        lines.push_str(&format!("\n  ... and {hidden} more"));
    }
    lines
}

/// What a listing says of an item.
struct Line<'a> {
    item: &'a ContextItem,
    score: f64,
    reason: &'static str,
}

impl<'a> From<&'a IncludedItem> for Line<'a> {
    fn from(entry: &'a IncludedItem) -> Self {
        Self { item: &entry.item, score: entry.score, reason: entry.reason.name() }
    }
}

impl<'a> From<&'a ExcludedItem> for Line<'a> {
    fn from(entry: &'a ExcludedItem) -> Self {
        Self { item: &entry.item, score: entry.score, reason: entry.reason.name() }
    }
}
