//! One pipeline, many threads: runs share nothing but the strategies.

mod workload;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use cupel::{
    CompositeScorer, ContextBudget, ContextItem, CountConstrainedKnapsackSlice, CountQuotaEntry,
    CupelError, DiagnosticTraceCollector, ExclusionReason, FrequencyScorer, KnapsackSlice,
    NullTraceCollector, Pipeline, RecencyScorer, ScaledScorer, ScarcityBehavior, SelectionReport,
    TraceCollector, TraceDetailLevel, TraceEvent, UShapedPlacer,
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
        (Box::new(ScaledScorer::new(RecencyScorer)), 2.0),
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

/// Rule [Size, memory and threads]: concurrent runs do not disturb each other
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

/// Rule [Size, memory and threads]: concurrent runs do not disturb each other
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

/// A collector of somebody's own, which remembers numbers only.
#[derive(Clone, Default, PartialEq, Debug)]
struct Tally {
    stages: Vec<usize>,
    excluded: usize,
    excluded_tokens: i64,
}

impl TraceCollector for Tally {
    fn is_enabled(&self) -> bool {
        true
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        self.stages.push(event.item_count);
    }

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn record_excluded(&mut self, item: ContextItem, _score: f64, _reason: ExclusionReason) {
        self.excluded += 1;
        self.excluded_tokens += item.tokens();
    }
}

/// What one run gives, whoever listens.
#[derive(PartialEq, Debug)]
enum Heard {
    Nothing,
    Report(Box<SelectionReport>),
    Events(usize),
    Tally(Tally),
}

/// Runs with the `listener`-th kind of collector.
fn listen(
    pipeline: &Pipeline,
    listener: usize,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> (Result<Vec<ContextItem>, CupelError>, Heard) {
    let report = |collector: DiagnosticTraceCollector| {
        let mut report = collector.into_report();
        report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
        Box::new(report)
    };
    let run =
        |collector: &mut DiagnosticTraceCollector| pipeline.run_traced(items, budget, collector);
    match listener % LISTENERS {
        0 => (pipeline.run(items, budget), Heard::Nothing),
        1 => {
            let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
            (run(&mut collector), Heard::Report(report(collector)))
        }
        2 => {
            let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
            (run(&mut collector), Heard::Report(report(collector)))
        }
        3 => {
            let events = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&events);
            let count = move |_: &TraceEvent| {
                counter.fetch_add(1, Ordering::Relaxed);
            };
            let level = TraceDetailLevel::Item;
            let mut collector = DiagnosticTraceCollector::with_callback(level, Box::new(count));
            (run(&mut collector), Heard::Events(events.load(Ordering::Relaxed)))
        }
        _ => {
            let mut tally = Tally::default();
            let window = pipeline.run_traced(items, budget, &mut tally);
            (window, Heard::Tally(tally))
        }
    }
}

fn same_windows(
    a: &Result<Vec<ContextItem>, CupelError>,
    b: &Result<Vec<ContextItem>, CupelError>,
) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same_instance(b)),
        (a, b) => a.as_ref().err() == b.as_ref().err(),
    }
}

const LISTENERS: usize = 5;
const RUNS: usize = 10_000;

#[test]
fn ten_thousand_runs_per_thread_with_any_collector_equal_the_sequential_ones() {
    let inputs: Vec<_> = (0..LISTENERS * 3)
        .map(|at| {
            let items = workload::candidates(2 + at, at % 3);
            let budget = workload::half_of(&items);
            (items, budget)
        })
        .collect();
    let pipelines = pipelines();
    let cases: Vec<_> = (0..inputs.len() * pipelines.len())
        .map(|at| (&pipelines[at % pipelines.len()].1, &inputs[at / pipelines.len()], at + at / 5))
        .collect();
    let expected: Vec<_> = cases
        .iter()
        .map(|(pipeline, (items, budget), at)| listen(pipeline, *at, items, budget))
        .collect();
    let failed = expected.iter().filter(|(window, _)| window.is_err()).count();
    assert!((1..expected.len() / 2).contains(&failed), "errors are compared too, but are not all");
    let together = Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (cases, expected, together) = (&cases, &expected, &together);
            scope.spawn(move || {
                together.wait();
                for run in 0..RUNS {
                    let at = (thread * 31 + run) % cases.len();
                    let (pipeline, (items, budget), listener) = &cases[at];
                    let (window, heard) = listen(pipeline, *listener, items, budget);
                    assert!(same_windows(&window, &expected[at].0));
                    assert_eq!(heard, expected[at].1);
                }
            });
        }
    });
}

/// Rule [Size, memory and threads]: concurrent runs do not disturb each other
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
