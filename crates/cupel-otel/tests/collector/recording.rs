//! Telemetry kept in memory, and a readable form of it.

use std::cmp::Reverse;
use std::fmt::Write;

use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity, SOURCE_NAME};
use opentelemetry::trace::{Status, TracerProvider};
use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::trace::{
    InMemorySpanExporter, SdkTracer, SdkTracerProvider, SpanData, TracerProviderBuilder,
};

/// A provider that keeps every span that ends.
pub(crate) struct Recording {
    pub(crate) provider: SdkTracerProvider,
    exporter: InMemorySpanExporter,
}

impl Recording {
    pub(crate) fn new() -> Self {
        Self::configured(|builder| builder)
    }

    pub(crate) fn configured(
        configure: impl FnOnce(TracerProviderBuilder) -> TracerProviderBuilder,
    ) -> Self {
        let exporter = InMemorySpanExporter::default();
        let builder = SdkTracerProvider::builder().with_simple_exporter(exporter.clone());
        Self { provider: configure(builder).build(), exporter }
    }

    pub(crate) fn tracer(&self) -> SdkTracer {
        self.provider.tracer(SOURCE_NAME)
    }

    pub(crate) fn collector(&self, verbosity: CupelVerbosity) -> CupelOtelTraceCollector {
        CupelOtelTraceCollector::with_tracer(verbosity, self.tracer())
    }

    /// Every span that ended, in the order they started, parents first.
    pub(crate) fn spans(&self) -> Vec<SpanData> {
        let mut spans = self.exporter.get_finished_spans().unwrap();
        spans.sort_by_key(|span| (span.start_time, Reverse(span.end_time)));
        spans
    }

    /// The one span of this name.
    pub(crate) fn span(&self, name: &str) -> SpanData {
        let mut spans = self.spans();
        spans.retain(|span| span.name == name);
        assert_eq!(spans.len(), 1, "spans called {name}");
        spans.remove(0)
    }

    /// All spans as an indented tree with all they carry except ids and times.
    pub(crate) fn tree(&self) -> String {
        let spans = self.spans();
        let is_recorded = |id| spans.iter().any(|span| span.span_context.span_id() == id);
        let mut tree = String::new();
        for root in spans.iter().filter(|span| !is_recorded(span.parent_span_id)) {
            describe(root, &spans, 0, &mut tree);
        }
        tree
    }
}

fn describe(span: &SpanData, all: &[SpanData], depth: usize, into: &mut String) {
    let indent = "  ".repeat(depth);
    write!(into, "{indent}{}{}", span.name, attributes(&span.attributes)).unwrap();
    match &span.status {
        Status::Unset => into.push('\n'),
        Status::Ok => into.push_str(" OK\n"),
        Status::Error { description } => writeln!(into, " ERROR {description:?}").unwrap(),
    }
    for event in span.events.iter() {
        writeln!(into, "{indent}  * {}{}", event.name, attributes(&event.attributes)).unwrap();
    }
    let id = span.span_context.span_id();
    for child in all.iter().filter(|child| child.parent_span_id == id) {
        describe(child, all, depth + 1, into);
    }
}

/// ` key=value` each; strings quoted, integers without a point, floats with one.
fn attributes(attributes: &[KeyValue]) -> String {
    attributes.iter().map(|it| format!(" {}={}", it.key, value(&it.value))).collect()
}

fn value(value: &Value) -> String {
    match value {
        Value::I64(it) => it.to_string(),
        Value::F64(it) => format!("{it:?}"),
        Value::String(it) => format!("{:?}", it.as_str()),
        other => panic!("Cupel has no attributes like {other:?}"),
    }
}
