//! With which budget would an item get in?

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, GreedySlice, KnapsackSlice, Pipeline,
    Placer, ScoredItem,
};
use proptest::prelude::*;

use super::by_hand::{self, item, pinned, slicing_by};
use super::{naive, small};

/// How far a ceiling may lie above the target's size.
const LARGEST_CEILING: i64 = 80;

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Budget Simulation]: the minimum is found by halving from the item's size to the ceiling, and verified
        #[test]
        fn the_search_is_the_specified_one(
            (items, budget, target) in small::targeted_problems(),
            policy in small::unguarded_policies(),
            above in 0..=LARGEST_CEILING,
        ) {
            let pipeline = policy.pipeline()?;
            let ceiling = target.tokens().saturating_add(above).min(LARGEST_CEILING);
            let found = pipeline.find_min_budget_for(&items, &budget, &target, ceiling)?;
            let expected = naive::find_min_budget_for(&pipeline, &items, &budget, &target, ceiling);
            prop_assert_eq!(found, expected);
            if let Some(tokens) = found {
                prop_assert!((small::least_tokens(&target)..=ceiling).contains(&tokens));
                prop_assert!(naive::includes(&pipeline, &items, &budget, &target, tokens));
            }
        }

        /// Rule [Budget Simulation]: inclusion is not monotone, and the exact minimum does not assume it (ours)
        #[test]
        fn the_exact_minimum_is_the_smallest_of_all_budgets(
            (items, budget, target) in small::targeted_problems(),
            policy in small::greedy_policies(),
            above in 0..=LARGEST_CEILING,
        ) {
            let pipeline = policy.pipeline()?;
            let ceiling = target.tokens().saturating_add(above).min(LARGEST_CEILING);
            let found = pipeline.find_exact_min_budget_for(&items, &budget, &target, ceiling);
            if small::pinned_can_shrink(&items) {
                prop_assert!(matches!(found, Err(CupelError::PipelineConfig(_))), "{found:?}");
                return Ok(());
            }
            let found = found?;
            let expected = naive::smallest_budget_for(&pipeline, &items, &budget, &target, ceiling);
            prop_assert_eq!(found, expected);
        }
    }
}

fn greedy() -> Pipeline {
    slicing_by(GreedySlice).build().unwrap()
}

fn knapsack() -> Pipeline {
    slicing_by(KnapsackSlice::new(1).unwrap()).build().unwrap()
}

/// Its size does not matter, only what it reserves.
fn budget() -> ContextBudget {
    by_hand::budget(100)
}

/// Rule [Budget Simulation]: the low end is tried first (ours)
#[test]
fn the_answer_can_be_the_size_of_the_item() {
    let items = [item("alone", 10, 0.9)];
    assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[0], 100), Ok(Some(10)));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), &items[0], 100), Ok(Some(10)));
}

/// By score per token the order of trial is first (3 tokens), large (6), target (5). The target is
/// in the window at 8 tokens, where the large item does not fit beside the first; out from 9 to 13,
/// where it does; and in again from 14 on, where all three fit.
///
/// Rule [Budget Simulation]: no minimum up to the ceiling is no answer
/// Rule [Budget Simulation]: inclusion is not monotone, and the exact minimum does not assume it (ours)
#[test]
fn more_tokens_can_push_an_item_out_and_only_the_exact_minimum_knows() {
    let items = [item("first", 3, 0.9), item("large", 6, 0.9), item("target", 5, 0.1)];
    let target = &items[2];
    let pipeline = greedy();
    let admitting: Vec<i64> = (0..=16)
        .filter(|&tokens| naive::includes(&pipeline, &items, &budget(), target, tokens))
        .collect();
    assert_eq!(admitting, [8, 14, 15, 16]);

    let search = |ceiling: i64| pipeline.find_min_budget_for(&items, &budget(), target, ceiling);
    let exact =
        |ceiling: i64| pipeline.find_exact_min_budget_for(&items, &budget(), target, ceiling);
    // Halving 5..=16 tries 10, which leaves the target out, and so never looks below it.
    assert_eq!(search(16), Ok(Some(14)));
    assert_eq!(exact(16), Ok(Some(8)));
    // Up to 13 it finds none at all.
    assert_eq!(search(13), Ok(None));
    assert_eq!(exact(13), Ok(Some(8)));
    assert_eq!(exact(7), Ok(None));
}

/// Rule [Budget Simulation]: no minimum up to the ceiling is no answer
/// Rule [Budget Simulation]: a tried budget that cannot hold the pinned items leaves the target out (ours)
#[test]
fn pinned_items_larger_than_a_tried_budget_do_not_fail_the_search() {
    let items = [pinned(50), item("target", 10, 0.9)];
    assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[1], 100), Ok(Some(60)));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), &items[1], 100), Ok(Some(60)));
    assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[1], 59), Ok(None));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), &items[1], 59), Ok(None));
}

/// Rule [Budget Simulation]: a tried budget that cannot hold the pinned items leaves the target out (ours)
#[test]
fn a_pinned_target_needs_room_for_all_pinned_items() {
    let items = [pinned(30), pinned(20)];
    for target in &items {
        assert_eq!(greedy().find_min_budget_for(&items, &budget(), target, 100), Ok(Some(50)));
        assert_eq!(
            greedy().find_exact_min_budget_for(&items, &budget(), target, 100),
            Ok(Some(50))
        );
        assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), target, 49), Ok(None));
    }
}

/// Rule [Budget Simulation]: tried budgets keep slots and margin, and the output reserve as far as it fits (ours)
#[test]
fn reservations_and_margin_of_the_budget_count() {
    let budget = ContextBudget::builder(100)
        .output_reserve(10)
        .reserve(ContextKind::memory(), 5)
        .safety_margin_percent(50.0)
        .build()
        .unwrap();
    let items = [item("target", 10, 0.9)];
    // (35 - 10 - 5) / 2 = 10
    assert_eq!(greedy().find_min_budget_for(&items, &budget, &items[0], 100), Ok(Some(35)));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget, &items[0], 100), Ok(Some(35)));
}

/// Rule [Budget Simulation]: tried budgets keep slots and margin, and the output reserve as far as it fits (ours)
#[test]
fn an_output_reserve_larger_than_a_tried_budget_does_not_fail_the_search() {
    let budget = ContextBudget::builder(100).output_reserve(40).build().unwrap();
    let items = [item("target", 10, 0.9)];
    assert_eq!(greedy().find_min_budget_for(&items, &budget, &items[0], 100), Ok(Some(50)));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget, &items[0], 100), Ok(Some(50)));
    assert_eq!(greedy().find_min_budget_for(&items, &budget, &items[0], 30), Ok(None));
}

#[test]
fn an_item_that_costs_nothing_needs_a_budget_of_one_token() {
    let items = [item("target", 0, 0.9)];
    assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[0], 100), Ok(Some(1)));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), &items[0], 100), Ok(Some(1)));
    assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[0], 0), Ok(None));
    assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), &items[0], 0), Ok(None));
}

/// Rule [Budget Simulation]: a target of negative tokens has no minimum (ours)
#[test]
fn a_target_of_negative_tokens_has_no_minimum() {
    let items = [item("target", -5, 0.9)];
    for ceiling in [-5_i64, 0, 100] {
        assert_eq!(greedy().find_min_budget_for(&items, &budget(), &items[0], ceiling), Ok(None));
        let exact = greedy().find_exact_min_budget_for(&items, &budget(), &items[0], ceiling);
        assert_eq!(exact, Ok(None));
    }
}

/// Rule [Budget Simulation]: items are told apart by instance
#[test]
fn of_two_equal_texts_only_the_one_kept_has_a_minimum() {
    let items = [item("same", 10, 0.9), item("same", 10, 0.9)];
    for (target, minimum) in items.iter().zip([Some(10), None]) {
        assert_eq!(greedy().find_min_budget_for(&items, &budget(), target, 100), Ok(minimum));
        assert_eq!(greedy().find_exact_min_budget_for(&items, &budget(), target, 100), Ok(minimum));
    }
}

/// Rule [Budget Simulation]: items are told apart by instance
#[test]
fn a_handle_given_twice_is_in_as_soon_as_one_of_them_is() {
    let twice = item("same", 10, 0.9);
    let items = [twice.clone(), twice.clone()];
    let pipeline = slicing_by(GreedySlice).deduplication(false).build().unwrap();
    assert_eq!(pipeline.find_min_budget_for(&items, &budget(), &twice, 100), Ok(Some(10)));
    assert_eq!(pipeline.find_exact_min_budget_for(&items, &budget(), &twice, 100), Ok(Some(10)));
}

/// Rule [Budget Simulation]: greedy and knapsack are answered
#[test]
fn a_knapsack_can_be_searched() {
    let items = [item("better", 10, 0.9), item("target", 10, 0.1)];
    // At 10 tokens it takes the better one.
    assert_eq!(knapsack().find_min_budget_for(&items, &budget(), &items[1], 100), Ok(Some(20)));
}

/// Rule [Budget Simulation]: any other failure of a tried run is passed on (ours)
#[test]
fn a_table_too_large_for_the_knapsack_is_passed_on() {
    let items = [item("better", 10, 0.9), item("target", 10, 0.1)];
    let found = knapsack().find_min_budget_for(&items, &budget(), &items[1], i64::MAX);
    assert!(matches!(found, Err(CupelError::TableTooLarge { .. })), "{found:?}");
}

#[test]
fn a_pinned_item_that_costs_nothing_is_in_at_once_under_any_ceiling() {
    let items = [pinned(0)];
    for ceiling in [0, 1, i64::MAX] {
        let exact = greedy().find_exact_min_budget_for(&items, &budget(), &items[0], ceiling);
        assert_eq!(exact, Ok(Some(0)));
        let searched = greedy().find_min_budget_for(&items, &budget(), &items[0], ceiling);
        assert_eq!(searched, Ok(Some(0)));
    }
}

/// Rule [Budget Simulation]: any other failure of a tried run is passed on (ours)
#[test]
fn a_placer_that_breaks_its_contract_at_the_budget_found_is_an_error() {
    struct Losing;
    impl Placer for Losing {
        fn place(&self, _items: &[ScoredItem]) -> Vec<ContextItem> {
            Vec::new()
        }
    }
    let pipeline = slicing_by(GreedySlice).placer(Losing).build().unwrap();
    let items = [item("target", 10, 0.5), pinned(3)];
    for target in &items {
        for found in [
            pipeline.find_min_budget_for(&items, &budget(), target, 100),
            pipeline.find_exact_min_budget_for(&items, &budget(), target, 100),
        ] {
            let broken =
                matches!(found, Err(CupelError::ContractViolation { family: "placer", .. }));
            assert!(broken, "{found:?}");
        }
    }
}
