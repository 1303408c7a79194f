//! Numbers of items per kind: commit what is required, let another slicer add to it, cap.

use cupel::{ContextKind, CupelError, ExclusionReason, ScarcityBehavior};
use cupel_policy::{BucketSize, CountQuota, SlicerConfig};

use super::slicers::{Limits, Shortfall, Sliced, kind, knapsack, same_kind, slice_part};
use super::units::Candidate;
use super::{outranks, stable_order};

pub fn count_quota(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    entries: &[CountQuota],
    inner: &SlicerConfig,
    scarcity: ScarcityBehavior,
) -> Result<Sliced, CupelError> {
    let committed = count_satisfy("CountQuotaSlice", sorted, part, limits, entries, scarcity)?;
    let selected = slice_part(inner, sorted, &committed.residual, committed.residual_limits)?;
    Ok(enforce_caps(sorted, entries, committed, selected))
}

pub fn count_constrained_knapsack(
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    entries: &[CountQuota],
    bucket_size: BucketSize,
    scarcity: ScarcityBehavior,
) -> Result<Sliced, CupelError> {
    let committed =
        count_satisfy("CountConstrainedKnapsackSlice", sorted, part, limits, entries, scarcity)?;
    let mut kept = Vec::new();
    if !committed.residual.is_empty() && committed.residual_limits.target_tokens > 0 {
        kept = knapsack(sorted, &committed.residual, committed.residual_limits, bucket_size)?;
    }
    // Back to input order first, so that the stable sort settles ties by input position.
    kept.sort_by_key(|(position, _)| part.iter().position(|other| other == position));
    let order =
        stable_order(kept.len(), |a, b| outranks(sorted[kept[a].0].score, sorted[kept[b].0].score));
    let kept = order.into_iter().map(|index| kept[index]).collect();
    Ok(enforce_caps(sorted, entries, committed, Sliced { kept, ..Sliced::default() }))
}

/// What the first of the three count phases leaves to the others.
struct Committed {
    committed: Vec<(usize, usize)>,
    selected_count: Vec<(ContextKind, usize)>,
    shortfalls: Vec<Shortfall>,
    residual: Vec<usize>,
    residual_limits: Limits,
}

fn count_satisfy(
    slicer: &str,
    sorted: &[Candidate],
    part: &[usize],
    limits: Limits,
    entries: &[CountQuota],
    scarcity: ScarcityBehavior,
) -> Result<Committed, CupelError> {
    let mut committed = Vec::new();
    let mut selected_count = Vec::new();
    let mut shortfalls = Vec::new();
    let mut left = limits.target_tokens;

    for entry in entries.iter().filter(|entry| entry.require_count > 0) {
        let members: Vec<usize> = part
            .iter()
            .copied()
            .filter(|&position| same_kind(kind(sorted, position), &entry.kind))
            .collect();
        let best_first = stable_order(members.len(), |a, b| {
            outranks(sorted[members[a]].score, sorted[members[b]].score)
        });

        let mut satisfied = 0;
        for index in best_first.into_iter().take(entry.require_count) {
            let candidate = &sorted[members[index]];
            let form = candidate.richest_within(left).unwrap_or(candidate.forms.len() - 1);
            committed.push((members[index], form));
            left -= candidate.forms[form].tokens;
            satisfied += 1;
        }
        selected_count.push((entry.kind.clone(), satisfied));

        if satisfied < entry.require_count {
            let kind = entry.kind.as_str();
            match scarcity {
                ScarcityBehavior::Throw => {
                    return Err(CupelError::SlicerConfig(format!(
                        "{slicer}: candidate pool for kind '{kind}' has {satisfied} items \
                         but RequireCount is {}.",
                        entry.require_count
                    )));
                }
                ScarcityBehavior::Degrade => shortfalls.push(Shortfall {
                    kind: kind.to_owned(),
                    required_count: entry.require_count,
                    satisfied_count: satisfied,
                }),
            }
        }
    }

    let is_committed = |position: usize| committed.iter().any(|(other, _)| *other == position);
    let residual = part.iter().copied().filter(|&position| !is_committed(position)).collect();
    let residual_target = left.max(0).min(limits.max_tokens);
    let residual_limits = Limits { max_tokens: limits.max_tokens, target_tokens: residual_target };
    Ok(Committed { committed, selected_count, shortfalls, residual, residual_limits })
}

fn enforce_caps(
    sorted: &[Candidate],
    entries: &[CountQuota],
    phase1: Committed,
    selected: Sliced,
) -> Sliced {
    let Committed { committed, mut selected_count, mut shortfalls, .. } = phase1;
    let mut kept = committed;
    let mut capped = selected.capped;
    shortfalls.extend(selected.shortfalls);

    for (position, form) in selected.kept {
        let own = kind(sorted, position);
        let seen = selected_count.iter().position(|(kind, _)| same_kind(kind, own));
        let count = seen.map_or(0, |index| selected_count[index].1);
        match entries.iter().find(|entry| same_kind(&entry.kind, own)) {
            Some(entry) if count >= cap(entry) => {
                let kind = own.as_str().to_owned();
                capped.push((
                    position,
                    ExclusionReason::CountCapExceeded { kind, cap: cap(entry), count },
                ));
            }
            _ => {
                kept.push((position, form));
                match seen {
                    Some(index) => selected_count[index].1 += 1,
                    None => selected_count.push((own.clone(), 1)),
                }
            }
        }
    }
    Sliced { kept, capped, shortfalls }
}

fn cap(quota: &CountQuota) -> usize {
    quota.cap_count.unwrap_or(usize::MAX)
}
