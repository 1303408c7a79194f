//! For programs that use `tracing`: the run is a child of the `tracing` span around it.
//!
//! ```console
//! $ cargo run -p cupel-otel --example tracing_bridge
//! ```

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, CupelError, GreedySlice, Pipeline,
    RecencyScorer,
};
use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity};
use opentelemetry::global;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::layer::SubscriberExt;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exporter = opentelemetry_stdout::SpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter).build();

    // `tracing` spans go to the provider by way of a layer, Cupel's because it is global. The layer
    // also makes each entered span OpenTelemetry's current one, which is where Cupel looks for a
    // parent.
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("bike-shop"));
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))?;
    global::set_tracer_provider(provider.clone());

    let answer = tracing::info_span!("answer a question", customer = 4711);
    let window = answer.in_scope(build_window)?;
    drop(answer);

    println!("{} items in the window", window.len());
    provider.shutdown()?;
    Ok(())
}

fn build_window() -> Result<Vec<ContextItem>, CupelError> {
    let pipeline = Pipeline::builder()
        .scorer(Box::new(RecencyScorer))
        .slicer(Box::new(GreedySlice))
        .placer(Box::new(ChronologicalPlacer))
        .build()?;
    let items = [
        ContextItem::builder("Hi! Do you repair bikes?", 7).build()?,
        ContextItem::builder("the complete works of a bicycle mechanic", 90_000).build()?,
    ];
    let budget = ContextBudget::builder(1_000).build()?;
    let mut collector = CupelOtelTraceCollector::new(CupelVerbosity::StageAndExclusions);
    pipeline.run_traced(&items, &budget, &mut collector)
}
