//! Which exclusions are answered, in which order, and in which words?

use cupel::{
    ContextBudget, ContextKind, CountQuotaEntry, CountQuotaSlice, Counterfactual, CupelError,
    ExclusionReason, GreedySlice, OverflowStrategy, Pipeline, ScarcityBehavior,
};

use super::by_hand::{budget, item, pinned, slicing_by};

fn greedy(deduplication: bool) -> Pipeline {
    slicing_by(GreedySlice).deduplication(deduplication).build().unwrap()
}

fn more_tokens(answer: &Counterfactual) -> Option<i64> {
    answer.remedy.as_ref().map(|remedy| remedy.additional_tokens)
}

#[test]
fn an_item_in_the_window_needs_no_answer() {
    let items = [item("in", 10, 0.9), item("out", 10, 0.1)];
    let ask = |target| greedy(true).counterfactual(&items, &budget(10), target).unwrap();
    assert_eq!(ask(&items[0]), None);
    assert_eq!(more_tokens(&ask(&items[1]).unwrap()), Some(10));
}

#[test]
fn a_handle_given_twice_is_in_the_window_when_one_of_them_is() {
    let twice = item("twice", 10, 0.9);
    let items = [twice.clone(), twice.clone()];
    for pipeline in [greedy(true), greedy(false)] {
        assert_eq!(pipeline.counterfactual(&items, &budget(10), &twice), Ok(None));
        assert_eq!(pipeline.counterfactuals(&items, &budget(10)).unwrap().len(), 1);
    }
}

#[test]
fn a_handle_given_twice_and_out_twice_needs_room_for_one() {
    let twice = item("twice", 10, 0.1);
    let items = [item("in", 10, 0.9), twice.clone(), twice.clone()];
    for pipeline in [greedy(true), greedy(false)] {
        let answer = pipeline.counterfactual(&items, &budget(10), &twice).unwrap().unwrap();
        assert_eq!(more_tokens(&answer), Some(10), "{answer:?}");
    }
    let answers = greedy(false).counterfactuals(&items, &budget(10)).unwrap();
    assert_eq!(answers.iter().map(more_tokens).collect::<Vec<_>>(), [Some(10), Some(20)]);
}

/// One message is required and no more allowed, and the pinned item leaves too little for it. So
/// the first candidate is chosen and cut off in the end, and the second is not chosen.
#[test]
fn a_handle_given_twice_and_out_in_two_stages_has_two_answers_in_the_order_of_the_stages() {
    let entry = CountQuotaEntry::new(ContextKind::message(), 1, 1).unwrap();
    let one = CountQuotaSlice::new(vec![entry], Box::new(GreedySlice), ScarcityBehavior::Degrade);
    let pipeline = slicing_by(one.unwrap())
        .deduplication(false)
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let budget = ContextBudget::builder(15).safety_margin_percent(50.0).build().unwrap();
    let twice = item("twice", 10, 0.9);
    let items = [pinned(10), twice.clone(), twice.clone()];

    let answers = pipeline.counterfactuals(&items, &budget).unwrap();
    let [not_chosen, cut_off] = &answers[..] else { panic!("two are out: {answers:?}") };
    assert!(matches!(not_chosen.reason, ExclusionReason::BudgetExceeded { .. }));
    assert_eq!(more_tokens(not_chosen), None);
    assert!(matches!(cut_off.reason, ExclusionReason::PinnedOverride { .. }));
    assert_eq!(more_tokens(cut_off), Some(5));
    let answer = pipeline.counterfactual(&items, &budget, &twice).unwrap().unwrap();
    assert_eq!(&answer, cut_off);
}

#[test]
fn two_equal_texts_are_two_items() {
    let items = [item("same", 10, 0.9), item("same", 10, 0.9)];
    assert_eq!(greedy(false).counterfactual(&items, &budget(10), &items[0]), Ok(None));
    let answer = greedy(false).counterfactual(&items, &budget(10), &items[1]).unwrap().unwrap();
    assert_eq!(more_tokens(&answer), Some(10));
}

#[test]
fn a_run_that_fails_has_no_counterfactuals() {
    let items = [pinned(20), item("out", 10, 0.9)];
    let failure = CupelError::PinnedExceedsBudget { pinned_tokens: 20, available: 10 };
    assert_eq!(greedy(true).counterfactuals(&items, &budget(10)), Err(failure.clone()));
    assert_eq!(greedy(true).counterfactual(&items, &budget(10), &items[1]), Err(failure));
}
