//! From a run to a receiver in another process, over OTLP.

mod client;
mod receiver;
mod wire;

use std::time::Duration;

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, GreedySlice, Pipeline,
    ReflexiveScorer,
};
use cupel_otel::{CupelOtelMetricsCollector, CupelOtelTraceCollector, CupelVerbosity, SOURCE_NAME};
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::{Tracer, TracerProvider};
use opentelemetry_otlp::{
    MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider};

use client::LoopbackClient;
use receiver::Receiver;

/// Not a test but the receiving process, which the test below starts from this very binary.
#[test]
#[ignore = "the process that the other test talks to"]
fn receive() {
    receiver::serve();
}

/// Rule [OpenTelemetry]: what leaves the process is what was recorded (ours)
#[test]
fn a_run_arrives_at_a_receiver_in_another_process() {
    let receiver = Receiver::start();
    let resource = Resource::builder_empty().with_service_name("bike-shop").build();
    let spans = SpanExporter::builder()
        .with_http()
        .with_http_client(LoopbackClient)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(receiver.url("/v1/traces"))
        .build()
        .unwrap();
    let traces = SdkTracerProvider::builder()
        .with_resource(resource.clone())
        .with_span_processor(all_at_once(spans))
        .build();
    let measurements = MetricExporter::builder()
        .with_http()
        .with_http_client(LoopbackClient)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(receiver.url("/v1/metrics"))
        .build()
        .unwrap();
    let meters = SdkMeterProvider::builder()
        .with_resource(resource)
        .with_periodic_exporter(measurements)
        .build();

    let tracer = traces.tracer(SOURCE_NAME);
    let mut collector = (
        CupelOtelTraceCollector::with_tracer(CupelVerbosity::Full, tracer.clone()),
        CupelOtelMetricsCollector::with_meter(&meters.meter(SOURCE_NAME)),
    );
    let (pipeline, items) = problem();
    let budget = ContextBudget::builder(100).build().unwrap();
    tracer.in_span("answer a question", |_| {
        pipeline.run_traced(&items, &budget, &mut collector).unwrap();
        pipeline.run_traced(&[too_large()], &budget, &mut collector).unwrap_err();
    });
    traces.shutdown().unwrap();
    meters.shutdown().unwrap();

    assert_eq!(receiver.received(), EXPECTED);
}

/// Exports when it is shut down, and not before, however long the test takes.
fn all_at_once(exporter: SpanExporter) -> BatchSpanProcessor {
    let config = BatchConfigBuilder::default().with_scheduled_delay(Duration::from_secs(600));
    BatchSpanProcessor::builder(exporter).with_batch_config(config.build()).build()
}

fn problem() -> (Pipeline, Vec<ContextItem>) {
    let pipeline = Pipeline::builder()
        .scorer(Box::new(ReflexiveScorer))
        .slicer(Box::new(GreedySlice))
        .placer(Box::new(ChronologicalPlacer))
        .build()
        .unwrap();
    let item = |content: &str, tokens, kind, relevance| {
        let item = ContextItem::builder(content, tokens).kind(kind);
        item.future_relevance_hint(relevance).build().unwrap()
    };
    let items = vec![
        item("Do you repair bikes?", 20, ContextKind::message(), 0.75),
        item("Do you repair bikes?", 20, ContextKind::message(), 0.25),
        item("the whole manual", 5_000, ContextKind::document(), 1.0),
    ];
    (pipeline, items)
}

fn too_large() -> ContextItem {
    ContextItem::builder("a book of rules", 200).pinned(true).build().unwrap()
}

const EXPECTED: &str = r#"POST /v1/traces
resource service.name="bike-shop"
scope cupel
answer a question
  cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="Full"
    cupel.stage.classify cupel.stage.name="classify" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3 cupel.exclusion.count=0
    cupel.stage.score cupel.stage.name="score" cupel.stage.item_count_in=3 cupel.stage.item_count_out=3 cupel.exclusion.count=0
    cupel.stage.deduplicate cupel.stage.name="deduplicate" cupel.stage.item_count_in=3 cupel.stage.item_count_out=2 cupel.exclusion.count=1
      * cupel.exclusion cupel.exclusion.reason="Deduplicated" cupel.exclusion.item_kind="Message" cupel.exclusion.item_tokens=20
    cupel.stage.slice cupel.stage.name="slice" cupel.stage.item_count_in=2 cupel.stage.item_count_out=1 cupel.exclusion.count=1
      * cupel.exclusion cupel.exclusion.reason="BudgetExceeded" cupel.exclusion.item_kind="Document" cupel.exclusion.item_tokens=5000
    cupel.stage.place cupel.stage.name="place" cupel.stage.item_count_in=1 cupel.stage.item_count_out=1 cupel.exclusion.count=0
      * cupel.item.included cupel.item.kind="Message" cupel.item.tokens=20 cupel.item.score=0.75
  cupel.pipeline cupel.budget.max_tokens=100 cupel.verbosity="Full" error.type="PinnedExceedsBudget" ERROR
    * exception exception.type="PinnedExceedsBudget" exception.message="Pinned items require 200 tokens, but only 100 are available; unpin items, raise max_tokens or lower output_reserve"
    cupel.stage.classify cupel.stage.name="classify" error.type="PinnedExceedsBudget" cupel.exclusion.count=0 ERROR
      * exception exception.type="PinnedExceedsBudget" exception.message="Pinned items require 200 tokens, but only 100 are available; unpin items, raise max_tokens or lower output_reserve"
POST /v1/metrics
resource service.name="bike-shop"
scope cupel
cupel.exclusions in {item}
  1 cupel.exclusion.reason="BudgetExceeded"
  1 cupel.exclusion.reason="Deduplicated"
cupel.items.considered in {item}
  1 run
cupel.items.included in {item}
  1 run
cupel.run.duration in s
  1 run
  1 run error.type="PinnedExceedsBudget"
cupel.window.utilization in 1
  1 run
"#;
