//! How a score falls with age, and which curves are refused.

use chrono::Duration;
use cupel::{DecayCurve, DecayScorer, Scorer};

use crate::decay::noon;
use crate::shorthand::{assert_scorer_refused, at, dated, named, scores};

/// The score of an item of this age.
fn score_at(curve: &DecayCurve, age: Duration) -> f64 {
    let item = named("a").timestamp(at("2025-01-01T12:00:00Z") - age).build().unwrap();
    scores(&DecayScorer::new(noon(), curve.clone(), 0.5).unwrap(), &[item])[0]
}

fn step(windows: &[(Duration, f64)]) -> DecayCurve {
    DecayCurve::step(windows.to_vec()).unwrap()
}

fn hours(hours: i64) -> Duration {
    Duration::hours(hours)
}

/// Rule [DecayScorer]: exponential: one half-life leaves 0.5
#[test]
fn after_one_half_life_half_is_left() {
    let scorer =
        DecayScorer::new(noon(), DecayCurve::exponential(hours(24)).unwrap(), 0.5).unwrap();
    assert_eq!(scorer.score(&dated("yesterday", "2024-12-31T12:00:00Z"), &[]), 0.5);
}

/// Rule [DecayScorer]: exponential: one half-life leaves 0.5
#[test]
fn every_half_life_halves() {
    let curve = DecayCurve::exponential(hours(24)).unwrap();
    for (age, score) in [(0, 1.0), (24, 0.5), (48, 0.25), (72, 0.125), (240, 0.000_976_562_5)] {
        assert_eq!(score_at(&curve, hours(age)), score, "{age} hours");
    }
    assert!((score_at(&curve, hours(12)) - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-9);
}

/// Rule [DecayScorer]: exponential: tends to 0, never below
#[test]
fn a_very_old_item_tends_to_zero_and_never_below() {
    let curve = DecayCurve::exponential(Duration::seconds(1)).unwrap();
    assert_eq!(score_at(&curve, Duration::seconds(1_000)), 2f64.powi(-1_000));
    for age in [hours(1), Duration::days(365_000)] {
        assert_eq!(score_at(&curve, age).to_bits(), 0.0f64.to_bits());
    }
}

/// Rule [DecayScorer]: durations of any precision and length (ours)
#[test]
fn ages_and_half_lives_below_a_millisecond_count() {
    let curve = DecayCurve::exponential(Duration::nanoseconds(500)).unwrap();
    assert_eq!(score_at(&curve, Duration::nanoseconds(500)), 0.5);
    assert_eq!(score_at(&curve, Duration::microseconds(1)), 0.25);
    let window = DecayCurve::window(Duration::nanoseconds(2)).unwrap();
    assert_eq!(score_at(&window, Duration::nanoseconds(1)), 1.0);
    assert_eq!(score_at(&window, Duration::nanoseconds(2)), 0.0);
}

/// Rule [DecayScorer]: the half-life is longer than zero; the refusal names it
#[test]
fn a_half_life_of_zero_or_less_is_refused_by_name() {
    for (half_life, shown) in [
        (Duration::zero(), "(P0D)"),
        (Duration::seconds(-1), "(-PT1S)"),
        (Duration::nanoseconds(-1), "(-PT0.000000001S)"),
    ] {
        let parts = ["halfLife", shown, "longer than zero"];
        assert_scorer_refused(DecayCurve::exponential(half_life), &parts);
    }
}

/// Rule [DecayScorer]: window: 0 at its very end
#[test]
fn a_window_is_open_at_its_end() {
    let curve = DecayCurve::window(hours(6)).unwrap();
    assert_eq!(score_at(&curve, Duration::zero()), 1.0);
    assert_eq!(score_at(&curve, hours(6) - Duration::nanoseconds(1)), 1.0);
    assert_eq!(score_at(&curve, hours(6)), 0.0);
    assert_eq!(score_at(&curve, hours(7)), 0.0);
}

/// Rule [DecayScorer]: the window is longer than zero
#[test]
fn a_window_of_zero_or_less_is_refused_by_name() {
    for (max_age, shown) in [(Duration::zero(), "(P0D)"), (Duration::minutes(-2), "(-PT120S)")] {
        let parts = ["maxAge", shown, "longer than zero"];
        assert_scorer_refused(DecayCurve::window(max_age), &parts);
    }
}

/// Rule [DecayScorer]: step: the first limit strictly above the age
#[test]
fn an_age_at_a_boundary_belongs_to_the_older_step() {
    let curve = step(&[(hours(1), 0.9), (hours(24), 0.5), (hours(72), 0.1)]);
    for (age, score) in [(0, 0.9), (1, 0.5), (6, 0.5), (24, 0.1), (72, 0.1)] {
        assert_eq!(score_at(&curve, hours(age)), score, "{age} hours");
    }
    assert_eq!(score_at(&curve, hours(1) - Duration::nanoseconds(1)), 0.9);
}

/// Rule [DecayScorer]: step: beyond every limit, the last score
#[test]
fn an_age_beyond_every_step_has_the_last_ones_score() {
    let curve = step(&[(hours(1), 0.9), (hours(24), 0.5), (hours(72), 0.1)]);
    assert_eq!(score_at(&curve, hours(1_000)), 0.1);
    let single = step(&[(hours(1), 0.7)]);
    assert_eq!(score_at(&single, hours(2)), 0.7);
}

/// Rule [DecayScorer]: step: the first limit strictly above the age
#[test]
fn steps_may_rise_and_touch_both_ends_of_the_range() {
    let curve = step(&[(hours(1), 0.0), (hours(2), 1.0)]);
    assert_eq!(score_at(&curve, Duration::zero()), 0.0);
    assert_eq!(score_at(&curve, hours(1)), 1.0);
}

/// Rule [DecayScorer]: step: at least one window
#[test]
fn steps_of_nothing_are_refused() {
    assert_scorer_refused(DecayCurve::step(Vec::new()), &["0 windows", "at least one"]);
}

/// Rule [DecayScorer]: step: no window of zero
#[test]
fn a_step_of_zero_or_less_is_refused() {
    let zero = DecayCurve::step(vec![(Duration::zero(), 0.9), (hours(1), 0.5)]);
    assert_scorer_refused(zero, &["maxAge of window 0 (P0D)", "longer than zero"]);
    let negative = DecayCurve::step(vec![(hours(-1), 0.9)]);
    assert_scorer_refused(negative, &["maxAge of window 0 (-PT3600S)", "longer than zero"]);
    let later = DecayCurve::step(vec![(hours(1), 0.9), (Duration::zero(), 0.5)]);
    assert_scorer_refused(later, &["maxAge of window 1 (P0D)", "longer than zero"]);
}

/// Rule [DecayScorer]: step: sorted from youngest to oldest
#[test]
fn steps_out_of_order_are_refused() {
    let built = DecayCurve::step(vec![(hours(2), 0.9), (hours(1), 0.5)]);
    assert_scorer_refused(built, &["window 1 (PT3600S)", "(PT7200S)", "youngest first"]);
}

/// Rule [DecayScorer]: step: sorted from youngest to oldest
#[test]
fn equal_steps_are_refused() {
    let built = DecayCurve::step(vec![(hours(1), 0.9), (hours(1), 0.5)]);
    assert_scorer_refused(built, &["window 1 (PT3600S)", "longer than", "(PT3600S)"]);
}

/// Rule [DecayScorer]: step: scores in [0, 1] (ours)
#[test]
fn a_steps_score_outside_the_range_is_refused() {
    for (score, shown) in [
        (-0.1, "(-0.1)"),
        (1.1, "(1.1)"),
        (f64::NAN, "(NaN)"),
        (f64::INFINITY, "(inf)"),
        (f64::NEG_INFINITY, "(-inf)"),
    ] {
        let built = DecayCurve::step(vec![(hours(1), 0.9), (hours(2), score)]);
        assert_scorer_refused(built, &["score of window 1", shown, "between 0 and 1"]);
    }
}

/// Rule [DecayScorer]: durations of any precision and length (ours)
#[test]
fn the_longest_durations_are_curves() {
    let curve = DecayCurve::exponential(Duration::MAX).unwrap();
    let score = score_at(&curve, hours(24));
    assert!(score < 1.0 && score > 0.999, "{score}");
    assert_eq!(score_at(&DecayCurve::window(Duration::MAX).unwrap(), Duration::days(365)), 1.0);
    assert_eq!(score_at(&step(&[(Duration::MAX, 0.3)]), Duration::days(365)), 0.3);
}
