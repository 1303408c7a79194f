//! The stages that are more than a loop.

use cupel::{ContextBudget, ContextItem, ExclusionReason};

use super::{Exclusion, outranks, reported};

/// Survivors and duplicates, both in input order.
pub fn deduplicate(
    items: &[ContextItem],
    scored: &[(usize, f64)],
) -> (Vec<(usize, f64)>, Vec<Exclusion>) {
    let content = |index: usize| items[scored[index].0].content();
    let (mut unique, mut duplicates) = (Vec::new(), Vec::new());
    for index in 0..scored.len() {
        let mut best: Option<usize> = None;
        for other in (0..scored.len()).filter(|&other| content(other) == content(index)) {
            if best.is_none_or(|best| outranks(scored[other].1, scored[best].1)) {
                best = Some(other);
            }
        }
        let (position, score) = scored[index];
        if best == Some(index) {
            unique.push((position, score));
        } else {
            let deduplicated_against = content(index).to_owned();
            duplicates.push((
                position,
                score,
                ExclusionReason::Deduplicated { deduplicated_against },
            ));
        }
    }
    (unique, duplicates)
}

/// The maximum and the target that are left for the slicer.
pub fn effective_budget(budget: &ContextBudget, pinned_tokens: i128) -> (i128, i128) {
    let reserved_tokens: i128 =
        budget.reserved_slots().values().map(|&tokens| i128::from(tokens)).sum();
    let mut effective_max = (i128::from(budget.max_tokens())
        - i128::from(budget.output_reserve())
        - pinned_tokens
        - reserved_tokens)
        .max(0);
    let mut effective_target =
        (i128::from(budget.target_tokens()) - pinned_tokens - reserved_tokens).max(0);
    effective_target = effective_target.min(effective_max);

    if budget.estimation_safety_margin_percent() > 0.0 {
        let multiplier = 1.0 - budget.estimation_safety_margin_percent() / 100.0;
        effective_max = reduced(effective_max, multiplier);
        effective_target = reduced(effective_target, multiplier);
        effective_target = effective_target.min(effective_max);
    }
    (effective_max, effective_target)
}

/// `floor(tokens * multiplier)`. Beyond 2^53 tokens the product can round up past what it reduces;
/// a margin adds nothing.
fn reduced(tokens: i128, multiplier: f64) -> i128 {
    ((tokens as f64 * multiplier).floor() as i128).min(tokens)
}

/// What fits into `limit`, front to back, and what does not. Pinned items always stay.
pub fn truncate(
    items: &[ContextItem],
    pinned: &[usize],
    merged: Vec<(usize, f64)>,
    limit: i128,
) -> (Vec<(usize, f64)>, Vec<Exclusion>) {
    let (mut kept, mut excluded) = (Vec::new(), Vec::new());
    let (mut current_tokens, mut current_unpinned_tokens) = (0, 0);
    for (position, score) in merged {
        let tokens = i128::from(items[position].tokens());
        if items[position].pinned() {
            kept.push((position, score));
            current_tokens += tokens;
        } else if current_tokens + tokens <= limit {
            kept.push((position, score));
            current_tokens += tokens;
            current_unpinned_tokens += tokens;
        } else if current_unpinned_tokens + tokens <= limit {
            excluded.push((position, score, pinned_override(items, pinned)));
        } else {
            excluded.push((position, score, budget_exceeded(tokens, limit - current_tokens)));
        }
    }
    (kept, excluded)
}

pub fn pinned_override(items: &[ContextItem], pinned: &[usize]) -> ExclusionReason {
    ExclusionReason::PinnedOverride { displaced_by: items[pinned[0]].content().to_owned() }
}

pub fn budget_exceeded(item_tokens: i128, available_tokens: i128) -> ExclusionReason {
    ExclusionReason::BudgetExceeded {
        item_tokens: reported(item_tokens),
        available_tokens: reported(available_tokens),
    }
}
