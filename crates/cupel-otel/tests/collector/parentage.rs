//! Whose child a run is.

use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity, SOURCE_NAME};
use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, global};
use tracing_subscriber::layer::SubscriberExt;

use crate::problem::{budget, items, pipeline};
use crate::recording::Recording;

fn run(collector: &mut CupelOtelTraceCollector) {
    pipeline().run_traced(&items(), &budget(100), collector).unwrap();
}

/// Rule [OpenTelemetry]: one root span, and exactly one span per stage below it; none for Sort
#[test]
fn stages_are_children_of_the_run_in_one_trace() {
    let recording = Recording::new();
    run(&mut recording.collector(CupelVerbosity::StageOnly));

    let root = recording.span("cupel.pipeline");
    assert_eq!(root.parent_span_id, SpanId::INVALID);
    let spans = recording.spans();
    assert_eq!(spans.len(), 6);
    for stage in spans.iter().filter(|span| span.name != root.name) {
        assert_eq!(stage.parent_span_id, root.span_context.span_id(), "{}", stage.name);
        assert_eq!(stage.span_context.trace_id(), root.span_context.trace_id(), "{}", stage.name);
    }
}

/// Rule [OpenTelemetry]: the root is a child of the ambient span (ours)
#[test]
fn a_run_is_a_child_of_the_span_around_it() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    let around = recording.tracer().in_span("answer a question", |cx| {
        run(&mut collector);
        cx.span().span_context().clone()
    });

    let root = recording.span("cupel.pipeline");
    assert_eq!(root.parent_span_id, around.span_id());
    assert_eq!(root.span_context.trace_id(), around.trace_id());
}

/// Rule [OpenTelemetry]: the root is a child of the ambient span (ours)
#[test]
fn a_run_continues_a_trace_that_came_over_the_wire() {
    let recording = Recording::new();
    let remote = SpanContext::new(
        TraceId::from(0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c),
        SpanId::from(0xb7ad_6b71_6920_3331),
        TraceFlags::SAMPLED,
        true,
        TraceState::default(),
    );
    let guard = Context::new().with_remote_span_context(remote.clone()).attach();
    run(&mut recording.collector(CupelVerbosity::StageOnly));
    drop(guard);

    let root = recording.span("cupel.pipeline");
    assert_eq!(root.parent_span_id, remote.span_id());
    assert_eq!(root.span_context.trace_id(), remote.trace_id());
    assert!(root.parent_span_is_remote);
    assert!(!recording.span("cupel.stage.score").parent_span_is_remote);
}

#[test]
fn runs_of_one_collector_are_traces_of_their_own() {
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    run(&mut collector);
    run(&mut collector);

    let mut traces: Vec<_> =
        recording.spans().iter().map(|span| span.span_context.trace_id()).collect();
    assert_eq!(traces.len(), 12);
    traces.dedup();
    assert_eq!(traces.len(), 2);
}

#[test]
fn a_run_leaves_the_current_context_as_it_was() {
    let recording = Recording::new();
    recording.tracer().in_span("around", |cx| {
        run(&mut recording.collector(CupelVerbosity::Full));
        let current = Context::current().span().span_context().clone();
        assert_eq!(&current, cx.span().span_context());
    });
}

/// The only test here that may touch the global provider: it is one for the whole process.
///
/// Rule [OpenTelemetry]: spans come from the source "cupel"
#[test]
fn the_global_provider_is_asked_when_a_run_starts() {
    let mut collector = CupelOtelTraceCollector::new(CupelVerbosity::StageOnly);
    run(&mut collector);
    let recording = Recording::new();
    global::set_tracer_provider(recording.provider.clone());
    run(&mut collector);

    let spans = recording.spans();
    assert_eq!(spans.len(), 6, "the run before there was a provider went nowhere");
    let scope = &spans[0].instrumentation_scope;
    assert_eq!(scope.name(), SOURCE_NAME);
    assert_eq!(scope.version(), Some(env!("CARGO_PKG_VERSION")));
}

/// Rule [OpenTelemetry]: the root is a child of the ambient span (ours)
#[test]
fn a_tracing_span_is_a_parent_too() {
    let recording = Recording::new();
    let layer = tracing_opentelemetry::layer().with_tracer(recording.tracer());
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        let _entered = tracing::info_span!("answer a question").entered();
        run(&mut recording.collector(CupelVerbosity::StageOnly));
    });

    let around = recording.span("answer a question");
    let root = recording.span("cupel.pipeline");
    assert_eq!(root.parent_span_id, around.span_context.span_id());
    assert_eq!(root.span_context.trace_id(), around.span_context.trace_id());
}

#[test]
fn a_collector_may_be_held_across_threads() {
    fn is_send<T: Send + Sync>(_: &T) {}
    let recording = Recording::new();
    let mut collector = recording.collector(CupelVerbosity::StageOnly);
    is_send(&collector);
    std::thread::scope(|scope| scope.spawn(|| run(&mut collector)).join()).unwrap();
    assert_eq!(recording.spans().len(), 6);
}
