//! What a run asks of a tracer, and how little of one that does not record.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::SystemTime;

use cupel::TraceCollector;
use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity};
use opentelemetry::trace::{Span, SpanBuilder, SpanContext, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::Sampler;

use crate::problem::{budget, items, pinned, pipeline};
use crate::recording::Recording;

#[derive(Debug, Default)]
struct Calls {
    started: AtomicUsize,
    ended: AtomicUsize,
    told: AtomicUsize,
}

impl Calls {
    fn counts(&self) -> [usize; 3] {
        [self.started.load(Relaxed), self.ended.load(Relaxed), self.told.load(Relaxed)]
    }
}

/// A tracer whose spans count what is asked of them, and never end unless they are told to.
#[derive(Debug, Clone)]
struct CountingTracer {
    records: bool,
    calls: Arc<Calls>,
}

impl CountingTracer {
    fn new(records: bool) -> Self {
        Self { records, calls: Arc::default() }
    }
}

impl Tracer for CountingTracer {
    type Span = CountingSpan;

    fn build_with_context(&self, _builder: SpanBuilder, _parent: &Context) -> CountingSpan {
        self.calls.started.fetch_add(1, Relaxed);
        CountingSpan { records: self.records, calls: self.calls.clone() }
    }
}

#[derive(Debug)]
struct CountingSpan {
    records: bool,
    calls: Arc<Calls>,
}

impl Span for CountingSpan {
    fn add_event_with_timestamp<T: Into<Cow<'static, str>>>(
        &mut self,
        _name: T,
        _timestamp: SystemTime,
        _attributes: Vec<KeyValue>,
    ) {
        self.calls.told.fetch_add(1, Relaxed);
    }

    fn span_context(&self) -> &SpanContext {
        &SpanContext::NONE
    }

    fn is_recording(&self) -> bool {
        self.records
    }

    fn set_attribute(&mut self, _attribute: KeyValue) {
        self.calls.told.fetch_add(1, Relaxed);
    }

    fn set_status(&mut self, _status: Status) {
        self.calls.told.fetch_add(1, Relaxed);
    }

    fn update_name<T: Into<Cow<'static, str>>>(&mut self, _new_name: T) {}

    fn add_link(&mut self, _span_context: SpanContext, _attributes: Vec<KeyValue>) {}

    fn end_with_timestamp(&mut self, _timestamp: SystemTime) {
        self.records = false;
        self.calls.ended.fetch_add(1, Relaxed);
    }
}

/// Rule [OpenTelemetry]: a run that is not recorded builds nothing per item (ours)
#[test]
fn a_run_that_is_not_recorded_costs_one_silent_span() {
    let tracer = CountingTracer::new(false);
    let mut collector = CupelOtelTraceCollector::with_tracer(CupelVerbosity::Full, tracer.clone());
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    pipeline().run_traced(&[pinned("a book", 200)], &budget(100), &mut collector).unwrap_err();
    assert_eq!(tracer.calls.counts(), [2, 2, 0]);
}

/// Rule [OpenTelemetry]: a run that is not recorded builds nothing per item (ours)
#[test]
fn decisions_about_items_are_only_asked_for_where_they_show() {
    let wanted = |records, verbosity| {
        let tracer = CountingTracer::new(records);
        let mut collector = CupelOtelTraceCollector::with_tracer(verbosity, tracer);
        collector.on_pipeline_started(&budget(100));
        collector.interests().decisions
    };
    assert!(!wanted(true, CupelVerbosity::StageOnly));
    assert!(wanted(true, CupelVerbosity::StageAndExclusions));
    assert!(wanted(true, CupelVerbosity::Full));
    assert!(!wanted(false, CupelVerbosity::Full));
}

/// Rule [OpenTelemetry]: every span is ended explicitly, once
#[test]
fn every_span_is_ended_once_by_the_time_the_run_is_over() {
    let tracer = CountingTracer::new(true);
    let mut collector = CupelOtelTraceCollector::with_tracer(CupelVerbosity::Full, tracer.clone());
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    let [started, ended, _] = tracer.calls.counts();
    assert_eq!((started, ended), (6, 6));

    pipeline().run_traced(&[pinned("a book", 200)], &budget(100), &mut collector).unwrap_err();
    let [started, ended, _] = tracer.calls.counts();
    assert_eq!((started, ended), (8, 8));

    drop(collector);
    assert_eq!(tracer.calls.counts()[1], 8, "dropping the collector ends nothing twice");
}

#[test]
fn nothing_is_exported_of_a_run_that_is_not_sampled() {
    let recording = Recording::configured(|builder| builder.with_sampler(Sampler::AlwaysOff));
    let mut collector = recording.collector(CupelVerbosity::Full);
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    assert_eq!(recording.spans(), []);
}

#[test]
fn a_run_follows_the_sampling_decision_around_it() {
    let root_decides = Sampler::ParentBased(Box::new(Sampler::AlwaysOff));
    let recording = Recording::configured(|builder| builder.with_sampler(root_decides));
    let mut collector = recording.collector(CupelVerbosity::Full);
    recording.tracer().in_span("not sampled", |_| {
        pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    });
    assert_eq!(recording.spans(), []);

    let sampled = Recording::new();
    let around = Context::new().with_span(sampled.tracer().start("sampled"));
    let guard = around.attach();
    pipeline().run_traced(&items(), &budget(100), &mut collector).unwrap();
    drop(guard);
    assert_eq!(recording.spans().len(), 6);
}
