//! Which items would a smaller budget lose?

use cupel::{ContextBudget, ContextKind, CupelError, GreedySlice, Pipeline};
use proptest::prelude::*;

use super::by_hand::{budget, item, pinned, slicing_by};
use super::{naive, small};

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Budget Simulation]: marginal items are in the full window and not in the reduced one, in window order
        #[test]
        fn marginal_items_are_the_difference_of_two_runs(
            (items, budget) in small::problems(),
            policy in small::policies(),
            share in 0_i64..=100,
        ) {
            let pipeline = policy.pipeline()?;
            let most = budget.target_tokens().min(budget.max_tokens() - budget.output_reserve());
            let slack = most * share / 100;
            let actual = pipeline.get_marginal_items(&items, &budget, slack);
            if small::has_percentages(&policy.slicer) {
                prop_assert!(matches!(actual, Err(CupelError::PipelineConfig(_))));
                return Ok(());
            }
            match (actual, naive::marginal_items(&pipeline, &items, &budget, slack)) {
                (Ok(actual), Ok(expected)) => {
                    prop_assert!(
                        naive::same_handles(&actual, &expected),
                        "{actual:?}, not {expected:?}"
                    );
                }
                (actual, expected) => prop_assert_eq!(actual.err(), expected.err()),
            }
        }
    }
}

fn pipeline(deduplication: bool) -> Pipeline {
    slicing_by(GreedySlice).deduplication(deduplication).build().unwrap()
}

/// Rule [Budget Simulation]: no slack loses nothing, all of it everything (ours)
#[test]
fn no_slack_loses_nothing() {
    let items = [item("a", 10, 0.9), item("b", 10, 0.5)];
    assert_eq!(pipeline(true).get_marginal_items(&items, &budget(20), 0), Ok(vec![]));
}

/// Rule [Budget Simulation]: no slack loses nothing, all of it everything (ours)
#[test]
fn slack_of_the_whole_budget_loses_everything() {
    let items = [item("a", 10, 0.9), item("b", 0, 0.5)];
    let lost = pipeline(true).get_marginal_items(&items, &budget(20), 20).unwrap();
    assert!(naive::same_handles(&lost, &items));
}

/// Rule [Budget Simulation]: a slack that is negative, beyond the target or into the output reserve is refused (ours)
#[test]
fn negative_slack_is_refused() {
    let refused = pipeline(true).get_marginal_items(&[item("a", 1, 0.9)], &budget(20), -1);
    assert!(matches!(refused, Err(CupelError::InvalidBudget(_))), "{refused:?}");
}

/// Rule [Budget Simulation]: a slack that is negative, beyond the target or into the output reserve is refused (ours)
#[test]
fn slack_beyond_the_target_is_refused_even_below_the_maximum() {
    let budget = ContextBudget::builder(20).target_tokens(10).build().unwrap();
    let ask = |slack: i64| pipeline(true).get_marginal_items(&[item("a", 1, 0.9)], &budget, slack);
    assert!(ask(10).is_ok());
    assert!(matches!(ask(11), Err(CupelError::InvalidBudget(_))));
}

/// Rule [Budget Simulation]: a slack that is negative, beyond the target or into the output reserve is refused (ours)
#[test]
fn slack_must_leave_room_for_the_output() {
    let budget = ContextBudget::builder(20).target_tokens(20).output_reserve(15).build().unwrap();
    let ask = |slack: i64| pipeline(true).get_marginal_items(&[item("a", 1, 0.9)], &budget, slack);
    assert!(ask(5).is_ok());
    assert!(matches!(ask(6), Err(CupelError::InvalidBudget(_))));
}

/// Rule [Budget Simulation]: both maximum and target shrink by the slack; output reserve, slots and margin (ours) stay
#[test]
fn the_reduced_run_keeps_reservations_and_margin() {
    // Of 40 tokens the output takes 10, a slot 5 and the margin a fifth of the rest: 20 are left.
    let budget = ContextBudget::builder(40)
        .target_tokens(40)
        .output_reserve(10)
        .reserve(ContextKind::memory(), 5)
        .safety_margin_percent(20.0)
        .build()
        .unwrap();
    let items = [item("a", 10, 0.9), item("b", 10, 0.5)];
    assert_eq!(pipeline(true).run(&items, &budget).unwrap().len(), 2);
    // One token less leaves floor(24 * 0.8) = 19.
    let lost = pipeline(true).get_marginal_items(&items, &budget, 1).unwrap();
    assert!(naive::same_handles(&lost, &items[1..]));
}

/// Rule [Budget Simulation]: items are told apart by instance
#[test]
fn two_equal_texts_are_two_items() {
    let items = [item("same", 10, 0.9), item("same", 10, 0.9)];
    let lost = pipeline(false).get_marginal_items(&items, &budget(20), 5).unwrap();
    assert!(naive::same_handles(&lost, &items[1..]), "the later one of equals is lost");
}

/// Rule [Budget Simulation]: items are told apart by instance
#[test]
fn a_handle_given_twice_is_lost_only_when_both_are() {
    let twice = item("same", 10, 0.9);
    let items = [twice.clone(), twice];
    let ask = |slack: i64| pipeline(false).get_marginal_items(&items, &budget(20), slack).unwrap();
    assert!(ask(5).is_empty(), "one of the two is still there");
    assert!(naive::same_handles(&ask(15), &items));
}

/// Rule [Budget Simulation]: the failure of either run is passed on (ours)
#[test]
fn a_failure_of_either_run_is_passed_on() {
    let items = [pinned(10), item("a", 5, 0.9)];
    let ask =
        |tokens, slack: i64| pipeline(true).get_marginal_items(&items, &budget(tokens), slack);
    let too_small = |available| CupelError::PinnedExceedsBudget { pinned_tokens: 10, available };
    assert_eq!(ask(9, 0), Err(too_small(9)));
    assert_eq!(ask(15, 6), Err(too_small(9)));
}
