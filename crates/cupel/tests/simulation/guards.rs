//! Which questions are refused, and how?

use std::sync::Arc;

use cupel::{
    ContextItem, ContextKind, CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice,
    CupelError, GreedySlice, KnapsackSlice, Pipeline, QuotaEntry, QuotaSlice, ScarcityBehavior,
    Slicer,
};

use super::by_hand::{budget, item, pinned, slicing_by};

const MARGINAL_REFUSAL: &str = "GetMarginalItems requires monotonic item inclusion. QuotaSlice \
    produces non-monotonic inclusion as budget changes shift percentage allocations.";

const MINIMUM_REFUSAL: &str = "FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and \
    CountQuotaSlice produce non-monotonic inclusion as budget changes shift allocations. Use a \
    GreedySlice or KnapsackSlice inner slicer for budget simulation.";

fn quota(inner: impl Slicer + 'static) -> QuotaSlice {
    let entry = QuotaEntry::new(ContextKind::message(), 0.0, 100.0).unwrap();
    QuotaSlice::new(vec![entry], inner).unwrap()
}

fn counts() -> Vec<CountQuotaEntry> {
    vec![CountQuotaEntry::new(ContextKind::message(), 0, 9).unwrap()]
}

fn count_quota(inner: impl Slicer + 'static) -> CountQuotaSlice {
    CountQuotaSlice::new(counts(), inner, ScarcityBehavior::Degrade).unwrap()
}

fn count_knapsack() -> CountConstrainedKnapsackSlice {
    let knapsack = KnapsackSlice::new(1).unwrap();
    CountConstrainedKnapsackSlice::new(counts(), knapsack, ScarcityBehavior::Degrade).unwrap()
}

fn knapsack() -> KnapsackSlice {
    KnapsackSlice::new(1).unwrap()
}

fn pipeline(slicer: impl Slicer + 'static) -> Pipeline {
    slicing_by(slicer).build().unwrap()
}

fn items() -> [ContextItem; 2] {
    ["a", "b"].map(|content| item(content, 10, 0.5))
}

fn marginal(slicer: impl Slicer + 'static) -> Result<Vec<ContextItem>, CupelError> {
    pipeline(slicer).get_marginal_items(&items(), &budget(20), 5)
}

fn minimum(slicer: impl Slicer + 'static) -> Result<Option<i64>, CupelError> {
    let (budget, items) = (budget(20), items());
    pipeline(slicer).find_min_budget_for(&items, &budget, &items[1], 40)
}

fn exact_minimum(slicer: impl Slicer + 'static) -> Result<Option<i64>, CupelError> {
    let (budget, items) = (budget(20), items());
    pipeline(slicer).find_exact_min_budget_for(&items, &budget, &items[1], 40)
}

fn refusal<T>(message: &str) -> Result<T, CupelError> {
    Err(CupelError::PipelineConfig(message.to_owned()))
}

/// Rule [Budget Simulation]: marginal items are refused for percentages, with the specified message
#[test]
fn marginal_items_are_refused_for_percentages() {
    assert_eq!(marginal(quota(GreedySlice)), refusal(MARGINAL_REFUSAL));
    assert_eq!(marginal(quota(knapsack())), refusal(MARGINAL_REFUSAL));
}

/// Rule [Budget Simulation]: also when nested (ours)
#[test]
fn marginal_items_are_refused_for_percentages_inside_counts_and_around_them() {
    assert_eq!(marginal(count_quota(quota(GreedySlice))), refusal(MARGINAL_REFUSAL));
    assert_eq!(marginal(quota(count_quota(GreedySlice))), refusal(MARGINAL_REFUSAL));
    assert_eq!(marginal(quota(count_knapsack())), refusal(MARGINAL_REFUSAL));
    let deep: Box<dyn Slicer> = Box::new(count_quota(count_quota(quota(GreedySlice))));
    assert_eq!(marginal(deep), refusal(MARGINAL_REFUSAL));
}

/// Rule [Budget Simulation]: they are answered for count quotas
#[test]
fn marginal_items_are_answered_for_counts() {
    for lost in [
        marginal(GreedySlice),
        marginal(knapsack()),
        marginal(count_quota(GreedySlice)),
        marginal(count_knapsack()),
    ] {
        assert_eq!(lost.unwrap().len(), 1);
    }
}

/// Rule [Budget Simulation]: the minimum is refused for percentages and counts, with the specified message
#[test]
fn the_minimum_is_refused_for_percentages_and_for_counts() {
    assert_eq!(minimum(quota(GreedySlice)), refusal(MINIMUM_REFUSAL));
    assert_eq!(minimum(count_quota(GreedySlice)), refusal(MINIMUM_REFUSAL));
    assert_eq!(minimum(count_knapsack()), refusal(MINIMUM_REFUSAL));
}

/// Rule [Budget Simulation]: also when nested (ours)
#[test]
fn the_minimum_is_refused_for_quotas_inside_quotas() {
    assert_eq!(minimum(count_quota(quota(GreedySlice))), refusal(MINIMUM_REFUSAL));
    assert_eq!(minimum(quota(count_quota(GreedySlice))), refusal(MINIMUM_REFUSAL));
    assert_eq!(minimum(quota(count_knapsack())), refusal(MINIMUM_REFUSAL));
    assert_eq!(minimum(Box::new(quota(knapsack()))), refusal(MINIMUM_REFUSAL));
}

/// Rule [Budget Simulation]: greedy and knapsack are answered
#[test]
fn the_minimum_is_answered_for_greedy_and_knapsack() {
    assert_eq!(minimum(GreedySlice), Ok(Some(20)));
    assert_eq!(minimum(knapsack()), Ok(Some(20)));
}

/// Rule [Budget Simulation]: the exact minimum is for slicers it is exact for (ours)
#[test]
fn the_exact_minimum_is_answered_for_greedy_through_any_pointer() {
    assert_eq!(exact_minimum(GreedySlice), Ok(Some(20)));
    assert_eq!(exact_minimum(Box::new(Arc::new(GreedySlice))), Ok(Some(20)));
}

/// Rule [Budget Simulation]: the exact minimum is for slicers it is exact for (ours)
#[test]
fn the_exact_minimum_is_refused_for_every_other_slicer() {
    for refused in [
        exact_minimum(knapsack()),
        exact_minimum(quota(GreedySlice)),
        exact_minimum(count_quota(GreedySlice)),
        exact_minimum(count_knapsack()),
    ] {
        assert!(matches!(refused, Err(CupelError::PipelineConfig(_))), "{refused:?}");
    }
}

/// The pinned item is in the window of 5 tokens, which leaves nothing to share out; from 6 to 14
/// tokens the run overflows, because the required item is taken whatever it costs.
///
/// Rule [Budget Simulation]: the exact minimum is for slicers it is exact for (ours)
#[test]
fn the_exact_minimum_is_refused_for_every_other_slicer_even_for_pinned_and_repeated_items() {
    let required = CountQuotaEntry::new(ContextKind::message(), 1, 9).unwrap();
    let required = CountQuotaSlice::new(vec![required], GreedySlice, ScarcityBehavior::Degrade);
    let pipeline = pipeline(required.unwrap());
    let items = [pinned(5), item("same", 10, 0.9), item("same", 10, 0.1), item("odd", -1, 0.1)];
    assert!(pipeline.run(&items, &budget(5)).is_ok());
    assert!(matches!(pipeline.run(&items, &budget(6)), Err(CupelError::Overflow { .. })));
    for target in &items {
        let refused = pipeline.find_exact_min_budget_for(&items, &budget(20), target, 40);
        assert!(matches!(refused, Err(CupelError::PipelineConfig(_))), "{refused:?}");
    }
}

/// Rule [Budget Simulation]: the target must be one of the items
#[test]
fn a_target_must_be_one_of_the_items_and_equal_is_not_enough() {
    let (budget, items) = (budget(20), items());
    let equal = item("a", 10, 0.5);
    assert_eq!(equal, items[0]);
    let pipeline = pipeline(GreedySlice);
    let searched = pipeline.find_min_budget_for(&items, &budget, &equal, 40);
    assert!(matches!(searched, Err(CupelError::InvalidBudget(_))), "{searched:?}");
    let exact = pipeline.find_exact_min_budget_for(&items, &budget, &equal, 40);
    assert!(matches!(exact, Err(CupelError::InvalidBudget(_))), "{exact:?}");
    let asked = pipeline.counterfactual(&items, &budget, &equal);
    assert!(matches!(asked, Err(CupelError::InvalidBudget(_))), "{asked:?}");
}

/// Rule [Budget Simulation]: the ceiling must not be below the target's size
#[test]
fn a_ceiling_must_not_be_below_the_item() {
    let (budget, items) = (budget(20), items());
    let pipeline = pipeline(GreedySlice);
    for ceiling in [9, 0, -1, i64::MIN] {
        let searched = pipeline.find_min_budget_for(&items, &budget, &items[0], ceiling);
        assert!(matches!(searched, Err(CupelError::InvalidBudget(_))), "{searched:?}");
        let exact = pipeline.find_exact_min_budget_for(&items, &budget, &items[0], ceiling);
        assert!(matches!(exact, Err(CupelError::InvalidBudget(_))), "{exact:?}");
    }
    assert_eq!(pipeline.find_min_budget_for(&items, &budget, &items[0], 10), Ok(Some(10)));
}
