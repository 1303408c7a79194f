//! Runs that fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, Pipeline, ScoredItem, Scorer, Slicer,
};
use cupel_otel::CupelVerbosity;

use crate::problem::{budget, item, items, parts, pinned, pipeline};
use crate::recording::Recording;

fn tree_of_a_failure(
    pipeline: &Pipeline,
    items: &[ContextItem],
    verbosity: CupelVerbosity,
) -> (CupelError, String) {
    let recording = Recording::new();
    let mut collector = recording.collector(verbosity);
    let error = pipeline.run_traced(items, &budget(100), &mut collector).unwrap_err();
    (error, recording.tree())
}

/// Rule [OpenTelemetry]: a failed run ends its spans with the error (ours)
#[test]
fn a_failed_run_ends_its_spans_with_the_error() {
    let items = [pinned("a book", 200), item("corrupt", -3, ContextKind::memory(), 0.5)];
    let (error, tree) = tree_of_a_failure(&pipeline(), &items, CupelVerbosity::StageOnly);

    assert_eq!(error, CupelError::PinnedExceedsBudget { pinned_tokens: 200, available: 100 });
    assert_eq!(
        tree,
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="StageOnly" error.type="PinnedExceedsBudget" ERROR "TEXT"
  * exception exception.type="PinnedExceedsBudget" exception.message="TEXT"
  cupel.stage.classify cupel.stage.name="classify" error.type="PinnedExceedsBudget" ERROR "TEXT"
    * exception exception.type="PinnedExceedsBudget" exception.message="TEXT"
"#
        .replace("TEXT", &error.to_string())
    );
}

/// Rule [OpenTelemetry]: a failed run ends its spans with the error (ours)
#[test]
fn what_happened_before_a_failure_stays() {
    let items = [pinned("a book", 200), item("corrupt", -3, ContextKind::memory(), 0.5)];
    let (error, tree) = tree_of_a_failure(&pipeline(), &items, CupelVerbosity::StageAndExclusions);

    let stage = tree.split_once("  cupel.stage.classify").unwrap().1;
    assert_eq!(
        stage,
        r#" cupel.stage.name="classify" error.type="PinnedExceedsBudget" cupel.exclusion.count=1 ERROR "TEXT"
    * cupel.exclusion cupel.exclusion.reason="NegativeTokens" cupel.exclusion.item_kind="Memory" cupel.exclusion.item_tokens=-3
    * exception exception.type="PinnedExceedsBudget" exception.message="TEXT"
"#
        .replace("TEXT", &error.to_string())
    );
}

/// Chooses everything.
struct Everything;

impl Slicer for Everything {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(sorted.iter().map(|it| it.item.clone()).collect())
    }
}

/// Rule [OpenTelemetry]: a failed run ends its spans with the error (ours)
#[test]
fn only_the_stage_that_failed_has_the_error() {
    let pipeline = parts().slicer(Box::new(Everything)).build().unwrap();
    let (error, tree) = tree_of_a_failure(&pipeline, &items(), CupelVerbosity::StageOnly);

    assert!(matches!(error, CupelError::Overflow { .. }), "{error}");
    assert_eq!(
        tree,
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="StageOnly" error.type="Overflow" ERROR "TEXT"
  * exception exception.type="Overflow" exception.message="TEXT"
  cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=6 cupel.stage.item_count_out=5
  cupel.stage.score cupel.stage.name="score" cupel.stage.item_count_in=4 cupel.stage.item_count_out=4
  cupel.stage.deduplicate cupel.stage.name="deduplicate" cupel.stage.item_count_in=4 cupel.stage.item_count_out=3
  cupel.stage.slice cupel.stage.name="slice" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3
  cupel.stage.place cupel.stage.name="place" error.type="Overflow" ERROR "TEXT"
    * exception exception.type="Overflow" exception.message="TEXT"
"#
        .replace("TEXT", &error.to_string())
    );
}

#[test]
fn a_collector_outlives_a_failure() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    let pipeline = pipeline();
    pipeline.run_traced(&[pinned("a book", 200)], &budget(100), &mut collector).unwrap_err();
    pipeline.run_traced(&items(), &budget(100), &mut collector).unwrap();
    assert_eq!(recording.spans().len(), 2 + 6);
}

struct Panicking;

impl Scorer for Panicking {
    fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        panic!("a scorer lost its nerve")
    }
}

#[test]
fn a_run_cut_short_by_a_panic_is_ended_with_its_collector() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    let pipeline = parts().scorer(Box::new(Panicking)).build().unwrap();
    let run = || pipeline.run_traced(&items(), &budget(100), &mut collector);
    catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    drop(collector);

    assert_eq!(
        recording.tree(),
        r#"cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="StageOnly" ERROR "the run did not finish"
  cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=6 cupel.stage.item_count_out=5
  cupel.stage.score cupel.stage.name="score" ERROR "the run did not finish"
"#
    );
}

#[test]
fn a_run_cut_short_by_a_panic_is_ended_when_the_next_one_starts() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    let panicking = parts().scorer(Box::new(Panicking)).build().unwrap();
    let run = || panicking.run_traced(&items(), &budget(100), &mut collector);
    catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    assert_eq!(recording.spans().len(), 1, "what was done before the panic");

    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    assert_eq!(recording.spans().len(), 3 + 6);
    assert_eq!(recording.tree().matches("the run did not finish").count(), 2);
}
