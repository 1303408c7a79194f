//! A readable form of what came over the wire, with times checked and left out.

use std::fmt::Write;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value::AsInt;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;

pub(crate) fn traces(export: ExportTraceServiceRequest) -> String {
    let mut told = String::new();
    for of_resource in export.resource_spans {
        told += &resource(of_resource.resource);
        for of_scope in of_resource.scope_spans {
            told += &scope(of_scope.scope);
            let mut spans = of_scope.spans;
            spans.sort_by_key(|span| span.start_time_unix_nano);
            for root in spans.iter().filter(|span| span.parent_span_id.is_empty()) {
                describe(root, &spans, 0, &mut told);
            }
        }
    }
    told
}

fn describe(span: &Span, all: &[Span], depth: usize, into: &mut String) {
    let indent = "  ".repeat(depth);
    let status = span.status.as_ref().map_or(StatusCode::Unset, |it| it.code());
    let mark = if status == StatusCode::Error { " ERROR" } else { "" };
    writeln!(into, "{indent}{}{}{mark}", span.name, attributes(&span.attributes)).unwrap();
    let lifetime = span.start_time_unix_nano..=span.end_time_unix_nano;
    for event in &span.events {
        assert!(lifetime.contains(&event.time_unix_nano), "{event:?} is outside {span:?}");
        writeln!(into, "{indent}  * {}{}", event.name, attributes(&event.attributes)).unwrap();
    }
    for child in all.iter().filter(|child| child.parent_span_id == span.span_id) {
        assert_eq!(child.trace_id, span.trace_id);
        // The span around the runs goes by the system's clock, which may be set at any time.
        if depth > 0 {
            assert!(lifetime.contains(&child.start_time_unix_nano), "{child:?} outside {span:?}");
            assert!(lifetime.contains(&child.end_time_unix_nano), "{child:?} outside {span:?}");
        }
        describe(child, all, depth + 1, into);
    }
}

pub(crate) fn metrics(export: ExportMetricsServiceRequest) -> String {
    let mut told = String::new();
    for of_resource in export.resource_metrics {
        told += &resource(of_resource.resource);
        for of_scope in of_resource.scope_metrics {
            told += &scope(of_scope.scope);
            let mut metrics = of_scope.metrics;
            metrics.sort_by(|a, b| a.name.cmp(&b.name));
            for metric in metrics {
                writeln!(told, "{} in {}", metric.name, metric.unit).unwrap();
                let mut lines = points(metric.data.unwrap());
                lines.sort();
                told += &lines.concat();
            }
        }
    }
    told
}

fn points(data: Data) -> Vec<String> {
    match data {
        Data::Sum(sum) => sum
            .data_points
            .iter()
            .map(|point| match point.value {
                Some(AsInt(value)) => format!("  {value}{}\n", attributes(&point.attributes)),
                other => panic!("{other:?}"),
            })
            .collect(),
        Data::Histogram(histogram) => histogram
            .data_points
            .iter()
            .map(|point| format!("  {} run{}\n", point.count, attributes(&point.attributes)))
            .collect(),
        other => panic!("{other:?}"),
    }
}

fn resource(resource: Option<Resource>) -> String {
    format!("resource{}\n", attributes(&resource.unwrap_or_default().attributes))
}

fn scope(scope: Option<InstrumentationScope>) -> String {
    format!("scope {}\n", scope.unwrap_or_default().name)
}

/// ` key=value` each; strings quoted, integers without a point, floats with one.
fn attributes(attributes: &[KeyValue]) -> String {
    let value = |it: &KeyValue| match it.value.as_ref().and_then(|any| any.value.as_ref()) {
        Some(Value::StringValue(it)) => format!("{it:?}"),
        Some(Value::IntValue(it)) => it.to_string(),
        Some(Value::DoubleValue(it)) => format!("{it:?}"),
        other => panic!("{other:?}"),
    };
    attributes.iter().map(|it| format!(" {}={}", it.key, value(it))).collect()
}
