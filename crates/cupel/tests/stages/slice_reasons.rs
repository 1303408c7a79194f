//! Stage 5: why an item was not chosen.

use cupel::{
    Candidate, ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError,
    ExclusionReason, GreedySlice, OverflowStrategy, PipelineBuilder, Refusal, RunContext,
    ScarcityBehavior, ScoredItem, Selection, SelectionReport, Slicer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::{
    budget, displaced_by, excluded, hinted, hinted_kind, included, kind, over_budget, over_cap,
    pinned, plain,
};

fn report(pipeline: PipelineBuilder, items: &[ContextItem], tokens: i64) -> SelectionReport {
    pipeline.build().unwrap().dry_run(items, &budget(tokens)).unwrap()
}

fn truncating() -> PipelineBuilder {
    plain().overflow_strategy(OverflowStrategy::Truncate)
}

fn capped(of: &str, cap: usize, inner: impl Slicer + 'static) -> Box<CountQuotaSlice> {
    let entries = vec![CountQuotaEntry::new(kind(of), 0, cap).unwrap()];
    Box::new(CountQuotaSlice::new(entries, inner, ScarcityBehavior::Degrade).unwrap())
}

/// Rule [Stage 5: Slice]: BudgetExceeded: available is the effective target less what was chosen (ours)
#[test]
fn what_is_available_is_what_the_chosen_items_left_for_every_item_alike() {
    let items = [hinted("a", 60, 0.9), hinted("b", 50, 0.5), hinted("c", 45, 0.2)];
    let report = report(plain(), &items, 100);
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_budget(50, 40)), ("c", over_budget(45, 40))]);
    assert_eq!([report.excluded[0].score, report.excluded[1].score], [0.5, 0.2]);
}

/// Rule [Stage 5: Slice]: BudgetExceeded: available is the effective target less what was chosen (ours)
#[test]
fn what_is_available_is_measured_by_the_effective_target() {
    let given =
        ContextBudget::builder(200).target_tokens(150).safety_margin_percent(50.0).build().unwrap();
    let items = [pinned("p", 50), hinted("a", 30, 0.9), hinted("b", 100, 0.5)];
    let report = plain().build().unwrap().dry_run(&items, &given).unwrap();
    // Half of 150 - 50, of which a takes 30.
    assert_eq!(excluded(&report), [("b", over_budget(100, 20))]);
}

/// Rule [Stage 5: Slice]: PinnedOverride: only under Truncate, only between the two targets (ours)
#[test]
fn an_item_that_only_pinned_items_keep_out_says_so_under_truncate() {
    let items = [pinned("p", 40), hinted("a", 70, 0.9)];
    assert_eq!(excluded(&report(truncating(), &items, 100)), [("a", displaced_by("p"))]);
}

/// Rule [Stage 5: Slice]: PinnedOverride: only under Truncate, only between the two targets (ours)
#[test]
fn pinned_items_are_blamed_under_truncate_only() {
    let items = [pinned("p", 40), hinted("a", 70, 0.9)];
    for strategy in [OverflowStrategy::Throw, OverflowStrategy::Proceed] {
        let pipeline = plain().overflow_strategy(strategy);
        assert_eq!(excluded(&report(pipeline, &items, 100)), [("a", over_budget(70, 60))]);
    }
}

/// Rule [Stage 5: Slice]: PinnedOverride: only under Truncate, only between the two targets (ours)
#[test]
fn pinned_items_are_blamed_between_the_target_with_and_without_them() {
    // Effective target: 60 with pinned items, 100 without.
    let reason = |tokens| {
        let items = [pinned("p", 40), hinted("a", tokens, 0.5), hinted("first", 1, 0.9)];
        excluded(&report(truncating(), &items, 100)).pop().map(|(_, reason)| reason)
    };
    assert_eq!(reason(59), None);
    assert_eq!(reason(60), Some(over_budget(60, 59)));
    assert_eq!(reason(61), Some(displaced_by("p")));
    assert_eq!(reason(100), Some(displaced_by("p")));
    assert_eq!(reason(101), Some(over_budget(101, 59)));
}

/// Rule [Stage 5: Slice]: PinnedOverride: only under Truncate, only between the two targets (ours)
#[test]
fn the_margin_counts_on_both_sides_of_the_blame() {
    let given = ContextBudget::builder(200).safety_margin_percent(50.0).build().unwrap();
    let items = [pinned("p", 100), hinted("a", 80, 0.9), hinted("b", 101, 0.5)];
    let report = truncating().build().unwrap().dry_run(&items, &given).unwrap();
    // Half of 200 - 100 with pinned items, half of 200 without.
    assert_eq!(excluded(&report), [("a", displaced_by("p")), ("b", over_budget(101, 50))]);
}

/// Rule [Stage 5: Slice]: PinnedOverride names the first pinned item (ours)
#[test]
fn the_first_pinned_item_in_input_order_is_blamed() {
    let items = [hinted("a", 70, 0.9), pinned("small", 1), pinned("large", 50)];
    assert_eq!(excluded(&report(truncating(), &items, 100)), [("a", displaced_by("small"))]);
}

/// Rule [Stage 5: Slice]: PinnedOverride: only under Truncate, only between the two targets (ours)
#[test]
fn pinned_items_that_cost_nothing_are_never_blamed() {
    let items = [pinned("p", 0), hinted("a", 101, 0.9), hinted("b", 60, 0.8), hinted("c", 60, 0.7)];
    let report = report(truncating(), &items, 100);
    assert_eq!(excluded(&report), [("a", over_budget(101, 40)), ("c", over_budget(60, 40))]);
}

/// Rule [Stage 5: Slice]: CountCapExceeded: kind as the item spells it, cap, count; before PinnedOverride (ours)
#[test]
fn a_count_cap_is_told_with_kind_cap_and_count() {
    let items = [
        hinted_kind("TOOL", "a", 10, 0.9),
        hinted_kind("Tool", "b", 10, 0.8),
        hinted_kind("tool", "c", 10, 0.7),
    ];
    let report = report(plain().slicer(capped("Tool", 1, GreedySlice)), &items, 100);
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_cap("Tool", 1, 1)), ("c", over_cap("tool", 1, 1))]);
}

/// Rule [Stage 5: Slice]: CountCapExceeded: kind as the item spells it, cap, count; before PinnedOverride (ours)
#[test]
fn a_count_cap_is_told_before_pinned_items_are_blamed() {
    // 70 tokens lie between the effective targets with and without the pinned item.
    let items = [pinned("p", 40), hinted_kind("Tool", "a", 70, 0.9)];
    let report = report(truncating().slicer(capped("Tool", 0, TakeAll)), &items, 100);
    assert_eq!(excluded(&report), [("a", over_cap("Tool", 0, 0))]);
}

/// Rule [Stage 5: Slice]: exclusions happen in Sort order (ours)
#[test]
fn exclusions_happen_in_sort_order_whatever_their_reasons() {
    // All score 0.5, so that the report keeps the order of the decisions.
    let items = [
        pinned("p", 40),
        hinted_kind("Tool", "capped 1", 1, 0.5),
        hinted("too large", 101, 0.5),
        hinted("displaced", 70, 0.5),
        hinted_kind("Tool", "capped 2", 1, 0.5),
    ];
    let report = report(truncating().slicer(capped("Tool", 0, GreedySlice)), &items, 100);
    assert_eq!(
        excluded(&report),
        [
            ("capped 1", over_cap("Tool", 0, 0)),
            ("too large", over_budget(101, 60)),
            ("displaced", displaced_by("p")),
            ("capped 2", over_cap("Tool", 0, 0)),
        ]
    );
}

/// Rule [Stage 5: Slice]: the slicer that decides says why (ours)
#[test]
fn a_custom_slicer_tells_its_own_reasons() {
    /// Chooses nothing, and knows why of the second candidate.
    struct Picky;
    impl Slicer for Picky {
        fn slice(
            &self,
            _: &[ScoredItem],
            _: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            Ok(Vec::new())
        }

        fn select(
            &self,
            _: &[Candidate<'_>],
            _: &ContextBudget,
            _: &RunContext,
        ) -> Result<Selection, CupelError> {
            let reason = ExclusionReason::Filtered { filter_name: "picky".to_owned() };
            let mut selection = Selection::nothing();
            selection.refused.push(Refusal::new(1, reason));
            Ok(selection)
        }
    }
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5)];
    let report = report(plain().slicer(Picky), &items, 100);
    let filtered = ExclusionReason::Filtered { filter_name: "picky".to_owned() };
    assert_eq!(excluded(&report), [("a", over_budget(10, 100)), ("b", filtered)]);
}
