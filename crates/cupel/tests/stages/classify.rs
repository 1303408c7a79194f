//! Stage 1: set pinned and invalid items apart.

use cupel::{
    ContextBudget, ContextItem, CupelError, ExclusionReason, GreedySlice, InclusionReason,
    OverflowStrategy, ReflexiveScorer,
};

use crate::fixtures::spies::{spy_placer, spy_scorer, spy_slicer};
use crate::fixtures::{
    assert_names, budget, contents, excluded, hinted, included, item, max_and_target, pinned, plain,
};

fn negative(tokens: i64) -> ExclusionReason {
    ExclusionReason::NegativeTokens { tokens }
}

/// Rule [Stage 1: Classify]: empty input is no error
#[test]
fn no_items_are_no_error() {
    let report = plain().build().unwrap().dry_run(&[], &budget(100)).unwrap();
    assert!(report.included.is_empty() && report.excluded.is_empty());
    assert_eq!((report.total_candidates, report.total_tokens_considered), (0, 0));
}

/// Rule [Stage 1: Classify]: everything pinned: later stages work on nothing, Place gets the pinned items
#[test]
fn when_everything_is_pinned_nothing_is_scored_and_all_is_placed() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().scorer(scorer).slicer(slicer).build().unwrap();
    let items = [pinned("a", 10), pinned("b", 20)];
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["a", "b"]);
    assert!(scored.calls().is_empty());
    assert!(sliced.only().candidates.is_empty());
}

/// Rule [Stage 1: Classify]: everything invalid: both partitions are empty
/// Rule [Stage 1: Classify]: negative tokens are excluded as NegativeTokens at score 0
#[test]
fn when_every_item_is_invalid_the_window_is_empty() {
    let items = [item("a", -1), item("b", -20), pinned("c", -300)];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert!(report.included.is_empty());
    assert_eq!(
        excluded(&report),
        [("a", negative(-1)), ("b", negative(-20)), ("c", negative(-300))]
    );
    assert_eq!((report.total_candidates, report.total_tokens_considered), (3, -321));
}

/// Rule [Stage 1: Classify]: zero tokens are valid, pinned or not
#[test]
fn items_that_cost_nothing_are_valid() {
    let items = [item("free", 0), pinned("free and pinned", 0)];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["free and pinned", "free"]);
    assert_eq!(report.included[0].reason, InclusionReason::Pinned);
    assert_eq!(report.included[1].reason, InclusionReason::ZeroToken);
    assert!(report.excluded.is_empty());
}

/// Rule [Stage 1: Classify]: negative tokens are excluded as NegativeTokens at score 0
/// Rule [Stage 1: Classify]: the negative check comes before the pinned partition
#[test]
fn a_pinned_item_with_negative_tokens_is_excluded_not_pinned() {
    let items = [pinned("p", -5), item("a", 10)];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("p", negative(-5))]);
    assert_eq!(report.excluded[0].score, 0.0);
}

/// Rule [Stage 1: Classify]: the negative check comes before the pinned partition
#[test]
fn a_pinned_item_with_negative_tokens_does_not_make_room_for_others() {
    let items = [pinned("p", 100), pinned("negative", -50)];
    assert_eq!(
        plain().build().unwrap().run(&items, &budget(60)),
        Err(CupelError::PinnedExceedsBudget { pinned_tokens: 100, available: 60 })
    );
}

/// Rule [Stage 1: Classify]: excluded items appear nowhere later
#[test]
fn excluded_items_appear_in_no_later_stage() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let (placer, placed) = spy_placer(cupel::ChronologicalPlacer);
    let pipeline = plain().scorer(scorer).placer(placer).build().unwrap();
    let items = [hinted("negative", -1, 0.9), hinted("a", 10, 0.5)];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(scored.calls(), [("a".to_owned(), vec!["a".to_owned()])]);
    assert_eq!(placed.only(), [("a".to_owned(), 0.5)]);
}

/// Rule [Stage 1: Classify]: pinned tokens are compared with maxTokens - outputReserve, not with the target
#[test]
fn pinned_items_are_measured_against_the_ceiling_not_the_target() {
    let items = [pinned("p", 80)];
    let pipeline = plain().overflow_strategy(OverflowStrategy::Truncate).build().unwrap();
    let window = pipeline.run(&items, &max_and_target(100, 50)).unwrap();
    assert_eq!(contents(&window), ["p"]);
}

/// Rule [Stage 1: Classify]: pinned tokens are compared with maxTokens - outputReserve, not with the target
/// Rule [Stage 1: Classify]: the error names the tokens required and available
#[test]
fn the_output_reserve_lowers_the_ceiling_for_pinned_items() {
    let pipeline = plain().build().unwrap();
    let reserving = |reserve| ContextBudget::builder(100).output_reserve(reserve).build().unwrap();
    let items = [pinned("p", 50), pinned("q", 30)];
    assert_eq!(contents(&pipeline.run(&items, &reserving(20)).unwrap()), ["p", "q"]);
    let error = pipeline.run(&items, &reserving(21)).unwrap_err();
    assert_eq!(error, CupelError::PinnedExceedsBudget { pinned_tokens: 80, available: 79 });
    assert_names(&error, &["Pinned items require 80 tokens, but only 79 are available"]);
}

/// Rule [Stage 1: Classify]: pinned tokens are compared with maxTokens - outputReserve, not with the target
#[test]
fn reserved_slots_and_margin_do_not_lower_the_ceiling_for_pinned_items() {
    let reserving = ContextBudget::builder(100)
        .reserve(cupel::ContextKind::memory(), 90)
        .safety_margin_percent(50.0)
        .build()
        .unwrap();
    let window = plain().build().unwrap().run(&[pinned("p", 100)], &reserving).unwrap();
    assert_eq!(contents(&window), ["p"]);
}

/// Rule [Stage 1: Classify]: sums are exact and clamped where reported (ours)
#[test]
fn pinned_tokens_are_summed_without_wrapping() {
    let items = [pinned("p", i64::MAX), pinned("q", i64::MAX), pinned("r", 2)];
    let error = plain().build().unwrap().run(&items, &budget(i64::MAX)).unwrap_err();
    assert_eq!(
        error,
        CupelError::PinnedExceedsBudget { pinned_tokens: i64::MAX, available: i64::MAX }
    );
    assert_names(&error, &["9223372036854775807 tokens", "only 9223372036854775807"]);
    let zero = plain().build().unwrap().run(&items[..1], &budget(0)).unwrap_err();
    assert_eq!(zero, CupelError::PinnedExceedsBudget { pinned_tokens: i64::MAX, available: 0 });
}

/// Rule [Stage 1: Classify]: sums are exact and clamped where reported (ours)
#[test]
fn pinned_items_at_the_end_of_the_range_fit_a_budget_of_that_size() {
    let items = [pinned("p", i64::MAX), item("a", 1)];
    let report = plain().build().unwrap().dry_run(&items, &budget(i64::MAX)).unwrap();
    assert_eq!(included(&report), ["p"]);
    assert_eq!(report.total_tokens_considered, i64::MAX);
}

/// Rule [Stage 1: Classify]: sums are exact and clamped where reported (ours)
#[test]
fn the_most_negative_token_count_is_excluded_like_any_other() {
    let items = [item("a", i64::MIN), item("b", i64::MIN)];
    let report = plain().build().unwrap().dry_run(&items, &budget(10)).unwrap();
    assert_eq!(excluded(&report), [("a", negative(i64::MIN)), ("b", negative(i64::MIN))]);
    assert_eq!(report.total_tokens_considered, i64::MIN);
}

/// Rule [Stage 1: Classify]: each partition keeps the input order
#[test]
fn both_partitions_keep_the_input_order() {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let (placer, placed) = spy_placer(cupel::ChronologicalPlacer);
    let pipeline = plain().slicer(slicer).placer(placer).build().unwrap();
    let items: [ContextItem; 6] = [
        item("A", 1),
        pinned("p", 1),
        item("B", 1),
        item("negative", -1),
        pinned("q", 1),
        item("C", 1),
    ];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(sliced.only().contents(), ["A", "B", "C"]);
    let placed: Vec<String> = placed.only().into_iter().map(|(content, _)| content).collect();
    assert_eq!(placed, ["p", "q", "A", "B", "C"]);
}
