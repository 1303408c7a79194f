//! Best at both ends.

use std::collections::HashMap;

use cupel::{ContextItem, ContextKind, KindScorer, Placer, ScoredItem, UShapedPlacer};

use crate::shorthand::{budget, contents, greedy, hinted, pinned, plain};

/// The order of items with these names and scores.
fn placed(items: &[(&str, f64)]) -> Vec<String> {
    let scored: Vec<ScoredItem> =
        items.iter().map(|(name, score)| ScoredItem { item: plain(name), score: *score }).collect();
    contents(&UShapedPlacer.place(&scored)).into_iter().map(str::to_owned).collect()
}

/// Rule [UShapedPlacer]: empty input
#[test]
fn nothing_stays_nothing() {
    assert!(UShapedPlacer.place(&[]).is_empty());
}

/// Rule [UShapedPlacer]: a single item
#[test]
fn a_single_item_stays_as_it_is() {
    let item = plain("only");
    let placed = UShapedPlacer.place(&[ScoredItem { item: item.clone(), score: 0.1 }]);
    assert_eq!(placed.len(), 1);
    assert!(placed[0].is_same_instance(&item));
}

/// Rule [UShapedPlacer]: two items: the better first
#[test]
fn of_two_the_better_stands_first() {
    assert_eq!(placed(&[("worse", 0.2), ("better", 0.8)]), ["better", "worse"]);
    assert_eq!(placed(&[("better", 0.8), ("worse", 0.2)]), ["better", "worse"]);
}

/// Rule [UShapedPlacer]: even ranks from the left, odd ranks from the right, meeting in the middle
#[test]
fn the_best_stand_at_the_edges_and_the_worst_in_the_middle() {
    let items =
        [("D", 0.6), ("A", 0.9), ("G", 0.3), ("B", 0.8), ("F", 0.4), ("C", 0.7), ("E", 0.5)];
    assert_eq!(placed(&items), ["A", "C", "E", "G", "F", "D", "B"]);
}

/// Rule [UShapedPlacer]: even ranks from the left, odd ranks from the right, meeting in the middle
#[test]
fn an_even_number_meets_in_the_middle_too() {
    let items = [("a", 0.6), ("b", 0.5), ("c", 0.4), ("d", 0.3), ("e", 0.2), ("f", 0.1)];
    assert_eq!(placed(&items), ["a", "c", "e", "f", "d", "b"]);
}

/// Rule [UShapedPlacer]: equal scores: input order, still alternating
#[test]
fn equal_scores_rank_in_the_order_given_and_still_alternate() {
    let items = [("1", 0.5), ("2", 0.5), ("3", 0.5), ("4", 0.5), ("5", 0.5)];
    assert_eq!(placed(&items), ["1", "3", "5", "4", "2"]);
}

/// Rule [UShapedPlacer]: ties go to the lower index
#[test]
fn a_tie_goes_to_the_earlier_item() {
    let items = [("first", 0.5), ("top", 0.9), ("second", 0.5), ("low", 0.1)];
    assert_eq!(placed(&items), ["top", "second", "low", "first"]);
}

/// Rule [UShapedPlacer]: ties go to the lower index
#[test]
fn the_two_zeros_are_one_score() {
    assert_eq!(placed(&[("negative", -0.0), ("positive", 0.0)]), ["negative", "positive"]);
}

/// Rule [UShapedPlacer]: any score has a rank, NaN the last (ours)
#[test]
fn any_score_has_its_rank_and_no_number_ranks_last() {
    let items =
        [("nan", f64::NAN), ("low", f64::NEG_INFINITY), ("top", f64::INFINITY), ("zero", 0.0)];
    assert_eq!(placed(&items), ["top", "low", "nan", "zero"]);
}

/// Rule [UShapedPlacer]: pinned items are not special
#[test]
fn pinned_items_have_no_place_of_their_own() {
    let scored = |item: ContextItem, score| ScoredItem { item, score };
    let items =
        [scored(pinned("pinned", 10), 0.1), scored(plain("a"), 0.9), scored(plain("b"), 0.5)];
    assert_eq!(contents(&UShapedPlacer.place(&items)), ["a", "pinned", "b"]);
}

/// Rule [UShapedPlacer]: they arrive with score 1 and come to the edges
#[test]
fn pinned_items_come_to_the_edges_by_their_score_of_one() {
    let items =
        [hinted("good", 10, 0.9), hinted("poor", 10, 0.1), pinned("p", 10), pinned("q", 10)];
    let pipeline = greedy().placer(UShapedPlacer).build().unwrap();
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["p", "good", "poor", "q"]);
}

/// Rule [UShapedPlacer]: they arrive with score 1 and come to the edges
#[test]
fn pinned_items_come_before_others_of_score_one() {
    let items = [hinted("perfect", 10, 1.0), hinted("other", 10, 0.2), pinned("pinned", 10)];
    let pipeline = greedy().placer(UShapedPlacer).build().unwrap();
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["pinned", "other", "perfect"]);
}

/// Rule [UShapedPlacer]: pinned items are not special
#[test]
fn a_score_above_one_outranks_a_pinned_item() {
    let weights = HashMap::from([(ContextKind::message(), 2.0)]);
    let pipeline =
        greedy().scorer(KindScorer::new(weights).unwrap()).placer(UShapedPlacer).build().unwrap();
    let window = pipeline.run(&[pinned("pinned", 10), plain("message")], &budget(100)).unwrap();
    assert_eq!(contents(&window), ["message", "pinned"]);
}
