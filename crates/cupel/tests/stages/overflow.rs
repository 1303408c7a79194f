//! Stage 6: what happens when a selection is larger than its window.

use cupel::{
    ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError,
    DiagnosticTraceCollector, GreedySlice, OverflowEvent, OverflowStrategy, PipelineBuilder,
    ScarcityBehavior, SelectionReport, TraceDetailLevel,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::{
    assert_names, budget, contents, displaced_by, excluded, hinted, hinted_kind, included, kind,
    max_and_target, over_budget, pinned, plain,
};

use OverflowStrategy::{Proceed, Throw, Truncate};

fn taking_all(strategy: OverflowStrategy) -> PipelineBuilder {
    plain().slicer(TakeAll).overflow_strategy(strategy)
}

type Outcome = (SelectionReport, Option<OverflowEvent>);

fn outcome(pipeline: PipelineBuilder, items: &[ContextItem], budget: &ContextBudget) -> Outcome {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    pipeline.build().unwrap().run_traced(items, budget, &mut collector).unwrap();
    collector.into_parts()
}

/// Two tools of 40 tokens that are committed whatever the budget.
fn over_committing(strategy: OverflowStrategy) -> (PipelineBuilder, [ContextItem; 2]) {
    let entries = vec![CountQuotaEntry::new(kind("Tool"), 2, 2).unwrap()];
    let scarcity = ScarcityBehavior::Degrade;
    let slicer = CountQuotaSlice::new(entries, GreedySlice, scarcity).unwrap();
    let items = [hinted_kind("Tool", "a", 40, 0.9), hinted_kind("Tool", "b", 40, 0.8)];
    (plain().slicer(slicer).overflow_strategy(strategy), items)
}

/// Rule [Stage 6: Place]: overflow: the total exceeds the target, the original one
#[test]
fn a_selection_of_exactly_the_target_does_not_overflow() {
    let items = [pinned("p", 40), hinted("a", 60, 0.9)];
    for strategy in [Throw, Truncate, Proceed] {
        let (report, event) = outcome(taking_all(strategy), &items, &max_and_target(200, 100));
        assert_eq!(included(&report), ["p", "a"]);
        assert_eq!(event, None);
    }
}

/// Rule [Stage 6: Place]: Throw fails with both numbers
#[test]
fn throw_fails_with_both_numbers() {
    let items = [pinned("p", 41), hinted("a", 60, 0.9)];
    let pipeline = taking_all(Throw).build().unwrap();
    let error = pipeline.run(&items, &max_and_target(200, 100)).unwrap_err();
    assert_eq!(error, CupelError::Overflow { merged_tokens: 101, target_tokens: 100 });
    assert_names(&error, &["Selected items require 101 tokens, exceeding target budget of 100"]);
}

/// Rule [Stage 6: Place]: overflow: the total exceeds the target, the original one
#[test]
fn pinned_items_over_the_target_overflow_by_themselves() {
    let items = [pinned("p", 120)];
    let pipeline = plain().build().unwrap();
    assert_eq!(
        pipeline.run(&items, &max_and_target(200, 100)),
        Err(CupelError::Overflow { merged_tokens: 120, target_tokens: 100 })
    );
}

/// Rule [Stage 6: Place]: overflow: the total exceeds the target, the original one
#[test]
fn overflow_is_measured_by_the_target_not_by_what_the_slicer_was_given() {
    // The margin leaves the slicer 50 tokens; it takes 90, which is still within the target.
    let margin = ContextBudget::builder(100).safety_margin_percent(50.0).build().unwrap();
    let items = [hinted("a", 90, 0.9)];
    let (report, event) = outcome(taking_all(Throw), &items, &margin);
    assert_eq!((included(&report), event), (vec!["a"], None));
}

/// Rule [Stage 6: Place]: the total never exceeds maxTokens - outputReserve unnoticed
#[test]
fn the_output_reserve_is_never_spent() {
    // Target 100, but 30 of the 100 are the answer's: 80 tokens are 10 too many.
    let reserving =
        ContextBudget::builder(100).target_tokens(100).output_reserve(30).build().unwrap();
    let (pipeline, items) = over_committing(Throw);
    assert_eq!(
        pipeline.build().unwrap().run(&items, &reserving),
        Err(CupelError::Overflow { merged_tokens: 80, target_tokens: 70 })
    );

    let (pipeline, items) = over_committing(Truncate);
    let (report, event) = outcome(pipeline, &items, &reserving);
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_budget(40, 30))]);
    assert_eq!(event, None);

    let (pipeline, items) = over_committing(Proceed);
    let (report, event) = outcome(pipeline, &items, &reserving);
    assert_eq!(included(&report), ["a", "b"]);
    assert_eq!(event.unwrap().tokens_over_budget, 10);
}

/// Rule [Stage 6: Place]: Truncate keeps pinned items, then what fits in order
#[test]
fn truncate_keeps_pinned_items_then_the_best_that_fit() {
    let items = [
        hinted("d", 10, 0.6),
        hinted("a", 30, 0.9),
        pinned("p", 40),
        hinted("b", 40, 0.8),
        hinted("c", 20, 0.7),
    ];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    // 40 + 30 leave 30: b is skipped, c and d still fit.
    assert_eq!(included(&report), ["p", "a", "c", "d"]);
}

/// Rule [Stage 6: Place]: Truncate keeps pinned items, then what fits in order
#[test]
fn truncate_removes_nothing_that_fits() {
    let items = [hinted("a", 50, 0.9), hinted("b", 60, 0.8), hinted("c", 50, 0.7)];
    let window = taking_all(Truncate).build().unwrap().run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["a", "c"]);
}

/// Rule [Stage 6: Place]: Truncate cannot reach the target: only pinned items stay
#[test]
fn truncate_removes_everything_but_pinned_items_when_those_exceed_the_target() {
    let items = [pinned("p", 120), hinted("a", 1, 0.9), hinted("free", 0, 0.8)];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    assert_eq!(included(&report), ["p"]);
    assert_eq!(excluded(&report), [("a", displaced_by("p")), ("free", displaced_by("p"))]);
}

/// Rule [Stage 6: Place]: Truncate: PinnedOverride where the item would have fitted without pinned items (ours)
#[test]
fn truncate_blames_pinned_items_for_what_would_have_fitted_without_them() {
    let items = [pinned("p", 30), pinned("q", 30), hinted("a", 50, 0.9), hinted("b", 40, 0.8)];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    assert_eq!(included(&report), ["p", "q", "b"]);
    assert_eq!(excluded(&report), [("a", displaced_by("p"))]);
}

/// Rule [Stage 6: Place]: Truncate: PinnedOverride where the item would have fitted without pinned items (ours)
#[test]
fn truncate_blames_pinned_items_for_what_would_have_filled_the_window() {
    let items = [pinned("p", 1), hinted("a", 100, 0.9), hinted("b", 101, 0.8)];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    assert_eq!(included(&report), ["p"]);
    assert_eq!(excluded(&report), [("a", displaced_by("p")), ("b", over_budget(101, 99))]);
}

/// Rule [Stage 6: Place]: Truncate: else BudgetExceeded with what was left at that moment (ours)
#[test]
fn truncate_blames_the_budget_for_what_would_not_have_fitted_anyway() {
    let items = [pinned("p", 10), hinted("a", 80, 0.9), hinted("b", 30, 0.8)];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    assert_eq!(included(&report), ["p", "a"]);
    // Beside a, b would need 110 tokens even without p; 10 of 100 are left.
    assert_eq!(excluded(&report), [("b", over_budget(30, 10))]);
}

/// Rule [Stage 6: Place]: Truncate: else BudgetExceeded with what was left at that moment (ours)
#[test]
fn truncate_reports_what_was_left_at_each_decision() {
    let items =
        [hinted("a", 60, 0.9), hinted("b", 50, 0.8), hinted("c", 30, 0.7), hinted("d", 20, 0.6)];
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(200, 100));
    assert_eq!(included(&report), ["a", "c"]);
    assert_eq!(excluded(&report), [("b", over_budget(50, 40)), ("d", over_budget(20, 10))]);
}

/// Rule [Stage 6: Place]: Truncate keeps pinned items, then what fits in order
#[test]
fn equally_good_items_are_truncated_in_input_order() {
    let items = ["a", "b", "c", "d"].map(|content| hinted(content, 60, 0.5));
    let (report, _) = outcome(taking_all(Truncate), &items, &max_and_target(500, 100));
    let out: Vec<&str> = excluded(&report).into_iter().map(|(content, _)| content).collect();
    assert_eq!((included(&report), out), (vec!["a"], vec!["b", "c", "d"]));
}

/// Rule [Stage 6: Place]: Proceed keeps everything and notifies
#[test]
fn proceed_removes_nothing_and_tells_the_observer() {
    let items = [hinted("b", 50, 0.5), pinned("p", 50), hinted("a", 60, 0.9)];
    let given = max_and_target(200, 100);
    let (report, event) = outcome(taking_all(Proceed), &items, &given);
    assert_eq!(included(&report), ["p", "a", "b"]);
    assert!(report.excluded.is_empty());
    let event = event.unwrap();
    assert_eq!(event.tokens_over_budget, 60);
    assert_eq!(contents(&event.overflowing_items), ["p", "a", "b"]);
    assert_eq!(event.budget, given);
}

/// Rule [Stage 6: Place]: Proceed keeps everything and notifies
#[test]
fn proceed_needs_no_observer() {
    let items = [hinted("a", 60, 0.9), hinted("b", 60, 0.5)];
    let window =
        taking_all(Proceed).build().unwrap().run(&items, &max_and_target(200, 100)).unwrap();
    assert_eq!(contents(&window), ["a", "b"]);
}

/// Rule [Stage 6: Place]: only Proceed notifies
#[test]
fn only_proceed_tells_the_observer() {
    let items = [hinted("a", 60, 0.9), hinted("b", 60, 0.5)];
    let given = max_and_target(200, 100);
    let (_, event) = outcome(taking_all(Truncate), &items, &given);
    assert_eq!(event, None);
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
    let failed = taking_all(Throw).build().unwrap().run_traced(&items, &given, &mut collector);
    assert!(failed.is_err());
    assert_eq!(collector.overflow(), None);
}

/// Rule [Stage 6: Place]: sums are exact and clamped where reported (ours)
#[test]
fn sums_at_the_end_of_the_range_do_not_wrap() {
    let max = i64::MAX;
    let items = [hinted("a", max, 0.9), hinted("b", max, 0.5)];
    let given = max_and_target(max, 100);
    let error = taking_all(Throw).build().unwrap().run(&items, &given).unwrap_err();
    assert_eq!(error, CupelError::Overflow { merged_tokens: max, target_tokens: 100 });
    assert_names(&error, &["9223372036854775807 tokens", "target budget of 100"]);

    let (_, event) = outcome(taking_all(Proceed), &items, &given);
    assert_eq!(event.unwrap().tokens_over_budget, max);

    let (report, _) = outcome(taking_all(Truncate), &items, &budget(max));
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_budget(max, 0))]);
}
