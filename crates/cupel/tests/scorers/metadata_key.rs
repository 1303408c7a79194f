//! A boost for items that carry a certain metadata entry.

use cupel::{ContextItem, CupelError, MetadataKeyScorer};

use crate::shorthand::{assert_scorer_refused, named, plain, scores};

fn of_priority(value: &str) -> ContextItem {
    named("a").metadata_entry("cupel:priority", value).build().unwrap()
}

fn boosting(boost: f64) -> Result<MetadataKeyScorer, CupelError> {
    MetadataKeyScorer::new("cupel:priority", "high", boost)
}

/// Rule [MetadataKeyScorer]: value matches: the boost
#[test]
fn a_matching_value_scores_the_boost() {
    assert_eq!(scores(&boosting(1.5).unwrap(), &[of_priority("high")]), [1.5]);
}

/// Rule [MetadataKeyScorer]: another value: 1
#[test]
fn another_value_scores_one() {
    assert_eq!(scores(&boosting(1.5).unwrap(), &[of_priority("normal")]), [1.0]);
}

/// Rule [MetadataKeyScorer]: key absent: 1
#[test]
fn a_missing_key_scores_one_whatever_the_boost() {
    let other = named("other").metadata_entry("priority", "high").build().unwrap();
    for boost in [f64::MIN_POSITIVE, 0.5, 1.5, f64::MAX] {
        assert_eq!(scores(&boosting(boost).unwrap(), &[plain("a"), other.clone()]), [1.0, 1.0]);
    }
}

/// Rule [MetadataKeyScorer]: not clamped
#[test]
fn a_boost_is_not_clamped() {
    for boost in [f64::MIN_POSITIVE, 0.25, 1.0, 40.0, f64::MAX] {
        assert_eq!(scores(&boosting(boost).unwrap(), &[of_priority("high")]), [boost]);
    }
}

/// Rule [MetadataKeyScorer]: values compare as strings, without parsing or normalisation
#[test]
fn values_compare_as_strings_without_any_conversion() {
    for value in ["High", "HIGH", " high", "high ", "\"high\"", ""] {
        assert_eq!(scores(&boosting(1.5).unwrap(), &[of_priority(value)]), [1.0], "{value:?}");
    }
    let one = MetadataKeyScorer::new("n", "1", 2.0).unwrap();
    let spellings = ["1", "1.0", "01"].map(|n| named(n).metadata_entry("n", n).build().unwrap());
    assert_eq!(scores(&one, &spellings), [2.0, 1.0, 1.0]);
}

/// Rule [MetadataKeyScorer]: values compare as strings, without parsing or normalisation
#[test]
fn keys_compare_as_strings_too() {
    let shouted = named("a").metadata_entry("CUPEL:PRIORITY", "high").build().unwrap();
    assert_eq!(scores(&boosting(1.5).unwrap(), &[shouted]), [1.0]);
}

/// Rule [MetadataKeyScorer]: any key and value, unknown ones too
#[test]
fn any_key_and_value_may_be_asked_for() {
    let scorer = MetadataKeyScorer::new("", "", 2.0).unwrap();
    let blank = named("blank").metadata_entry("", "").build().unwrap();
    assert_eq!(scores(&scorer, &[blank, plain("a")]), [2.0, 1.0]);
    let unknown = MetadataKeyScorer::new("cupel:priority", "whatever", 2.0).unwrap();
    assert_eq!(scores(&unknown, &[of_priority("whatever"), of_priority("high")]), [2.0, 1.0]);
}

/// Rule [MetadataKeyScorer]: a boost of 0 is refused
#[test]
fn a_boost_of_zero_is_refused() {
    assert_scorer_refused(boosting(0.0), &["boost (0)", "greater than 0"]);
    assert_scorer_refused(boosting(-0.0), &["boost (-0)", "greater than 0"]);
}

/// Rule [MetadataKeyScorer]: a negative boost is refused
#[test]
fn a_negative_boost_is_refused() {
    assert_scorer_refused(boosting(-1.0), &["boost (-1)", "greater than 0"]);
}

/// Rule [MetadataKeyScorer]: a NaN or infinite boost is refused
#[test]
fn a_boost_that_is_no_number_is_refused() {
    assert_scorer_refused(boosting(f64::NAN), &["boost (NaN)", "finite"]);
}

/// Rule [MetadataKeyScorer]: a NaN or infinite boost is refused
#[test]
fn an_infinite_boost_is_refused() {
    assert_scorer_refused(boosting(f64::INFINITY), &["boost (inf)", "finite"]);
    assert_scorer_refused(boosting(f64::NEG_INFINITY), &["boost (-inf)", "finite"]);
}
