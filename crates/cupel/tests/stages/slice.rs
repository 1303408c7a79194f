//! Stage 5: choose what fits.

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, GreedySlice, KnapsackSlice,
    OverflowStrategy, ScoredItem, Slicer,
};

use crate::fixtures::custom::{SliceBy, TakeAll};
use crate::fixtures::spies::{spy_placer, spy_slicer};
use crate::fixtures::{budget, contents, hinted, included, item, max_and_target, pinned, plain};

/// Rule [Stage 5: Slice]: empty list: the slicer gets and returns an empty list
#[test]
fn the_slicer_is_given_an_empty_list_when_there_is_nothing_to_slice() {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().slicer(slicer).build().unwrap();
    assert!(pipeline.run(&[], &budget(100)).unwrap().is_empty());
    assert!(sliced.only().candidates.is_empty());
}

/// Rule [Stage 5: Slice]: zero effective budget: nothing, not even zero-token items (ours)
#[test]
fn without_an_effective_target_nothing_is_selected_not_even_what_costs_nothing() {
    let items = [hinted("free", 0, 0.9), hinted("a", 1, 0.5)];
    for given in [budget(0), max_and_target(100, 0)] {
        assert!(plain().build().unwrap().run(&items, &given).unwrap().is_empty());
    }
    let reserved = ContextBudget::builder(100).output_reserve(100).build().unwrap();
    assert!(plain().build().unwrap().run(&items, &reserved).unwrap().is_empty());
}

/// Rule [Stage 5: Slice]: all items fit: all are selected
#[test]
fn when_everything_fits_everything_is_selected() {
    let items = [hinted("a", 50, 0.9), hinted("b", 30, 0.5), hinted("c", 20, 0.1)];
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["a", "b", "c"]);
}

/// Rule [Stage 5: Slice]: pinned items use up the target: only they are in the window
#[test]
fn pinned_items_that_use_up_the_target_leave_only_themselves() {
    let items = [item("a", 1), item("free", 0), pinned("p", 100)];
    let exactly = plain().build().unwrap().run(&items, &max_and_target(200, 100)).unwrap();
    assert_eq!(contents(&exactly), ["p"]);
    let over = plain().overflow_strategy(OverflowStrategy::Truncate).build().unwrap();
    assert_eq!(contents(&over.run(&items, &max_and_target(200, 90)).unwrap()), ["p"]);
}

/// Rule [Stage 5: Slice]: slots exceed what is left: nothing is selected
#[test]
fn reserved_slots_beyond_the_rest_leave_nothing_to_select() {
    let given = ContextBudget::builder(100).reserve(ContextKind::memory(), 150).build().unwrap();
    let items = [item("a", 1), item("free", 0), pinned("p", 10)];
    let window = plain().build().unwrap().run(&items, &given).unwrap();
    assert_eq!(contents(&window), ["p"]);
}

/// Rule [Stage 5: Slice]: the slicer receives items by score descending
#[test]
fn the_slicer_receives_the_best_score_first() {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [hinted("c", 10, 0.1), hinted("a", 10, 0.9), hinted("b", 10, 0.5)];
    pipeline.run(&items, &budget(100)).unwrap();
    let expected = [("a".to_owned(), 0.9), ("b".to_owned(), 0.5), ("c".to_owned(), 0.1)];
    assert_eq!(sliced.only().candidates, expected);
}

/// Rule [Stage 5: Slice]: scores are re-associated by instance
#[test]
fn chosen_items_get_their_scores_back() {
    let (placer, placed) = spy_placer(cupel::ChronologicalPlacer);
    let pipeline = plain().slicer(TakeAll).placer(placer).build().unwrap();
    let items = [hinted("b", 10, 0.5), hinted("a", 10, 0.9)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(placed.only(), [("a".to_owned(), 0.9), ("b".to_owned(), 0.5)]);
    assert_eq!([report.included[0].score, report.included[1].score], [0.9, 0.5]);
}

/// Rule [Stage 5: Slice]: scores are re-associated by instance
#[test]
fn chosen_items_are_recognised_by_instance_not_by_value() {
    // The two are equal by value; the slicer chooses the second.
    let second = SliceBy(|sorted: &[ScoredItem]| vec![sorted[1].item.clone()]);
    let pipeline = plain().slicer(second).deduplication(false).build().unwrap();
    let items = [hinted("twin", 10, 0.5), hinted("twin", 10, 0.5)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["twin"]);
    assert!(report.included[0].item.is_same_instance(&items[1]));
    assert!(report.excluded[0].item.is_same_instance(&items[0]));
}

/// Rule [Stage 5: Slice]: chosen items are merged in Sort order, whatever the slicer returned (ours)
#[test]
fn chosen_items_are_merged_best_first_whatever_order_the_slicer_returned() {
    // Greedy returns b, which is denser, before a; the knapsack returns the last first.
    let items = [hinted("a", 100, 0.9), hinted("b", 1, 0.8), hinted("c", 10, 0.7)];
    let knapsack = KnapsackSlice::new(1).unwrap();
    for slicer in [Box::new(GreedySlice) as Box<dyn Slicer>, Box::new(knapsack)] {
        let pipeline = plain().slicer(slicer).build().unwrap();
        let window = pipeline.run(&items, &budget(1000)).unwrap();
        assert_eq!(contents(&window), ["a", "b", "c"]);
    }
}

/// Rule [Stage 5: Slice]: chosen items are merged in Sort order, whatever the slicer returned (ours)
#[test]
fn equally_good_items_are_merged_in_input_order() {
    let backwards = SliceBy(|sorted: &[ScoredItem]| {
        sorted.iter().rev().map(|scored| scored.item.clone()).collect()
    });
    let pipeline = plain().slicer(backwards).build().unwrap();
    let items = ["x", "y", "z"].map(|content| hinted(content, 10, 0.5));
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["x", "y", "z"]);
}

/// Rule [Stage 5: Slice]: a slicer's error is the run's (ours)
#[test]
fn a_refusal_by_the_slicer_is_the_run_s_error() {
    struct Refusing;
    impl Slicer for Refusing {
        fn slice(
            &self,
            _: &[ScoredItem],
            _: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            Err(CupelError::SlicerConfig("no disclaimer among 3".to_owned()))
        }
    }
    let pipeline = plain().slicer(Refusing).build().unwrap();
    assert_eq!(
        pipeline.run(&[item("a", 1)], &budget(100)),
        Err(CupelError::SlicerConfig("no disclaimer among 3".to_owned()))
    );
}
