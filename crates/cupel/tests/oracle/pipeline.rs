//! The six stages, and the report of what they did.

use cupel::{
    ContextBudget, ContextItem, CupelError, ExclusionReason, InclusionReason, OverflowStrategy,
    ScoredItem,
};
use cupel_testing::generate::PolicyConfig;

use super::slicers::{Shortfall, Sliced, slice};
use super::stages::{budget_exceeded, deduplicate, effective_budget, pinned_override, truncate};
use super::{descending, place, reported, score};

/// A candidate's position, its score when the decision fell, and the decision.
pub type Exclusion = (usize, f64, ExclusionReason);

/// A successful run. Items are positions in the input.
#[derive(Debug)]
pub struct Outcome {
    /// The selected items in placed order.
    pub window: Vec<usize>,
    /// The same with score and reason, as reported.
    pub included: Vec<(usize, f64, InclusionReason)>,
    /// The items not selected, in reported order.
    pub excluded: Vec<Exclusion>,
    /// What each of the five reported stages excluded, in the order it happened.
    pub excluded_by_stage: [Vec<Exclusion>; 5],
    /// Count requirements that could not be met.
    pub shortfalls: Vec<Shortfall>,
    /// Under `Proceed`, by how much the limit was exceeded, and the merged items.
    pub overflow: Option<(i64, Vec<usize>)>,
    /// Items entering and leaving each of the five reported stages.
    pub stage_counts: [(usize, usize); 5],
    /// All tokens of all candidates.
    pub total_tokens_considered: i64,
}

/// Runs the whole pipeline.
pub fn run(
    policy: &PolicyConfig,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<Outcome, CupelError> {
    let tokens = |position: usize| i128::from(items[position].tokens());

    // Stage 1: Classify.
    let (mut pinned, mut scoreable, mut negative) = (Vec::new(), Vec::new(), Vec::new());
    for (position, item) in items.iter().enumerate() {
        if item.tokens() < 0 {
            negative.push((
                position,
                0.0,
                ExclusionReason::NegativeTokens { tokens: item.tokens() },
            ));
        } else if item.pinned() {
            pinned.push(position);
        } else {
            scoreable.push(position);
        }
    }
    let pinned_tokens: i128 = pinned.iter().map(|&position| tokens(position)).sum();
    let ceiling = i128::from(budget.max_tokens()) - i128::from(budget.output_reserve());
    if pinned_tokens > ceiling {
        return Err(CupelError::PinnedExceedsBudget {
            pinned_tokens: reported(pinned_tokens),
            available: reported(ceiling),
        });
    }

    // Stage 2: Score.
    let handles: Vec<ContextItem> =
        scoreable.iter().map(|&position| items[position].clone()).collect();
    let scores: Vec<f64> =
        (0..handles.len()).map(|index| score(&policy.scorer, index, &handles)).collect();
    let scored: Vec<(usize, f64)> = scoreable.iter().copied().zip(scores).collect();

    // Stage 3: Deduplicate.
    let (unique, duplicates) =
        if policy.deduplication { deduplicate(items, &scored) } else { (scored, Vec::new()) };

    // Stage 4: Sort.
    let scores: Vec<f64> = unique.iter().map(|(_, score)| *score).collect();
    let sorted: Vec<(usize, f64)> =
        descending(&scores).into_iter().map(|index| unique[index]).collect();

    // Stage 5: Slice.
    let with_score =
        |&(position, score): &(usize, f64)| ScoredItem { item: items[position].clone(), score };
    let for_slicer: Vec<ScoredItem> = sorted.iter().map(with_score).collect();
    let (effective_max, effective_target) = effective_budget(budget, pinned_tokens);
    let adjusted =
        ContextBudget::new(reported(effective_max), reported(effective_target), 0, [], 0.0)?;
    let Sliced { kept, capped, shortfalls } = slice(&policy.slicer, &for_slicer, &adjusted)?;
    let sliced_tokens: i128 = kept.iter().map(|&index| tokens(sorted[index].0)).sum();
    let mut not_sliced = Vec::new();
    for (index, &(position, score)) in sorted.iter().enumerate() {
        if kept.contains(&index) {
            continue;
        }
        let displaced = policy.overflow == OverflowStrategy::Truncate
            && pinned_tokens > 0
            && tokens(position) > effective_target
            && tokens(position) <= effective_budget(budget, 0).1;
        let reason = match capped.iter().find(|(capped, _)| *capped == index) {
            Some((_, reason)) => reason.clone(),
            None if displaced => pinned_override(items, &pinned),
            None => budget_exceeded(tokens(position), effective_target - sliced_tokens),
        };
        not_sliced.push((position, score, reason));
    }

    // Stage 6: Place. Sliced items are merged in sorted order, whatever order the slicer had.
    let mut merged: Vec<(usize, f64)> = pinned.iter().map(|&position| (position, 1.0)).collect();
    merged
        .extend((0..sorted.len()).filter(|index| kept.contains(index)).map(|index| sorted[index]));
    let entering_place = merged.len();
    let merged_tokens: i128 = merged.iter().map(|&(position, _)| tokens(position)).sum();
    let limit = ceiling.min(budget.target_tokens().into());
    let (mut truncated, mut overflow) = (Vec::new(), None);
    if merged_tokens > limit {
        match policy.overflow {
            OverflowStrategy::Throw => {
                return Err(CupelError::Overflow {
                    merged_tokens: reported(merged_tokens),
                    target_tokens: reported(limit),
                });
            }
            OverflowStrategy::Truncate => {
                (merged, truncated) = truncate(items, &pinned, merged, limit)
            }
            OverflowStrategy::Proceed => {
                let everything = merged.iter().map(|&(position, _)| position).collect();
                overflow = Some((reported(merged_tokens - limit), everything));
            }
            _ => unreachable!("there are three strategies"),
        }
    }
    let for_placer: Vec<ScoredItem> = merged.iter().map(with_score).collect();
    let indices: Vec<usize> = merged.iter().map(|&(position, _)| position).collect();
    let placed: Vec<(usize, f64)> = place(&policy.placer, &for_placer, &indices)
        .into_iter()
        .map(|index| merged[index])
        .collect();

    // The report.
    let included: Vec<_> = placed
        .iter()
        .map(|&(position, score)| inclusion(&items[position], position, score))
        .collect();
    let stage_counts = [
        (items.len(), pinned.len() + scoreable.len()),
        (scoreable.len(), scoreable.len()),
        (scoreable.len(), unique.len()),
        (sorted.len(), kept.len()),
        (entering_place, placed.len()),
    ];
    let excluded_by_stage = [negative, Vec::new(), duplicates, not_sliced, truncated];
    let in_order: Vec<Exclusion> = excluded_by_stage.iter().flatten().cloned().collect();
    let scores: Vec<f64> = in_order.iter().map(|(_, score, _)| *score).collect();
    Ok(Outcome {
        window: placed.iter().map(|&(position, _)| position).collect(),
        included,
        excluded: descending(&scores).into_iter().map(|index| in_order[index].clone()).collect(),
        excluded_by_stage,
        shortfalls,
        overflow,
        stage_counts,
        total_tokens_considered: reported((0..items.len()).map(tokens).sum()),
    })
}

/// Items that never competed on their score are reported without one.
fn inclusion(item: &ContextItem, position: usize, score: f64) -> (usize, f64, InclusionReason) {
    if item.pinned() {
        (position, 0.0, InclusionReason::Pinned)
    } else if item.tokens() == 0 {
        (position, 0.0, InclusionReason::ZeroToken)
    } else {
        (position, score, InclusionReason::Scored)
    }
}
