//! What a run measures.

use cupel::{
    ContextItem, DiagnosticTraceCollector, ItemVariant, TraceDetailLevel, budget_utilization,
};
use cupel_otel::{CupelOtelMetricsCollector, CupelVerbosity, SOURCE_NAME};
use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::metrics::data::{
    AggregatedMetrics, HistogramDataPoint, Metric, MetricData, ResourceMetrics, SumDataPoint,
};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, SdkMeterProvider};

use crate::problem::{budget, items, pinned, pipeline};
use crate::recording::Recording;

struct Meters {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Meters {
    fn new() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        Self { provider, exporter }
    }

    fn collector(&self) -> CupelOtelMetricsCollector {
        CupelOtelMetricsCollector::with_meter(&self.provider.meter(SOURCE_NAME))
    }

    fn collected(&self) -> Collected {
        self.provider.force_flush().unwrap();
        Collected(self.exporter.get_finished_metrics().unwrap().pop().expect("an export"))
    }
}

struct Collected(ResourceMetrics);

impl Collected {
    fn metrics(&self) -> impl Iterator<Item = &Metric> {
        self.0.scope_metrics().flat_map(|scope| scope.metrics())
    }

    fn metric(&self, name: &str) -> &Metric {
        self.metrics().find(|metric| metric.name() == name).unwrap_or_else(|| panic!("no {name}"))
    }

    fn reals(&self, name: &str) -> Vec<&HistogramDataPoint<f64>> {
        match self.metric(name).data() {
            AggregatedMetrics::F64(MetricData::Histogram(it)) => it.data_points().collect(),
            other => panic!("{name} is {other:?}"),
        }
    }

    fn whole_numbers(&self, name: &str) -> Vec<&HistogramDataPoint<u64>> {
        match self.metric(name).data() {
            AggregatedMetrics::U64(MetricData::Histogram(it)) => it.data_points().collect(),
            other => panic!("{name} is {other:?}"),
        }
    }

    /// Exclusions by reason, sorted by it.
    fn exclusions(&self) -> Vec<(String, u64)> {
        let AggregatedMetrics::U64(MetricData::Sum(sum)) = self.metric("cupel.exclusions").data()
        else {
            panic!("cupel.exclusions is no counter")
        };
        assert!(sum.is_monotonic());
        let reason = |point: &SumDataPoint<u64>| {
            let attributes: Vec<_> = point.attributes().collect();
            assert_eq!(attributes.len(), 1);
            assert_eq!(attributes[0].key.as_str(), "cupel.exclusion.reason");
            attributes[0].value.to_string()
        };
        let mut counts: Vec<_> = sum.data_points().map(|it| (reason(it), it.value())).collect();
        counts.sort();
        counts
    }
}

#[test]
fn shorter_forms_are_counted_where_there_are_any() {
    let meters = Meters::new();
    let whole =
        ContextItem::builder("long", 90).variant(ItemVariant::new("l", 20)).build().unwrap();
    for max_tokens in [50, 50, 100] {
        let mut collector = meters.collector();
        pipeline()
            .run_traced(std::slice::from_ref(&whole), &budget(max_tokens), &mut collector)
            .unwrap();
    }
    let collected = meters.collected();
    let total = |name: &str| match collected.metric(name).data() {
        AggregatedMetrics::U64(MetricData::Sum(sum)) => {
            sum.data_points().map(|it| it.value()).sum()
        }
        other => panic!("{name} is {other:?}"),
    };
    let counted: [u64; 2] = [total("cupel.items.shortened"), total("cupel.window.tokens_saved")];
    assert_eq!(counted, [2, 140]);
}

#[test]
fn a_run_is_measured_in_five_ways() {
    let meters = Meters::new();
    let recorder = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let mut both = (meters.collector(), recorder);
    pipeline().run_traced(&items(), &budget(100), &mut both).unwrap();
    let report = both.1.into_report();

    let collected = meters.collected();
    let mut units: Vec<_> = collected.metrics().map(|it| (it.name(), it.unit())).collect();
    units.sort();
    assert_eq!(
        units,
        [
            ("cupel.exclusions", "{item}"),
            ("cupel.items.considered", "{item}"),
            ("cupel.items.included", "{item}"),
            ("cupel.run.duration", "s"),
            ("cupel.window.utilization", "1"),
        ]
    );
    assert!(collected.metrics().all(|metric| !metric.description().is_empty()));

    let [duration] = collected.reals("cupel.run.duration")[..] else { panic!("one point") };
    assert_eq!((duration.count(), duration.attributes().count()), (1, 0));
    assert!(duration.sum() > 0.0);
    let [utilization] = collected.reals("cupel.window.utilization")[..] else { panic!() };
    assert_eq!(utilization.sum(), budget_utilization(&report, &budget(100)));
    let [considered] = collected.whole_numbers("cupel.items.considered")[..] else { panic!() };
    assert_eq!((considered.count(), considered.sum()), (1, 6));
    let [included] = collected.whole_numbers("cupel.items.included")[..] else { panic!() };
    assert_eq!((included.count(), included.sum()), (1, 3));
    let once = |reason: &str| (reason.to_owned(), 1);
    let expected = [once("BudgetExceeded"), once("Deduplicated"), once("NegativeTokens")];
    assert_eq!(collected.exclusions(), expected);
}

#[test]
fn runs_add_up_across_clones() {
    let meters = Meters::new();
    let collector = meters.collector();
    for _ in 0..3 {
        pipeline().run_traced(&items(), &budget(100), &mut collector.clone()).unwrap();
    }

    let collected = meters.collected();
    assert_eq!(collected.reals("cupel.run.duration")[0].count(), 3);
    assert_eq!(collected.whole_numbers("cupel.items.included")[0].sum(), 9);
    assert_eq!(collected.exclusions()[0], ("BudgetExceeded".to_owned(), 3));
}

#[test]
fn a_failed_run_is_measured_by_its_duration_alone() {
    let meters = Meters::new();
    let mut collector = meters.collector();
    pipeline().run_traced(&[pinned("a book", 200)], &budget(100), &mut collector).unwrap_err();

    let collected = meters.collected();
    let names: Vec<_> = collected.metrics().map(|metric| metric.name()).collect();
    assert_eq!(names, ["cupel.run.duration"]);
    let [duration] = collected.reals("cupel.run.duration")[..] else { panic!("one point") };
    let attributes: Vec<_> = duration.attributes().cloned().collect();
    assert_eq!(attributes, [KeyValue::new("error.type", "PinnedExceedsBudget")]);
    assert_eq!(duration.count(), 1);
}

#[test]
fn an_empty_window_under_an_empty_budget_uses_nothing() {
    let meters = Meters::new();
    pipeline().run_traced(&[], &budget(0), &mut meters.collector()).unwrap();
    let collected = meters.collected();
    let [utilization] = collected.reals("cupel.window.utilization")[..] else { panic!() };
    assert_eq!((utilization.count(), utilization.sum()), (1, 0.0));
}

#[test]
fn runs_that_are_not_sampled_are_measured_all_the_same() {
    let sampler = opentelemetry_sdk::trace::Sampler::AlwaysOff;
    let recording = Recording::configured(|builder| builder.with_sampler(sampler));
    let meters = Meters::new();
    let mut both = (recording.collector(CupelVerbosity::StageOnly), meters.collector());
    pipeline().run_traced(&items(), &budget(100), &mut both).unwrap();

    assert_eq!(recording.spans(), []);
    assert_eq!(meters.collected().reals("cupel.run.duration")[0].count(), 1);
}
