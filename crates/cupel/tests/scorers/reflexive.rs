//! What the caller says it is worth.

use cupel::ReflexiveScorer;

use crate::shorthand::{hinted, plain, scores};

fn score_of(hint: f64) -> f64 {
    scores(&ReflexiveScorer, &[hinted("a", 1, hint)])[0]
}

/// Rule [ReflexiveScorer]: no hint: 0
#[test]
fn an_item_without_a_hint_scores_zero() {
    assert_eq!(scores(&ReflexiveScorer, &[plain("a")]), [0.0]);
}

/// Rule [ReflexiveScorer]: a hint in [0, 1]: itself
#[test]
fn a_hint_within_the_range_is_the_score() {
    for hint in [0.0, 1e-300, 0.5, 0.999_999_999_999, 1.0] {
        assert_eq!(score_of(hint), hint);
    }
}

/// Rule [ReflexiveScorer]: NaN: 0
#[test]
fn a_hint_that_is_no_number_scores_zero() {
    assert_eq!(score_of(f64::NAN).to_bits(), 0.0f64.to_bits());
    assert_eq!(score_of(-f64::NAN).to_bits(), 0.0f64.to_bits());
}

/// Rule [ReflexiveScorer]: either infinity: 0, checked before the clamp
#[test]
fn an_infinite_hint_scores_zero_and_is_not_clamped() {
    assert_eq!(score_of(f64::INFINITY), 0.0);
    assert_eq!(score_of(f64::NEG_INFINITY), 0.0);
}

/// Rule [ReflexiveScorer]: below the range: 0
#[test]
fn a_hint_below_the_range_is_clamped_to_zero() {
    assert_eq!(score_of(-0.3), 0.0);
    assert_eq!(score_of(f64::MIN), 0.0);
}

/// Rule [ReflexiveScorer]: above the range: 1
#[test]
fn a_hint_above_the_range_is_clamped_to_one() {
    assert_eq!(score_of(1.7), 1.0);
    assert_eq!(score_of(f64::MAX), 1.0);
}
