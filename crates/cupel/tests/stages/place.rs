//! Stage 6: merge and arrange.

use cupel::{
    ChronologicalPlacer, ContextItem, GreedySlice, InclusionReason, OverflowStrategy, Placer,
    ReflexiveScorer, UShapedPlacer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::spies::{PlaceCall, spy_placer};
use crate::fixtures::{budget, contents, hinted, item, max_and_target, pinned, plain};

/// What the placer is given when the slicer takes everything.
fn merged(items: &[ContextItem], tokens: i64, overflow: OverflowStrategy) -> PlaceCall {
    let (placer, placed) = spy_placer(ChronologicalPlacer);
    let pipeline =
        plain().slicer(TakeAll).placer(placer).overflow_strategy(overflow).build().unwrap();
    pipeline.run(items, &max_and_target(1000, tokens)).unwrap();
    placed.only()
}

fn entries(expected: &[(&str, f64)]) -> PlaceCall {
    expected.iter().map(|&(content, score)| (content.to_owned(), score)).collect()
}

/// Rule [Stage 6: Place]: no pinned items: the chosen ones are placed
#[test]
fn without_pinned_items_the_chosen_ones_are_placed() {
    let items = [hinted("b", 10, 0.5), hinted("a", 10, 0.9)];
    let placed = merged(&items, 100, OverflowStrategy::Throw);
    assert_eq!(placed, entries(&[("a", 0.9), ("b", 0.5)]));
}

/// Rule [Stage 6: Place]: no chosen items: the pinned ones are placed, at score 1
#[test]
fn without_chosen_items_the_pinned_ones_are_placed_at_score_one() {
    let items = [pinned("p", 10), pinned("q", 10)];
    let placed = merged(&items, 100, OverflowStrategy::Throw);
    assert_eq!(placed, entries(&[("p", 1.0), ("q", 1.0)]));
}

/// Rule [Stage 6: Place]: no chosen items: the pinned ones are placed, at score 1
#[test]
fn an_effective_target_of_zero_leaves_the_pinned_ones() {
    let (placer, placed) = spy_placer(ChronologicalPlacer);
    let pipeline = plain().slicer(GreedySlice).placer(placer).build().unwrap();
    pipeline.run(&[hinted("a", 10, 0.9), pinned("p", 100)], &budget(100)).unwrap();
    assert_eq!(placed.only(), entries(&[("p", 1.0)]));
}

/// Rule [Stage 6: Place]: an empty merged list gives an empty window
#[test]
fn nothing_to_place_is_an_empty_window() {
    assert_eq!(merged(&[], 100, OverflowStrategy::Throw), []);
    for placer in [Box::new(ChronologicalPlacer) as Box<dyn Placer>, Box::new(UShapedPlacer)] {
        let pipeline = plain().placer(placer).build().unwrap();
        assert!(pipeline.run(&[], &budget(100)).unwrap().is_empty());
    }
}

/// Rule [Stage 6: Place]: pinned items come first in the merged list
#[test]
fn pinned_items_come_before_chosen_ones_whatever_their_place_in_the_input() {
    let items = [hinted("b", 10, 0.5), pinned("p", 10), hinted("a", 10, 0.9), pinned("q", 10)];
    let placed = merged(&items, 100, OverflowStrategy::Throw);
    assert_eq!(placed, entries(&[("p", 1.0), ("q", 1.0), ("a", 0.9), ("b", 0.5)]));
}

/// Rule [Stage 6: Place]: the placer receives the list after overflow handling
#[test]
fn the_placer_receives_what_truncation_left() {
    let items = [pinned("p", 50), hinted("a", 60, 0.9), hinted("b", 50, 0.5)];
    let placed = merged(&items, 100, OverflowStrategy::Truncate);
    assert_eq!(placed, entries(&[("p", 1.0), ("b", 0.5)]));
}

/// Rule [Stage 6: Place]: the placer receives the list after overflow handling
#[test]
fn the_placer_receives_everything_under_proceed() {
    let items = [pinned("p", 50), hinted("a", 60, 0.9), hinted("b", 50, 0.5)];
    let placed = merged(&items, 100, OverflowStrategy::Proceed);
    assert_eq!(placed, entries(&[("p", 1.0), ("a", 0.9), ("b", 0.5)]));
}

/// Rule [Stage 6: Place]: pinned items count as score 1 for the placer
#[test]
fn pinned_items_stand_at_the_edges_of_a_u() {
    let pipeline = plain().placer(UShapedPlacer).build().unwrap();
    let items = [
        hinted("a", 10, 0.9),
        pinned("p", 10),
        hinted("b", 10, 0.5),
        pinned("q", 10),
        hinted("c", 10, 0.1),
    ];
    // Ranked p, q, a, b, c: left, right, left, right, left.
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["p", "a", "c", "b", "q"]);
}

/// Rule [Stage 6: Place]: pinned items count as score 1 for the placer
#[test]
fn a_pinned_item_ranks_before_a_chosen_one_of_score_one() {
    let pipeline = plain().placer(UShapedPlacer).build().unwrap();
    let items = [hinted("best", 10, 1.0), pinned("p", 10)];
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["p", "best"]);
}

/// Rule [Stage 6: Place]: ties reach the placer in Sort order (ours)
#[test]
fn equally_good_items_reach_the_placer_in_input_order() {
    let pipeline = plain().placer(UShapedPlacer).build().unwrap();
    let items = ["w", "x", "y", "z"].map(|content| hinted(content, 10, 0.5));
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["w", "y", "z", "x"]);
}

/// Rule [Stage 6: Place]: the report gives pinned and zero-token items score 0 (ours)
#[test]
fn the_placer_sees_scores_that_the_report_gives_as_zero() {
    let (placer, placed) = spy_placer(ChronologicalPlacer);
    let pipeline = plain().scorer(ReflexiveScorer).placer(placer).build().unwrap();
    let items = [pinned("p", 10), hinted("free", 0, 0.7), hinted("a", 10, 0.5), pinned("q", 0)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(placed.only(), entries(&[("p", 1.0), ("q", 1.0), ("free", 0.7), ("a", 0.5)]));
    let told: Vec<(f64, InclusionReason)> =
        report.included.iter().map(|entry| (entry.score, entry.reason)).collect();
    assert_eq!(
        told,
        [
            (0.0, InclusionReason::Pinned),
            (0.0, InclusionReason::Pinned),
            (0.0, InclusionReason::ZeroToken),
            (0.5, InclusionReason::Scored),
        ]
    );
}

/// Rule [Stage 6: Place]: the placer decides the final order
#[test]
fn the_window_is_in_the_placer_s_order() {
    let dated = |content: &str, time: &str| {
        ContextItem::builder(content, 10).timestamp(time.parse().unwrap()).build().unwrap()
    };
    let items = [
        dated("later", "2025-06-02T00:00:00Z"),
        item("undated", 10),
        dated("earlier", "2025-06-01T00:00:00Z"),
    ];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let order: Vec<&str> = report.included.iter().map(|entry| entry.item.content()).collect();
    assert_eq!(order, ["earlier", "later", "undated"]);
}
