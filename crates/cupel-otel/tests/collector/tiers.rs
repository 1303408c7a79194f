//! Every attribute and event of every tier.

use cupel::{
    Candidate, ContextBudget, ContextItem, ContextKind, CupelError, ExclusionReason,
    OverflowStrategy, Refusal, RunContext, ScoredItem, Selection, Slicer,
};
use cupel_otel::{CupelVerbosity, SOURCE_NAME, exclusion_reason_name};

use crate::problem::{budget, item, items, parts, pinned, pipeline};
use crate::recording::Recording;

fn tree_of_a_run(verbosity: CupelVerbosity) -> String {
    let recording = Recording::new();
    let mut collector = recording.collector(verbosity);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    recording.tree()
}

/// Rule [OpenTelemetry]: StageOnly: names and attributes of root and stages, and nothing else
#[test]
fn stage_only_tells_how_many_items_entered_and_left() {
    assert_eq!(
        tree_of_a_run(CupelVerbosity::StageOnly),
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="StageOnly"
  cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=6 cupel.stage.item_count_out=5
  cupel.stage.score cupel.stage.name="score" cupel.stage.item_count_in=4 cupel.stage.item_count_out=4
  cupel.stage.deduplicate cupel.stage.name="deduplicate" cupel.stage.item_count_in=4 cupel.stage.item_count_out=3
  cupel.stage.slice cupel.stage.name="slice" cupel.stage.item_count_in=3 cupel.stage.item_count_out=2
  cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3
"#
    );
}

/// Rule [OpenTelemetry]: StageAndExclusions: also an event per exclusion on its stage, and their number
#[test]
fn stage_and_exclusions_adds_an_event_for_every_item_left_out() {
    assert_eq!(
        tree_of_a_run(CupelVerbosity::StageAndExclusions),
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="StageAndExclusions"
  cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=6 cupel.stage.item_count_out=5 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="NegativeTokens" cupel.exclusion.item_kind="Memory" cupel.exclusion.item_tokens=-1
  cupel.stage.score cupel.stage.name="score" cupel.stage.item_count_in=4 cupel.stage.item_count_out=4 cupel.exclusion.count=0
  cupel.stage.deduplicate cupel.stage.name="deduplicate" cupel.stage.item_count_in=4 cupel.stage.item_count_out=3 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="Deduplicated" cupel.exclusion.item_kind="Message" cupel.exclusion.item_tokens=20
  cupel.stage.slice cupel.stage.name="slice" cupel.stage.item_count_in=3 cupel.stage.item_count_out=2 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="Document" cupel.exclusion.item_tokens=5000
  cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3 cupel.exclusion.count=0
"#
    );
}

/// Rule [OpenTelemetry]: Full: also an event per included item
#[test]
fn full_adds_an_event_for_every_item_in_the_window_in_its_order() {
    assert_eq!(
        tree_of_a_run(CupelVerbosity::Full),
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="Full"
  cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=6 cupel.stage.item_count_out=5 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="NegativeTokens" cupel.exclusion.item_kind="Memory" cupel.exclusion.item_tokens=-1
  cupel.stage.score cupel.stage.name="score" cupel.stage.item_count_in=4 cupel.stage.item_count_out=4 cupel.exclusion.count=0
  cupel.stage.deduplicate cupel.stage.name="deduplicate" cupel.stage.item_count_in=4 cupel.stage.item_count_out=3 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="Deduplicated" cupel.exclusion.item_kind="Message" cupel.exclusion.item_tokens=20
  cupel.stage.slice cupel.stage.name="slice" cupel.stage.item_count_in=3 cupel.stage.item_count_out=2 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="Document" cupel.exclusion.item_tokens=5000
  cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3 cupel.exclusion.count=0
    * cupel.item.included cupel.item.kind="SystemPrompt" cupel.item.tokens=10 cupel.item.score=0.0
    * cupel.item.included cupel.item.kind="Message" cupel.item.tokens=20 cupel.item.score=0.75
    * cupel.item.included cupel.item.kind="Lookup" cupel.item.tokens=30 cupel.item.score=0.5
"#
    );
}

/// Rule [OpenTelemetry]: one root span, and exactly one span per stage below it; none for Sort
#[test]
fn a_run_without_candidates_has_all_its_spans() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::Full);
    pipeline().run_traced(&[], &budget(0), &mut collector).unwrap();
    let names: Vec<_> = recording.spans().into_iter().map(|span| span.name).collect();
    assert_eq!(
        names,
        [
            "cupel.pipeline",
            "cupel.stage.classify",
            "cupel.stage.score",
            "cupel.stage.deduplicate",
            "cupel.stage.slice",
            "cupel.stage.place",
        ]
    );
}

/// Chooses everything but what it does not know.
struct Overfull;

impl Slicer for Overfull {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(sorted.iter().map(|it| it.item.clone()).collect())
    }

    fn select(
        &self,
        candidates: &[Candidate<'_>],
        _budget: &ContextBudget,
        _context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let is_strange = |at: &usize| candidates[*at].item().kind().as_str() == "Strange";
        let (strange, kept): (Vec<_>, Vec<_>) = (0..candidates.len()).partition(is_strange);
        let refuse = |position| Refusal::new(position, ExclusionReason::Unknown);
        let mut selection = Selection::keeping(kept);
        selection.refused = strange.into_iter().map(refuse).collect();
        Ok(selection)
    }
}

/// Rule [OpenTelemetry]: reasons that are not known are Unknown
#[test]
fn reasons_from_elsewhere_are_unknown_and_truncation_shows_in_place() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageAndExclusions);
    let pipeline = parts()
        .slicer(Box::new(Overfull))
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let items = [
        pinned("rules", 50),
        item("strange", 1, ContextKind::new("Strange").unwrap(), 0.9),
        item("fits without the pinned item", 60, ContextKind::message(), 0.8),
        item("never fits", 500, ContextKind::document(), 0.7),
    ];
    let window = pipeline.run_traced(&items, &budget(100), &mut collector).unwrap();

    assert_eq!(window.len(), 1);
    let tree = recording.tree();
    let stages = tree.split_once("  cupel.stage.slice").unwrap().1;
    assert_eq!(
        stages,
        r#" cupel.stage.name="slice" cupel.stage.item_count_in=3 cupel.stage.item_count_out=2 cupel.exclusion.count=1
    * cupel.exclusion cupel.exclusion.reason="Unknown" cupel.exclusion.item_kind="Strange" cupel.exclusion.item_tokens=1
  cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=3 cupel.stage.item_count_out=1 cupel.exclusion.count=2
    * cupel.exclusion cupel.exclusion.reason="PinnedOverride" cupel.exclusion.item_kind="Message" cupel.exclusion.item_tokens=60
    * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="Document" cupel.exclusion.item_tokens=500
"#
    );
}

/// Rule [OpenTelemetry]: reasons go by their variant names
#[test]
fn reasons_go_by_their_variant_names() {
    let text = || "text".to_owned();
    let reasons = [
        (ExclusionReason::BudgetExceeded { item_tokens: 2, available_tokens: 1 }, "BudgetExceeded"),
        (ExclusionReason::ScoredTooLow { score: 0.1, threshold: 0.2 }, "ScoredTooLow"),
        (ExclusionReason::Deduplicated { deduplicated_against: text() }, "Deduplicated"),
        (ExclusionReason::QuotaCapExceeded { kind: text(), cap: 1, actual: 2 }, "QuotaCapExceeded"),
        (
            ExclusionReason::QuotaRequireDisplaced { displaced_by_kind: text() },
            "QuotaRequireDisplaced",
        ),
        (ExclusionReason::NegativeTokens { tokens: -1 }, "NegativeTokens"),
        (ExclusionReason::PinnedOverride { displaced_by: text() }, "PinnedOverride"),
        (ExclusionReason::Filtered { filter_name: text() }, "Filtered"),
        (ExclusionReason::CountCapExceeded { kind: text(), cap: 1, count: 1 }, "CountCapExceeded"),
        (ExclusionReason::Unknown, "Unknown"),
    ];
    for (reason, name) in reasons {
        assert_eq!(exclusion_reason_name(&reason), name);
    }
}

/// Rule [OpenTelemetry]: StageAndExclusions: also an event per exclusion on its stage, and their number
#[test]
fn events_beyond_the_span_limit_are_dropped_but_still_counted() {
    let recording = Recording::configured(|builder| builder.with_max_events_per_span(2));
    let mut collector = recording.collector(CupelVerbosity::StageAndExclusions);
    let items: Vec<_> =
        (0..5).map(|at| item(&at.to_string(), 10, ContextKind::message(), 0.5)).collect();
    pipeline().run_traced(&items, &budget(5), &mut collector).unwrap();

    let slice = recording.span("cupel.stage.slice");
    assert_eq!((slice.events.len(), slice.events.dropped_count), (2, 3));
    assert!(recording.tree().contains("cupel.stage.item_count_out=0 cupel.exclusion.count=5"));
}

/// Rule [OpenTelemetry]: spans come from the source "cupel"
#[test]
fn spans_come_from_the_source_called_cupel() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    assert_eq!(SOURCE_NAME, "cupel");
    assert!(recording.spans().iter().all(|span| span.instrumentation_scope.name() == "cupel"));
}

/// Rule [OpenTelemetry]: tiers contain each other
#[test]
fn tiers_are_ordered_by_how_much_they_tell() {
    assert!(CupelVerbosity::StageOnly < CupelVerbosity::StageAndExclusions);
    assert!(CupelVerbosity::StageAndExclusions < CupelVerbosity::Full);
    assert_eq!(CupelVerbosity::default(), CupelVerbosity::StageOnly);
}
