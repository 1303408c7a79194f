//! When a run and its stages were.

use std::thread;
use std::time::{Duration, Instant, SystemTime};

use cupel::{ContextItem, Scorer};
use cupel_otel::CupelVerbosity;
use opentelemetry_sdk::trace::SpanData;

use crate::problem::{budget, items, parts, pipeline};
use crate::recording::Recording;

const NAP: Duration = Duration::from_millis(20);

/// Sleeps once per run, over the first item it is asked about.
struct Sleepy;

impl Scorer for Sleepy {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        if item.is_same_instance(&all_items[0]) {
            thread::sleep(NAP);
        }
        0.5
    }
}

fn duration(span: &SpanData) -> Duration {
    span.end_time.duration_since(span.start_time).unwrap()
}

/// Rule [OpenTelemetry]: durations are those of the spans
#[test]
fn a_slow_scorer_is_a_slow_score_stage() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    let pipeline = parts().scorer(Box::new(Sleepy)).build().unwrap();
    let started = Instant::now();
    pipeline.run_traced(&items(), &budget(100), &mut collector).unwrap();
    let elapsed = started.elapsed();

    let score = duration(&recording.span("cupel.stage.score"));
    assert!(score >= NAP, "{score:?}");
    let run = duration(&recording.span("cupel.pipeline"));
    assert!(score <= run && run <= elapsed, "{score:?} {run:?} {elapsed:?}");
    for other in ["classify", "deduplicate", "slice", "place"] {
        let other = recording.span(&format!("cupel.stage.{other}"));
        assert!(duration(&other) < score, "{} {:?}", other.name, duration(&other));
    }
}

/// Rule [OpenTelemetry]: durations are those of the spans
#[test]
fn stages_follow_each_other_inside_the_run() {
    let recording = Recording::new();
    let before = SystemTime::now();
    let mut collector = recording.collector(CupelVerbosity::Full);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();

    let root = recording.span("cupel.pipeline");
    assert!(root.start_time >= before);
    let mut reached = root.start_time;
    for stage in ["classify", "score", "deduplicate", "slice", "place"] {
        let stage = recording.span(&format!("cupel.stage.{stage}"));
        assert!(stage.start_time >= reached, "{}", stage.name);
        assert!(stage.end_time >= stage.start_time, "{}", stage.name);
        reached = stage.end_time;
    }
    assert!(root.end_time >= reached);
}

/// Rule [OpenTelemetry]: durations are those of the spans
#[test]
fn events_happen_during_their_stage() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::Full);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();

    let mut seen = 0;
    for span in recording.spans() {
        for event in span.events.iter() {
            assert!(event.timestamp >= span.start_time, "{} {}", span.name, event.name);
            assert!(event.timestamp <= span.end_time, "{} {}", span.name, event.name);
            seen += 1;
        }
    }
    assert_eq!(seen, 6);
}
