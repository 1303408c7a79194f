//! Answers of simulations.

use super::items::{Items, list};
use super::ledger::Account;
use super::stages::{ordered, ordered_instances};
use crate::engine::{
    Diff, Marginal, MarginalItemsTask, MinBudget, Sensitivity, SensitivityTask, VariantStatus,
};
use crate::vector::{ExpectedDiff, ExpectedMarginal, ExpectedMinBudget, ExpectedSensitivity};

pub(super) fn marginal(
    account: &mut Account<'_>,
    task: &MarginalItemsTask,
    expected: &ExpectedMarginal,
    actual: &Marginal,
) {
    let items = Items(&task.items);
    let ExpectedMarginal { marginal_contents, marginal_indices } = expected;
    ordered(account, "marginal items", items, marginal_contents.as_ref(), &actual.items);
    ordered_instances(account, "marginal items", items, marginal_indices.as_ref(), &actual.items);
}

pub(super) fn min_budget(
    account: &mut Account<'_>,
    expected: &ExpectedMinBudget,
    actual: &MinBudget,
) {
    let found = account.told("minimum budget", expected.found, Some(actual.min_budget.is_some()));
    match found {
        Some((false, true)) => account.differs("minimum budget", "none", show(actual.min_budget)),
        Some((true, false)) => account.differs("minimum budget", show(expected.min_budget), "none"),
        _ => {
            let answers = account.told("minimum budget", expected.min_budget, actual.min_budget);
            if let Some((expected, actual)) = answers {
                account.equal("minimum budget", expected, actual);
            }
        }
    }
}

fn show(budget: Option<i64>) -> String {
    budget.map_or_else(|| "some budget".to_owned(), |budget| budget.to_string())
}

pub(super) fn sensitivity(
    account: &mut Account<'_>,
    task: &SensitivityTask,
    expected: &ExpectedSensitivity,
    actual: &Sensitivity,
) {
    let items = Items(&task.items);
    if let Some((variants, ())) = account.told("variants", expected.variants.as_ref(), Some(())) {
        let labels = |labels: &mut dyn Iterator<Item = &String>| list(labels.cloned());
        let expected_labels = labels(&mut variants.iter().map(|it| &it.label));
        let actual_labels = labels(&mut actual.variants.iter().map(|it| &it.label));
        account.equal("variants", expected_labels, actual_labels);
        for (expected, actual) in variants.iter().zip(&actual.variants) {
            let what = format!("window of variant {:?}", expected.label);
            let contents = Some(&expected.included_contents);
            ordered(account, &what, items, contents, &actual.included);
        }
    }
    if let Some((diffs, ())) = account.told("diffs", expected.diffs.as_ref(), Some(())) {
        let labels: Vec<&str> = task.variants.iter().map(|it| it.label.as_str()).collect();
        let expected: Vec<Diff> = diffs.iter().map(|diff| labelled(diff, &labels)).collect();
        if expected != actual.diffs {
            account.differs("diffs", show_diffs(&expected), show_diffs(&actual.diffs));
        }
    }
}

/// An expected difference with the labels that its statuses are meant for.
fn labelled(diff: &ExpectedDiff, labels: &[&str]) -> Diff {
    let label = |at: usize| labels.get(at).copied().unwrap_or_default().to_owned();
    let status =
        |(at, status): (usize, &String)| VariantStatus { label: label(at), status: status.clone() };
    let statuses = diff.statuses.iter().enumerate().map(status).collect();
    Diff { content: diff.content.clone(), statuses }
}

fn show_diffs(diffs: &[Diff]) -> String {
    list(diffs.iter().map(|diff| {
        let statuses = diff.statuses.iter().map(|it| format!("{} {}", it.label, it.status));
        format!("{:?} {}", diff.content, list(statuses))
    }))
}
