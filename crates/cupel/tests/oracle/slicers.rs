//! The slicers, as positions in what they were given.

use cupel::{ContextBudget, ContextKind, CupelError, ExclusionReason, ScoredItem};
use cupel_policy::{BucketSize, SlicerConfig};

use super::counts::{count_constrained_knapsack, count_quota};
use super::quotas::quota;
use super::{outranks, stable_order};

/// What a slicer decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sliced {
    /// The selected positions, in the order the slicer returns them.
    pub kept: Vec<usize>,
    /// Positions a count cap removed, and why.
    pub capped: Vec<(usize, ExclusionReason)>,
    /// Count requirements that could not be met.
    pub shortfalls: Vec<Shortfall>,
}

/// A count requirement that could not be met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    pub kind: String,
    pub required_count: usize,
    pub satisfied_count: usize,
}

/// The part of a budget a slicer sees.
#[derive(Clone, Copy)]
pub struct Limits {
    pub max_tokens: i128,
    pub target_tokens: i128,
}

/// Slices `sorted`.
pub fn slice(
    config: &SlicerConfig,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<Sliced, CupelError> {
    let limits = Limits {
        max_tokens: budget.max_tokens().into(),
        target_tokens: budget.target_tokens().into(),
    };
    let everything: Vec<usize> = (0..sorted.len()).collect();
    slice_part(config, sorted, &everything, limits)
}

/// Slices the items of `sorted` at the positions in `part`, in that order.
pub fn slice_part(
    config: &SlicerConfig,
    sorted: &[ScoredItem],
    part: &[usize],
    limits: Limits,
) -> Result<Sliced, CupelError> {
    if part.is_empty() || limits.target_tokens <= 0 {
        return Ok(Sliced::default());
    }
    match config {
        SlicerConfig::Greedy | SlicerConfig::Stream { .. } => {
            Ok(Sliced { kept: greedy(sorted, part, limits), ..Sliced::default() })
        }
        SlicerConfig::Rank { size_exponent, size_floor } => {
            let size = (*size_exponent, *size_floor);
            Ok(Sliced { kept: rank(sorted, part, limits, size), ..Sliced::default() })
        }
        SlicerConfig::Knapsack { bucket_size } => {
            Ok(Sliced { kept: knapsack(sorted, part, limits, *bucket_size)?, ..Sliced::default() })
        }
        SlicerConfig::Quota { quotas, inner } => quota(sorted, part, limits, quotas, inner),
        SlicerConfig::CountQuota { quotas, scarcity, inner } => match **inner {
            SlicerConfig::Knapsack { bucket_size } => {
                count_constrained_knapsack(sorted, part, limits, quotas, bucket_size, *scarcity)
            }
            _ => count_quota(sorted, part, limits, quotas, inner, *scarcity),
        },
        other => panic!("the oracle knows no slicer {other:?}"),
    }
}

/// The tokens of the item at `position`, in a type that sums cannot leave.
pub fn tokens(sorted: &[ScoredItem], position: usize) -> i128 {
    sorted[position].item.tokens().into()
}

pub fn kind(sorted: &[ScoredItem], position: usize) -> &ContextKind {
    sorted[position].item.kind()
}

pub fn same_kind(a: &ContextKind, b: &ContextKind) -> bool {
    a.as_str().eq_ignore_ascii_case(b.as_str())
}

/// Items that cost nothing come before every other, whatever the density of the other is.
fn greedy(sorted: &[ScoredItem], part: &[usize], limits: Limits) -> Vec<usize> {
    let density =
        |index: usize| sorted[part[index]].score / sorted[part[index]].item.tokens() as f64;
    let free = |index: usize| tokens(sorted, part[index]) == 0;
    let order = stable_order(part.len(), |a, b| match (free(a), free(b)) {
        (true, other_is_free) => !other_is_free,
        (false, true) => false,
        (false, false) => outranks(density(a), density(b)),
    });
    fill(sorted, part, limits, order)
}

/// By score / max(tokens, floor)^exponent. Where that would divide by 0, the item comes before every other.
fn rank(
    sorted: &[ScoredItem],
    part: &[usize],
    limits: Limits,
    (exponent, floor): (f64, i64),
) -> Vec<usize> {
    let size = |index: usize| sorted[part[index]].item.tokens().max(floor);
    let free = |index: usize| exponent > 0.0 && size(index) == 0;
    let worth = |index: usize| sorted[part[index]].score / libm::pow(size(index) as f64, exponent);
    let order = stable_order(part.len(), |a, b| match (free(a), free(b)) {
        (true, other_is_free) => !other_is_free,
        (false, true) => false,
        (false, false) => outranks(worth(a), worth(b)),
    });
    fill(sorted, part, limits, order)
}

/// Takes each in turn if it fits.
fn fill(sorted: &[ScoredItem], part: &[usize], limits: Limits, order: Vec<usize>) -> Vec<usize> {
    let mut remaining = limits.target_tokens;
    let mut selected = Vec::new();
    for index in order {
        let cost = tokens(sorted, part[index]);
        if cost == 0 {
            selected.push(part[index]);
        } else if cost <= remaining {
            selected.push(part[index]);
            remaining -= cost;
        }
    }
    selected
}

pub fn knapsack(
    sorted: &[ScoredItem],
    part: &[usize],
    limits: Limits,
    bucket_size: BucketSize,
) -> Result<Vec<usize>, CupelError> {
    match bucket_size {
        BucketSize::Tokens(bucket_size) => buckets_of(sorted, part, limits, bucket_size.into()),
        BucketSize::Auto => {
            // The smallest with at most 1,000 buckets and a table within the limit.
            let costing = part.iter().filter(|&&position| tokens(sorted, position) > 0).count();
            let mut bucket_size = limits.target_tokens / 1_000;
            while bucket_size == 0
                || limits.target_tokens / bucket_size > 1_000
                || limits.target_tokens / bucket_size * costing as i128 > 50_000_000
            {
                bucket_size += 1;
            }
            let mut kept = buckets_of(sorted, part, limits, bucket_size)?;
            let used: i128 = kept.iter().map(|&position| tokens(sorted, position)).sum();
            let left = Limits { target_tokens: limits.target_tokens - used, ..limits };
            let rest: Vec<usize> =
                part.iter().copied().filter(|position| !kept.contains(position)).collect();
            kept.extend(greedy(sorted, &rest, left));
            Ok(kept)
        }
    }
}

fn buckets_of(
    sorted: &[ScoredItem],
    part: &[usize],
    limits: Limits,
    bucket_size: i128,
) -> Result<Vec<usize>, CupelError> {
    let zero_token: Vec<usize> =
        part.iter().copied().filter(|&position| tokens(sorted, position) == 0).collect();
    let candidates: Vec<usize> =
        part.iter().copied().filter(|&position| tokens(sorted, position) > 0).collect();
    let capacity = limits.target_tokens / bucket_size;
    if candidates.is_empty() || capacity == 0 {
        return Ok(zero_token);
    }
    let cells = candidates.len() as i128 * capacity;
    if cells > 50_000_000 {
        return Err(CupelError::TableTooLarge {
            candidates: candidates.len(),
            capacity: usize::try_from(capacity).unwrap_or(usize::MAX),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
        });
    }

    let capacity = capacity as usize;
    let n = candidates.len();
    let value = |i: usize| i128::from(scaled_score(sorted[candidates[i]].score));
    let weight = |i: usize| (tokens(sorted, candidates[i]) + bucket_size - 1) / bucket_size;
    let mut dp = vec![0_i128; capacity + 1];
    let mut keep = vec![vec![false; capacity + 1]; n];
    for (i, keep) in keep.iter_mut().enumerate() {
        let (dv, dw) = (value(i), weight(i));
        if dw > capacity as i128 {
            continue;
        }
        let dw = dw as usize;
        for w in (dw..=capacity).rev() {
            let with_item = dp[w - dw] + dv;
            if with_item > dp[w] {
                dp[w] = with_item;
                keep[w] = true;
            }
        }
    }

    let mut result = zero_token;
    let mut remaining_capacity = capacity;
    for i in (0..n).rev() {
        if keep[i][remaining_capacity] {
            result.push(candidates[i]);
            remaining_capacity -= weight(i) as usize;
        }
    }
    Ok(result)
}

/// A score as the knapsack's integer value: NaN and everything below zero is worth nothing, and
/// what is too large for an integer is worth the largest one.
fn scaled_score(score: f64) -> i64 {
    let scaled = (score * 10_000.0).floor();
    if scaled.is_nan() || scaled <= 0.0 {
        0
    } else if scaled >= i64::MAX as f64 {
        i64::MAX
    } else {
        scaled as i64
    }
}
