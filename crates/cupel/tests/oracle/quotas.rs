//! Shares of the token budget per kind.

use cupel::{ContextKind, CupelError};
use cupel_policy::{Quota, SlicerConfig};

use super::slicers::{Limits, Sliced, kind, same_kind, slice_part, tokens};
use super::units::Candidate;

/// `part` by kind, kinds in order of first appearance.
fn partitions(sorted: &[Candidate], part: &[usize]) -> Vec<(ContextKind, Vec<usize>)> {
    let mut partitions: Vec<(ContextKind, Vec<usize>)> = Vec::new();
    for &position in part {
        let own = kind(sorted, position);
        match partitions.iter_mut().find(|(kind, _)| same_kind(kind, own)) {
            Some((_, members)) => members.push(position),
            None => partitions.push((own.clone(), vec![position])),
        }
    }
    partitions
}

pub fn quota(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    entries: &[Quota],
    inner: &SlicerConfig,
) -> Result<Sliced, CupelError> {
    let target = limits.target_tokens;
    let partitions = partitions(sorted, part);
    let mass =
        |members: &[usize]| members.iter().map(|&position| tokens(sorted, position)).sum::<i128>();
    let entry = |kind: &ContextKind| entries.iter().find(|entry| same_kind(&entry.kind, kind));
    let require =
        |kind: &ContextKind| entry(kind).map_or(0, |entry| percentage(min_percent(entry), target));
    let cap = |kind: &ContextKind| {
        entry(kind).map_or(target, |entry| percentage(max_percent(entry), target))
    };

    let mut total_required = 0;
    for entry in entries {
        total_required += percentage(min_percent(entry), target);
    }
    let unassigned = (target - total_required).max(0);

    let mut total_mass = 0;
    for (kind, members) in &partitions {
        if cap(kind) > require(kind) {
            total_mass += mass(members);
        }
    }

    let mut all = Sliced::default();
    for (kind, members) in &partitions {
        let (require, cap) = (require(kind), cap(kind));
        let mut proportional = 0;
        if total_mass > 0 && cap > require {
            proportional = multiply_then_divide(unassigned, mass(members), total_mass);
        }
        let kind_budget = (require + proportional).min(cap);
        if kind_budget <= 0 {
            continue;
        }
        let share = slice_part(
            inner,
            sorted,
            members,
            Limits { max_tokens: cap, target_tokens: kind_budget },
        )?;
        all.kept.extend(share.kept);
        all.capped.extend(share.capped);
        all.shortfalls.extend(share.shortfalls);
    }
    Ok(all)
}

fn min_percent(quota: &Quota) -> f64 {
    quota.min_percent.unwrap_or(0.0)
}

fn max_percent(quota: &Quota) -> f64 {
    quota.max_percent.unwrap_or(100.0)
}

/// `percent` of `target`, rounded down. Beyond 2^53 tokens a double no longer holds the target: all of
/// it is still all of it, and no share exceeds it.
fn percentage(percent: f64, target: i128) -> i128 {
    if percent == 100.0 {
        return target;
    }
    let tokens = (percent / 100.0 * target as f64).floor();
    (tokens as i128).min(target)
}

/// `floor(a * b / c)` for `0 <= b <= c`, bit by bit: the product itself can need more than 128
/// bits.
fn multiply_then_divide(a: i128, b: i128, c: i128) -> i128 {
    let (mut quotient, mut remainder) = (0, 0);
    for bit in (0..64).rev() {
        quotient *= 2;
        remainder *= 2;
        if (a >> bit) & 1 == 1 {
            remainder += b;
        }
        while remainder >= c {
            remainder -= c;
            quotient += 1;
        }
    }
    quotient
}
