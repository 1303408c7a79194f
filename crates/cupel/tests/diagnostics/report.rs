//! The lists, their order, their scores and their totals.

use std::sync::atomic::{AtomicU32, Ordering};

use cupel::{
    ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, ExcludedItem,
    ExclusionReason, IncludedItem, InclusionReason, OverflowStrategy, ScoredItem, Scorer,
    SelectionReport, Slicer, TraceDetailLevel, UShapedPlacer,
};

use crate::shorthand::{
    budget, choosing_all, contents, greedy, hinted, named, pinned, plain, sized,
};
use crate::tracing::report_at;

fn included(report: &SelectionReport) -> Vec<(&str, f64)> {
    report.included.iter().map(|it| (it.item.content(), it.score)).collect()
}

fn excluded(report: &SelectionReport) -> Vec<(&str, &'static str, f64)> {
    report.excluded.iter().map(|it| (it.item.content(), it.reason.name(), it.score)).collect()
}

/// Scores an item by its hint as it is, finite or not.
struct RawHint;

impl Scorer for RawHint {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.future_relevance_hint().unwrap_or(0.0)
    }
}

/// Chooses everything but one item, whatever the budget.
struct AllBut(&'static str);

impl Slicer for AllBut {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        let kept = sorted.iter().filter(|scored| scored.item.content() != self.0);
        Ok(kept.map(|scored| scored.item.clone()).collect())
    }
}

/// Rule [SelectionReport]: included: the placer's order
#[test]
fn included_items_stand_in_the_placers_order() {
    let items = [hinted("c", 10, 0.1), hinted("a", 10, 0.9), hinted("b", 10, 0.5)];
    let pipeline = greedy().placer(UShapedPlacer).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), [("a", 0.9), ("c", 0.1), ("b", 0.5)]);
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), contents(report.included.iter().map(|it| &it.item)));
}

/// Rule [SelectionReport]: excluded: score descending
#[test]
fn excluded_items_stand_best_score_first() {
    let items = [hinted("c", 10, 0.1), hinted("a", 10, 0.9), hinted("b", 10, 0.5)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(9)).unwrap();
    let expected =
        [("a", "BudgetExceeded", 0.9), ("b", "BudgetExceeded", 0.5), ("c", "BudgetExceeded", 0.1)];
    assert_eq!(excluded(&report), expected);
}

/// Rule [SelectionReport]: excluded, equal scores: earlier exclusion first
#[test]
fn among_equal_scores_the_earlier_stage_comes_first() {
    let items = [
        hinted("cut off", 60, 0.0),
        hinted("too large", 60, 0.0),
        hinted("same", 10, 0.0),
        hinted("same", 10, 0.0),
        hinted("best", 50, 0.9),
        sized("broken", -1),
    ];
    let pipeline = greedy()
        .slicer(AllBut("too large"))
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let expected = [
        ("broken", "NegativeTokens", 0.0),
        ("same", "Deduplicated", 0.0),
        ("too large", "BudgetExceeded", 0.0),
        ("cut off", "BudgetExceeded", 0.0),
    ];
    assert_eq!(excluded(&report), expected);
}

/// Rule [SelectionReport]: excluded, equal scores: earlier exclusion first
#[test]
fn among_equal_scores_of_one_stage_the_order_given_stays() {
    let items = [hinted("b", 10, 0.5), hinted("a", 20, 0.5), sized("y", -1), sized("x", -2)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(5)).unwrap();
    let names: Vec<_> = excluded(&report).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["b", "a", "y", "x"]);
}

/// Rule [SelectionReport]: excluded: NaN last, both zeros equal (ours)
#[test]
fn a_score_that_is_no_number_comes_last_and_both_zeros_are_equal() {
    let items = [
        hinted("nan", 10, f64::NAN),
        hinted("negative zero", 10, -0.0),
        hinted("zero", 10, 0.0),
        hinted("below", 10, -1.0),
        hinted("above", 10, f64::INFINITY),
    ];
    let pipeline = greedy().scorer(RawHint).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(5)).unwrap();
    let names: Vec<_> = excluded(&report).iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["above", "negative zero", "zero", "below", "nan"]);
}

/// Rule [SelectionReport]: excluded: complete, from every stage
#[test]
fn every_stages_exclusions_are_in_the_list() {
    let items = [
        sized("broken", -1),
        hinted("same", 10, 0.75),
        hinted("same", 10, 0.5),
        hinted("huge", 1_000, 0.25),
    ];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let expected = [
        ("same", "Deduplicated", 0.5),
        ("huge", "BudgetExceeded", 0.25),
        ("broken", "NegativeTokens", 0.0),
    ];
    assert_eq!(excluded(&report), expected);
}

/// Rule [SelectionReport]: total candidates: both lists
/// Rule [SelectionReport]: total tokens: both lists, exact and clamped
#[test]
fn totals_count_both_lists() {
    let items = [
        sized("broken", -7),
        pinned("rules", 20),
        hinted("same", 10, 0.75),
        hinted("same", 10, 0.5),
        hinted("huge", 1_000, 0.25),
        hinted("free", 0, 0.1),
    ];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!((report.included.len(), report.excluded.len()), (3, 3));
    assert_eq!(report.total_candidates, 6);
    assert_eq!(report.total_tokens_considered, 1_033);
}

/// Rule [SelectionReport]: total candidates: both lists
#[test]
fn a_handle_given_twice_is_two_candidates() {
    let twice = hinted("twice", 10, 0.5);
    let items = [twice.clone(), twice];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!((report.included.len(), report.excluded.len()), (1, 1));
    assert_eq!((report.total_candidates, report.total_tokens_considered), (2, 20));
}

/// Rule [SelectionReport]: total tokens: both lists, exact and clamped
#[test]
fn tokens_beyond_the_numbers_range_are_clamped_not_wrapped() {
    let total = |tokens: [i64; 2]| {
        let items = [sized("a", tokens[0]), sized("b", tokens[1])];
        let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
        report.total_tokens_considered
    };
    assert_eq!(total([i64::MAX, i64::MAX]), i64::MAX);
    assert_eq!(total([i64::MIN, i64::MIN]), i64::MIN);
    assert_eq!(total([i64::MAX, i64::MIN]), -1);
}

/// Rule [SelectionReport]: total candidates: both lists
#[test]
fn no_candidates_make_an_empty_report() {
    let report = greedy().build().unwrap().dry_run(&[], &budget(100)).unwrap();
    assert!(report.included.is_empty() && report.excluded.is_empty());
    assert_eq!((report.total_candidates, report.total_tokens_considered), (0, 0));
}

/// Rule [SelectionReport]: excluded before Score: 0
#[test]
fn an_item_left_out_before_scoring_has_score_zero() {
    let item = ContextItem::builder("broken", -1).future_relevance_hint(0.9).build().unwrap();
    let report = greedy().build().unwrap().dry_run(&[item], &budget(100)).unwrap();
    assert_eq!(excluded(&report), [("broken", "NegativeTokens", 0.0)]);
}

/// Rule [SelectionReport]: scores are those of the decision
#[test]
fn an_item_left_out_after_scoring_has_its_score() {
    let items = [hinted("same", 10, 0.75), hinted("same", 10, 0.5), hinted("huge", 101, 0.25)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let expected = [("same", "Deduplicated", 0.5), ("huge", "BudgetExceeded", 0.25)];
    assert_eq!(excluded(&report), expected);
    let cut_off = choosing_all(OverflowStrategy::Truncate).dry_run(&items[2..], &budget(100));
    assert_eq!(excluded(&cut_off.unwrap()), [("huge", "BudgetExceeded", 0.25)]);
}

/// Rule [SelectionReport]: included, pinned or zero tokens: 0
#[test]
fn pinned_and_free_items_are_listed_with_score_zero() {
    let pinned = named("pinned").future_relevance_hint(0.9).pinned(true).build().unwrap();
    let items = [pinned, hinted("free", 0, 0.8), hinted("scored", 10, 0.7)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), [("pinned", 0.0), ("free", 0.0), ("scored", 0.7)]);
}

/// Rule [SelectionReport]: scores are those of the decision
#[test]
fn scores_are_those_of_the_decision_not_computed_again() {
    /// Every answer is another one.
    struct Fickle(AtomicU32);

    impl Scorer for Fickle {
        fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
            f64::from(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    let items = [plain("zero"), plain("one"), plain("two"), sized("three", 100)];
    let pipeline = greedy().scorer(Fickle(AtomicU32::new(0))).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(20)).unwrap();
    assert_eq!(included(&report), [("two", 2.0), ("one", 1.0)]);
    let expected = [("three", "BudgetExceeded", 3.0), ("zero", "BudgetExceeded", 0.0)];
    assert_eq!(excluded(&report), expected);
}

/// Rule [SelectionReport]: the lists do not depend on the level (ours)
#[test]
fn both_lists_are_complete_at_every_level() {
    let items = [sized("broken", -1), hinted("a", 10, 0.9), hinted("huge", 101, 0.5)];
    let pipeline = greedy().build().unwrap();
    let of_stages = report_at(TraceDetailLevel::Stage, &pipeline, &items, &budget(100));
    let of_items = report_at(TraceDetailLevel::Item, &pipeline, &items, &budget(100));
    assert_eq!(of_stages.included, of_items.included);
    assert_eq!(of_stages.excluded, of_items.excluded);
    assert_eq!((of_stages.included.len(), of_stages.excluded.len()), (1, 2));
    assert!(of_stages.events.len() < of_items.events.len());
}

/// Rule [SelectionReport]: the report comes from the collector, after the run
#[test]
fn the_report_is_taken_from_the_collector_after_the_run() {
    let items = [hinted("a", 10, 0.9), hinted("huge", 101, 0.5)];
    let pipeline = greedy().build().unwrap();
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let window = pipeline.run_traced(&items, &budget(100), &mut collector).unwrap();
    let report = collector.into_report();
    assert_eq!(contents(&window), ["a"]);
    let a = IncludedItem::new(items[0].clone(), 0.9, InclusionReason::Scored);
    assert_eq!(report.included, [a]);
    let reason = ExclusionReason::BudgetExceeded { item_tokens: 101, available_tokens: 90 };
    assert_eq!(report.excluded, [ExcludedItem::new(items[1].clone(), 0.5, reason)]);
}
