//! Together with other collectors in one run.

use cupel::{DiagnosticTraceCollector, NullTraceCollector, SelectionReport, TraceDetailLevel};
use cupel_otel::CupelVerbosity;

use crate::problem::{budget, items, pipeline};
use crate::recording::Recording;

fn without_durations(mut report: SelectionReport) -> SelectionReport {
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
    report
}

#[test]
fn a_recording_collector_hears_the_same_run() {
    let recording = Recording::new();
    let mut spans = recording.collector(CupelVerbosity::Full);
    let mut recorder = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let both = &mut (&mut spans, &mut recorder);
    let window = pipeline().run_traced(&items(), &budget(100), both).unwrap();

    let report = without_durations(recorder.into_report());
    let alone = pipeline().dry_run(&items(), &budget(100)).unwrap();
    assert_eq!(report, without_durations(alone));
    assert_eq!(report.included.len(), window.len());

    let alone = Recording::new();
    let mut collector = alone.collector(CupelVerbosity::Full);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    assert_eq!(recording.tree(), alone.tree());
}

#[test]
fn item_events_for_another_collector_leave_no_trace() {
    let recording = Recording::new();
    let spans = recording.collector(CupelVerbosity::StageOnly);
    let recorder = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
    let mut both = (spans, recorder);
    pipeline().run_traced(&items(), &budget(100), &mut both).unwrap();

    assert!(both.1.into_report().events.len() > 5);
    assert!(recording.spans().iter().all(|span| span.events.is_empty()));
}

#[test]
fn a_collector_that_does_not_listen_takes_nothing_away() {
    let recording = Recording::new();
    let spans = recording.collector(CupelVerbosity::StageOnly);
    let mut both = (NullTraceCollector, spans);
    pipeline().run_traced(&items(), &budget(100), &mut both).unwrap();
    assert_eq!(recording.spans().len(), 6);
}

#[test]
fn two_tracers_each_get_the_run() {
    let (near, far) = (Recording::new(), Recording::new());
    let mut both = (near.collector(CupelVerbosity::Full), far.collector(CupelVerbosity::StageOnly));
    pipeline().run_traced(&items(), &budget(100), &mut both).unwrap();
    assert_eq!((near.spans().len(), far.spans().len()), (6, 6));
    assert_ne!(near.tree(), far.tree());
}
