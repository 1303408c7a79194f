//! A weight per tag.

use std::collections::HashMap;

use cupel::{CupelError, TagScorer};

use crate::shorthand::{assert_scorer_refused, plain, scores, tagged};

fn map(weights: &[(&str, f64)]) -> HashMap<String, f64> {
    weights.iter().map(|(tag, weight)| (tag.to_string(), *weight)).collect()
}

fn weighing(weights: &[(&str, f64)]) -> TagScorer {
    TagScorer::new(map(weights)).unwrap()
}

fn assert_refused_by_both(weights: &[(&str, f64)], parts: &[&str]) {
    let constructors: [fn(_) -> Result<TagScorer, CupelError>; 2] =
        [TagScorer::new, TagScorer::case_insensitive];
    for constructor in constructors {
        assert_scorer_refused(constructor(map(weights)), parts);
    }
}

/// Rule [TagScorer]: no tags: 0
#[test]
fn an_item_without_tags_scores_zero() {
    assert_eq!(scores(&weighing(&[("a", 1.0)]), &[plain("untagged")]), [0.0]);
}

/// Rule [TagScorer]: a total weight of 0: 0
#[test]
fn weights_that_are_all_zero_score_everything_zero() {
    let scorer = weighing(&[("a", 0.0), ("b", 0.0)]);
    assert_eq!(scores(&scorer, &[tagged("both", &["a", "b"])]), [0.0]);
}

/// Rule [TagScorer]: a total weight of 0: 0
#[test]
fn an_empty_map_scores_everything_zero() {
    assert_eq!(scores(&weighing(&[]), &[tagged("tagged", &["a"])]), [0.0]);
}

/// Rule [TagScorer]: no matching tag: 0
#[test]
fn tags_nobody_weighs_score_zero() {
    assert_eq!(scores(&weighing(&[("a", 1.0)]), &[tagged("other", &["b", "c"])]), [0.0]);
}

/// Rule [TagScorer]: all weighted tags: 1
#[test]
fn all_weighed_tags_score_one() {
    let scorer = weighing(&[("a", 3.0), ("b", 1.0)]);
    assert_eq!(scores(&scorer, &[tagged("all", &["b", "other", "a"])]), [1.0]);
}

/// Rule [TagScorer]: the denominator is the sum of all configured weights
#[test]
fn some_tags_score_their_share_of_the_whole_weight() {
    let scorer = weighing(&[("a", 3.0), ("b", 1.0), ("c", 4.0)]);
    let items = [tagged("a", &["a"]), tagged("b", &["b"]), tagged("ac", &["c", "a"])];
    assert_eq!(scores(&scorer, &items), [0.375, 0.125, 0.875]);
}

/// Rule [TagScorer]: each occurrence of a tag adds
#[test]
fn a_repeated_tag_counts_each_time() {
    let scorer = weighing(&[("a", 1.0), ("b", 3.0)]);
    assert_eq!(scores(&scorer, &[tagged("twice", &["a", "a"])]), [0.5]);
}

/// Rule [TagScorer]: the result is clamped to 1
#[test]
fn repeated_tags_are_clamped_at_one() {
    let scorer = weighing(&[("a", 1.0), ("b", 3.0)]);
    assert_eq!(scores(&scorer, &[tagged("much", &["b", "b", "a"])]), [1.0]);
    let huge = weighing(&[("a", f64::MAX)]);
    assert_eq!(scores(&huge, &[tagged("beyond range", &["a", "a"])]), [1.0]);
}

/// Rule [TagScorer]: ordinal comparison by default
#[test]
fn tags_compare_to_the_byte_unless_told_otherwise() {
    let scorer = weighing(&[("Important", 1.0)]);
    let items = [tagged("exact", &["Important"]), tagged("lower", &["important"])];
    assert_eq!(scores(&scorer, &items), [1.0, 0.0]);
}

/// Rule [TagScorer]: ordinal comparison by default
#[test]
fn spellings_are_separate_tags_by_default() {
    let scorer = weighing(&[("a", 1.0), ("A", 3.0)]);
    assert_eq!(scores(&scorer, &[tagged("a", &["a"]), tagged("A", &["A"])]), [0.25, 0.75]);
}

/// Rule [TagScorer]: another comparison on request: without ASCII case
#[test]
fn tags_compare_without_ascii_case_on_request() {
    let scorer = TagScorer::case_insensitive(map(&[("Important", 1.0), ("Ä", 3.0)])).unwrap();
    let items = ["important", "IMPORTANT", "Ä", "ä"].map(|tag| tagged(tag, &[tag]));
    assert_eq!(scores(&scorer, &items), [0.25, 0.25, 0.75, 0.0]);
}

/// Rule [TagScorer]: another comparison on request: without ASCII case
#[test]
fn two_spellings_of_one_tag_are_refused_where_case_does_not_count() {
    let built = TagScorer::case_insensitive(map(&[("todo", 1.0), ("TODO", 2.0)]));
    assert_scorer_refused(built, &["\"todo\"", "twice", "spellings"]);
}

/// Rule [TagScorer]: weights must not be negative
#[test]
fn a_negative_weight_is_refused() {
    let parts = ["tag \"b\" (-0.1)", "finite and at least 0"];
    assert_refused_by_both(&[("a", 1.0), ("b", -0.1)], &parts);
}

/// Rule [TagScorer]: weights must be finite
#[test]
fn a_weight_that_is_no_number_is_refused() {
    assert_refused_by_both(&[("a", f64::NAN)], &["tag \"a\" (NaN)", "finite and at least 0"]);
}

/// Rule [TagScorer]: weights must be finite
#[test]
fn an_infinite_weight_is_refused() {
    assert_refused_by_both(&[("a", f64::INFINITY)], &["tag \"a\" (inf)", "finite"]);
    assert_refused_by_both(&[("a", f64::NEG_INFINITY)], &["tag \"a\" (-inf)", "finite"]);
}

/// Rule [TagScorer]: and so must their sum (ours)
#[test]
fn weights_whose_sum_is_infinite_are_refused() {
    let parts = ["sum of tag weights (inf)", "must be finite"];
    assert_refused_by_both(&[("a", f64::MAX), ("b", f64::MAX)], &parts);
}

/// Rule [TagScorer]: the sum does not depend on hashing (ours)
#[test]
fn the_total_does_not_depend_on_hashing() {
    // Summed as a, b, c the small ones vanish beside the large one; in other orders they would not.
    let weights = [("a", 1e16), ("b", 1.0), ("c", 1.0)];
    for _ in 0..20 {
        let scorer = weighing(&weights);
        assert_eq!(scores(&scorer, &[tagged("large", &["a"])]), [1.0]);
    }
}
