//! Comparing what the engine gives with what the oracle expects.

use cupel::{ContextItem, SelectionReport};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::Outcome;

/// Whether two scores are the same number, to the bit. NaN is the same as NaN, whatever its bits.
pub fn same_score(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Fails unless `actual` holds the very instances of `items` at the `expected` positions, in order.
pub fn same_items(
    actual: &[ContextItem],
    expected: &[usize],
    items: &[ContextItem],
) -> Result<(), TestCaseError> {
    let agree = actual.len() == expected.len()
        && actual
            .iter()
            .zip(expected)
            .all(|(item, &position)| item.is_same_instance(&items[position]));
    let contents: Vec<&str> = actual.iter().map(ContextItem::content).collect();
    prop_assert!(agree, "expected the items at positions {expected:?}, found {contents:?}");
    Ok(())
}

/// Fails unless `report` tells exactly what the oracle decided. Events have checks of their own.
pub fn report_matches(
    report: &SelectionReport,
    expected: &Outcome,
    items: &[ContextItem],
) -> Result<(), TestCaseError> {
    prop_assert_eq!(report.included.len(), expected.included.len(), "number of included items");
    for (place, (found, (position, score, reason))) in
        report.included.iter().zip(&expected.included).enumerate()
    {
        prop_assert!(
            found.item.is_same_instance(&items[*position])
                && same_score(found.score, *score)
                && found.reason == *reason,
            "included[{place}]: expected item {position}, {score}, {reason:?}, found {found:?}"
        );
    }

    prop_assert_eq!(report.excluded.len(), expected.excluded.len(), "number of excluded items");
    for (place, (found, (position, score, reason))) in
        report.excluded.iter().zip(&expected.excluded).enumerate()
    {
        prop_assert!(
            found.item.is_same_instance(&items[*position])
                && same_score(found.score, *score)
                && found.reason == *reason,
            "excluded[{place}]: expected item {position}, {score}, {reason:?}, found {found:?}"
        );
    }

    prop_assert_eq!(report.total_candidates, items.len());
    prop_assert_eq!(report.total_tokens_considered, expected.total_tokens_considered);

    let shortfalls: Vec<_> = report
        .count_requirement_shortfalls
        .iter()
        .map(|found| (found.kind.clone(), found.required_count, found.satisfied_count))
        .collect();
    let expected_shortfalls: Vec<_> = expected
        .shortfalls
        .iter()
        .map(|expected| (expected.kind.clone(), expected.required_count, expected.satisfied_count))
        .collect();
    prop_assert_eq!(shortfalls, expected_shortfalls);
    Ok(())
}
