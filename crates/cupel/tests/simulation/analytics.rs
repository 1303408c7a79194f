//! How full, how diverse is a window?

use cupel::{
    ContextBudget, ContextItem, ContextKind, CountConstrainedKnapsackSlice, CountQuotaEntry,
    CountQuotaSlice, GreedySlice, IncludedItem, InclusionReason, KindQuotaUtilization,
    KnapsackSlice, QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy, QuotaSlice,
    ScarcityBehavior, SelectionReport, budget_utilization, kind_diversity, quota_utilization,
    timestamp_coverage,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::small;

/// Constraints as given, whatever a slicer would say to them.
#[derive(Debug)]
struct Constraints(Vec<QuotaConstraint>);

impl QuotaPolicy for Constraints {
    fn quota_constraints(&self) -> Vec<QuotaConstraint> {
        self.0.clone()
    }
}

fn constraints() -> impl Strategy<Value = Constraints> {
    let kinds = select(vec!["message", "Document", "TOOLOUTPUT", "Note", "absent"]);
    let modes = select(vec![QuotaConstraintMode::Percentage, QuotaConstraintMode::Count]);
    let caps = prop_oneof![1 => Just(0.0), 3 => (1_u8..=4).prop_map(f64::from), 3 => 0.0..=100.0];
    let constraint = (kinds, modes, caps).prop_map(|(kind, mode, cap)| QuotaConstraint {
        kind: ContextKind::new(kind).expect("no kind in the list is blank"),
        mode,
        require: cap / 2.0,
        cap,
    });
    vec(constraint, 0..=4).prop_map(Constraints)
}

fn same_kind(a: &ContextKind, b: &ContextKind) -> bool {
    a.as_str().eq_ignore_ascii_case(b.as_str())
}

fn naive_utilization(
    constraint: &QuotaConstraint,
    report: &SelectionReport,
    budget: &ContextBudget,
) -> (f64, f64) {
    let (mut tokens, mut count) = (0_i64, 0_u32);
    for entry in &report.included {
        if same_kind(entry.item.kind(), &constraint.kind) {
            tokens += entry.item.tokens();
            count += 1;
        }
    }
    let actual = match constraint.mode {
        QuotaConstraintMode::Count => f64::from(count),
        QuotaConstraintMode::Percentage if budget.target_tokens() == 0 => 0.0,
        QuotaConstraintMode::Percentage => tokens as f64 / budget.target_tokens() as f64 * 100.0,
    };
    let utilization = if constraint.cap == 0.0 { 0.0 } else { (actual / constraint.cap).min(1.0) };
    (actual, utilization)
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Analytics]: utilization is the included tokens over the maximum, not the target
        /// Rule [Analytics]: quota utilization is per configured kind, of target tokens or of items, within 0 and 1
        #[test]
        fn analytics_are_sums_over_the_window(
            (items, budget) in small::problems(),
            policy in small::policies(),
            constraints in constraints(),
        ) {
            let Ok(report) = policy.pipeline()?.dry_run(&items, &budget) else { return Ok(()) };
            let window: Vec<&ContextItem> =
                report.included.iter().map(|entry| &entry.item).collect();

            let tokens: i64 = window.iter().map(|item| item.tokens()).sum();
            let share = if tokens == 0 { 0.0 } else { tokens as f64 / budget.max_tokens() as f64 };
            prop_assert_eq!(budget_utilization(&report, &budget), share);

            let mut kinds: Vec<&ContextKind> = Vec::new();
            for item in &window {
                if !kinds.iter().any(|kind| same_kind(kind, item.kind())) {
                    kinds.push(item.kind());
                }
            }
            prop_assert_eq!(kind_diversity(&report), kinds.len());

            let dated = window.iter().filter(|item| item.timestamp().is_some()).count();
            let coverage = if window.is_empty() { 0.0 } else { dated as f64 / window.len() as f64 };
            prop_assert_eq!(timestamp_coverage(&report), coverage);

            let utilizations = quota_utilization(&report, &constraints, &budget);
            prop_assert_eq!(utilizations.len(), constraints.0.len());
            let spellings: Vec<&str> = utilizations.iter().map(|it| it.kind.as_str()).collect();
            prop_assert!(spellings.is_sorted(), "{spellings:?}");
            for constraint in &constraints.0 {
                let (actual, utilization) = naive_utilization(constraint, &report, &budget);
                let QuotaConstraint { kind, mode, require, cap } = constraint.clone();
                let expected =
                    KindQuotaUtilization { kind, mode, require, cap, actual, utilization };
                prop_assert!(
                    utilizations.contains(&expected),
                    "{expected:?} is not in {utilizations:?}"
                );
            }
        }
    }
}

fn report(items: impl IntoIterator<Item = ContextItem>) -> SelectionReport {
    let included = items
        .into_iter()
        .map(|item| IncludedItem::new(item, 0.5, InclusionReason::Scored))
        .collect();
    SelectionReport::new(vec![], included, vec![], vec![])
}

fn item(kind: &str, tokens: i64) -> ContextItem {
    let kind = ContextKind::new(kind).unwrap();
    ContextItem::builder("content", tokens).kind(kind).build().unwrap()
}

fn budget(tokens: i64) -> ContextBudget {
    ContextBudget::builder(tokens).build().unwrap()
}

/// Rule [Analytics]: utilization is the included tokens over the maximum, not the target
#[test]
fn utilization_is_measured_against_the_maximum_and_not_the_target() {
    let budget = ContextBudget::builder(100).target_tokens(50).build().unwrap();
    assert_eq!(budget_utilization(&report([item("Note", 50)]), &budget), 0.5);
}

/// Rule [Analytics]: nothing included uses nothing, even of a budget of zero (ours)
#[test]
fn a_budget_of_zero_is_not_used_when_nothing_is_included() {
    assert_eq!(budget_utilization(&report([]), &budget(0)), 0.0);
    assert_eq!(budget_utilization(&report([]), &budget(10)), 0.0);
    assert_eq!(budget_utilization(&report([item("Note", 0)]), &budget(0)), 0.0);
}

/// Rule [Analytics]: sums are exact beyond 64 bits (ours)
#[test]
fn utilization_survives_sums_beyond_the_integers() {
    let window = report([item("Note", i64::MAX), item("Note", i64::MAX)]);
    assert_eq!(budget_utilization(&window, &budget(i64::MAX)), 2.0);
    let entry = QuotaEntry::new(ContextKind::new("Note").unwrap(), 0.0, 100.0).unwrap();
    let quota = QuotaSlice::new(vec![entry], GreedySlice).unwrap();
    let used = quota_utilization(&window, &quota, &budget(i64::MAX));
    assert_eq!((used[0].actual, used[0].utilization), (200.0, 1.0));
}

/// Rule [Analytics]: diversity counts kinds, without case
#[test]
fn kinds_in_two_spellings_count_once() {
    let window = report([item("Note", 1), item("NOTE", 1), item("Memory", 1)]);
    assert_eq!(kind_diversity(&window), 2);
    assert_eq!(kind_diversity(&report([])), 0);
}

/// Rule [Analytics]: coverage is the share of included items with a timestamp
#[test]
fn timestamp_coverage_is_the_share_of_dated_items() {
    let dated = ContextItem::builder("dated", 1).timestamp("2025-06-01T09:00:00Z".parse().unwrap());
    assert_eq!(timestamp_coverage(&report([dated.build().unwrap(), item("Note", 1)])), 0.5);
    assert_eq!(timestamp_coverage(&report([])), 0.0);
}

/// Rule [Analytics]: quota utilization is per configured kind, of target tokens or of items, within 0 and 1
#[test]
fn every_quota_slicer_tells_how_far_its_kinds_are_used() {
    let window = report([item("document", 30), item("Document", 20), item("Memory", 5)]);
    let document = ContextKind::document;
    let entry = QuotaEntry::new(document(), 10.0, 80.0).unwrap();
    let percent = QuotaSlice::new(vec![entry], GreedySlice).unwrap();
    let used = quota_utilization(&window, &percent, &budget(100));
    assert_eq!(
        (used[0].mode, used[0].require, used[0].cap),
        (QuotaConstraintMode::Percentage, 10.0, 80.0)
    );
    assert_eq!((used[0].actual, used[0].utilization), (50.0, 0.625));

    let entries = || vec![CountQuotaEntry::new(document(), 1, 4).unwrap()];
    let count = CountQuotaSlice::new(entries(), GreedySlice, ScarcityBehavior::Degrade);
    let packed = CountConstrainedKnapsackSlice::new(
        entries(),
        KnapsackSlice::default(),
        ScarcityBehavior::Degrade,
    );
    let (count, packed) = (count.unwrap(), packed.unwrap());
    for policy in [&count as &dyn QuotaPolicy, &packed] {
        let used = quota_utilization(&window, policy, &budget(100));
        assert_eq!(
            (used[0].mode, used[0].require, used[0].cap),
            (QuotaConstraintMode::Count, 1.0, 4.0)
        );
        assert_eq!((used[0].actual, used[0].utilization), (2.0, 0.5));
    }
}

/// Rule [Analytics]: percentages of no target are 0
#[test]
fn percentages_of_no_target_at_all_are_zero() {
    let entry = QuotaEntry::new(ContextKind::document(), 0.0, 50.0).unwrap();
    let quota = QuotaSlice::new(vec![entry], GreedySlice).unwrap();
    let budget = ContextBudget::builder(10).target_tokens(0).build().unwrap();
    let used = quota_utilization(&report([item("Document", 5)]), &quota, &budget);
    assert_eq!((used[0].actual, used[0].utilization), (0.0, 0.0));
}
