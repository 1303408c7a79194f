//! CountQuotaSlice: configuration, scarcity, and the guard.

use std::sync::Arc;

use cupel::{
    ContextBudget, CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice,
    CountRequirementShortfall, CupelError, GreedySlice, KnapsackSlice, QuotaSlice,
    ScarcityBehavior, Slicer,
};

use crate::fixtures::{
    assert_names, assert_slicer_config, budget, hinted_kind, included, kind, max_and_target, plain,
    scored_kinds, sliced,
};

fn entry(of: &str, require: usize, cap: usize) -> CountQuotaEntry {
    CountQuotaEntry::new(kind(of), require, cap).unwrap()
}

fn built(
    entries: Vec<CountQuotaEntry>,
    inner: Box<dyn Slicer>,
) -> Result<CountQuotaSlice, CupelError> {
    CountQuotaSlice::new(entries, inner, ScarcityBehavior::Degrade)
}

fn greedy(entries: Vec<CountQuotaEntry>, scarcity: ScarcityBehavior) -> CountQuotaSlice {
    CountQuotaSlice::new(entries, GreedySlice, scarcity).unwrap()
}

fn shortfall(kind: &str, required: usize, satisfied: usize) -> CountRequirementShortfall {
    CountRequirementShortfall::new(kind, required, satisfied)
}

/// Rule [CountQuotaSlice]: requireCount <= capCount
#[test]
fn a_requirement_above_its_cap_is_refused() {
    assert_slicer_config(
        CountQuotaEntry::new(kind("Tool"), 3, 2),
        &["require_count", "Tool", "(3)", "cap_count", "(2)"],
    );
    assert!(CountQuotaEntry::new(kind("Tool"), 2, 2).is_ok());
    assert!(CountQuotaEntry::new(kind("Tool"), 0, usize::MAX).is_ok());
}

/// Rule [CountQuotaSlice]: capCount = 0 with a requirement is refused
#[test]
fn a_cap_of_zero_with_a_requirement_is_refused() {
    assert_slicer_config(CountQuotaEntry::new(kind("Tool"), 1, 0), &["Tool", "(1)", "(0)"]);
}

/// Rule [CountQuotaSlice]: capCount = 0 without one keeps the kind out
#[test]
fn a_cap_of_zero_without_a_requirement_keeps_a_kind_out() {
    let slicer = greedy(vec![entry("Tool", 0, 0)], ScarcityBehavior::Throw);
    let candidates = scored_kinds(&[("Tool", "t", 10, 0.9), ("Message", "m", 10, 0.1)]);
    assert_eq!(sliced(&slicer, &candidates, 100), ["m"]);
}

/// Rule [CountQuotaSlice]: one entry per kind (ours)
#[test]
fn two_entries_for_one_kind_are_refused_whatever_their_case() {
    let entries = vec![entry("Memory", 1, 2), entry("MEMORY", 1, 2)];
    assert_slicer_config(built(entries, Box::new(GreedySlice)), &["MEMORY", "two entries"]);
}

/// Rule [CountQuotaSlice]: entries and scarcity are given back (ours)
#[test]
fn entries_and_scarcity_are_kept_as_configured() {
    let slicer = greedy(vec![entry("B", 1, 2), entry("A", 0, 5)], ScarcityBehavior::Throw);
    assert_eq!(slicer.entries(), [entry("B", 1, 2), entry("A", 0, 5)]);
    assert_eq!(slicer.scarcity(), ScarcityBehavior::Throw);
    let (of, require, cap) = (
        slicer.entries()[0].kind(),
        slicer.entries()[0].require_count(),
        slicer.entries()[0].cap_count(),
    );
    assert_eq!((of.as_str(), require, cap), ("B", 1, 2));
}

/// Rule [CountQuotaSlice]: Degrade is the default
#[test]
fn scarcity_degrades_unless_told_otherwise() {
    assert_eq!(ScarcityBehavior::default(), ScarcityBehavior::Degrade);
}

/// Rule [CountQuotaSlice]: a knapsack inside is refused at construction, also behind another slicer
#[test]
fn a_knapsack_inside_is_refused_when_built() {
    let names = ["CountQuotaSlice", "KnapsackSlice", "GreedySlice"];
    assert_slicer_config(built(Vec::new(), Box::new(KnapsackSlice::default())), &names);
}

/// Rule [CountQuotaSlice]: a knapsack inside is refused at construction, also behind another slicer
#[test]
fn a_knapsack_behind_another_slicer_is_refused_too() {
    let names = ["CountQuotaSlice", "KnapsackSlice", "GreedySlice"];
    let shared: Arc<dyn Slicer> = Arc::new(KnapsackSlice::default());
    assert_slicer_config(built(Vec::new(), Box::new(shared)), &names);
    let quota = QuotaSlice::new(Vec::new(), KnapsackSlice::default()).unwrap();
    assert_slicer_config(built(Vec::new(), Box::new(quota)), &names);
}

/// Rule [CountQuotaSlice]: a knapsack inside is refused at construction, also behind another slicer
#[test]
fn a_slicer_that_answers_best_first_is_welcome_inside() {
    assert!(built(Vec::new(), Box::new(GreedySlice)).is_ok());
    let quota = QuotaSlice::new(Vec::new(), GreedySlice).unwrap();
    assert!(built(Vec::new(), Box::new(quota)).is_ok());
    let scarcity = ScarcityBehavior::Degrade;
    let sorted = CountConstrainedKnapsackSlice::new(Vec::new(), KnapsackSlice::default(), scarcity);
    assert!(built(Vec::new(), Box::new(sorted.unwrap())).is_ok());
}

/// Rule [CountQuotaSlice]: no candidates or a target of 0: an empty list, no error, no shortfall
#[test]
fn no_candidates_or_no_target_give_an_empty_list_and_raise_nothing() {
    let slicer = greedy(vec![entry("Tool", 2, 5)], ScarcityBehavior::Throw);
    assert!(sliced(&slicer, &[], 1000).is_empty());
    let candidates = scored_kinds(&[("Tool", "t", 10, 0.9), ("Tool", "free", 0, 0.9)]);
    assert!(sliced(&slicer, &candidates, 0).is_empty());
}

/// Rule [CountQuotaSlice]: no candidates or a target of 0: an empty list, no error, no shortfall
#[test]
fn no_candidates_or_no_target_record_no_shortfall() {
    let slicer = || Box::new(greedy(vec![entry("Tool", 2, 5)], ScarcityBehavior::Degrade));
    let pipeline = plain().slicer(slicer()).build().unwrap();
    let none = pipeline.dry_run(&[], &budget(100)).unwrap();
    assert!(none.count_requirement_shortfalls.is_empty());
    let item = [hinted_kind("Tool", "t", 10, 0.9)];
    let no_target = pipeline.dry_run(&item, &max_and_target(100, 0)).unwrap();
    assert!(no_target.count_requirement_shortfalls.is_empty());
    assert!(no_target.included.is_empty());
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Degrade: all of them, and a shortfall
#[test]
fn too_few_candidates_under_degrade_are_all_taken_and_recorded() {
    let slicer = greedy(vec![entry("tool", 3, 5)], ScarcityBehavior::Degrade);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [hinted_kind("Tool", "t", 10, 0.1), hinted_kind("Message", "m", 10, 0.9)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["m", "t"]);
    // The kind is spelled as the entry spells it.
    assert_eq!(report.count_requirement_shortfalls, [shortfall("tool", 3, 1)]);
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Degrade: all of them, and a shortfall
/// Rule [CountQuotaSlice]: fewer candidates than required, Throw: an error
#[test]
fn a_required_kind_without_any_candidate_is_scarce() {
    let slicer = greedy(vec![entry("Tool", 1, 5)], ScarcityBehavior::Degrade);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [hinted_kind("Message", "m", 10, 0.9)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(report.count_requirement_shortfalls, [shortfall("Tool", 1, 0)]);

    let hard = greedy(vec![entry("Tool", 1, 5)], ScarcityBehavior::Throw);
    let pipeline = plain().slicer(hard).build().unwrap();
    assert_slicer_config(pipeline.run(&items, &budget(100)), &["'Tool'", "has 0 items", "is 1"]);
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Degrade: all of them, and a shortfall
#[test]
fn shortfalls_are_in_order_of_the_entries() {
    let entries = vec![entry("Z", 2, 9), entry("Met", 1, 9), entry("A", 4, 9)];
    let pipeline = plain().slicer(greedy(entries, ScarcityBehavior::Degrade)).build().unwrap();
    let items = [hinted_kind("A", "a", 10, 0.9), hinted_kind("met", "m", 10, 0.8)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let expected = [shortfall("Z", 2, 0), shortfall("A", 4, 1)];
    assert_eq!(report.count_requirement_shortfalls, expected);
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Throw: an error
#[test]
fn too_few_candidates_under_throw_are_an_error_that_says_so() {
    let slicer = greedy(vec![entry("Tool", 3, 5)], ScarcityBehavior::Throw);
    let candidates = scored_kinds(&[("TOOL", "t", 10, 0.9)]);
    let error = slicer.slice(&candidates, &budget(100)).unwrap_err();
    assert_eq!(
        error,
        CupelError::SlicerConfig(
            "CountQuotaSlice: candidate pool for kind 'Tool' has 1 items but RequireCount is 3."
                .to_owned()
        )
    );
    assert_names(&error, &["CountQuotaSlice: candidate pool for kind 'Tool' has 1 items"]);
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Throw: an error
#[test]
fn the_first_scarce_entry_is_the_one_reported() {
    let entries = vec![entry("Met", 1, 1), entry("Z", 2, 2), entry("A", 2, 2)];
    let slicer = greedy(entries, ScarcityBehavior::Throw);
    let candidates = scored_kinds(&[("Met", "m", 10, 0.9), ("A", "a", 10, 0.8)]);
    assert_slicer_config(slicer.slice(&candidates, &budget(100)), &["'Z'", "has 0 items"]);
}

/// Rule [CountQuotaSlice]: fewer candidates than required, Degrade: all of them, and a shortfall
#[test]
fn a_requirement_met_exactly_is_no_shortfall() {
    let slicer = greedy(vec![entry("Tool", 2, 2)], ScarcityBehavior::Throw);
    let candidates = scored_kinds(&[("Tool", "a", 10, 0.9), ("Tool", "b", 10, 0.8)]);
    let given = ContextBudget::builder(100).build().unwrap();
    assert_eq!(slicer.slice(&candidates, &given).unwrap().len(), 2);
}
