//! What stands in an item's way apart from the size of the budget?

use cupel::{
    ContextKind, CountQuotaEntry, CountQuotaSlice, CupelError, GreedySlice, KnapsackSlice,
    Obstacle, OverflowStrategy, Pipeline, ScarcityBehavior, Slicer,
};

use super::by_hand::{budget, item, pinned, slicing_by};

fn pipeline(slicer: impl Slicer + 'static) -> Pipeline {
    slicing_by(slicer).build().unwrap()
}

/// So many messages, and others as they fit.
fn messages(require: usize, cap: usize, scarcity: ScarcityBehavior) -> CountQuotaSlice {
    let entry = CountQuotaEntry::new(ContextKind::message(), require, cap).unwrap();
    CountQuotaSlice::new(vec![entry], Box::new(GreedySlice), scarcity).unwrap()
}

#[test]
fn pinned_items_are_blamed_when_the_item_would_fit_without_them() {
    let items = [pinned(15), item("fits otherwise", 10, 0.9), item("never fits", 30, 0.1)];
    let answers = pipeline(GreedySlice).counterfactuals(&items, &budget(20)).unwrap();
    let blame = Obstacle::PinnedItems { tokens: 15, first: items[0].clone() };
    assert_eq!(answers[0].obstacles, [blame]);
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(5));
    assert_eq!(answers[1].obstacles, []);
}

#[test]
fn pinned_items_that_cost_nothing_are_not_blamed() {
    let items = [pinned(0), item("out", 30, 0.9)];
    let answers = pipeline(GreedySlice).counterfactuals(&items, &budget(20)).unwrap();
    assert_eq!(answers[0].obstacles, []);
}

#[test]
fn pinned_items_are_not_blamed_for_what_required_items_displace() {
    // Both messages are required, and the second is cut off, with or without the pinned item.
    let items = [pinned(1), item("first", 10, 0.9), item("second", 10, 0.5)];
    let pipeline = slicing_by(messages(2, 2, ScarcityBehavior::Degrade))
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let answer = pipeline.counterfactual(&items, &budget(15), &items[2]).unwrap().unwrap();
    assert_eq!(answer.obstacles, []);
    assert_eq!(answer.remedy.map(|remedy| remedy.additional_tokens), Some(6));
}

#[test]
fn pinned_items_are_not_blamed_when_a_run_without_them_would_fail() {
    // The pinned item leaves nothing to share out. Without it the required message overflows.
    let items = [pinned(5), item("required", 10, 0.9)];
    let pipeline = pipeline(messages(1, 1, ScarcityBehavior::Degrade));
    assert!(matches!(pipeline.run(&items[1..], &budget(5)), Err(CupelError::Overflow { .. })));
    let answers = pipeline.counterfactuals(&items, &budget(5)).unwrap();
    assert_eq!(answers[0].obstacles, []);
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(10));
}

#[test]
fn asking_about_pinned_items_never_fails_a_run_that_works() {
    // Without the pinned item there would be tokens to share out, and two messages are required.
    let items = [pinned(20), item("lonely", 10, 0.9)];
    let strict = pipeline(messages(2, 2, ScarcityBehavior::Throw));
    assert!(strict.run(&items, &budget(20)).is_ok());
    let answers = strict.counterfactuals(&items, &budget(20)).unwrap();
    let error = strict.run(&items, &budget(21)).unwrap_err();
    assert_eq!(answers[0].obstacles, [Obstacle::NotTestable { additional_tokens: 1, error }]);

    // Without the pinned item the table would be too large.
    let packed = pipeline(KnapsackSlice::new(1).unwrap());
    let items = [pinned(60_000_000), item("out", 100, 0.9)];
    let answers = packed.counterfactuals(&items, &budget(60_000_010)).unwrap();
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(90));
}
