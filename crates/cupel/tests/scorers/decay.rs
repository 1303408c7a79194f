//! Scoring by age: whose clock, which items, when the clock is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Duration, Utc};
use cupel::{ContextItem, DecayCurve, DecayScorer, Scorer, SystemTimeProvider, TimeProvider};

use crate::shorthand::{
    assert_scorer_refused, at, budget, dated, greedy, named, plain, score_all, scores,
};

/// Always the same time.
pub(crate) struct Fixed(pub(crate) DateTime<Utc>);

impl TimeProvider for Fixed {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

/// Noon on the first of January 2025, the reference of all examples.
pub(crate) fn noon() -> Box<Fixed> {
    Box::new(Fixed(at("2025-01-01T12:00:00Z")))
}

fn halving_daily() -> DecayCurve {
    DecayCurve::exponential(Duration::hours(24)).unwrap()
}

fn steps() -> DecayCurve {
    let hours = [(1, 0.9), (24, 0.5), (72, 0.1)];
    DecayCurve::step(hours.map(|(limit, score)| (Duration::hours(limit), score)).to_vec()).unwrap()
}

fn six_hours() -> DecayCurve {
    DecayCurve::window(Duration::hours(6)).unwrap()
}

fn scorer(curve: DecayCurve) -> DecayScorer {
    DecayScorer::new(noon(), curve, 0.5).unwrap()
}

/// Rule [DecayScorer]: no timestamp: the configured score, whatever the curve
#[test]
fn an_item_without_a_timestamp_scores_what_was_configured_whatever_the_curve() {
    for curve in [halving_daily(), steps(), six_hours()] {
        for score in [0.0, 0.25, 0.5, 1.0] {
            let scorer = DecayScorer::new(noon(), curve.clone(), score).unwrap();
            assert_eq!(scores(&scorer, &[plain("undated")]), [score]);
        }
    }
}

/// Rule [DecayScorer]: a future timestamp: age zero, before the curve
#[test]
fn an_item_from_the_future_is_as_fresh_as_can_be() {
    for future in ["2025-01-01T12:00:00.000000001Z", "2025-01-02T00:00:00Z", "9999-12-31T23:59:59Z"]
    {
        let item = [dated("future", future)];
        assert_eq!(scores(&scorer(halving_daily()), &item), [1.0]);
        assert_eq!(scores(&scorer(steps()), &item), [0.9]);
        assert_eq!(scores(&scorer(six_hours()), &item), [1.0]);
    }
}

/// Rule [DecayScorer]: age zero: 1, first step, 1
#[test]
fn an_item_of_this_very_moment_is_as_fresh_as_can_be() {
    let item = [dated("now", "2025-01-01T12:00:00Z")];
    assert_eq!(scores(&scorer(halving_daily()), &item), [1.0]);
    assert_eq!(scores(&scorer(steps()), &item), [0.9]);
    assert_eq!(scores(&scorer(six_hours()), &item), [1.0]);
}

/// Rule [DecayScorer]: exponential: tends to 0, never below
#[test]
fn ages_are_taken_between_the_ends_of_time() {
    let first = dated("first", "0000-01-01T00:00:00Z");
    let last = dated("last", "9999-12-31T23:59:59.999999999Z");
    let items = [first, last];
    for (curve, oldest) in [(halving_daily(), 0.0), (steps(), 0.1), (six_hours(), 0.0)] {
        let end = Box::new(Fixed(DateTime::<Utc>::MAX_UTC));
        let fresh = curve.clone();
        let aged = DecayScorer::new(end, curve, 0.5).unwrap();
        assert_eq!(scores(&aged, &items)[0], oldest);
        let beginning = Box::new(Fixed(DateTime::<Utc>::MIN_UTC));
        let young = scores(&DecayScorer::new(beginning, fresh, 0.5).unwrap(), &items);
        assert_eq!(young[0], young[1]);
    }
}

/// Rule [DecayScorer]: the other items are ignored
#[test]
fn the_others_do_not_matter() {
    let item = dated("yesterday", "2024-12-31T12:00:00Z");
    let newer = dated("newer", "2025-01-01T11:59:59Z");
    let scorer = scorer(halving_daily());
    assert_eq!(scorer.score(&item, &[]), 0.5);
    assert_eq!(scorer.score(&item, &[newer.clone(), item.clone()]), 0.5);
    assert_eq!(scorer.score(&item, &[newer]), 0.5);
}

/// Rule [DecayScorer]: the score for undated items is in [0, 1]; others are refused
#[test]
fn a_score_for_undated_items_outside_the_range_is_refused() {
    for (score, named) in [
        (-0.1, "(-0.1)"),
        (1.1, "(1.1)"),
        (f64::NAN, "(NaN)"),
        (f64::INFINITY, "(inf)"),
        (f64::NEG_INFINITY, "(-inf)"),
    ] {
        let parts = ["null timestamp score", named, "between 0 and 1"];
        assert_scorer_refused(DecayScorer::new(noon(), six_hours(), score), &parts);
    }
}

/// A second later each time it is asked.
struct Ticking(Arc<AtomicI64>);

impl TimeProvider for Ticking {
    fn now(&self) -> DateTime<Utc> {
        let seconds = self.0.fetch_add(1, Ordering::Relaxed);
        at("2025-01-01T12:00:00Z") + Duration::seconds(seconds)
    }
}

/// Rule [DecayScorer]: the clock is injected and asked, once per pass (ours)
#[test]
fn the_clock_is_read_once_per_run() {
    let asked = Arc::new(AtomicI64::new(0));
    let curve = DecayCurve::window(Duration::seconds(1)).unwrap();
    let scorer = DecayScorer::new(Ticking(Arc::clone(&asked)), curve, 0.5).unwrap();
    let items = ["a", "b", "c"].map(|name| dated(name, "2025-01-01T12:00:00Z"));
    let pipeline = greedy().scorer(scorer).build().unwrap();

    let first = pipeline.dry_run(&items, &budget(30)).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    assert!(first.included.iter().all(|included| included.score == 1.0), "{first:?}");
    let second = pipeline.dry_run(&items, &budget(30)).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    assert!(second.included.iter().all(|included| included.score == 0.0), "{second:?}");
}

/// Rule [DecayScorer]: the clock is injected and asked, once per pass (ours)
#[test]
fn the_clock_is_not_read_when_the_scorer_is_built() {
    let asked = Arc::new(AtomicI64::new(0));
    DecayScorer::new(Ticking(Arc::clone(&asked)), six_hours(), 0.5).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

/// Rule [DecayScorer]: the system's clock is a zero-sized provider
#[test]
fn the_systems_clock_takes_no_room_and_tells_the_time() {
    assert_eq!(size_of::<SystemTimeProvider>(), 0);
    let before = Utc::now();
    let told = SystemTimeProvider.now();
    assert!((before..=Utc::now()).contains(&told));

    let hour = DecayCurve::window(Duration::hours(1)).unwrap();
    let scorer = DecayScorer::new(SystemTimeProvider, hour, 0.5).unwrap();
    let items: Vec<ContextItem> =
        vec![named("now").timestamp(before).build().unwrap(), dated("old", "2001-01-01T00:00:00Z")];
    assert_eq!(score_all(&scorer, &items), [1.0, 0.0]);
}

/// Rule [DecayScorer]: providers are Send + Sync
#[test]
fn a_scorer_and_its_clock_cross_threads() {
    fn crosses_threads<T: Send + Sync + ?Sized>() {}
    crosses_threads::<dyn TimeProvider>();
    crosses_threads::<DecayScorer>();
    let scorer = scorer(halving_daily());
    let item = dated("yesterday", "2024-12-31T12:00:00Z");
    let score = std::thread::spawn(move || scorer.score(&item, &[])).join().unwrap();
    assert_eq!(score, 0.5);
}
