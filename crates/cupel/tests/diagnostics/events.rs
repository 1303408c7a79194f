//! What each stage says when it is done, and what it says about items.

use std::thread::sleep;
use std::time::{Duration, Instant};

use cupel::{
    ContextItem, DiagnosticTraceCollector, OverflowStrategy, PipelineStage, Placer, ScoredItem,
    Scorer, TraceDetailLevel,
};

use crate::shorthand::{budget, choosing_all, greedy, hinted, pinned, sized};
use crate::tracing::{report_at, told};

const NAMES: [&str; 5] = ["Classify", "Score", "Deduplicate", "Slice", "Place"];

fn eventful() -> Vec<ContextItem> {
    vec![
        hinted("huge", 2_048, 0.75),
        sized("broken", -1),
        hinted("same", 512, 0.25),
        pinned("rules", 100),
        hinted("same", 512, 0.5),
    ]
}

/// Rule [Events]: five stages report, Sort does not
#[test]
fn five_stages_report_and_sorting_does_not() {
    assert_eq!(PipelineStage::ALL.map(PipelineStage::name), NAMES);
    assert_eq!(PipelineStage::ALL.map(|stage| stage.to_string()), NAMES);
}

/// Rule [Events]: unknown stages have a value
#[test]
fn a_stage_of_another_version_has_a_place() {
    assert_eq!(PipelineStage::Unknown.name(), "Unknown");
    assert!(!PipelineStage::ALL.contains(&PipelineStage::Unknown));
}

/// Rule [Events]: each stage has exactly one event, after it, with the items that entered
#[test]
fn each_stage_reports_once_with_the_items_that_entered_it() {
    let pipeline = greedy().build().unwrap();
    let report = report_at(TraceDetailLevel::Stage, &pipeline, &eventful(), &budget(1_124));
    let events: Vec<_> = report.events.iter().map(|it| (it.stage.name(), it.item_count)).collect();
    // One of five is invalid and one pinned; one of three repeats; the pinned one joins the chosen.
    let expected = [("Classify", 5), ("Score", 3), ("Deduplicate", 3), ("Slice", 2), ("Place", 2)];
    assert_eq!(events, expected);
}

/// Rule [Events]: also when it has nothing to do
#[test]
fn a_stage_without_items_reports_too() {
    let pipeline = greedy().build().unwrap();
    for (items, counts) in [
        (vec![], [0, 0, 0, 0, 0]),
        (vec![sized("broken", -1)], [1, 0, 0, 0, 0]),
        (vec![pinned("rules", 1)], [1, 0, 0, 0, 1]),
    ] {
        for level in [TraceDetailLevel::Stage, TraceDetailLevel::Item] {
            let events = report_at(level, &pipeline, &items, &budget(10)).events;
            let events: Vec<_> = events.iter().filter(|event| event.message.is_none()).collect();
            let found: Vec<_> = events.iter().map(|it| (it.stage.name(), it.item_count)).collect();
            assert_eq!(found, NAMES.into_iter().zip(counts).collect::<Vec<_>>());
        }
    }
}

/// Rule [Events]: also when it has nothing to do
#[test]
fn deduplication_reports_even_when_switched_off() {
    let pipeline = greedy().deduplication(false).build().unwrap();
    let report = report_at(TraceDetailLevel::Stage, &pipeline, &eventful(), &budget(1_124));
    let found: Vec<_> = report.events.iter().map(|it| (it.stage.name(), it.item_count)).collect();
    assert_eq!(found[2..4], [("Deduplicate", 3), ("Slice", 3)]);
}

/// Rule [Events]: a message is absent unless there is one
#[test]
fn a_stage_event_has_no_message() {
    let pipeline = greedy().build().unwrap();
    let report = report_at(TraceDetailLevel::Stage, &pipeline, &eventful(), &budget(1_124));
    assert_eq!(told(&report.events), NAMES.map(|name| (name, None)));
}

/// Rule [Events]: an item event has duration 0 and count 1
#[test]
fn an_item_event_is_of_one_item_and_takes_no_time() {
    let pipeline = greedy().build().unwrap();
    let report = report_at(TraceDetailLevel::Item, &pipeline, &eventful(), &budget(1_124));
    let of_items: Vec<_> = report.events.iter().filter(|it| it.message.is_some()).collect();
    assert_eq!(of_items.len(), 6);
    for event in of_items {
        assert_eq!((event.item_count, event.duration_ms.to_bits()), (1, 0.0f64.to_bits()));
    }
}

/// Rule [Events]: item events precede their stage's event
#[test]
fn item_events_precede_their_stages_event() {
    let pipeline = greedy().build().unwrap();
    let report = report_at(TraceDetailLevel::Item, &pipeline, &eventful(), &budget(1_124));
    let expected = [
        ("Classify", Some("NegativeTokens: -1 tokens")),
        ("Classify", None),
        ("Score", Some("Scored: 0.75")),
        ("Score", Some("Scored: 0.25")),
        ("Score", Some("Scored: 0.5")),
        ("Score", None),
        ("Deduplicate", Some("Deduplicated: same content as \"same\"")),
        ("Deduplicate", None),
        ("Slice", Some("BudgetExceeded: 2048 tokens requested, 512 available")),
        ("Slice", None),
        ("Place", None),
    ];
    assert_eq!(told(&report.events), expected);
}

/// Rule [Events]: item events precede their stage's event
#[test]
fn what_truncation_removes_is_an_item_event_of_place() {
    let items = [hinted("a", 40, 0.9), hinted("b", 70, 0.5)];
    let pipeline = choosing_all(OverflowStrategy::Truncate);
    let report = report_at(TraceDetailLevel::Item, &pipeline, &items, &budget(100));
    let message = "BudgetExceeded: 70 tokens requested, 60 available";
    assert_eq!(told(&report.events)[6..], [("Place", Some(message)), ("Place", None)]);
}

const PAUSE: Duration = Duration::from_millis(20);

/// Thinks about every item.
struct Slow;

impl Scorer for Slow {
    fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        sleep(PAUSE);
        0.5
    }
}

impl Placer for Slow {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        sleep(PAUSE);
        items.iter().map(|scored| scored.item.clone()).collect()
    }
}

/// Rule [Events]: a stage event's duration is the stage's wall-clock time
#[test]
fn a_stages_duration_is_the_time_it_took() {
    let pipeline = greedy().scorer(Slow).placer(Slow).build().unwrap();
    let started = Instant::now();
    let items = [sized("a", 1), sized("b", 1)];
    let report = report_at(TraceDetailLevel::Stage, &pipeline, &items, &budget(10));
    let elapsed = started.elapsed().as_secs_f64() * 1e3;
    let took: Vec<f64> = report.events.iter().map(|event| event.duration_ms).collect();

    assert!(took.iter().all(|ms| *ms >= 0.0), "{took:?}");
    assert!(took[1] >= 40.0, "two items of 20 ms to score: {took:?}");
    assert!(took[4] >= 20.0, "one pause of 20 ms to place: {took:?}");
    assert!(took.iter().sum::<f64>() <= elapsed, "{took:?} of {elapsed}");
}

/// Rule [Events]: each stage has exactly one event, after it, with the items that entered
#[test]
fn a_stage_that_fails_reports_nothing() {
    let events_of_failure = |items: &[ContextItem]| {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let pipeline = choosing_all(OverflowStrategy::Throw);
        pipeline.run_traced(items, &budget(10), &mut collector).unwrap_err();
        collector.into_report().events
    };
    assert!(events_of_failure(&[pinned("too large", 11)]).is_empty());
    let overflowing = events_of_failure(&[sized("too large", 11)]);
    assert_eq!(told(&overflowing), [0, 1, 2, 3].map(|at| (NAMES[at], None)));
}
