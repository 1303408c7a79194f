//! Reports in a few words, and what a failing assertion says.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cupel::{
    ContextItem, ContextKind, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason,
    SelectionReport,
};
use cupel_testing::{SelectionReportAssertionChain as Chain, SelectionReportAssertions};

pub(crate) fn kind(name: &str) -> ContextKind {
    ContextKind::new(name).unwrap()
}

pub(crate) fn item(content: &str, kind_name: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(content, tokens).kind(kind(kind_name)).build().unwrap()
}

/// Included items of these kinds and scores, 10 tokens each, named by their position.
pub(crate) fn including(entries: &[(&str, f64)]) -> SelectionReport {
    let included = entries.iter().enumerate().map(|(at, (kind, score))| {
        IncludedItem::new(item(&format!("item {at}"), kind, 10), *score, InclusionReason::Scored)
    });
    SelectionReport::new(Vec::new(), included.collect(), Vec::new(), Vec::new())
}

/// Included messages with these scores.
pub(crate) fn including_scores(scores: &[f64]) -> SelectionReport {
    let entries: Vec<(&str, f64)> = scores.iter().map(|score| ("Message", *score)).collect();
    including(&entries)
}

/// Excluded items of these kinds and scores, for these reasons, named by their position.
pub(crate) fn excluding(entries: &[(&str, f64, ExclusionReason)]) -> SelectionReport {
    let excluded = entries.iter().enumerate().map(|(at, (kind, score, reason))| {
        ExcludedItem::new(item(&format!("item {at}"), kind, 10), *score, reason.clone())
    });
    SelectionReport::new(Vec::new(), Vec::new(), excluded.collect(), Vec::new())
}

pub(crate) fn nothing() -> SelectionReport {
    SelectionReport::default()
}

pub(crate) fn over_budget(item_tokens: i64, available_tokens: i64) -> ExclusionReason {
    ExclusionReason::BudgetExceeded { item_tokens, available_tokens }
}

pub(crate) fn duplicate() -> ExclusionReason {
    ExclusionReason::Deduplicated { deduplicated_against: "the survivor".to_owned() }
}

pub(crate) fn negative() -> ExclusionReason {
    ExclusionReason::NegativeTokens { tokens: -1 }
}

/// The message `assertion` panics with.
#[track_caller]
pub(crate) fn failure(
    report: &SelectionReport,
    assertion: impl for<'c, 'r> FnOnce(&'c mut Chain<'r>) -> &'c mut Chain<'r>,
) -> String {
    let attempt = || {
        assertion(&mut report.should());
    };
    match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(()) => panic!("the assertion holds"),
        Err(payload) => *payload.downcast::<String>().expect("a message"),
    }
}
