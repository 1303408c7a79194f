//! The stages that are more than a loop.

use cupel::{ContextBudget, ContextItem, ExclusionReason};

use super::units::Unit;
use super::{Exclusion, outranks, reported};

/// A unit with what is known of it on its way to the window.
#[derive(Debug, Clone)]
pub struct Scored {
    pub unit: Unit,
    pub score: f64,
    /// The form that it is to be in.
    pub form: usize,
}

/// Why each member of a unit is left out, with its own score.
pub fn excluded(unit: &Unit, scores: &[f64], reason: &ExclusionReason) -> Vec<Exclusion> {
    unit.members.iter().map(|&position| (position, scores[position], reason.clone())).collect()
}

/// Survivors, and the members of duplicates, both in input order.
pub fn deduplicate(
    items: &[ContextItem],
    scored: &[Scored],
    scores: &[f64],
) -> (Vec<Scored>, Vec<Exclusion>) {
    let contents = |index: usize| scored[index].unit.contents(items);
    let (mut unique, mut duplicates) = (Vec::new(), Vec::new());
    for index in 0..scored.len() {
        let mut best: Option<usize> = None;
        for other in (0..scored.len()).filter(|&other| contents(other) == contents(index)) {
            if best.is_none_or(|best| outranks(scored[other].score, scored[best].score)) {
                best = Some(other);
            }
        }
        if best == Some(index) {
            unique.push(scored[index].clone());
            continue;
        }
        for &position in &scored[index].unit.members {
            let deduplicated_against = items[position].content().to_owned();
            let reason = ExclusionReason::Deduplicated { deduplicated_against };
            duplicates.push((position, scores[position], reason));
        }
    }
    (unique, duplicates)
}

/// Pinned units in forms that fit into `window` tokens, or as short as they get: first the one that can save most,
/// the earlier of equals, no further than needed, then the next.
pub fn shrink(items: &[ContextItem], pinned: &mut [Scored], window: i128) {
    let tokens = |it: &Scored, form: usize| it.unit.tokens(items, form);
    let mut excess: i128 = pinned.iter().map(|it| tokens(it, 0)).sum::<i128>() - window;
    let mut is_tried = vec![false; pinned.len()];
    while excess > 0 {
        let mut next: Option<(usize, i128)> = None;
        for at in (0..pinned.len()).filter(|&at| !is_tried[at]) {
            let shortest = pinned[at].unit.levels(items);
            let saved = tokens(&pinned[at], 0) - tokens(&pinned[at], shortest);
            if next.is_none_or(|(_, most)| saved > most) {
                next = Some((at, saved));
            }
        }
        let Some((at, _)) = next else { return };
        is_tried[at] = true;
        let shortest = pinned[at].unit.levels(items);
        let saved = |form: usize| tokens(&pinned[at], 0) - tokens(&pinned[at], form);
        let form = (0..=shortest).find(|&form| saved(form) >= excess).unwrap_or(shortest);
        excess -= saved(form);
        pinned[at].form = form;
    }
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

/// What fits into `limit`, front to back, each in its form or the richest shorter one that does, and what does not.
/// Pinned units always stay.
pub fn truncate(
    items: &[ContextItem],
    scores: &[f64],
    pinned: &[Scored],
    chosen: Vec<Scored>,
    limit: i128,
) -> (Vec<Scored>, Vec<Exclusion>) {
    let (mut kept, mut left_out) = (pinned.to_vec(), Vec::new());
    let mut current_tokens: i128 = pinned.iter().map(|it| it.unit.tokens(items, it.form)).sum();
    let mut current_unpinned_tokens = 0;
    for mut candidate in chosen {
        let tokens = |form: usize| candidate.unit.tokens(items, form);
        let shortest = candidate.unit.levels(items);
        let fitting =
            (candidate.form..=shortest).find(|&form| current_tokens + tokens(form) <= limit);
        let reason = if let Some(form) = fitting {
            current_tokens += tokens(form);
            current_unpinned_tokens += tokens(form);
            candidate.form = form;
            kept.push(candidate);
            continue;
        } else if current_unpinned_tokens + tokens(shortest) <= limit {
            pinned_override(items, pinned)
        } else {
            budget_exceeded(tokens(0), limit - current_tokens)
        };
        left_out.extend(excluded(&candidate.unit, scores, &reason));
    }
    (kept, left_out)
}

/// Names the first pinned member of the first pinned unit.
pub fn pinned_override(items: &[ContextItem], pinned: &[Scored]) -> ExclusionReason {
    let mut members = pinned.iter().flat_map(|it| &it.unit.members);
    let first = members.find(|&&position| items[position].pinned()).expect("there is one");
    ExclusionReason::PinnedOverride { displaced_by: items[*first].content().to_owned() }
}

pub fn budget_exceeded(item_tokens: i128, available_tokens: i128) -> ExclusionReason {
    ExclusionReason::BudgetExceeded {
        item_tokens: reported(item_tokens),
        available_tokens: reported(available_tokens),
    }
}
