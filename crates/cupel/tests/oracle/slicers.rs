//! The slicers, as positions in what they were given.

use cupel::{ContextBudget, ContextKind, CupelError, ExclusionReason, ScoredItem};
use cupel_policy::{BucketSize, SlicerConfig};

use super::counts::{count_constrained_knapsack, count_quota};
use super::quotas::quota;
use super::units::{Candidate, candidates};
use super::{outranks, stable_order};

/// What a slicer decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sliced {
    /// The selected positions, in the order the slicer returns them, each with the form it is selected in.
    pub kept: Vec<(usize, usize)>,
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
    slice_candidates(config, &candidates(sorted), budget)
}

/// Slices `sorted`.
pub fn slice_candidates(
    config: &SlicerConfig,
    sorted: &[Candidate],
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
    sorted: &[Candidate],
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
pub fn tokens(sorted: &[Candidate], position: usize) -> i128 {
    sorted[position].tokens()
}

pub fn kind(sorted: &[Candidate], position: usize) -> &ContextKind {
    &sorted[position].kind
}

pub fn same_kind(a: &ContextKind, b: &ContextKind) -> bool {
    a.as_str().eq_ignore_ascii_case(b.as_str())
}

/// Items that cost nothing come before every other, whatever the density of the other is.
fn greedy(sorted: &[Candidate], part: &[usize], limits: Limits) -> Vec<(usize, usize)> {
    let density = |index: usize| sorted[part[index]].score / tokens(sorted, part[index]) as f64;
    let free = |index: usize| tokens(sorted, part[index]) == 0;
    let order = stable_order(part.len(), |a, b| match (free(a), free(b)) {
        (true, other_is_free) => !other_is_free,
        (false, true) => false,
        (false, false) => outranks(density(a), density(b)),
    });

    take_in(order.into_iter().map(|index| part[index]).collect(), sorted, limits)
}

/// By score / max(tokens, floor)^exponent. Where that would divide by 0, the item comes before every other.
fn rank(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    (exponent, floor): (f64, i64),
) -> Vec<(usize, usize)> {
    let size = |index: usize| tokens(sorted, part[index]).max(floor.into());
    let free = |index: usize| exponent > 0.0 && size(index) == 0;
    let worth = |index: usize| sorted[part[index]].score / libm::pow(size(index) as f64, exponent);
    let order = stable_order(part.len(), |a, b| match (free(a), free(b)) {
        (true, other_is_free) => !other_is_free,
        (false, true) => false,
        (false, false) => outranks(worth(a), worth(b)),
    });
    take_in(order.into_iter().map(|index| part[index]).collect(), sorted, limits)
}

/// What is taken in an order, each in the richest form that still fits.
fn take_in(order: Vec<usize>, sorted: &[Candidate], limits: Limits) -> Vec<(usize, usize)> {
    let mut remaining = limits.target_tokens;
    let mut selected = Vec::new();
    for position in order {
        if let Some(form) = sorted[position].richest_within(remaining) {
            selected.push((position, form));
            remaining -= sorted[position].forms[form].tokens;
        }
    }
    selected
}

pub fn knapsack(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    bucket_size: BucketSize,
) -> Result<Vec<(usize, usize)>, CupelError> {
    let is_kept =
        |kept: &[(usize, usize)], position: usize| kept.iter().any(|(other, _)| *other == position);
    let mut kept = match bucket_size {
        BucketSize::Tokens(bucket_size) => buckets_of(sorted, part, limits, bucket_size.into())?,
        BucketSize::Auto => {
            // The smallest of which at most 1,000 hold the target, or fewer where the table would be too large.
            let rows = rows(sorted, part).max(1) as i128;
            let most = (50_000_000 / rows).clamp(1, 1_000);
            let mut bucket_size = (limits.target_tokens / most).max(1);
            while bucket_size * most < limits.target_tokens {
                bucket_size += 1;
            }
            let mut kept = buckets_of(sorted, part, limits, bucket_size)?;
            let used: i128 =
                kept.iter().map(|&(position, form)| sorted[position].forms[form].tokens).sum();
            let left = Limits { target_tokens: limits.target_tokens - used, ..limits };
            let rest: Vec<usize> =
                part.iter().copied().filter(|&position| !is_kept(&kept, position)).collect();
            if left.target_tokens > 0 {
                kept.extend(greedy(sorted, &rest, left));
            }
            kept
        }
    };
    // A form that costs nothing is always had.
    for &position in part {
        if !is_kept(&kept, position) && sorted[position].shortest() == 0 {
            kept.push((position, sorted[position].forms.len() - 1));
        }
    }
    Ok(kept)
}

/// The candidates that cost something, in all their forms.
fn rows(sorted: &[Candidate], part: &[usize]) -> usize {
    let costing = part.iter().filter(|&&position| tokens(sorted, position) > 0);
    costing.map(|&position| sorted[position].forms.len()).sum()
}

fn buckets_of(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    bucket_size: i128,
) -> Result<Vec<(usize, usize)>, CupelError> {
    let zero_token = part.iter().filter(|&&position| tokens(sorted, position) == 0);
    let mut result: Vec<(usize, usize)> = zero_token.map(|&position| (position, 0)).collect();
    let candidates: Vec<usize> =
        part.iter().copied().filter(|&position| tokens(sorted, position) > 0).collect();
    let capacity = limits.target_tokens / bucket_size;
    let cells = rows(sorted, part) as i128 * capacity;
    if cells > 50_000_000 {
        return Err(CupelError::TableTooLarge {
            candidates: rows(sorted, part),
            capacity: usize::try_from(capacity).unwrap_or(usize::MAX),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
        });
    }
    if candidates.is_empty() {
        return Ok(result);
    }

    let capacity = capacity as usize;
    let n = candidates.len();
    let forms = |i: usize| sorted[candidates[i]].forms.len();
    let value = |i: usize, form: usize| {
        let candidate = &sorted[candidates[i]];
        let score = match form {
            0 => candidate.score,
            shorter => candidate.score * candidate.forms[shorter].worth,
        };
        i128::from(scaled_score(score))
    };
    let weight = |i: usize, form: usize| {
        (sorted[candidates[i]].forms[form].tokens + bucket_size - 1) / bucket_size
    };
    let mut dp = vec![0_i128; capacity + 1];
    let mut keep: Vec<Vec<Option<usize>>> = vec![vec![None; capacity + 1]; n];
    for (i, keep) in keep.iter_mut().enumerate() {
        for w in (0..=capacity).rev() {
            let mut best = dp[w];
            for form in (0..forms(i)).filter(|&form| weight(i, form) <= w as i128) {
                // A form without weight reads the cell itself, which is not written until below.
                let with_form = dp[w - weight(i, form) as usize] + value(i, form);
                if with_form > best {
                    best = with_form;
                    keep[w] = Some(form);
                }
            }
            dp[w] = best;
        }
    }

    let mut remaining_capacity = capacity;
    for i in (0..n).rev() {
        if let Some(form) = keep[i][remaining_capacity] {
            result.push((candidates[i], form));
            remaining_capacity -= weight(i, form) as usize;
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
