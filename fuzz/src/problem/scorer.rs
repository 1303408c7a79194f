//! Scorers, all of them, nested.

use arbitrary::{Result, Unstructured};
use cupel_policy::{CurveConfig, ScorerConfig, StepWindow, TagComparison, WeightedScorer};
use cupel_testing::generate::{raw_hint, reference_time};

use super::item::{TAGS, kind};
use super::{one_of_or_any, some_of};

const WEIGHTS: [f64; 12] =
    [1.0, 0.5, 2.0, 3.0, 0.1, 0.3, 0.0, -0.0, 5e-324, 1e-300, 1e300, f64::MAX / 5.0];

const UNIT: [f64; 6] = [0.5, 0.0, 1.0, 0.1, 0.9, -0.0];

/// Any scorer, at most `depth` others deep.
pub(super) fn scorer(bytes: &mut Unstructured<'_>, depth: u8) -> Result<ScorerConfig> {
    let combined = if depth > 0 { 4 } else { 0 };
    Ok(match bytes.int_in_range(0..=10 + combined)? {
        0 => ScorerConfig::Recency,
        1 => ScorerConfig::Priority,
        2 => ScorerConfig::Frequency,
        3 => ScorerConfig::Reflexive,
        4 => raw_hint(),
        5 => kinds(bytes)?,
        6 => tags(bytes)?,
        7 => ScorerConfig::Decay {
            curve: curve(bytes)?,
            null_timestamp_score: one_of_or_any(bytes, &UNIT)?,
            reference_time: Some(reference_time()),
        },
        8 => ScorerConfig::MetadataTrust { default_score: one_of_or_any(bytes, &UNIT)? },
        9 => ScorerConfig::MetadataKey {
            key: "cupel:priority".to_owned(),
            value: "high".to_owned(),
            boost: one_of_or_any(bytes, &[1.5, 0.5, 1.0, f64::MAX])?,
        },
        10 => ScorerConfig::FadingRecency {
            half_life: *bytes.choose(&[0.25, 1.0, 0.5, 1e-300, 0.0])?, // 0 is refused
        },
        11 => {
            ScorerConfig::Scaled { inner: Box::new(scorer(bytes, depth - 1)?), inner_weight: None }
        }
        _ => {
            let count = bytes.int_in_range(0..=4)?;
            let child = |_| {
                let scorer = scorer(bytes, depth - 1)?;
                Ok(WeightedScorer { scorer, weight: one_of_or_any(bytes, &WEIGHTS)? })
            };
            ScorerConfig::Composite { scorers: (0..count).map(child).collect::<Result<_>>()? }
        }
    })
}

fn kinds(bytes: &mut Unstructured<'_>) -> Result<ScorerConfig> {
    if bytes.arbitrary()? {
        return Ok(ScorerConfig::Kind { weights: None });
    }
    let kinds = some_of(bytes, &["MESSAGE", "Document", "tooloutput", "Memory", "Note"])?;
    let weight = |name| Ok((kind(name), one_of_or_any(bytes, &WEIGHTS)?));
    let weights = kinds.into_iter().map(weight).collect::<Result<_>>()?;
    Ok(ScorerConfig::Kind { weights: Some(weights) })
}

fn tags(bytes: &mut Unstructured<'_>) -> Result<ScorerConfig> {
    let comparison =
        *bytes.choose(&[TagComparison::Ordinal, TagComparison::AsciiCaseInsensitive])?;
    let tags = some_of(bytes, &TAGS)?;
    let weight = |tag: &str| Ok((tag.to_owned(), one_of_or_any(bytes, &WEIGHTS)?));
    let weights = tags.into_iter().map(weight).collect::<Result<_>>()?;
    Ok(ScorerConfig::Tag { weights, comparison })
}

fn curve(bytes: &mut Unstructured<'_>) -> Result<CurveConfig> {
    Ok(match bytes.int_in_range(0..=2_u8)? {
        0 => CurveConfig::Exponential { half_life_seconds: seconds(bytes)? },
        1 => CurveConfig::Window { max_age_seconds: seconds(bytes)? },
        _ => {
            let count = bytes.int_in_range(0..=4)?;
            let window = |_| {
                let max_age_seconds = seconds(bytes)?;
                Ok(StepWindow { max_age_seconds, score: one_of_or_any(bytes, &UNIT)? })
            };
            let mut windows = (0..count).map(window).collect::<Result<Vec<_>>>()?;
            // Out of order they are refused, which is worth seeing now and then only.
            if !bytes.ratio(1, 16)? {
                windows.sort_by(|a, b| a.max_age_seconds.total_cmp(&b.max_age_seconds));
                windows.dedup_by_key(|window| window.max_age_seconds);
            }
            CurveConfig::Step { windows }
        }
    })
}

/// The longest duration that is a number of seconds.
const LONGEST: f64 = 9_223_372_036_854_774.0;

fn seconds(bytes: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match bytes.int_in_range(0..=7_u8)? {
        0..=3 => 3_600.0 * f64::from(bytes.int_in_range(1..=30_u8)?),
        4 => f64::from(bytes.int_in_range(0..=2_u8)?) / 1e9,
        5 => 0.000_5,
        6 => *bytes.choose(&[3.0 * 86_400.0, LONGEST, -LONGEST])?,
        _ => bytes.arbitrary::<i64>()? as f64 / 1e9,
    })
}
