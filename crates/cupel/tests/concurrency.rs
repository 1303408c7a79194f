//! One pipeline, many threads: runs share nothing but the strategies.

mod workload;

use std::sync::Barrier;
use std::thread;

use cupel::{
    CompositeScorer, ContextItem, CountConstrainedKnapsackSlice, CountQuotaEntry,
    DiagnosticTraceCollector, FrequencyScorer, KnapsackSlice, NullTraceCollector, Pipeline,
    RecencyScorer, ScaledScorer, ScarcityBehavior, SelectionReport, TraceDetailLevel,
    UShapedPlacer,
};

const THREADS: usize = 8;
const ROUNDS: usize = 5;

/// The window, and what the collector of that thread recorded, durations left out.
type Outcome = (Vec<ContextItem>, Option<SelectionReport>);

/// Every third thread listens at another level, or not at all.
fn run(pipeline: &Pipeline, thread: usize, items: &[ContextItem]) -> Outcome {
    let budget = workload::half_of(items);
    let level = match thread % 3 {
        0 => {
            let window = pipeline.run_traced(items, &budget, &mut NullTraceCollector).unwrap();
            return (window, None);
        }
        1 => TraceDetailLevel::Stage,
        _ => TraceDetailLevel::Item,
    };
    let mut collector = DiagnosticTraceCollector::new(level);
    let window = pipeline.run_traced(items, &budget, &mut collector).unwrap();
    let mut report = collector.into_report();
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
    (window, Some(report))
}

fn assert_same(concurrent: &Outcome, sequential: &Outcome, name: &str) {
    let same = |(a, b): (&ContextItem, &ContextItem)| a.is_same_instance(b);
    assert_eq!(concurrent.0.len(), sequential.0.len(), "{name}");
    assert!(concurrent.0.iter().zip(&sequential.0).all(same), "{name}");
    assert_eq!(concurrent.1, sequential.1, "{name}");
}

fn pipelines() -> Vec<(&'static str, Pipeline)> {
    let scorer = CompositeScorer::new(vec![
        (Box::new(FrequencyScorer), 1.0),
        (Box::new(ScaledScorer::new(Box::new(RecencyScorer))), 2.0),
    ]);
    let slicer = CountConstrainedKnapsackSlice::new(
        vec![CountQuotaEntry::new(cupel::ContextKind::memory(), 3, 20).unwrap()],
        KnapsackSlice::default(),
        ScarcityBehavior::Degrade,
    );
    let mut pipelines = workload::pipelines();
    pipelines.push((
        "nested scorers, counted knapsack, u-shaped",
        workload::pipeline(scorer.unwrap(), slicer.unwrap(), UShapedPlacer),
    ));
    pipelines
}

#[test]
fn threads_that_share_a_pipeline_get_the_sequential_results() {
    let inputs: Vec<Vec<ContextItem>> =
        (0..THREADS).map(|thread| workload::candidates(150 + 37 * thread, thread % 4)).collect();
    for (name, pipeline) in pipelines() {
        let expected: Vec<Outcome> = inputs
            .iter()
            .enumerate()
            .map(|(thread, items)| run(&pipeline, thread, items))
            .collect();
        let together = Barrier::new(THREADS);
        thread::scope(|scope| {
            for (at, items) in inputs.iter().enumerate() {
                let (pipeline, together, expected) = (&pipeline, &together, &expected[at]);
                scope.spawn(move || {
                    together.wait();
                    for _ in 0..ROUNDS {
                        assert_same(&run(pipeline, at, items), expected, name);
                    }
                });
            }
        });
    }
}

#[test]
fn threads_may_run_over_the_same_items() {
    let items = workload::candidates(300, 2);
    for (name, pipeline) in pipelines() {
        let expected: Vec<Outcome> = (0..3).map(|at| run(&pipeline, at, &items)).collect();
        thread::scope(|scope| {
            for at in 0..THREADS {
                let (pipeline, items, expected) = (&pipeline, &items, &expected[at % 3]);
                scope.spawn(move || assert_same(&run(pipeline, at, items), expected, name));
            }
        });
    }
}

#[test]
fn pipelines_and_items_may_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Pipeline>();
    crosses::<cupel::Policy>();
    crosses::<ContextItem>();
    crosses::<cupel::ContextBudget>();
    crosses::<SelectionReport>();
    crosses::<cupel::CupelError>();
}
