//! Scores, selections and orders.

use std::collections::BTreeSet;

use super::items::{Items, list, quoted};
use super::ledger::Account;
use crate::engine::{PlaceTask, Placed, ScoreTask, Scores, Selected, Shortfall, SliceTask};
use crate::vector::{ExpectedOrder, ExpectedScore, ExpectedSelection};

/// Whether a score is as expected. NaN matches NaN only, an infinity only itself.
pub(super) fn is_close(expected: f64, actual: f64, epsilon: f64) -> bool {
    if expected.is_finite() {
        (actual - expected).abs() < epsilon
    } else {
        expected == actual || (expected.is_nan() && actual.is_nan())
    }
}

pub(super) fn scores(
    account: &mut Account<'_>,
    task: &ScoreTask,
    expected: &[ExpectedScore],
    actual: &Scores,
    epsilon: f64,
) {
    let items = Items(&task.items);
    if actual.scores.len() != expected.len() {
        return account.differs("number of scores", expected.len(), actual.scores.len());
    }
    for (expected, actual) in expected.iter().zip(&actual.scores) {
        let what = format!("score of {}", items.show(expected.item));
        let told = account.told(&what, Some(expected.score), *actual);
        match told {
            Some((expected, actual)) if !is_close(expected, actual, epsilon) => {
                account.differs(what, format!("{expected:?} ± {epsilon:?}"), format!("{actual:?}"));
            }
            None if task.list.contains(&expected.item) => {
                account.differs(what, format!("{:?}", expected.score), "no score");
            }
            _ => {}
        }
    }
}

pub(super) fn selection(
    account: &mut Account<'_>,
    task: &SliceTask,
    expected: &ExpectedSelection,
    actual: &Selected,
) {
    let items = Items(&task.items);
    let selected = &actual.selected;
    let given = items.instances(0..task.items.len());
    let too_often = |(instance, times): &(usize, usize)| given.get(instance) < Some(times);
    if let Some((instance, times)) =
        items.instances(selected.iter().copied()).into_iter().find(too_often)
    {
        let given = given.get(&instance).copied().unwrap_or(0);
        account.differs(
            format!("times {} is selected", items.show(instance)),
            format!("at most {given}"),
            times,
        );
    }

    let contents = expected.selected_contents.as_ref();
    if let Some((contents, ())) = account.told("selection", contents, Some(())) {
        let expected_set: BTreeSet<_> = contents.iter().map(|it| Some(it.as_str())).collect();
        let actual_set: BTreeSet<_> = items.contents(selected).into_iter().collect();
        if expected_set != actual_set {
            account.differs("selection", quoted(contents), items.show_all(selected));
        }
    }
    let indices = expected.selected_indices.as_ref();
    if let Some((indices, ())) = account.told("selection", indices, Some(())) {
        let expected = items.instances(indices.iter().copied());
        if expected != items.instances(selected.iter().copied()) {
            account.differs("selection", items.show_all(indices), items.show_all(selected));
        }
    }

    let told = actual.shortfalls.as_ref();
    let count = told.map(Vec::len);
    if let Some((expected, count)) = account.told("shortfalls", expected.shortfall_count, count) {
        account.equal("number of shortfalls", expected, count);
    }
    shortfalls(account, expected.shortfalls.as_ref(), told);
    let capped = account.told("cap exclusions", expected.cap_excluded_count, actual.cap_excluded);
    if let Some((expected, actual)) = capped {
        account.equal("number of items excluded by caps", expected, actual);
    }
}

pub(super) fn shortfalls(
    account: &mut Account<'_>,
    expected: Option<&Vec<Shortfall>>,
    actual: Option<&Vec<Shortfall>>,
) {
    if let Some((expected, actual)) = account.told("shortfalls", expected, actual)
        && expected != actual
    {
        account.differs("shortfalls", show_shortfalls(expected), show_shortfalls(actual));
    }
}

fn show_shortfalls(shortfalls: &[Shortfall]) -> String {
    list(
        shortfalls
            .iter()
            .map(|it| format!("{}: {} of {}", it.kind, it.satisfied_count, it.required_count)),
    )
}

pub(super) fn order(
    account: &mut Account<'_>,
    task: &PlaceTask,
    expected: &ExpectedOrder,
    actual: &Placed,
) {
    let items = Items(&task.items);
    let ExpectedOrder { ordered_contents, ordered_indices } = expected;
    ordered(account, "order", items, ordered_contents.as_ref(), &actual.order);
    ordered_instances(account, "order", items, ordered_indices.as_ref(), &actual.order);
}

/// Compares a list of items with contents in order.
pub(super) fn ordered(
    account: &mut Account<'_>,
    what: &str,
    items: Items<'_>,
    expected: Option<&Vec<String>>,
    actual: &[usize],
) {
    if let Some((expected, ())) = account.told(what, expected, Some(())) {
        let expected_contents: Vec<_> = expected.iter().map(|it| Some(it.as_str())).collect();
        if items.contents(actual) != expected_contents {
            account.differs(what, quoted(expected), items.show_all(actual));
        }
    }
}

/// Compares a list of items with instances in order.
pub(super) fn ordered_instances(
    account: &mut Account<'_>,
    what: &str,
    items: Items<'_>,
    expected: Option<&Vec<usize>>,
    actual: &[usize],
) {
    if let Some((expected, ())) = account.told(what, expected, Some(()))
        && !items.same_instances(expected, actual)
    {
        account.differs(what, items.show_all(expected), items.show_all(actual));
    }
}
