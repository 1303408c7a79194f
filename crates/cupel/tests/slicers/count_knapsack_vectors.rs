//! CountConstrainedKnapsackSlice: the five scenarios that outline its conformance vectors.

use cupel::{
    ContextItem, CountConstrainedKnapsackSlice, CountQuotaEntry, CountRequirementShortfall,
    ExclusionReason, KnapsackSlice, ScarcityBehavior, SelectionReport,
};

use crate::fixtures::{budget, excluded, hinted_kind, included, kind, over_cap, plain};

/// The report of a run with these counts over buckets of this size.
fn report(
    entries: &[(&str, usize, usize)],
    bucket: i64,
    items: &[ContextItem],
    tokens: i64,
) -> SelectionReport {
    let entry = |&(of, require, cap): &(&str, usize, usize)| {
        CountQuotaEntry::new(kind(of), require, cap).unwrap()
    };
    let slicer = CountConstrainedKnapsackSlice::new(
        entries.iter().map(entry),
        KnapsackSlice::new(bucket).unwrap(),
        ScarcityBehavior::Degrade,
    );
    let pipeline = plain().slicer(slicer.unwrap()).build().unwrap();
    pipeline.dry_run(items, &budget(tokens)).unwrap()
}

fn assert_all_included(report: &SelectionReport, mut expected: Vec<&str>) {
    let mut contents = included(report);
    contents.sort_unstable();
    expected.sort_unstable();
    assert_eq!(contents, expected);
    assert_eq!(excluded(report), Vec::<(&str, ExclusionReason)>::new());
    assert!(report.count_requirement_shortfalls.is_empty());
}

/// Rule [CountConstrainedKnapsackSlice]: outline 1: two required, the rest packed
#[test]
fn two_required_tools_and_the_rest_packed() {
    let items = [
        hinted_kind("tool", "tool-a", 100, 0.9),
        hinted_kind("tool", "tool-b", 100, 0.7),
        hinted_kind("msg", "msg-x", 100, 0.5),
    ];
    let report = report(&[("tool", 2, 4)], 100, &items, 1000);
    assert_all_included(&report, vec!["tool-a", "tool-b", "msg-x"]);
}

/// Rule [CountConstrainedKnapsackSlice]: outline 2: cap exclusion
#[test]
fn a_cap_of_two_drops_the_two_worst_of_four() {
    let items = [
        hinted_kind("tool", "tool-a", 100, 0.9),
        hinted_kind("tool", "tool-b", 100, 0.8),
        hinted_kind("tool", "tool-c", 100, 0.7),
        hinted_kind("tool", "tool-d", 100, 0.6),
    ];
    let report = report(&[("tool", 1, 2)], 100, &items, 600);
    assert_eq!(included(&report), ["tool-a", "tool-b"]);
    let capped = over_cap("tool", 2, 2);
    assert_eq!(excluded(&report), [("tool-c", capped.clone()), ("tool-d", capped)]);
    assert!(report.count_requirement_shortfalls.is_empty());
}

/// Rule [CountConstrainedKnapsackSlice]: outline 3: scarcity, degraded
#[test]
fn one_candidate_for_a_requirement_of_three_is_a_shortfall() {
    let items = [hinted_kind("tool", "tool-a", 100, 0.9)];
    let report = report(&[("tool", 3, 5)], 100, &items, 500);
    assert_eq!(included(&report), ["tool-a"]);
    assert!(report.excluded.is_empty());
    let short = CountRequirementShortfall::new("tool", 3, 1);
    assert_eq!(report.count_requirement_shortfalls, [short]);
}

/// Rule [CountConstrainedKnapsackSlice]: outline 4: two kinds with requirements of their own
#[test]
fn two_kinds_have_requirements_of_their_own() {
    let items = [
        hinted_kind("tool", "item-tool", 100, 0.9),
        hinted_kind("memory", "item-memory", 100, 0.8),
        hinted_kind("tool", "item-extra", 100, 0.5),
    ];
    let report = report(&[("tool", 1, 4), ("memory", 1, 4)], 100, &items, 1000);
    assert_all_included(&report, vec!["item-tool", "item-memory", "item-extra"]);
}

/// Rule [CountConstrainedKnapsackSlice]: outline 5: require and cap with an exact packing
#[test]
fn exactly_two_tools_and_an_exact_packing_of_messages() {
    let items = [
        hinted_kind("tool", "tool-a", 100, 0.9),
        hinted_kind("tool", "tool-b", 100, 0.7),
        hinted_kind("msg", "msg-s", 50, 0.8),
        hinted_kind("msg", "msg-m", 150, 0.6),
        hinted_kind("msg", "msg-l", 200, 0.4),
    ];
    let report = report(&[("tool", 2, 2)], 1, &items, 1000);
    assert_all_included(&report, vec!["tool-a", "tool-b", "msg-s", "msg-m", "msg-l"]);
}
