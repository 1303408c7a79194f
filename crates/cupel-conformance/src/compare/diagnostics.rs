//! A run's report.

use super::items::{Items, list, quoted};
use super::ledger::Account;
use super::pipeline::in_order;
use super::stages::{is_close, ordered, shortfalls};
use crate::engine::{
    BudgetSpec, DetailLevel, Event, Events, Excluded, Included, Overflow, OverflowStrategy,
    ReasonDetails, Report, RunTask, Snapshot,
};
use crate::vector::{
    ExpectedDiagnostics, ExpectedEvent, ExpectedExcluded, ExpectedIncluded, ExpectedOverflow,
    ExpectedSnapshot, ItemRef,
};

pub(super) fn report(
    account: &mut Account<'_>,
    task: &RunTask,
    expected: &ExpectedDiagnostics,
    actual: Option<&Report>,
    epsilon: f64,
) {
    let items = Items(&task.items);
    let included = account.told(
        "included",
        expected.included.as_deref(),
        actual.and_then(|it| it.included.as_deref()),
    );
    if let Some((expected, actual)) = included {
        self::included(account, items, expected, actual, epsilon);
    }
    let excluded = account.told(
        "excluded",
        expected.excluded.as_deref(),
        actual.and_then(|it| it.excluded.as_deref()),
    );
    if let Some((expected, actual)) = excluded {
        self::excluded(account, items, expected, actual, epsilon);
    }
    if let Some(summary) = &expected.summary {
        let totals = [
            (
                "total_candidates",
                summary.total_candidates,
                actual.and_then(|it| it.total_candidates),
            ),
            (
                "total_tokens_considered",
                summary.total_tokens_considered,
                actual.and_then(|it| it.total_tokens_considered),
            ),
        ];
        for (what, expected, actual) in totals {
            if let Some((expected, actual)) = account.told(what, expected, actual) {
                account.equal(what, expected, actual);
            }
        }
    }
    let told = actual.and_then(|it| it.shortfalls.as_ref());
    shortfalls(account, expected.shortfalls.as_ref(), told);
    events(account, task, expected.events.as_deref(), actual.and_then(|it| it.events.as_ref()));
    let snapshots = account.told(
        "snapshots",
        expected.snapshots.as_deref(),
        actual.and_then(|it| it.snapshots.as_deref()),
    );
    if let Some((expected, actual)) = snapshots {
        self::snapshots(account, items, expected, actual);
    }
    let overflows = actual.and_then(|it| it.overflows.as_deref());
    overflow(account, task, expected.overflow.as_ref(), overflows);
}

fn included(
    account: &mut Account<'_>,
    items: Items<'_>,
    expected: &[ExpectedIncluded],
    actual: &[Included],
    epsilon: f64,
) {
    let refs: Vec<_> = expected.iter().map(|it| item_ref(&it.content, it.index)).collect();
    let positions: Vec<_> = actual.iter().map(|it| it.item).collect();
    if !in_order(account, "included", items, &refs, &positions) {
        return;
    }
    for (expected, actual) in expected.iter().zip(actual) {
        let of = |what: &str| format!("{what} of included {}", items.show(actual.item));
        score(account, of("score"), expected.score_approx, actual.score, epsilon);
        if let Some(reason) = &expected.inclusion_reason {
            account.equal(of("reason"), reason, &actual.reason);
        }
        if let Some(form) = expected.form {
            account.equal(of("form"), form, actual.form);
        }
    }
}

fn excluded(
    account: &mut Account<'_>,
    items: Items<'_>,
    expected: &[ExpectedExcluded],
    actual: &[Excluded],
    epsilon: f64,
) {
    let refs: Vec<_> = expected.iter().map(|it| item_ref(&it.content, it.index)).collect();
    let positions: Vec<_> = actual.iter().map(|it| it.item).collect();
    if !in_order(account, "excluded", items, &refs, &positions) {
        return;
    }
    for (expected, actual) in expected.iter().zip(actual) {
        let of = |what: &str| format!("{what} of excluded {}", items.show(actual.item));
        score(account, of("score"), expected.score_approx, actual.score, epsilon);
        if let Some(reason) = &expected.exclusion_reason {
            account.equal(of("reason"), reason, &actual.reason);
        }
        let pairs = details(&expected.details()).into_iter().zip(details(&actual.details));
        for ((name, expected), (_, actual)) in pairs {
            let Some(expected) = expected else { continue };
            account.equal(of(name), expected, actual.unwrap_or_else(|| "absent".to_owned()));
        }
        let overlap = actual.details.overlap.unwrap_or(f64::NAN);
        score(account, of("overlap"), expected.overlap, overlap, epsilon);
    }
}

fn details(details: &ReasonDetails) -> [(&'static str, Option<String>); 10] {
    let number = |number: Option<i64>| number.map(|it| it.to_string());
    let text = |text: &Option<String>| text.as_ref().map(|it| format!("{it:?}"));
    [
        ("item_tokens", number(details.item_tokens)),
        ("available_tokens", number(details.available_tokens)),
        ("deduplicated_against", text(&details.deduplicated_against)),
        ("tokens", number(details.tokens)),
        ("displaced_by", text(&details.displaced_by)),
        ("kind", text(&details.kind)),
        ("cap", number(details.cap)),
        ("count", number(details.count)),
        ("group", text(&details.group)),
        ("near_duplicate_of", text(&details.near_duplicate_of)),
    ]
}

fn item_ref(content: &Option<String>, index: Option<usize>) -> ItemRef {
    ItemRef { content: content.clone(), index }
}

fn score(
    account: &mut Account<'_>,
    what: String,
    expected: Option<f64>,
    actual: f64,
    epsilon: f64,
) {
    if let Some(expected) = expected.filter(|expected| !is_close(*expected, actual, epsilon)) {
        account.differs(what, format!("{expected:?} ± {epsilon:?}"), format!("{actual:?}"));
    }
}

/// Compares what was recorded at the vector's level. Of a finer trace the item events are left out;
/// a coarser one has none to compare and does not count as telling.
fn events(
    account: &mut Account<'_>,
    task: &RunTask,
    expected: Option<&[ExpectedEvent]>,
    actual: Option<&Events>,
) {
    let is_fine_enough = |it: &&Events| it.detail_level >= task.detail_level;
    let told = actual.filter(is_fine_enough);
    let Some((expected, actual)) = account.told("events", expected, told) else { return };
    let too_fine = actual.detail_level > task.detail_level;
    let recorded: Vec<&Event> = actual
        .recorded
        .iter()
        .filter(|event| !too_fine || event.level == DetailLevel::Stage)
        .collect();
    let matches = expected.len() == recorded.len()
        && expected.iter().zip(&recorded).all(|(expected, actual)| is_event(expected, actual));
    if !matches {
        let expected = list(expected.iter().map(show_expected_event));
        account.differs("events", expected, list(recorded.iter().map(|it| show_event(it))));
    }
}

fn is_event(expected: &ExpectedEvent, actual: &Event) -> bool {
    let message = actual.message.as_deref().unwrap_or_default();
    expected.stage == actual.stage
        && expected.item_count == actual.item_count
        && expected.level == actual.level
        && expected.message.as_deref().is_none_or(|expected| expected == message)
        && expected.message_prefix.as_deref().is_none_or(|prefix| message.starts_with(prefix))
        && (actual.level == DetailLevel::Stage || actual.duration_ms == 0.0)
}

fn show_expected_event(event: &ExpectedEvent) -> String {
    let text = event.message.as_ref().or(event.message_prefix.as_ref());
    let text = text.map(|text| format!(" {text:?}")).unwrap_or_default();
    format!("{} {} {}{text}", event.stage, event.level, event.item_count)
}

fn show_event(event: &Event) -> String {
    let text = event.message.as_ref().map(|text| format!(" {text:?}")).unwrap_or_default();
    let lasting = event.level == DetailLevel::Item && event.duration_ms != 0.0;
    let duration = if lasting { format!(" {} ms", event.duration_ms) } else { String::new() };
    format!("{} {} {}{text}{duration}", event.stage, event.level, event.item_count)
}

fn snapshots(
    account: &mut Account<'_>,
    items: Items<'_>,
    expected: &[ExpectedSnapshot],
    actual: &[Snapshot],
) {
    account.equal("number of snapshots", expected.len(), actual.len());
    for (expected, actual) in expected.iter().zip(actual) {
        let of = |what: &str| format!("{what} of snapshot {}", expected.stage);
        account.equal(of("stage"), &expected.stage, &actual.stage);
        account.equal(of("item_count_in"), expected.item_count_in, actual.item_count_in);
        account.equal(of("item_count_out"), expected.item_count_out, actual.item_count_out);
        let mut contents: Vec<_> =
            expected.excluded_contents.iter().map(|it| Some(it.as_str())).collect();
        let mut actual_contents = items.contents(&actual.excluded);
        contents.sort_unstable();
        actual_contents.sort_unstable();
        if contents != actual_contents {
            let actual = items.show_all(&actual.excluded);
            account.differs(of("excluded"), quoted(&expected.excluded_contents), actual);
        }
    }
}

fn overflow(
    account: &mut Account<'_>,
    task: &RunTask,
    expected: Option<&ExpectedOverflow>,
    actual: Option<&[Overflow]>,
) {
    for event in actual.unwrap_or_default() {
        let strategy = task.pipeline.overflow_strategy;
        if strategy != OverflowStrategy::Proceed {
            account.differs("overflow event", format!("none under {strategy}"), "an event");
        }
        if !same_budget(&task.budget, &event.budget) {
            let (expected, actual) = (format!("{:?}", task.budget), format!("{:?}", event.budget));
            account.differs("budget of the overflow event", expected, actual);
        }
    }
    let Some((expected, actual)) = account.told("overflow event", expected, actual) else { return };
    let wanted = usize::from(expected.tokens_over_budget != 0);
    account.equal("number of overflow events", wanted, actual.len());
    if let ([event], 1) = (actual, wanted) {
        let excess = (expected.tokens_over_budget, event.tokens_over_budget);
        account.equal("tokens_over_budget of the overflow event", excess.0, excess.1);
        let contents = expected.overflowing_contents.as_ref();
        ordered(account, "items of the overflow event", Items(&task.items), contents, &event.items);
    }
}

/// Reserved slots have no order.
fn same_budget(a: &BudgetSpec, b: &BudgetSpec) -> bool {
    let sorted = |budget: &BudgetSpec| {
        let mut budget = budget.clone();
        budget.reserved_slots.sort_unstable();
        budget
    };
    sorted(a) == sorted(b)
}
