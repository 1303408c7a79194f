//! The six stages, and the report of what they did.

use cupel::{
    ContextBudget, ContextItem, CupelError, ExclusionReason, InclusionReason, OverflowStrategy,
};
use cupel_policy::PlacerConfig;
use cupel_testing::generate::PolicyConfig;

use super::placers::place_candidates;
use super::slicers::{Shortfall, Sliced, slice_candidates};
use super::stages::{
    Scored, budget_exceeded, deduplicate, effective_budget, excluded, pinned_override, shrink,
    truncate,
};
use super::units::{Candidate, Unit, units};
use super::{descending, reported, score};

/// A candidate's position, its score when the decision fell, and the decision.
pub type Exclusion = (usize, f64, ExclusionReason);

/// A successful run. Items are positions in the input.
#[derive(Debug)]
pub struct Outcome {
    /// The selected items in placed order.
    pub window: Vec<usize>,
    /// The form that each of them is in: 0 for whole, 1 for the first variant, and so on.
    pub forms: Vec<usize>,
    /// The same with score and reason, as reported.
    pub included: Vec<(usize, f64, InclusionReason)>,
    /// The items not selected, in reported order.
    pub excluded: Vec<Exclusion>,
    /// What each of the five reported stages excluded, in the order it happened.
    pub excluded_by_stage: [Vec<Exclusion>; 5],
    /// Count requirements that could not be met.
    pub shortfalls: Vec<Shortfall>,
    /// Under `Proceed`, by how much the limit was exceeded, and the merged items with their forms.
    pub overflow: Option<(i64, Vec<usize>, Vec<usize>)>,
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
    // Stage 1: Classify.
    let (mut pinned, mut scoreable, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
    for unit in units(items) {
        if let Some(tokens) = unit.negative(items) {
            invalid.extend(unit.members.iter().map(|&at| (at, 0.0, broken(&items[at], tokens))));
        } else if unit.is_pinned(items) {
            pinned.push(Scored { unit, score: 1.0, form: 0 });
        } else {
            scoreable.push(unit);
        }
    }
    invalid.sort_by_key(|(position, _, _)| *position);
    let ceiling = i128::from(budget.max_tokens()) - i128::from(budget.output_reserve());
    let limit = ceiling.min(budget.target_tokens().into());
    shrink(items, &mut pinned, limit);
    let pinned_tokens: i128 = pinned.iter().map(|it| it.unit.tokens(items, it.form)).sum();
    if pinned_tokens > ceiling {
        return Err(CupelError::PinnedExceedsBudget {
            pinned_tokens: reported(pinned_tokens),
            available: reported(ceiling),
        });
    }

    // Stage 2: Score. Every item by itself.
    let mut positions: Vec<usize> = members(&scoreable);
    positions.sort_unstable();
    let handles: Vec<ContextItem> =
        positions.iter().map(|&position| items[position].clone()).collect();
    let mut scores = vec![0.0; items.len()];
    for (index, &position) in positions.iter().enumerate() {
        scores[position] = score(&policy.scorer, index, &handles);
    }
    let scored: Vec<Scored> = scoreable
        .into_iter()
        .map(|unit| Scored { score: unit.score(&scores), unit, form: 0 })
        .collect();

    // Stage 3: Deduplicate.
    let (unique, duplicates) = if policy.deduplication {
        deduplicate(items, &scored, &scores)
    } else {
        (scored, Vec::new())
    };

    // Stage 4: Sort.
    let unit_scores: Vec<f64> = unique.iter().map(|it| it.score).collect();
    let sorted: Vec<Scored> =
        descending(&unit_scores).into_iter().map(|index| unique[index].clone()).collect();

    // Stage 5: Slice.
    let for_slicer: Vec<Candidate> =
        sorted.iter().map(|it| it.unit.candidate(items, it.score)).collect();
    let (effective_max, effective_target) = effective_budget(budget, pinned_tokens);
    let adjusted =
        ContextBudget::new(reported(effective_max), reported(effective_target), 0, [], 0.0)?;
    let Sliced { kept, capped, shortfalls } =
        slice_candidates(&policy.slicer, &for_slicer, &adjusted)?;
    let sliced_tokens: i128 =
        kept.iter().map(|&(index, form)| for_slicer[index].forms[form].tokens).sum();
    let (mut chosen, mut not_sliced) = (Vec::new(), Vec::new());
    for (index, candidate) in sorted.iter().enumerate() {
        if let Some(&(_, form)) = kept.iter().find(|(kept, _)| *kept == index) {
            // Merged in sorted order, whatever order the slicer had.
            chosen.push(Scored { form, ..candidate.clone() });
            continue;
        }
        let displaced = policy.overflow == OverflowStrategy::Truncate
            && pinned_tokens > 0
            && for_slicer[index].shortest() > effective_target
            && for_slicer[index].shortest() <= effective_budget(budget, 0).1;
        let reason = match capped.iter().find(|(capped, _)| *capped == index) {
            Some((_, reason)) => reason.clone(),
            None if displaced => pinned_override(items, &pinned),
            None => budget_exceeded(for_slicer[index].tokens(), effective_target - sliced_tokens),
        };
        not_sliced.extend(excluded(&candidate.unit, &scores, &reason));
    }
    let sliced = count(&chosen);

    // Stage 6: Place.
    let mut merged: Vec<Scored> = [pinned.clone(), chosen.clone()].concat();
    let entering_place = count(&merged);
    let merged_tokens: i128 = merged.iter().map(|it| it.unit.tokens(items, it.form)).sum();
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
                (merged, truncated) = truncate(items, &scores, &pinned, chosen, limit)
            }
            OverflowStrategy::Proceed => {
                let everything: Vec<(usize, usize)> =
                    merged.iter().flat_map(|it| in_own_forms(it, items)).collect();
                let (positions, forms) = everything.into_iter().unzip();
                overflow = Some((reported(merged_tokens - limit), positions, forms));
            }
            _ => unreachable!("there are three strategies"),
        }
    }
    let for_placer: Vec<Candidate> =
        merged.iter().map(|it| it.unit.candidate(items, it.score)).collect();
    let placed = place_candidates(&policy.placer, &for_placer);
    let mut window: Vec<(usize, usize, &Scored)> = Vec::new();
    for index in placed {
        let own_forms = in_own_forms(&merged[index], items);
        window.extend(own_forms.into_iter().map(|(at, form)| (at, form, &merged[index])));
    }
    if policy.placer == PlacerConfig::InputOrder {
        // Members stand where the input had them.
        window.sort_by_key(|(position, _, _)| *position);
    }

    // The report.
    let included: Vec<_> = window
        .iter()
        .map(|(position, _, of)| {
            let (score, reason) = inclusion(&of.unit, items, scores[*position]);
            (*position, score, reason)
        })
        .collect();
    let classified = count(&pinned) + positions.len();
    let stage_counts = [
        (items.len(), classified),
        (positions.len(), positions.len()),
        (positions.len(), count(&unique)),
        (count(&sorted), sliced),
        (entering_place, window.len()),
    ];
    let excluded_by_stage = [invalid, Vec::new(), duplicates, not_sliced, truncated];
    let in_order: Vec<Exclusion> = excluded_by_stage.iter().flatten().cloned().collect();
    let told_scores: Vec<f64> = in_order.iter().map(|(_, score, _)| *score).collect();
    Ok(Outcome {
        window: window.iter().map(|(position, _, _)| *position).collect(),
        forms: window.iter().map(|(_, form, _)| *form).collect(),
        included,
        excluded: descending(&told_scores)
            .into_iter()
            .map(|index| in_order[index].clone())
            .collect(),
        excluded_by_stage,
        shortfalls,
        overflow,
        stage_counts,
        total_tokens_considered: reported(items.iter().map(|item| i128::from(item.tokens())).sum()),
    })
}

/// What a member of a unit is left out for that has a member of negative `tokens`.
fn broken(item: &ContextItem, tokens: i64) -> ExclusionReason {
    if item.tokens() < 0 {
        return ExclusionReason::NegativeTokens { tokens: item.tokens() };
    }
    let group = item.group().expect("another member is to blame").to_owned();
    ExclusionReason::GroupBroken { group, tokens }
}

fn members(units: &[Unit]) -> Vec<usize> {
    units.iter().flat_map(|unit| unit.members.clone()).collect()
}

fn count(candidates: &[Scored]) -> usize {
    candidates.iter().map(|it| it.unit.members.len()).sum()
}

/// Every member of a unit with the form that it is in at the unit's level: that one, or its last.
fn in_own_forms(candidate: &Scored, items: &[ContextItem]) -> Vec<(usize, usize)> {
    let form = |&position: &usize| (position, candidate.form.min(items[position].variants().len()));
    candidate.unit.members.iter().map(form).collect()
}

/// Items that never competed on their score are reported without one.
fn inclusion(unit: &Unit, items: &[ContextItem], score: f64) -> (f64, InclusionReason) {
    if unit.is_pinned(items) {
        (0.0, InclusionReason::Pinned)
    } else if unit.tokens(items, 0) == 0 {
        (0.0, InclusionReason::ZeroToken)
    } else {
        (score, InclusionReason::Scored)
    }
}
