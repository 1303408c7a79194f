//! Stage 2: say how relevant each item is.

use std::collections::HashMap;

use cupel::{
    CompositeScorer, ContextItem, GreedySlice, KindScorer, PriorityScorer, RecencyScorer,
    ReflexiveScorer, ScaledScorer, Scorer,
};

use crate::fixtures::custom::{ScoreBy, ScoreCount};
use crate::fixtures::spies::{spy_scorer, spy_slicer};
use crate::fixtures::{budget, contents, hinted, included, item, kind, pinned, plain};

/// Rule [Stage 2: Score]: no scoreable items: the scorer is never invoked
#[test]
fn without_scoreable_items_the_scorer_is_never_asked() {
    for items in [&[][..], &[pinned("p", 1)], &[item("negative", -1)]] {
        let (scorer, scored) = spy_scorer(ReflexiveScorer);
        let pipeline = plain().scorer(scorer).build().unwrap();
        pipeline.run(items, &budget(100)).unwrap();
        assert!(scored.calls().is_empty());
        // Nor in its batch form: this one would give a score too many.
        let pipeline = plain().scorer(ScoreCount(1)).build().unwrap();
        assert!(pipeline.run(items, &budget(100)).is_ok());
    }
}

/// Rule [Stage 2: Score]: a single item is scored in a list of one
#[test]
fn a_single_item_is_scored_among_itself() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let pipeline = plain().scorer(scorer).build().unwrap();
    pipeline.run(&[item("only", 1)], &budget(100)).unwrap();
    assert_eq!(scored.only(), ("only".to_owned(), vec!["only".to_owned()]));
}

/// Rule [Stage 2: Score]: a single item is scored in a list of one
#[test]
fn a_single_item_with_the_field_scores_one_by_rank() {
    let dated = ContextItem::builder("only", 1)
        .timestamp("2025-06-01T09:00:00Z".parse().unwrap())
        .priority(-3)
        .build()
        .unwrap();
    for scorer in [Box::new(RecencyScorer) as Box<dyn Scorer>, Box::new(PriorityScorer)] {
        let pipeline = plain().scorer(scorer).build().unwrap();
        let report = pipeline.dry_run(std::slice::from_ref(&dated), &budget(100)).unwrap();
        assert_eq!(report.included[0].score, 1.0);
    }
}

/// Rule [Stage 2: Score]: NaN and infinite scores are not rejected; NaN ranks lowest (ours)
#[test]
fn scores_that_are_no_number_or_infinite_are_let_through() {
    let scores = |item: &ContextItem| match item.content() {
        "nan" => f64::NAN,
        "best" => f64::INFINITY,
        "worst" => f64::NEG_INFINITY,
        _ => 0.5,
    };
    let pipeline = plain().scorer(ScoreBy(scores)).build().unwrap();
    let items = [item("nan", 10), item("worst", 10), item("plain", 10), item("best", 10)];
    let window = pipeline.run(&items, &budget(100)).unwrap();
    // NaN ranks below every number, and the run is the same every time.
    assert_eq!(contents(&window), ["best", "plain", "worst", "nan"]);
    let tight = pipeline.run(&items, &budget(20)).unwrap();
    assert_eq!(contents(&tight), ["best", "plain"]);
}

/// Rule [Stage 2: Score]: the range [0, 1] is a convention
#[test]
fn scores_beyond_one_are_kept_as_they_are() {
    let weights = HashMap::from([(kind("Message"), 5.0)]);
    let pipeline = plain().scorer(KindScorer::new(weights).unwrap()).build().unwrap();
    let report = pipeline.dry_run(&[item("a", 10)], &budget(100)).unwrap();
    assert_eq!(report.included[0].score, 5.0);
}

/// Rule [Stage 2: Score]: the scorer receives the full scoreable list, neither a part nor the input
#[test]
fn the_scorer_sees_all_scoreable_items_and_nothing_else() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let pipeline = plain().scorer(scorer).build().unwrap();
    let items = [item("a", 1), pinned("p", 1), item("negative", -1), item("b", 1), item("c", 1)];
    pipeline.run(&items, &budget(100)).unwrap();
    let all = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let calls = scored.calls();
    assert_eq!(calls.len(), 3);
    assert!(calls.iter().all(|(_, among)| *among == all));
}

/// Rule [Stage 2: Score]: each item is scored exactly once per run
#[test]
fn every_item_is_scored_exactly_once_in_order() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let pipeline = plain().scorer(scorer).build().unwrap();
    let items = [item("c", 1), item("a", 1), item("c", 1), item("b", 1)];
    pipeline.run(&items, &budget(100)).unwrap();
    let asked: Vec<String> = scored.calls().into_iter().map(|(item, _)| item).collect();
    assert_eq!(asked, ["c", "a", "c", "b"]);
}

/// Rule [Stage 2: Score]: each item is scored exactly once per run
#[test]
fn a_scorer_inside_others_is_still_asked_once_per_item() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let scaled = ScaledScorer::new(ScaledScorer::new(scorer));
    let nested =
        CompositeScorer::new(vec![(Box::new(scaled), 1.0), (Box::new(ReflexiveScorer), 1.0)]);
    let pipeline = plain().scorer(nested.unwrap()).build().unwrap();
    let items = [hinted("a", 1, 0.2), hinted("b", 1, 0.4), hinted("c", 1, 0.6)];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(scored.calls().len(), 3);
}

/// Rule [Stage 2: Score]: scores are in the order of the items
#[test]
fn each_score_goes_to_its_own_item() {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().slicer(slicer).build().unwrap();
    // In descending order already, so that sorting moves nothing.
    let items = [hinted("a", 1, 0.9), pinned("p", 1), hinted("b", 1, 0.6), hinted("c", 1, 0.3)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let expected = [("a".to_owned(), 0.9), ("b".to_owned(), 0.6), ("c".to_owned(), 0.3)];
    assert_eq!(sliced.only().candidates, expected);
    assert_eq!(included(&report), ["p", "a", "b", "c"]);
}

/// Rule [Stage 2: Score]: scores are 64-bit doubles
#[test]
fn scores_are_double_precision() {
    // These two differ in the 16th digit only; single precision would call them a tie.
    let pipeline = plain().build().unwrap();
    let items = [
        hinted("lower", 10, 0.123_456_789_012_345_6),
        hinted("higher", 10, 0.123_456_789_012_345_7),
    ];
    assert_eq!(contents(&pipeline.run(&items, &budget(10)).unwrap()), ["higher"]);
}
