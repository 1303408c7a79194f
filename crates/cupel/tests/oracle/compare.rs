//! Comparing what the engine gives with what the oracle expects.

use std::error::Error;
use std::fmt;

use cupel::{ContextBudget, ContextItem, OverflowEvent, PipelineStage, SelectionReport, Shortened};

use super::Outcome;

/// The stages that are reported, in order.
pub const STAGES: [PipelineStage; 5] = [
    PipelineStage::Classify,
    PipelineStage::Score,
    PipelineStage::Deduplicate,
    PipelineStage::Slice,
    PipelineStage::Place,
];

/// Where engine and oracle differ. An error like any other, so that every kind of test can pass it on.
#[derive(Debug)]
pub struct Difference(String);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Difference {}

/// A [`Difference`], told by `told`, unless `same`.
fn expect(same: bool, told: impl FnOnce() -> String) -> Result<(), Difference> {
    if same { Ok(()) } else { Err(Difference(told())) }
}

fn expect_equal<T: PartialEq + fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), Difference> {
    expect(found == expected, || format!("{what}: expected {expected:?}, found {found:?}"))
}

/// Whether two scores are the same number, to the bit. NaN is the same as NaN, whatever its bits.
pub fn same_score(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Fails unless `actual` holds the very instances of `items` at the `expected` positions, in order.
pub fn same_items(
    actual: &[ContextItem],
    expected: &[usize],
    items: &[ContextItem],
) -> Result<(), Difference> {
    let agree = actual.len() == expected.len()
        && actual
            .iter()
            .zip(expected)
            .all(|(item, &position)| item.is_same_instance(&items[position]));
    expect(agree, || {
        let contents: Vec<&str> = actual.iter().map(ContextItem::content).collect();
        format!("expected the items at positions {expected:?}, found {contents:?}")
    })
}

/// Fails unless `actual` holds the items at the `expected` positions in these forms: the very instances where they are
/// whole, and what their variants say where they are not.
pub fn in_forms(
    actual: &[ContextItem],
    expected: &[usize],
    forms: &[usize],
    items: &[ContextItem],
) -> Result<(), Difference> {
    let agree = actual.len() == expected.len()
        && (actual.iter().zip(expected).zip(forms))
            .all(|((item, &position), &form)| is_in_form(item, &items[position], form));
    expect(agree, || {
        let found: Vec<(&str, i64)> = actual.iter().map(|it| (it.content(), it.tokens())).collect();
        format!("expected the items at positions {expected:?} in forms {forms:?}, found {found:?}")
    })
}

fn is_in_form(item: &ContextItem, whole: &ContextItem, form: usize) -> bool {
    if form == 0 {
        return item.is_same_instance(whole);
    }
    let variant = &whole.variants()[form - 1];
    item.whole().is_same_instance(whole)
        && (item.content(), item.tokens()) == (variant.content(), variant.tokens())
        && item.original_tokens() == Some(whole.tokens())
        && item.variants().is_empty()
        && (item.kind(), item.group(), item.timestamp())
            == (whole.kind(), whole.group(), whole.timestamp())
}

/// Fails unless `report` tells exactly what the oracle decided. Events have checks of their own.
pub fn report_matches(
    report: &SelectionReport,
    expected: &Outcome,
    items: &[ContextItem],
) -> Result<(), Difference> {
    expect_equal("number included", &report.included.len(), &expected.included.len())?;
    for (place, (found, (position, score, reason))) in
        report.included.iter().zip(&expected.included).enumerate()
    {
        let (form, whole) = (expected.forms[place], &items[*position]);
        let shortened = (form > 0).then(|| {
            let saved = whole.tokens() - whole.variants()[form - 1].tokens();
            Shortened::new(form, whole.variants().len(), saved)
        });
        let same = is_in_form(&found.item, whole, form)
            && same_score(found.score, *score)
            && found.reason == *reason
            && found.shortened == shortened
            && found.index == Some(*position);
        expect(same, || {
            format!("included[{place}]: expected {:?}, found {found:?}", (position, score, reason))
        })?;
    }

    expect_equal("number excluded", &report.excluded.len(), &expected.excluded.len())?;
    for (place, (found, (position, score, reason))) in
        report.excluded.iter().zip(&expected.excluded).enumerate()
    {
        let same = found.item.is_same_instance(&items[*position])
            && same_score(found.score, *score)
            && found.reason == *reason
            && found.index == Some(*position);
        expect(same, || {
            format!("excluded[{place}]: expected {:?}, found {found:?}", (position, score, reason))
        })?;
    }

    expect_equal("candidates", &report.total_candidates, &items.len())?;
    expect_equal(
        "tokens considered",
        &report.total_tokens_considered,
        &expected.total_tokens_considered,
    )?;

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
    expect_equal("shortfalls", &shortfalls, &expected_shortfalls)
}

/// Fails unless the events of a report without item events are one per stage, with the number of
/// items that entered it.
pub fn stage_events_match(report: &SelectionReport, expected: &Outcome) -> Result<(), Difference> {
    let found: Vec<_> = report.events.iter().map(|it| (it.stage, it.item_count)).collect();
    let entering = expected.stage_counts.map(|(entering, _)| entering);
    expect_equal("stage events", &found, &STAGES.into_iter().zip(entering).collect())
}

/// Fails unless an overflow was told exactly where there was one.
pub fn overflow_matches(
    actual: Option<&OverflowEvent>,
    expected: &Outcome,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<(), Difference> {
    match (actual, &expected.overflow) {
        (Some(event), Some((tokens_over_budget, merged, forms))) => {
            expect_equal("tokens over budget", &event.tokens_over_budget, tokens_over_budget)?;
            expect_equal("budget of the overflow", &event.budget, budget)?;
            in_forms(&event.overflowing_items, merged, forms, items)
        }
        (actual, expected) => expect(actual.is_none() && expected.is_none(), || {
            format!("overflow: expected {expected:?}, found {actual:?}")
        }),
    }
}
