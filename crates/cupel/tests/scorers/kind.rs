//! A weight per kind.

use std::collections::HashMap;

use cupel::{ContextItem, ContextKind, CupelError, KindScorer};

use crate::shorthand::{assert_scorer_refused, named, plain, scores};

fn of_kind(kind: &str) -> ContextItem {
    named(kind).kind(ContextKind::new(kind).unwrap()).build().unwrap()
}

fn weighing(weights: &[(&str, f64)]) -> Result<KindScorer, CupelError> {
    let entries = weights.iter().map(|(kind, weight)| (ContextKind::new(*kind).unwrap(), *weight));
    KindScorer::new(entries)
}

/// Rule [KindScorer]: the defaults are exactly the five listed
#[test]
fn the_default_weights_are_those_of_the_five_well_known_kinds() {
    let items = ["SystemPrompt", "Memory", "ToolOutput", "Document", "Message"].map(of_kind);
    assert_eq!(scores(&KindScorer::with_default_weights(), &items), [1.0, 0.8, 0.6, 0.4, 0.2]);
    assert_eq!(scores(&KindScorer::default(), &items), [1.0, 0.8, 0.6, 0.4, 0.2]);
}

/// Rule [KindScorer]: the defaults are exactly the five listed
#[test]
fn the_default_weights_know_no_other_kind() {
    let items = ["Scratchpad", "Messages", "System", "Tool"].map(of_kind);
    assert_eq!(scores(&KindScorer::with_default_weights(), &items), [0.0; 4]);
}

/// Rule [KindScorer]: a kind in the map: its weight
#[test]
fn a_kind_in_the_map_scores_its_weight() {
    let scorer = weighing(&[("Memory", 0.3), ("Scratchpad", 0.7)]).unwrap();
    assert_eq!(scores(&scorer, &[of_kind("Scratchpad"), of_kind("Memory")]), [0.7, 0.3]);
}

/// Rule [KindScorer]: a kind not in the map: 0
#[test]
fn a_kind_outside_the_map_scores_zero() {
    let scorer = weighing(&[("Memory", 0.3)]).unwrap();
    assert_eq!(scores(&scorer, &[of_kind("SystemPrompt"), of_kind("Other")]), [0.0, 0.0]);
}

/// Rule [KindScorer]: an empty map: all 0
#[test]
fn an_empty_map_scores_everything_zero() {
    let scorer = KindScorer::new(HashMap::new()).unwrap();
    assert_eq!(scores(&scorer, &[plain("a"), of_kind("SystemPrompt")]), [0.0, 0.0]);
}

/// Rule [KindScorer]: weights above 1 are not clamped
#[test]
fn a_weight_above_one_is_not_clamped() {
    let scorer = weighing(&[("Message", 2.5), ("Memory", f64::MAX)]).unwrap();
    assert_eq!(scores(&scorer, &[plain("a"), of_kind("Memory")]), [2.5, f64::MAX]);
}

/// Rule [KindScorer]: kinds compare without ASCII case
#[test]
fn kinds_match_in_any_ascii_case_and_no_other() {
    let scorer = weighing(&[("Message", 0.9), ("Ärger", 0.5)]).unwrap();
    let items = ["message", "MESSAGE", "mEsSaGe", "ÄRGER", "ärger"].map(of_kind);
    assert_eq!(scores(&scorer, &items), [0.9, 0.9, 0.9, 0.5, 0.0]);
}

/// Rule [KindScorer]: a kind in the map: its weight
#[test]
fn a_weight_of_zero_is_a_weight() {
    assert_eq!(scores(&weighing(&[("Message", 0.0)]).unwrap(), &[plain("a")]), [0.0]);
}

/// Rule [KindScorer]: weights must not be negative, at construction
#[test]
fn a_negative_weight_is_refused() {
    let parts = ["kind Memory (-0.5)", "finite and at least 0"];
    assert_scorer_refused(weighing(&[("Message", 1.0), ("Memory", -0.5)]), &parts);
}

/// Rule [KindScorer]: weights must be finite, at construction
#[test]
fn a_weight_that_is_no_number_is_refused() {
    assert_scorer_refused(weighing(&[("Memory", f64::NAN)]), &["kind Memory (NaN)", "finite"]);
}

/// Rule [KindScorer]: weights must be finite, at construction
#[test]
fn an_infinite_weight_is_refused() {
    assert_scorer_refused(weighing(&[("Memory", f64::INFINITY)]), &["kind Memory (inf)", "finite"]);
    let negative = weighing(&[("Memory", f64::NEG_INFINITY)]);
    assert_scorer_refused(negative, &["kind Memory (-inf)", "finite and at least 0"]);
}

/// Rule [KindScorer]: refusals do not depend on hashing (ours)
#[test]
fn of_several_bad_weights_always_the_same_one_is_named() {
    for _ in 0..20 {
        let built = weighing(&[("Zebra", -1.0), ("Ant", -2.0), ("Mole", f64::NAN)]);
        assert_scorer_refused(built, &["kind Ant (-2)"]);
    }
}
