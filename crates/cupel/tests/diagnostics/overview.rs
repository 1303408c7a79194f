//! Diagnostics belong to a run, change nothing, and cost nothing when nobody listens.

use cupel::{
    ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    CountRequirementShortfall, DiagnosticTraceCollector, ExclusionReason, GreedySlice,
    InclusionReason, Interests, NullTraceCollector, OverflowEvent, OverflowStrategy, Pipeline,
    ScarcityBehavior, SelectionReport, StageTraceSnapshot, TraceCollector, TraceDetailLevel,
    TraceEvent,
};

use crate::shorthand::{budget, choosing_all, contents, greedy, hinted, pinned, sized};
use crate::tracing::report_at;

/// Does not listen, and fails when told anything all the same.
struct Deaf;

impl TraceCollector for Deaf {
    fn is_enabled(&self) -> bool {
        false
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        panic!("told {event:?}");
    }

    fn record_item_event(&mut self, event: TraceEvent) {
        panic!("told {event:?}");
    }

    fn interests(&self) -> Interests {
        Interests::EVERYTHING
    }

    fn record_included(&mut self, item: ContextItem, _score: f64, _reason: InclusionReason) {
        panic!("told {item:?}");
    }

    fn record_excluded(&mut self, item: ContextItem, _score: f64, _reason: ExclusionReason) {
        panic!("told {item:?}");
    }

    fn record_shortfall(&mut self, shortfall: CountRequirementShortfall) {
        panic!("told {shortfall:?}");
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        panic!("told {event:?}");
    }

    fn set_candidates(&mut self, count: usize, _tokens: i64) {
        panic!("told of {count} candidates");
    }

    fn on_pipeline_completed(
        &mut self,
        report: &SelectionReport,
        _budget: &ContextBudget,
        _stages: &[StageTraceSnapshot],
    ) {
        panic!("told {report:?}");
    }
}

/// Something for every stage to leave out.
fn eventful() -> Vec<ContextItem> {
    vec![
        sized("broken", -1),
        pinned("rules", 20),
        hinted("same", 10, 0.9),
        hinted("same", 10, 0.5),
        hinted("free", 0, 0.1),
        hinted("huge", 1_000, 0.7),
        hinted("fits", 10, 0.2),
    ]
}

/// A pipeline for each way to treat an overflow, and one that misses a requirement.
fn pipelines() -> Vec<Pipeline> {
    let two = CountQuotaEntry::new(ContextKind::memory(), 2, 2).unwrap();
    let short = CountQuotaSlice::new(vec![two], GreedySlice, ScarcityBehavior::Degrade).unwrap();
    vec![
        greedy().build().unwrap(),
        greedy().deduplication(false).build().unwrap(),
        greedy().slicer(short).build().unwrap(),
        choosing_all(OverflowStrategy::Truncate),
        choosing_all(OverflowStrategy::Proceed),
    ]
}

/// Rule [Diagnostics]: nothing is built or told while it is disabled
#[test]
fn a_collector_that_does_not_listen_is_told_nothing() {
    for pipeline in pipelines() {
        pipeline.run_traced(&eventful(), &budget(50), &mut Deaf).unwrap();
    }
    let throwing = choosing_all(OverflowStrategy::Throw);
    throwing.run_traced(&eventful(), &budget(50), &mut Deaf).unwrap_err();
    throwing.run_traced(&[pinned("rules", 51)], &budget(50), &mut Deaf).unwrap_err();
}

/// Rule [Diagnostics]: diagnostics do not affect the output
#[test]
fn listening_does_not_change_the_window() {
    let items = eventful();
    for pipeline in pipelines() {
        let untraced = pipeline.run(&items, &budget(50)).unwrap();
        let silent = pipeline.run_traced(&items, &budget(50), &mut NullTraceCollector).unwrap();
        assert_eq!(contents(&silent), contents(&untraced));
        for level in [TraceDetailLevel::Stage, TraceDetailLevel::Item] {
            let mut collector = DiagnosticTraceCollector::new(level);
            let traced = pipeline.run_traced(&items, &budget(50), &mut collector).unwrap();
            assert_eq!(contents(&traced), contents(&untraced));
        }
    }
}

/// Rule [Diagnostics]: the collector belongs to one run
#[test]
fn runs_do_not_disturb_each_others_diagnostics() {
    let pipeline = greedy().build().unwrap();
    let (one, three) = (vec![sized("a", 1)], vec![sized("x", 1), sized("y", 99), sized("z", -1)]);
    std::thread::scope(|scope| {
        let stages =
            scope.spawn(|| report_at(TraceDetailLevel::Stage, &pipeline, &one, &budget(10)));
        let items =
            scope.spawn(|| report_at(TraceDetailLevel::Item, &pipeline, &three, &budget(10)));
        let (stages, items) = (stages.join().unwrap(), items.join().unwrap());
        assert_eq!((stages.total_candidates, stages.events.len()), (1, 5));
        // Two scores and two exclusions beside the five stages.
        assert_eq!((items.total_candidates, items.events.len()), (3, 9));
    });
}

/// Rule [Diagnostics]: the collector belongs to one run
#[test]
fn one_run_is_traced_and_the_next_is_not() {
    let pipeline = greedy().build().unwrap();
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    pipeline.run_traced(&[sized("a", 1)], &budget(10), &mut collector).unwrap();
    pipeline.run(&[sized("b", 1)], &budget(10)).unwrap();
    let report = collector.into_report();
    assert_eq!(contents(report.included.iter().map(|it| &it.item)), ["a"]);
    assert_eq!(report.events.len(), 5);
}

/// Rule [Diagnostics]: why is it in, why is it out: every item has an answer
#[test]
fn every_item_has_a_reason() {
    let items = eventful();
    for pipeline in pipelines() {
        let report = pipeline.dry_run(&items, &budget(50)).unwrap();
        let listed = report.included.iter().map(|it| &it.item);
        let listed: Vec<_> = listed.chain(report.excluded.iter().map(|it| &it.item)).collect();
        for item in &items {
            let times = listed.iter().filter(|it| it.is_same_instance(item)).count();
            assert_eq!(times, 1, "{item:?}");
        }
    }
}
