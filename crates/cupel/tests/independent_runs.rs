//! A run leaves nothing behind, neither for the next one nor for one around it.

mod workload;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cupel::{
    ChronologicalPlacer, ContextItem, CupelError, GreedySlice, Pipeline, RunContext, Scorer,
};

fn assert_same_windows(pipeline: &Pipeline, other: &Pipeline, items: &[ContextItem]) {
    let budget = workload::half_of(items);
    let (window, expected) =
        (pipeline.run(items, &budget).unwrap(), other.run(items, &budget).unwrap());
    assert!(window.iter().zip(&expected).all(|(a, b)| a.is_same_instance(b)));
    assert_eq!(window.len(), expected.len());
}

fn scored_by(scorer: impl Scorer + 'static) -> Pipeline {
    workload::pipeline(scorer, GreedySlice, ChronologicalPlacer)
}

/// Runs a whole pipeline before it does what another scorer does.
struct Consulting(Pipeline);

impl Scorer for Consulting {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        cupel::RecencyScorer.score(item, all_items)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let window = self.0.run(items, &workload::half_of(items))?;
        assert!(!window.is_empty());
        cupel::RecencyScorer.score_batch(items, context)
    }
}

#[test]
fn a_strategy_may_run_a_pipeline_of_its_own() {
    for count in [10, 500] {
        let items = workload::candidates(count, 1);
        let consulting = scored_by(Consulting(workload::recent()));
        assert_same_windows(&consulting, &workload::recent(), &items);
    }
}

/// Panics when told to, in the middle of a run.
struct Fragile(Arc<AtomicBool>);

impl Scorer for Fragile {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        assert!(!self.0.load(Ordering::Relaxed), "as told");
        cupel::RecencyScorer.score(item, all_items)
    }
}

#[test]
fn a_run_that_panicked_does_not_disturb_the_next() {
    let told_to = Arc::new(AtomicBool::new(true));
    let fragile = scored_by(Fragile(Arc::clone(&told_to)));
    let items = workload::candidates(100, 2);
    let budget = workload::half_of(&items);
    for _ in 0..3 {
        let run = catch_unwind(AssertUnwindSafe(|| fragile.run(&items, &budget)));
        assert!(run.is_err());
        assert_same_windows(&workload::recent(), &workload::recent(), &items);
    }
    told_to.store(false, Ordering::Relaxed);
    assert_same_windows(&fragile, &workload::recent(), &items);
}

#[test]
fn windows_do_not_depend_on_what_ran_before() {
    let sizes = [3, 70, 1, 400, 20, 0, 21, 64, 65, 12_000, 5];
    for (name, pipeline) in workload::pipelines() {
        for (at, &count) in sizes.iter().enumerate() {
            let items = workload::candidates(count, at % 2);
            let budget = workload::half_of(&items);
            let run = || pipeline.run(&items, &budget).map_err(|error| error.to_string());
            let here = run();
            let elsewhere = std::thread::scope(|scope| scope.spawn(run).join().unwrap());
            assert_eq!(here, elsewhere, "{name}, {count} candidates");
        }
    }
}
