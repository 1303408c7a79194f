//! The collector that records, the one that does not, and how much is recorded.

use std::cell::RefCell;
use std::rc::Rc;

use cupel::{
    DiagnosticTraceCollector, NullTraceCollector, PipelineStage, SelectionReport, TraceCollector,
    TraceDetailLevel, TraceEvent,
};

use crate::shorthand::{budget, greedy, sized};
use crate::tracing::told;

fn stage_event() -> TraceEvent {
    TraceEvent::stage(PipelineStage::Score, 1.5, 7)
}

fn item_event(message: &str) -> TraceEvent {
    TraceEvent::item(PipelineStage::Slice, message.to_owned())
}

/// The events a collector keeps of an item, a stage and an item event.
fn kept_by(mut collector: DiagnosticTraceCollector) -> SelectionReport {
    collector.record_item_event(item_event("before"));
    collector.record_stage_event(stage_event());
    collector.record_item_event(item_event("after"));
    collector.into_report()
}

/// Rule [TraceCollector]: a null collector that is disabled
#[test]
fn the_null_collector_does_not_listen() {
    assert!(!NullTraceCollector.is_enabled());
}

/// Rule [TraceCollector]: it neither allocates nor buffers
#[test]
fn the_null_collector_has_no_room_to_keep_anything() {
    assert_eq!(size_of::<NullTraceCollector>(), 0);
    let mut collector = NullTraceCollector;
    collector.record_stage_event(stage_event());
    collector.record_item_event(item_event("lost"));
    assert_eq!(collector, NullTraceCollector);
}

/// Rule [TraceCollector]: a diagnostic collector that is enabled
#[test]
fn the_diagnostic_collector_listens() {
    assert!(DiagnosticTraceCollector::new(TraceDetailLevel::Stage).is_enabled());
    assert!(DiagnosticTraceCollector::new(TraceDetailLevel::Item).is_enabled());
}

/// Rule [TraceCollector]: the level defaults to Stage
#[test]
fn stages_are_the_default_level() {
    assert_eq!(TraceDetailLevel::default(), TraceDetailLevel::Stage);
    let events = kept_by(DiagnosticTraceCollector::default()).events;
    assert_eq!(told(&events), [("Score", None)]);
}

/// Rule [TraceCollector]: levels are ordered
#[test]
fn items_are_more_than_stages() {
    assert!(TraceDetailLevel::Stage < TraceDetailLevel::Item);
}

/// Rule [TraceCollector]: stage events are always recorded
#[test]
fn stage_events_are_recorded_at_every_level() {
    for level in [TraceDetailLevel::Stage, TraceDetailLevel::Item] {
        let report = kept_by(DiagnosticTraceCollector::new(level));
        assert!(report.events.contains(&stage_event()), "{level:?}");
    }
}

/// Rule [TraceCollector]: item events are discarded at Stage
#[test]
fn item_events_are_discarded_at_the_stage_level() {
    let report = kept_by(DiagnosticTraceCollector::new(TraceDetailLevel::Stage));
    assert_eq!(report.events, [stage_event()]);
}

/// Rule [TraceCollector]: item events are recorded at Item
#[test]
fn item_events_are_recorded_at_the_item_level() {
    let report = kept_by(DiagnosticTraceCollector::new(TraceDetailLevel::Item));
    assert_eq!(report.events, [item_event("before"), stage_event(), item_event("after")]);
}

/// Rule [TraceCollector]: insertion order is kept
#[test]
fn events_stay_in_the_order_they_came() {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
    let messages: Vec<String> = (0..40).map(|n| format!("{}", (n * 7) % 40)).collect();
    for message in &messages {
        collector.record_item_event(item_event(message));
    }
    let events = collector.into_report().events;
    assert!(events.iter().map(|event| event.message.as_ref()).eq(messages.iter().map(Some)));
}

/// Rule [TraceCollector]: a callback fires synchronously on each recorded event
#[test]
fn a_callback_sees_each_event_the_moment_it_is_recorded() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let seeing = Rc::clone(&seen);
    let callback = Box::new(move |event: &TraceEvent| seeing.borrow_mut().push(event.clone()));
    let mut collector = DiagnosticTraceCollector::with_callback(TraceDetailLevel::Item, callback);
    collector.record_item_event(item_event("first"));
    assert_eq!(*seen.borrow(), [item_event("first")]);
    collector.record_stage_event(stage_event());
    assert_eq!(*seen.borrow(), [item_event("first"), stage_event()]);
    assert_eq!(collector.into_report().events, *seen.borrow());
}

/// Rule [TraceCollector]: a callback fires synchronously on each recorded event
#[test]
fn a_callback_does_not_see_what_is_discarded() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let seeing = Rc::clone(&seen);
    let callback = Box::new(move |event: &TraceEvent| seeing.borrow_mut().push(event.stage));
    let mut collector = DiagnosticTraceCollector::with_callback(TraceDetailLevel::Stage, callback);
    collector.record_item_event(item_event("lost"));
    assert!(seen.borrow().is_empty());
    let items = [sized("a", 1), sized("b", -1)];
    greedy().build().unwrap().run_traced(&items, &budget(10), &mut collector).unwrap();
    assert_eq!(*seen.borrow(), PipelineStage::ALL);
}

/// Rule [TraceCollector]: the contract is three methods
#[test]
fn a_collector_needs_only_three_methods() {
    #[derive(Default)]
    struct Counting {
        stages: usize,
        items: usize,
    }

    impl TraceCollector for Counting {
        fn is_enabled(&self) -> bool {
            true
        }

        fn record_stage_event(&mut self, _event: TraceEvent) {
            self.stages += 1;
        }

        fn record_item_event(&mut self, _event: TraceEvent) {
            self.items += 1;
        }
    }

    let mut collector = Counting::default();
    let items = [sized("a", 1), sized("b", -1), sized("c", 99)];
    greedy().build().unwrap().run_traced(&items, &budget(10), &mut collector).unwrap();
    assert_eq!((collector.stages, collector.items), (5, 4));
}

/// Rule [TraceCollector]: the contract is three methods
#[test]
fn a_collector_may_be_chosen_at_run_time() {
    let mut diagnostic = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let mut chosen: &mut dyn TraceCollector = &mut diagnostic;
    greedy().build().unwrap().run_traced(&[sized("a", 1)], &budget(10), &mut chosen).unwrap();
    assert_eq!(diagnostic.into_report().included.len(), 1);
}
