//! An item with its score, and who gives it one.

use std::sync::{Arc, Mutex};

use cupel::{ContextItem, Placer, ScoredItem, Scorer};

use crate::shorthand::{budget, greedy, hinted, pinned, plain};

/// Keeps the order given and remembers the scores it saw.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<(String, f64)>>>);

impl Placer for Recorder {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        let seen = items.iter().map(|scored| (scored.item.content().to_owned(), scored.score));
        *self.0.lock().unwrap() = seen.collect();
        items.iter().map(|scored| scored.item.clone()).collect()
    }
}

/// Gives everything the same score.
struct Constant(f64);

impl Scorer for Constant {
    fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        self.0
    }
}

fn placed_scores(scorer: impl Scorer + 'static, items: &[ContextItem]) -> Vec<(String, f64)> {
    let recorder = Recorder::default();
    let pipeline = greedy().scorer(scorer).placer(recorder.clone()).build().unwrap();
    pipeline.run(items, &budget(1_000)).unwrap();
    let seen = recorder.0.lock().unwrap();
    seen.clone()
}

/// Rule [ScoredItem]: a pair of item and double
#[test]
fn a_scored_item_is_an_item_and_a_double() {
    let score: f64 = 0.1 + 0.2;
    let scored = ScoredItem { item: plain("a"), score };
    assert_eq!(scored.score.to_bits(), 0x3fd3_3333_3333_3334);
    assert_eq!(scored.item.content(), "a");
}

/// Rule [ScoredItem]: the type does not enforce [0, 1]
#[test]
fn any_score_is_allowed() {
    for score in [-7.5, 42.0, f64::MAX, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(ScoredItem { item: plain("a"), score }.score, score);
        let seen = placed_scores(Constant(score), &[plain("a")]);
        assert_eq!(seen, [("a".to_owned(), score)]);
    }
}

/// Rule [ScoredItem]: scores travel from Score to Place
#[test]
fn sliced_items_reach_the_placer_with_the_score_they_were_given() {
    let items = [hinted("low", 10, 0.25), hinted("free", 0, 0.5), hinted("high", 10, 0.75)];
    let seen = placed_scores(cupel::ReflexiveScorer, &items);
    let expected = [("high", 0.75), ("free", 0.5), ("low", 0.25)];
    assert_eq!(seen, expected.map(|(name, score)| (name.to_owned(), score)));
}

/// Rule [ScoredItem]: pinned items are merged with score 1
#[test]
fn pinned_items_reach_the_placer_with_score_one() {
    let seen = placed_scores(Constant(0.25), &[plain("a"), pinned("b", 5), pinned("free", 0)]);
    let expected = [("b", 1.0), ("free", 1.0), ("a", 0.25)];
    assert_eq!(seen, expected.map(|(name, score)| (name.to_owned(), score)));
}
