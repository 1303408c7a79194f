//! A pipeline's output.

use super::items::{Items, list, show_ref};
use super::ledger::Account;
use super::refusal::describe;
use crate::engine::{Ran, Refusal, RunTask};
use crate::vector::ItemRef;

/// All ways to run a pipeline give the same window, or the same error.
pub(super) fn same_outcome(
    account: &mut Account<'_>,
    task: &RunTask,
    first: &Result<Ran, Refusal>,
    actual: &Result<Ran, Refusal>,
) {
    let items = Items(&task.items);
    let same = match (first, actual) {
        (Ok(first), Ok(actual)) => items.same_instances(&first.output, &actual.output),
        (Err(first), Err(actual)) => first == actual,
        _ => false,
    };
    if !same {
        let show = |outcome: &Result<Ran, Refusal>| match outcome {
            Ok(ran) => items.show_all(&ran.output),
            Err(refusal) => describe(refusal),
        };
        account.differs("outcome, as of the first path", show(first), show(actual));
    }
}

pub(super) fn output(
    account: &mut Account<'_>,
    task: &RunTask,
    expected: Option<&[ItemRef]>,
    actual: &Ran,
) {
    let items = Items(&task.items);
    if let Some((expected, ())) = account.told("output", expected, Some(())) {
        in_order(account, "output", items, expected, &actual.output);
    }
}

/// Compares a list of items with expected ones in order; says whether they match.
pub(super) fn in_order(
    account: &mut Account<'_>,
    what: &str,
    items: Items<'_>,
    expected: &[ItemRef],
    actual: &[usize],
) -> bool {
    let matches = expected.len() == actual.len()
        && expected.iter().zip(actual).all(|(expected, at)| items.is(*at, expected));
    if !matches {
        account.differs(what, list(expected.iter().map(show_ref)), items.show_all(actual));
    }
    matches
}
