//! Scorers, all of them, nested.

use arbitrary::{Result, Unstructured};
use chrono::{DateTime, TimeDelta, Utc};
use cupel_testing::spec::{CurveSpec, ScorerSpec, TagComparison};

use super::item::{TAGS, kind};
use super::{one_of_or_any, some_of};

const WEIGHTS: [f64; 12] =
    [1.0, 0.5, 2.0, 3.0, 0.1, 0.3, 0.0, -0.0, 5e-324, 1e-300, 1e300, f64::MAX / 5.0];

const UNIT: [f64; 6] = [0.5, 0.0, 1.0, 0.1, 0.9, -0.0];

/// What the clocks of decay scorers show: 2025-01-01T12:00:00Z.
pub(super) fn reference_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_735_732_800, 0).expect("a moment within chrono's range")
}

/// Any scorer, at most `depth` others deep.
pub(super) fn scorer(bytes: &mut Unstructured<'_>, depth: u8) -> Result<ScorerSpec> {
    let combined = if depth > 0 { 4 } else { 0 };
    Ok(match bytes.int_in_range(0..=9 + combined)? {
        0 => ScorerSpec::Recency,
        1 => ScorerSpec::Priority,
        2 => ScorerSpec::Frequency,
        3 => ScorerSpec::Reflexive,
        4 => ScorerSpec::RawHint,
        5 => kinds(bytes)?,
        6 => tags(bytes)?,
        7 => ScorerSpec::Decay {
            now: reference_time(),
            curve: curve(bytes)?,
            null_timestamp_score: one_of_or_any(bytes, &UNIT)?,
        },
        8 => ScorerSpec::MetadataTrust { default_score: one_of_or_any(bytes, &UNIT)? },
        9 => ScorerSpec::MetadataKey {
            key: "cupel:priority".to_owned(),
            value: "high".to_owned(),
            boost: one_of_or_any(bytes, &[1.5, 0.5, 1.0, f64::MAX])?,
        },
        10 => ScorerSpec::Scaled(Box::new(scorer(bytes, depth - 1)?)),
        _ => {
            let count = bytes.int_in_range(0..=4)?;
            let child = |_| Ok((scorer(bytes, depth - 1)?, one_of_or_any(bytes, &WEIGHTS)?));
            ScorerSpec::Composite((0..count).map(child).collect::<Result<_>>()?)
        }
    })
}

fn kinds(bytes: &mut Unstructured<'_>) -> Result<ScorerSpec> {
    if bytes.arbitrary()? {
        return Ok(ScorerSpec::Kind { weights: None });
    }
    let kinds = some_of(bytes, &["MESSAGE", "Document", "tooloutput", "Memory", "Note"])?;
    let weight = |name| Ok((kind(name), one_of_or_any(bytes, &WEIGHTS)?));
    let weights = kinds.into_iter().map(weight).collect::<Result<_>>()?;
    Ok(ScorerSpec::Kind { weights: Some(weights) })
}

fn tags(bytes: &mut Unstructured<'_>) -> Result<ScorerSpec> {
    let comparison =
        *bytes.choose(&[TagComparison::Ordinal, TagComparison::AsciiCaseInsensitive])?;
    let tags = some_of(bytes, &TAGS)?;
    let weight = |tag: &str| Ok((tag.to_owned(), one_of_or_any(bytes, &WEIGHTS)?));
    let weights = tags.into_iter().map(weight).collect::<Result<_>>()?;
    Ok(ScorerSpec::Tag { weights, comparison })
}

fn curve(bytes: &mut Unstructured<'_>) -> Result<CurveSpec> {
    Ok(match bytes.int_in_range(0..=2_u8)? {
        0 => CurveSpec::Exponential { half_life: span(bytes)? },
        1 => CurveSpec::Window { max_age: span(bytes)? },
        _ => {
            let count = bytes.int_in_range(0..=4)?;
            let window = |_| Ok((span(bytes)?, one_of_or_any(bytes, &UNIT)?));
            let mut windows = (0..count).map(window).collect::<Result<Vec<_>>>()?;
            // Out of order they are refused, which is worth seeing now and then only.
            if !bytes.ratio(1, 16)? {
                windows.sort_by_key(|(max_age, _)| *max_age);
                windows.dedup_by_key(|(max_age, _)| *max_age);
            }
            CurveSpec::Step { windows }
        }
    })
}

fn span(bytes: &mut Unstructured<'_>) -> Result<TimeDelta> {
    Ok(match bytes.int_in_range(0..=7_u8)? {
        0..=3 => TimeDelta::hours(bytes.int_in_range(1..=30)?),
        4 => TimeDelta::nanoseconds(bytes.int_in_range(0..=2)?),
        5 => TimeDelta::microseconds(500),
        6 => *bytes.choose(&[TimeDelta::days(3), TimeDelta::MAX, TimeDelta::MIN])?,
        _ => TimeDelta::nanoseconds(bytes.arbitrary()?),
    })
}
