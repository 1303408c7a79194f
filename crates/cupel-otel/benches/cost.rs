//! What it costs to be traced: one run over 1,000 items, half of which fit.
//!
//! ```console
//! $ cargo bench -p cupel-otel
//! ```

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, DiagnosticTraceCollector, GreedySlice,
    Pipeline, RecencyScorer, TraceCollector, TraceDetailLevel,
};
use cupel_otel::{CupelOtelMetricsCollector, CupelOtelTraceCollector, CupelVerbosity, SOURCE_NAME};
use divan::Bencher;
use opentelemetry::Context;
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, SdkMeterProvider};
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, Span, SpanData, SpanProcessor};

fn main() {
    divan::main();
}

/// Takes every span and forgets it, as exporting is the same for everyone's spans.
#[derive(Debug)]
struct Forget;

impl SpanProcessor for Forget {
    fn on_start(&self, _span: &mut Span, _cx: &Context) {}

    fn on_end(&self, span: SpanData) {
        divan::black_box(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _timeout: std::time::Duration) -> OTelSdkResult {
        Ok(())
    }
}

fn spans(verbosity: CupelVerbosity, sampler: Sampler) -> CupelOtelTraceCollector {
    let provider = SdkTracerProvider::builder()
        .with_sampler(sampler)
        .with_span_processor(Forget)
        .with_max_events_per_span(10_000)
        .build();
    CupelOtelTraceCollector::with_tracer(verbosity, provider.tracer(SOURCE_NAME))
}

struct Problem {
    pipeline: Pipeline,
    items: Vec<ContextItem>,
    budget: ContextBudget,
}

impl Problem {
    fn new() -> Self {
        const ITEMS: usize = 1_000;
        let start: i64 = 1_750_000_000;
        let item = |at: usize| {
            // One in twenty repeats the one before it.
            let content = format!("{} {}", if at % 20 == 1 { at - 1 } else { at }, "x".repeat(400));
            let scattered = (at * 7_919 % ITEMS) as i64;
            let timestamp =
                std::time::UNIX_EPOCH + std::time::Duration::from_secs((start + scattered) as u64);
            ContextItem::builder(content, 100).timestamp(timestamp.into()).build().unwrap()
        };
        Self {
            pipeline: Pipeline::builder()
                .scorer(Box::new(RecencyScorer))
                .slicer(Box::new(GreedySlice))
                .placer(Box::new(ChronologicalPlacer))
                .build()
                .unwrap(),
            items: (0..ITEMS).map(item).collect(),
            budget: ContextBudget::builder(50_000).build().unwrap(),
        }
    }

    fn run(&self, collector: &mut impl TraceCollector) -> Vec<ContextItem> {
        self.pipeline.run_traced(&self.items, &self.budget, collector).unwrap()
    }
}

#[divan::bench]
fn a_untraced(bencher: Bencher) {
    let problem = Problem::new();
    bencher.bench_local(|| problem.pipeline.run(&problem.items, &problem.budget).unwrap());
}

#[divan::bench]
fn b_stage_only_not_sampled(bencher: Bencher) {
    let problem = Problem::new();
    let mut collector = spans(CupelVerbosity::StageOnly, Sampler::AlwaysOff);
    bencher.bench_local(|| problem.run(&mut collector));
}

#[divan::bench]
fn c_stage_only(bencher: Bencher) {
    let problem = Problem::new();
    let mut collector = spans(CupelVerbosity::StageOnly, Sampler::AlwaysOn);
    bencher.bench_local(|| problem.run(&mut collector));
}

#[divan::bench]
fn d_stage_only_and_metrics(bencher: Bencher) {
    let problem = Problem::new();
    let meters = SdkMeterProvider::builder()
        .with_periodic_exporter(InMemoryMetricExporter::default())
        .build();
    let mut collector = (
        spans(CupelVerbosity::StageOnly, Sampler::AlwaysOn),
        CupelOtelMetricsCollector::with_meter(&meters.meter(SOURCE_NAME)),
    );
    bencher.bench_local(|| problem.run(&mut collector));
}

#[divan::bench]
fn e_stage_and_exclusions(bencher: Bencher) {
    let problem = Problem::new();
    let mut collector = spans(CupelVerbosity::StageAndExclusions, Sampler::AlwaysOn);
    bencher.bench_local(|| problem.run(&mut collector));
}

#[divan::bench]
fn f_full(bencher: Bencher) {
    let problem = Problem::new();
    let mut collector = spans(CupelVerbosity::Full, Sampler::AlwaysOn);
    bencher.bench_local(|| problem.run(&mut collector));
}

/// For comparison: a report instead of a trace.
#[divan::bench]
fn g_recorded(bencher: Bencher) {
    let problem = Problem::new();
    bencher.bench_local(|| {
        problem.run(&mut DiagnosticTraceCollector::new(TraceDetailLevel::Stage));
    });
}
