//! Scores are IEEE 754 doubles: neither narrower nor wider.

use std::collections::HashMap;

use cupel::{
    CompositeScorer, ContextItem, KindScorer, RecencyScorer, ReflexiveScorer, ScoredItem, Scorer,
    Slicer, TagScorer, UShapedPlacer,
};

use crate::shorthand::{budget, contents, dated, greedy, hinted, scores, tagged};

/// The smallest double above one half; as a 32-bit float it is one half.
const ABOVE_HALF: f64 = 0.500_000_000_000_000_1;

/// Rule [Numeric precision]: a scorer's output is a 64-bit double
#[test]
fn a_scorers_output_is_a_double() {
    assert_eq!(ABOVE_HALF.to_bits(), 0.5f64.to_bits() + 1);
    let score = ReflexiveScorer.score(&hinted("a", 1, ABOVE_HALF), &[]);
    assert_eq!(score.to_bits(), 0.5f64.to_bits() + 1);

    let days = ["2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "2025-01-03T00:00:00Z"];
    let mut items: Vec<ContextItem> = days.iter().map(|day| dated(day, day)).collect();
    items.push(dated("fourth", "2025-01-04T00:00:00Z"));
    let thirds = scores(&RecencyScorer, &items);
    assert_eq!(thirds[1].to_bits(), 0x3fd5_5555_5555_5555);
    assert_eq!(thirds[2].to_bits(), 0x3fe5_5555_5555_5555);
}

/// Rule [Numeric precision]: composites aggregate in doubles, not in decimal or wider arithmetic
#[test]
fn a_sum_of_weights_rounds_as_doubles_do() {
    // In decimal the sum is 0.6 and the share exactly one half; in doubles the sum is a little more.
    let weights = [("a", 0.1), ("b", 0.2), ("c", 0.3)].map(|(tag, of)| (tag.to_owned(), of));
    let scorer = TagScorer::new(HashMap::from(weights)).unwrap();
    assert_eq!(scores(&scorer, &[tagged("a", &["c"])]), [0.499_999_999_999_999_9]);
}

/// Rule [Numeric precision]: composites aggregate in doubles, not in decimal or wider arithmetic
#[test]
fn a_composite_rounds_as_doubles_do() {
    // In decimal the average of 0.1 and 0.2 is 0.15.
    let kinds = HashMap::from([(cupel::ContextKind::message(), 0.2)]);
    let scorer = CompositeScorer::new(vec![
        (Box::new(ReflexiveScorer), 1.0),
        (Box::new(KindScorer::new(kinds).unwrap()), 1.0),
    ])
    .unwrap();
    assert_eq!(scores(&scorer, &[hinted("a", 1, 0.1)]), [0.150_000_000_000_000_02]);
}

/// Rule [Numeric precision]: sorting compares doubles
#[test]
fn scores_one_bit_apart_are_sorted_apart() {
    let items = [hinted("half", 10, 0.5), hinted("above", 10, ABOVE_HALF)];
    let pipeline = greedy().placer(UShapedPlacer).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(20)).unwrap()), ["above", "half"]);
}

/// Rule [Numeric precision]: deduplication compares doubles
#[test]
fn duplicates_one_bit_apart_keep_the_better() {
    let items = [hinted("same", 10, 0.5), hinted("same", 10, ABOVE_HALF)];
    let window = greedy().build().unwrap().run(&items, &budget(20)).unwrap();
    assert_eq!(window.len(), 1);
    assert!(window[0].is_same_instance(&items[1]));
}

/// Rule [Numeric precision]: density is a double
#[test]
fn densities_one_bit_apart_are_told_apart() {
    let scored = [("half", 0.5), ("above", ABOVE_HALF)]
        .map(|(name, score)| ScoredItem { item: hinted(name, 8, score), score });
    let chosen = cupel::GreedySlice.slice(&scored, &budget(8)).unwrap();
    assert_eq!(contents(&chosen), ["above"]);
}

/// Rule [Numeric precision]: identical inputs select identical items in identical order
#[test]
fn equal_input_gives_equal_output() {
    let mut items: Vec<ContextItem> =
        (0..200).map(|n| hinted(&format!("item {}", n % 150), 7 + n % 5, 0.1)).collect();
    items.extend((0..50).map(|n| tagged(&format!("tagged {n}"), &["x"])));
    let pipeline = greedy().placer(UShapedPlacer).build().unwrap();
    let first = pipeline.run(&items, &budget(700)).unwrap();
    for _ in 0..5 {
        let again = pipeline.run(&items, &budget(700)).unwrap();
        assert_eq!(contents(&again), contents(&first));
    }
}
