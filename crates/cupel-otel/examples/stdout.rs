//! Shows the spans of one run on the console.
//!
//! ```console
//! $ cargo run -p cupel-otel --example stdout
//! ```

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, GreedySlice, Pipeline,
    RecencyScorer,
};
use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity};
use opentelemetry::global;
use opentelemetry::trace::Tracer;
use opentelemetry_sdk::trace::SdkTracerProvider;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exporter = opentelemetry_stdout::SpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter).build();
    global::set_tracer_provider(provider.clone());

    let pipeline = Pipeline::builder()
        .scorer(Box::new(RecencyScorer))
        .slicer(Box::new(GreedySlice))
        .placer(Box::new(ChronologicalPlacer))
        .build()?;
    let items = [
        ContextItem::builder("You help customers of a bike shop.", 9)
            .kind(ContextKind::system_prompt())
            .pinned(true)
            .build()?,
        ContextItem::builder("Hi! Do you repair bikes?", 7)
            .timestamp("2025-06-01T09:00:00Z".parse()?)
            .build()?,
        ContextItem::builder("Can you do Tuesday?", 5)
            .timestamp("2025-06-01T09:02:00Z".parse()?)
            .build()?,
    ];
    let budget = ContextBudget::builder(18).build()?;

    // Whatever span is current when the run starts becomes its parent.
    global::tracer("bike-shop").in_span("answer a question", |_| {
        let mut collector = CupelOtelTraceCollector::new(CupelVerbosity::Full);
        pipeline.run_traced(&items, &budget, &mut collector)
    })?;

    provider.shutdown()?;
    Ok(())
}
