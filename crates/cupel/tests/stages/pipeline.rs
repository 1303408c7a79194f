//! The pipeline as a whole: its invariants, its errors, and what building one needs.

use std::sync::Arc;

use cupel::{
    ChronologicalPlacer, ContextItem, CupelError, DiagnosticTraceCollector, GreedySlice,
    OverflowStrategy, Pipeline, PipelineStage, PolicyBuilder, RecencyScorer, ReflexiveScorer,
    TraceDetailLevel, UShapedPlacer,
};

use crate::fixtures::custom::{ScoreBy, SliceBy, TakeAll};
use crate::fixtures::spies::{spy_placer, spy_scorer, spy_slicer};
use crate::fixtures::{
    assert_names, budget, contents, hinted, included, item, max_and_target, pinned, plain,
};

const STAGES: [PipelineStage; 5] = [
    PipelineStage::Classify,
    PipelineStage::Score,
    PipelineStage::Deduplicate,
    PipelineStage::Slice,
    PipelineStage::Place,
];

fn stages_of(pipeline: &Pipeline, items: &[ContextItem]) -> Vec<PipelineStage> {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    pipeline.run_traced(items, &budget(100), &mut collector).unwrap();
    collector.into_report().events.iter().map(|event| event.stage).collect()
}

/// Rule [Pipeline]: stages run in one fixed order
#[test]
fn stages_run_in_their_fixed_order() {
    let items = [item("a", 10), pinned("p", 10), item("a", 10), item("negative", -1)];
    assert_eq!(stages_of(&plain().build().unwrap(), &items), STAGES);
}

/// Rule [Pipeline]: no stage is left out
#[test]
fn no_stage_is_skipped_for_want_of_items() {
    let pipeline = plain().deduplication(false).build().unwrap();
    assert_eq!(stages_of(&pipeline, &[]), STAGES);
    assert_eq!(stages_of(&pipeline, &[pinned("p", 10)]), STAGES);
}

/// Rule [Pipeline]: stages run in one fixed order
#[test]
fn duplicates_are_scored_before_they_are_dropped_and_dropped_before_slicing() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().scorer(scorer).slicer(slicer).build().unwrap();
    let items = [hinted("twin", 10, 0.2), hinted("other", 10, 0.5), hinted("twin", 10, 0.9)];
    pipeline.run(&items, &budget(100)).unwrap();
    let asked: Vec<String> = scored.calls().into_iter().map(|(item, _)| item).collect();
    assert_eq!(asked, ["twin", "other", "twin"]);
    assert_eq!(sliced.only().candidates, [("twin".to_owned(), 0.9), ("other".to_owned(), 0.5)]);
}

/// Rule [Pipeline]: stages run in one fixed order
#[test]
fn slicing_comes_after_sorting_and_before_placing() {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let (placer, placed) = spy_placer(ChronologicalPlacer);
    let pipeline = plain().slicer(slicer).placer(placer).build().unwrap();
    let items = [hinted("low", 60, 0.1), hinted("high", 60, 0.9)];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(sliced.only().contents(), ["high", "low"]);
    assert_eq!(placed.only(), [("high".to_owned(), 0.9)]);
}

/// Rule [Pipeline]: a scorer ranks and never drops
#[test]
fn a_scorer_never_drops_items() {
    let scores = |item: &ContextItem| match item.content() {
        "nothing" => 0.0,
        "negative" => -7.0,
        _ => f64::NAN,
    };
    let pipeline = plain().scorer(ScoreBy(scores)).build().unwrap();
    let items = [item("nan", 10), item("negative", 10), item("nothing", 10)];
    let window = pipeline.run(&items, &budget(30)).unwrap();
    assert_eq!(contents(&window), ["nothing", "negative", "nan"]);
}

/// Rule [Pipeline]: a slicer drops and never reorders
#[test]
fn a_slicer_never_reorders() {
    let backwards = SliceBy(|sorted: &[cupel::ScoredItem]| {
        sorted.iter().rev().map(|scored| scored.item.clone()).collect()
    });
    let pipeline = plain().slicer(backwards).build().unwrap();
    let items = [hinted("b", 10, 0.5), hinted("a", 10, 0.9), hinted("c", 10, 0.1)];
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["a", "b", "c"]);
}

/// Rule [Pipeline]: a placer orders and never scores
#[test]
fn a_placer_never_scores() {
    let items = [hinted("b", 10, 0.5), hinted("a", 10, 0.9), hinted("c", 10, 0.1)];
    let scores = |pipeline: Pipeline| {
        let report = pipeline.dry_run(&items, &budget(100)).unwrap();
        let mut scores: Vec<(String, f64)> = report
            .included
            .iter()
            .map(|entry| (entry.item.content().to_owned(), entry.score))
            .collect();
        scores.sort_by(|a, b| a.0.cmp(&b.0));
        scores
    };
    let expected = [("a".to_owned(), 0.9), ("b".to_owned(), 0.5), ("c".to_owned(), 0.1)];
    assert_eq!(scores(plain().build().unwrap()), expected);
    assert_eq!(scores(plain().placer(UShapedPlacer).build().unwrap()), expected);
}

/// Rule [Pipeline]: no stage modifies an item
#[test]
fn selected_items_are_the_very_instances_given() {
    let items = [
        ContextItem::builder("noted", 10).metadata_entry("page", "7").tag("x").build().unwrap(),
        pinned("kept", 10),
    ];
    let before = format!("{items:?}");
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert!(window[0].is_same_instance(&items[1]) && window[1].is_same_instance(&items[0]));
    assert_eq!(window[1].metadata()["page"], "7");
    assert_eq!(format!("{items:?}"), before);
}

/// Rule [Pipeline]: pinned items flow from Classify to Place
#[test]
fn pinned_items_go_straight_to_place() {
    let (scorer, scored) = spy_scorer(ReflexiveScorer);
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let (placer, placed) = spy_placer(ChronologicalPlacer);
    let pipeline =
        Pipeline::builder().scorer(scorer).slicer(slicer).placer(placer).build().unwrap();
    // The pinned item repeats the other's content and is not deduplicated against it.
    let items = [hinted("twin", 10, 0.4), pinned("twin", 10)];
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(scored.calls(), [("twin".to_owned(), vec!["twin".to_owned()])]);
    assert_eq!(sliced.only().candidates, [("twin".to_owned(), 0.4)]);
    assert_eq!(placed.only(), [("twin".to_owned(), 1.0), ("twin".to_owned(), 0.4)]);
}

/// Rule [Pipeline]: a candidate is a position: one handle given twice is two (ours)
#[test]
fn a_handle_passed_twice_is_two_candidates() {
    let twin = hinted("twin", 10, 0.5);
    let items = [twin.clone(), twin];
    let pipeline = plain().deduplication(false).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["twin", "twin"]);
    assert_eq!(report.total_candidates, 2);
    let tight = pipeline.dry_run(&items, &budget(15)).unwrap();
    assert_eq!((tight.included.len(), tight.excluded.len()), (1, 1));
}

/// Rule [Pipeline]: error: pinned items over the ceiling, in Classify, not recoverable
#[test]
fn pinned_items_over_the_ceiling_are_an_error_whatever_the_overflow_strategy() {
    let items = [pinned("p", 101), item("a", 1)];
    for strategy in [OverflowStrategy::Throw, OverflowStrategy::Truncate, OverflowStrategy::Proceed]
    {
        let (scorer, scored) = spy_scorer(ReflexiveScorer);
        let pipeline = plain().scorer(scorer).overflow_strategy(strategy).build().unwrap();
        assert_eq!(
            pipeline.run(&items, &budget(100)),
            Err(CupelError::PinnedExceedsBudget { pinned_tokens: 101, available: 100 })
        );
        assert!(scored.calls().is_empty(), "the error comes from Classify, before any scoring");
    }
}

/// Rule [Pipeline]: error: overflow after the merge, by default
#[test]
fn overflow_is_an_error_by_default() {
    let pipeline = plain().slicer(TakeAll).build().unwrap();
    let items = [item("a", 60), item("b", 50)];
    assert_eq!(
        pipeline.run(&items, &max_and_target(200, 100)),
        Err(CupelError::Overflow { merged_tokens: 110, target_tokens: 100 })
    );
    assert_eq!(pipeline.policy().overflow_strategy(), OverflowStrategy::Throw);
    assert!(pipeline.policy().deduplication());
}

/// Rule [Pipeline]: a pipeline needs scorer, slicer and placer (ours)
#[test]
fn a_pipeline_lacking_a_strategy_cannot_be_built() {
    let missing = |built: Result<Pipeline, CupelError>, part: &str| {
        let error = built.unwrap_err();
        assert!(matches!(error, CupelError::PipelineConfig(_)), "{error:?}");
        assert_names(&error, &["no ", part, &format!(".{part}(")]);
    };
    let new = Pipeline::builder;
    let (scorer, slicer, placer) = (RecencyScorer, GreedySlice, ChronologicalPlacer);
    missing(new().slicer(slicer).placer(placer).build(), "scorer");
    missing(new().scorer(scorer).placer(placer).build(), "slicer");
    missing(new().scorer(scorer).slicer(slicer).build(), "placer");
    missing(new().build(), "scorer");
}

/// Rule [Pipeline]: a pipeline needs scorer, slicer and placer (ours)
#[test]
fn a_policy_lacking_a_strategy_cannot_be_built() {
    let missing = |built: PolicyBuilder, part: &str| {
        let error = built.build().unwrap_err();
        assert!(matches!(error, CupelError::PipelineConfig(_)), "{error:?}");
        assert_names(&error, &["no ", part, &format!(".{part}(")]);
    };
    let new = PolicyBuilder::new;
    let (scorer, slicer, placer) = (RecencyScorer, GreedySlice, ChronologicalPlacer);
    missing(new().slicer(Arc::new(slicer)).placer(Arc::new(placer)), "scorer");
    missing(new().scorer(Arc::new(scorer)).placer(Arc::new(placer)), "slicer");
    missing(new().scorer(Arc::new(scorer)).slicer(Arc::new(slicer)), "placer");
}
