//! Slicers, all of them, nested.

use arbitrary::{Result, Unstructured};
use cupel::ScarcityBehavior;
use cupel_policy::{BucketSize, CountQuota, Quota, SlicerConfig};

use super::item::kind;
use super::{one_of_or_any, some_of};

const PERCENTS: [f64; 9] = [10.0, 20.0, 0.0, 29.0, 33.3, 50.0, 57.0, 100.0, -0.0];

/// Spelled otherwise than most items spell them.
const KINDS: [&str; 4] = ["meSSage", "DOCUMENT", "ToolOutput", "note"];

/// Any slicer, at most `depth` others deep.
pub(super) fn slicer(bytes: &mut Unstructured<'_>, depth: u8) -> Result<SlicerConfig> {
    let around = if depth > 0 { 4 } else { 0 };
    Ok(match bytes.int_in_range(0..=3 + around)? {
        0 => SlicerConfig::Greedy,
        1 => SlicerConfig::Rank {
            size_exponent: *bytes.choose(&[0.0, 1.0, 0.25, 0.5, 2.0])?, // 2 is refused
            size_floor: *bytes.choose(&[0, 1, 10, 200, i64::MAX, -1])?,
        },
        2 => SlicerConfig::Knapsack { bucket_size: bucket_size(bytes)? },
        3 => SlicerConfig::CountQuota {
            quotas: counts(bytes)?,
            inner: Box::new(SlicerConfig::Knapsack { bucket_size: bucket_size(bytes)? }),
            scarcity: scarcity(bytes)?,
        },
        4 | 5 => SlicerConfig::Quota {
            quotas: quotas(bytes)?,
            inner: Box::new(slicer(bytes, depth - 1)?),
        },
        _ => SlicerConfig::CountQuota {
            quotas: counts(bytes)?,
            inner: Box::new(slicer(bytes, depth - 1)?),
            scarcity: scarcity(bytes)?,
        },
    })
}

fn bucket_size(bytes: &mut Unstructured<'_>) -> Result<BucketSize> {
    // 0 is refused; below it, no number.
    let size = *bytes.choose(&[10, 1, 7, 50, 100, 5_000, i64::MAX, 0, -1])?;
    Ok(if size < 0 { BucketSize::Auto } else { BucketSize::Tokens(size) })
}

fn quotas(bytes: &mut Unstructured<'_>) -> Result<Vec<Quota>> {
    let kinds = some_of(bytes, &KINDS)?;
    let mut left = 100.0_f64;
    let quota = |name| {
        let (require, cap): (f64, f64) =
            (one_of_or_any(bytes, &PERCENTS)?, one_of_or_any(bytes, &PERCENTS)?);
        // Impossible shares are refused, which is worth seeing now and then only.
        let require = if bytes.ratio(1, 32)? { require } else { require.min(cap).min(left) };
        left -= require;
        Ok(Quota { kind: kind(name), min_percent: Some(require), max_percent: Some(cap) })
    };
    kinds.into_iter().map(quota).collect()
}

fn counts(bytes: &mut Unstructured<'_>) -> Result<Vec<CountQuota>> {
    let kinds = some_of(bytes, &KINDS)?;
    let count = |name| {
        let require = *bytes.choose(&[0, 1, 2, 4])?;
        let cap = *bytes.choose(&[require, require + 1, require + 3, 2, 0, usize::MAX])?;
        Ok(CountQuota { kind: kind(name), require_count: require, cap_count: Some(cap) })
    };
    kinds.into_iter().map(count).collect()
}

fn scarcity(bytes: &mut Unstructured<'_>) -> Result<ScarcityBehavior> {
    let rarely = bytes.ratio(1, 4)?;
    Ok(if rarely { ScarcityBehavior::Throw } else { ScarcityBehavior::Degrade })
}
