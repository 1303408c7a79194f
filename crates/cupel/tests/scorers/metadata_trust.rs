//! How far the caller trusts an item.

use cupel::{ContextItem, MetadataTrustScorer};

use crate::shorthand::{assert_scorer_refused, budget, greedy, named, plain, scores};

const DEFAULT: f64 = 0.375;

fn trusted(value: &str) -> ContextItem {
    named(value).metadata_entry("cupel:trust", value).build().unwrap()
}

/// The score of an item with this trust, by a scorer whose default is nothing like it.
fn score_of(value: &str) -> f64 {
    let item = ContextItem::builder("a", 1).metadata_entry("cupel:trust", value).build().unwrap();
    scores(&MetadataTrustScorer::new(DEFAULT).unwrap(), &[item])[0]
}

/// Rule [MetadataTrustScorer]: key absent: the default score
#[test]
fn an_item_without_the_key_scores_the_default() {
    let other_keys = named("other")
        .metadata_entry("trust", "0.9")
        .metadata_entry("Cupel:Trust", "0.9")
        .metadata_entry("cupel:trust ", "0.9")
        .build()
        .unwrap();
    let scorer = MetadataTrustScorer::new(0.5).unwrap();
    assert_eq!(scores(&scorer, &[plain("bare"), other_keys]), [0.5, 0.5]);
}

/// Rule [MetadataTrustScorer]: in [0, 1]: the value
#[test]
fn a_value_within_the_range_is_the_score() {
    for (value, score) in
        [("0.0", 0.0), ("0.75", 0.75), ("0.85", 0.85), ("1.0", 1.0), ("0", 0.0), ("1", 1.0)]
    {
        assert_eq!(score_of(value), score, "{value}");
    }
}

/// Rule [MetadataTrustScorer]: values are decimal strings, parsed as doubles
#[test]
fn every_decimal_spelling_is_read() {
    for (value, score) in [(".5", 0.5), ("5e-1", 0.5), ("+0.25", 0.25), ("0.10", 0.1), ("1.", 1.0)]
    {
        assert_eq!(score_of(value), score, "{value}");
    }
}

/// Rule [MetadataTrustScorer]: unparseable: the default score
#[test]
fn a_value_that_cannot_be_read_scores_the_default() {
    for value in ["high", "", " ", " 0.9", "0.9 ", "0,9", "90%", "0x1", "1_0", "--1", "true"] {
        assert_eq!(score_of(value), DEFAULT, "{value:?}");
    }
}

/// Rule [MetadataTrustScorer]: NaN: the default score
#[test]
fn a_value_that_is_no_number_scores_the_default() {
    for value in ["NaN", "nan", "-NaN"] {
        assert_eq!(score_of(value), DEFAULT, "{value}");
    }
}

/// Rule [MetadataTrustScorer]: either infinity: the default score, checked before the clamp
#[test]
fn an_infinite_value_scores_the_default_and_is_not_clamped() {
    for value in ["Infinity", "+Infinity", "-Infinity", "inf", "-inf", "1e999", "-1e999"] {
        assert_eq!(score_of(value), DEFAULT, "{value}");
    }
}

/// Rule [MetadataTrustScorer]: below: 0
#[test]
fn a_value_below_the_range_is_clamped_to_zero() {
    assert_eq!(score_of("-0.1"), 0.0);
    assert_eq!(score_of("-1e308"), 0.0);
}

/// Rule [MetadataTrustScorer]: above: 1
#[test]
fn a_value_above_the_range_is_clamped_to_one() {
    assert_eq!(score_of("1.5"), 1.0);
    assert_eq!(score_of("1e308"), 1.0);
}

/// Rule [MetadataTrustScorer]: the default score must be in [0, 1]; others are refused
#[test]
fn the_bounds_of_the_default_score_are_accepted() {
    assert_eq!(scores(&MetadataTrustScorer::new(0.0).unwrap(), &[plain("a")]), [0.0]);
    assert_eq!(scores(&MetadataTrustScorer::new(1.0).unwrap(), &[plain("a")]), [1.0]);
}

/// Rule [MetadataTrustScorer]: the default score must be in [0, 1]; others are refused
#[test]
fn a_default_score_outside_the_range_is_refused() {
    for (score, named) in [
        (-0.1, "(-0.1)"),
        (1.1, "(1.1)"),
        (f64::NAN, "(NaN)"),
        (f64::INFINITY, "(inf)"),
        (f64::NEG_INFINITY, "(-inf)"),
    ] {
        let parts = ["default score", named, "between 0 and 1"];
        assert_scorer_refused(MetadataTrustScorer::new(score), &parts);
    }
}

/// Rule [MetadataTrustScorer]: trust is no filter
#[test]
fn no_trust_is_no_gate() {
    let items = [trusted("0.0"), trusted("nonsense")];
    let scorer = MetadataTrustScorer::new(0.0).unwrap();
    let pipeline = greedy().scorer(scorer).build().unwrap();
    assert_eq!(pipeline.run(&items, &budget(20)).unwrap().len(), 2);
}

/// Rule [MetadataTrustScorer]: reserved keys are not validated, source types not scored
#[test]
fn reserved_keys_are_not_checked_and_source_types_not_scored() {
    let item = named("labelled")
        .metadata_entry("cupel:source-type", "made up")
        .metadata_entry("cupel:whatever", "anything")
        .build()
        .unwrap();
    assert_eq!(scores(&MetadataTrustScorer::new(0.5).unwrap(), &[item]), [0.5]);
}
