//! Stage 4: best score first, ties in order.

use cupel::{ContextItem, GreedySlice};

use crate::fixtures::custom::ScoreBy;
use crate::fixtures::spies::spy_slicer;
use crate::fixtures::{budget, hinted, item, plain};

/// Contents in the order in which the slicer receives them, scored by their token counts' place in
/// `scores`.
fn sorted(scores: &[f64]) -> Vec<String> {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let by_tokens = scores.to_vec();
    let scorer = ScoreBy(move |item: &ContextItem| by_tokens[item.tokens() as usize]);
    let pipeline = plain().scorer(scorer).slicer(slicer).build().unwrap();
    let items: Vec<ContextItem> =
        (0..scores.len()).map(|at| item(&at.to_string(), at as i64)).collect();
    pipeline.run(&items, &budget(1_000_000)).unwrap();
    sliced.only().contents().into_iter().map(str::to_owned).collect()
}

/// Rule [Stage 4: Sort]: empty input: an empty list
#[test]
fn no_items_stay_no_items() {
    assert!(sorted(&[]).is_empty());
}

/// Rule [Stage 4: Sort]: a single item needs no sorting
#[test]
fn a_single_item_stays_as_it_is() {
    assert_eq!(sorted(&[0.3]), ["0"]);
}

/// Rule [Stage 4: Sort]: score descending
#[test]
fn the_best_score_comes_first() {
    assert_eq!(sorted(&[0.1, 0.9, 0.5]), ["1", "2", "0"]);
}

/// Rule [Stage 4: Sort]: all scores equal: the input order
#[test]
fn equal_scores_keep_the_input_order() {
    assert_eq!(sorted(&[0.5; 7]), ["0", "1", "2", "3", "4", "5", "6"]);
}

/// Rule [Stage 4: Sort]: stable: ties by index ascending
#[test]
fn ties_keep_their_order_among_others() {
    assert_eq!(sorted(&[0.2, 0.8, 0.2, 0.8, 0.2, 0.8]), ["1", "3", "5", "0", "2", "4"]);
}

/// Rule [Stage 4: Sort]: all scores equal: the input order
#[test]
fn many_ties_keep_the_input_order() {
    let expected: Vec<String> = (0..5000).map(|at| at.to_string()).collect();
    assert_eq!(sorted(&[0.5; 5000]), expected);
}

/// Rule [Stage 4: Sort]: NaN comes last, in order (ours)
#[test]
fn scores_that_are_no_number_come_last_in_input_order() {
    let scores = [f64::NAN, 0.1, -f64::NAN, f64::NEG_INFINITY, 0.2];
    assert_eq!(sorted(&scores), ["4", "1", "3", "0", "2"]);
}

/// Rule [Stage 4: Sort]: scores compare as IEEE 754 numbers
#[test]
fn infinite_and_negative_scores_sort_as_numbers_do() {
    let scores = [-1.0, f64::NEG_INFINITY, 0.0, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE];
    assert_eq!(sorted(&scores), ["3", "4", "5", "2", "0", "1"]);
}

/// Rule [Stage 4: Sort]: scores compare as IEEE 754 numbers
#[test]
fn both_zeros_are_one_score() {
    assert_eq!(sorted(&[-0.0, 0.0, -0.0, 0.0]), ["0", "1", "2", "3"]);
}

/// Rule [Stage 4: Sort]: the index is the position after deduplication
#[test]
fn a_survivor_of_deduplication_counts_from_its_own_place() {
    // The second twin survives behind b; it does not inherit the first one's place.
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [hinted("twin", 10, 0.5), hinted("b", 10, 0.7), hinted("twin", 10, 0.7)];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(sliced.only().contents(), ["b", "twin"]);
}
