//! Several scorers as one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use cupel::{
    CompositeScorer, ContextItem, ContextKind, CupelError, KindScorer, MetadataKeyScorer,
    PriorityScorer, RecencyScorer, ReflexiveScorer, ScaledScorer, Scorer,
};

use crate::shorthand::{
    assert_says, assert_scorer_refused, at, hinted, named, plain, score_all, scores,
};

/// Gives everything the same score.
struct Constant(f64);

impl Scorer for Constant {
    fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        self.0
    }
}

fn of_constants(entries: &[(f64, f64)]) -> Result<CompositeScorer, CupelError> {
    let boxed = |(score, weight): &(f64, f64)| -> (Box<dyn Scorer>, f64) {
        (Box::new(Constant(*score)), *weight)
    };
    CompositeScorer::new(entries.iter().map(boxed).collect())
}

fn score_of(entries: &[(f64, f64)]) -> f64 {
    scores(&of_constants(entries).unwrap(), &[plain("a")])[0]
}

/// Rule [CompositeScorer]: no entries: refused
#[test]
fn a_composite_of_nothing_is_refused() {
    assert_scorer_refused(of_constants(&[]), &["0 scorers", "at least one"]);
}

/// Rule [CompositeScorer]: one entry: the child's score
#[test]
fn a_single_child_is_the_whole_score() {
    for weight in [1e-300, 0.1, 1.0, 7.0, f64::MAX] {
        assert_eq!(score_of(&[(0.3, weight)]), 0.3);
    }
}

/// Rule [CompositeScorer]: children all 0: 0
#[test]
fn children_of_zero_make_zero() {
    assert_eq!(score_of(&[(0.0, 0.3), (0.0, 5.0), (0.0, 1.0)]), 0.0);
}

/// Rule [CompositeScorer]: children all 1: 1
#[test]
fn children_of_one_make_one() {
    assert_eq!(score_of(&[(1.0, 3.0), (1.0, 1.0)]), 1.0);
    // Three weights of a tenth sum to one only within rounding.
    assert!((score_of(&[(1.0, 0.1), (1.0, 0.1), (1.0, 0.1)]) - 1.0).abs() < 1e-9);
}

/// Rule [CompositeScorer]: weighted average
#[test]
fn the_score_is_the_weighted_average() {
    // 0.5 * 3/4 + 0.25 * 1/4.
    assert_eq!(score_of(&[(0.5, 3.0), (0.25, 1.0)]), 0.4375);
}

/// Rule [CompositeScorer]: weights are normalised by their sum
#[test]
fn weights_are_relative() {
    let item = |name: &str, time: &str, priority| {
        named(name).timestamp(at(time)).priority(priority).build().unwrap()
    };
    let items = [
        item("old and important", "2025-01-01T00:00:00Z", 9),
        item("new and unimportant", "2025-01-02T00:00:00Z", 1),
    ];
    for (recency, priority) in [(3.0, 1.0), (0.75, 0.25), (3e300, 1e300)] {
        let scorer = CompositeScorer::new(vec![
            (Box::new(RecencyScorer), recency),
            (Box::new(PriorityScorer), priority),
        ])
        .unwrap();
        assert_eq!(scores(&scorer, &items), [0.25, 0.75]);
    }
}

/// Rule [CompositeScorer]: weights must be greater than 0
#[test]
fn a_zero_weight_is_refused() {
    let parts = ["weight of scorer 1 (0)", "greater than 0"];
    assert_scorer_refused(of_constants(&[(1.0, 1.0), (1.0, 0.0)]), &parts);
    assert_scorer_refused(of_constants(&[(1.0, -0.0)]), &["scorer 0 (-0)", "greater than 0"]);
}

/// Rule [CompositeScorer]: weights must be greater than 0
#[test]
fn a_negative_weight_is_refused() {
    let parts = ["weight of scorer 0 (-2)", "greater than 0"];
    assert_scorer_refused(of_constants(&[(1.0, -2.0), (1.0, 1.0)]), &parts);
}

/// Rule [CompositeScorer]: weights must be finite
#[test]
fn a_weight_that_is_no_number_is_refused() {
    assert_scorer_refused(of_constants(&[(1.0, f64::NAN)]), &["scorer 0 (NaN)", "finite"]);
}

/// Rule [CompositeScorer]: weights must be finite
#[test]
fn an_infinite_weight_is_refused() {
    assert_scorer_refused(of_constants(&[(1.0, f64::INFINITY)]), &["scorer 0 (inf)", "finite"]);
    assert_scorer_refused(of_constants(&[(1.0, f64::NEG_INFINITY)]), &["scorer 0 (-inf)"]);
}

/// Rule [CompositeScorer]: and so must their sum (ours)
#[test]
fn weights_whose_sum_is_infinite_are_refused() {
    let parts = ["sum of composite weights (inf)", "must be finite"];
    assert_scorer_refused(of_constants(&[(1.0, f64::MAX), (1.0, f64::MAX)]), &parts);
}

/// Rule [CompositeScorer]: composites and scaled scorers nest
#[test]
fn composites_nest() {
    // (1.0 * 1/2 + 0.5 * 1/2) * 1/4 + 0.25 * 3/4.
    let inner = of_constants(&[(1.0, 2.0), (0.5, 2.0)]).unwrap();
    let outer = CompositeScorer::new(vec![(Box::new(inner), 1.0), (Box::new(Constant(0.25)), 3.0)]);
    assert_eq!(scores(&outer.unwrap(), &[plain("a")]), [0.375]);
}

/// Rule [CompositeScorer]: composites and scaled scorers nest
#[test]
fn a_scaled_scorer_may_be_inside_a_composite_and_around_one() {
    let scaled = || ScaledScorer::new(ReflexiveScorer);
    let items = [hinted("a", 1, 0.25), hinted("b", 1, 0.5), hinted("c", 1, 0.75)];
    let around =
        CompositeScorer::new(vec![(Box::new(scaled()), 1.0), (Box::new(Constant(1.0)), 1.0)]);
    assert_eq!(scores(&around.unwrap(), &items), [0.5, 0.75, 1.0]);
    let inside = CompositeScorer::new(vec![
        (Box::new(ReflexiveScorer), 1.0),
        (Box::new(Constant(1.0)), 1.0),
    ]);
    assert_eq!(scores(&ScaledScorer::new(inside.unwrap()), &items), [0.0, 0.5, 1.0]);
}

/// Rule [CompositeScorer]: cycles go by identity: neither equal nor shared children are one
#[test]
fn equal_children_are_no_cycle() {
    let inner = || of_constants(&[(0.5, 1.0)]).unwrap();
    let outer = CompositeScorer::new(vec![(Box::new(inner()), 1.0), (Box::new(inner()), 1.0)]);
    assert_eq!(scores(&outer.unwrap(), &[plain("a")]), [0.5]);
}

/// Rule [CompositeScorer]: cycles go by identity: neither equal nor shared children are one
#[test]
fn a_child_shared_by_two_parents_is_no_cycle() {
    let shared: Arc<dyn Scorer> = Arc::new(of_constants(&[(0.5, 1.0)]).unwrap());
    let scaled = ScaledScorer::new(Arc::clone(&shared));
    let outer = CompositeScorer::new(vec![
        (Box::new(Arc::clone(&shared)), 1.0),
        (Box::new(shared), 2.0),
        (Box::new(scaled), 1.0),
    ]);
    assert_eq!(scores(&outer.unwrap(), &[plain("a")]), [0.5]);
}

/// Rule [CompositeScorer]: a cycle is an error; owning its children, none can be built
#[test]
fn a_cycle_has_an_error_of_its_own() {
    // No composite can be given to itself: it owns its children, and exists only once it has them.
    assert_says(&CupelError::CycleDetected, &["its own dependency graph"]);
}

/// Rule [CompositeScorer]: children are asked in order
#[test]
fn children_are_asked_in_order() {
    struct Logging(usize, Arc<Mutex<Vec<usize>>>);

    impl Scorer for Logging {
        fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
            self.1.lock().unwrap().push(self.0);
            1.0
        }
    }

    let log = Arc::new(Mutex::new(Vec::new()));
    let child = |n| -> (Box<dyn Scorer>, f64) { (Box::new(Logging(n, Arc::clone(&log))), 1.0) };
    let scorer = CompositeScorer::new((0..3).map(child).collect()).unwrap();
    let items = [plain("a"), plain("b")];

    scorer.score(&items[0], &items);
    assert_eq!(std::mem::take(&mut *log.lock().unwrap()), [0, 1, 2]);
    score_all(&scorer, &items);
    assert_eq!(*log.lock().unwrap(), [0, 0, 1, 1, 2, 2]);
}

/// Rule [CompositeScorer]: weighted average
#[test]
fn weights_above_one_carry_through() {
    let kinds = KindScorer::new(HashMap::from([(ContextKind::message(), 9.0)])).unwrap();
    let scorer = CompositeScorer::new(vec![(Box::new(kinds), 1.0), (Box::new(Constant(1.0)), 1.0)]);
    assert_eq!(scores(&scorer.unwrap(), &[plain("a")]), [5.0]);
}

/// Rule [CompositeScorer]: also of multipliers
#[test]
fn a_boost_is_averaged_not_multiplied() {
    // (0.5 + 1.5) / 2 and (0.5 + 1.0) / 2.
    let boost = MetadataKeyScorer::new("cupel:priority", "high", 1.5).unwrap();
    let scorer =
        CompositeScorer::new(vec![(Box::new(Constant(0.5)), 1.0), (Box::new(boost), 1.0)]).unwrap();
    let high = named("high").metadata_entry("cupel:priority", "high").build().unwrap();
    assert_eq!(scores(&scorer, &[high, plain("normal")]), [1.0, 0.75]);
}
