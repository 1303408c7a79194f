//! The collector that makes spans.

use std::sync::Arc;

use cupel::{
    ContextBudget, CupelError, ExcludedItem, IncludedItem, Interests, PipelineStage,
    TraceCollector, TraceEvent,
};
use opentelemetry::global::{self, BoxedTracer};
use opentelemetry::trace::{Span, Tracer};

use crate::spans::RunSpans;
use crate::{CupelVerbosity, LAST_STAGE, scope};

/// Shows each run as a span with one child per stage, as they happen.
///
/// The root span is a child of the span that is current when the run starts. One collector may
/// follow any number of runs, one after the other.
///
/// A run that is not sampled costs one span that records nothing: no stage spans are made, and
/// nothing is built for any item.
#[derive(Debug)]
pub struct CupelOtelTraceCollector {
    verbosity: CupelVerbosity,
    /// The tracer handed in; without one, that of the global provider.
    tracer: Option<Arc<BoxedTracer>>,
    run: Option<RunSpans>,
}

impl CupelOtelTraceCollector {
    /// Reports to the provider that is global when a run starts.
    pub fn new(verbosity: CupelVerbosity) -> Self {
        Self { verbosity, tracer: None, run: None }
    }

    /// Reports to `tracer`.
    ///
    /// Name it [`SOURCE_NAME`](crate::SOURCE_NAME), so that whoever looks for Cupel's spans finds
    /// them.
    ///
    /// ```
    /// use cupel_otel::{CupelOtelTraceCollector, CupelVerbosity, SOURCE_NAME};
    /// use opentelemetry::trace::TracerProvider;
    /// use opentelemetry_sdk::trace::SdkTracerProvider;
    ///
    /// let provider = SdkTracerProvider::builder().build();
    /// let tracer = provider.tracer(SOURCE_NAME);
    /// let collector = CupelOtelTraceCollector::with_tracer(CupelVerbosity::StageOnly, tracer);
    /// ```
    pub fn with_tracer<T>(verbosity: CupelVerbosity, tracer: T) -> Self
    where
        T: Tracer + Send + Sync + 'static,
        T::Span: Span + Send + Sync + 'static,
    {
        let tracer = Arc::new(BoxedTracer::new(Box::new(tracer)));
        Self { verbosity, tracer: Some(tracer), run: None }
    }
}

impl TraceCollector for CupelOtelTraceCollector {
    fn is_enabled(&self) -> bool {
        true
    }

    fn on_pipeline_started(&mut self, budget: &ContextBudget) {
        // A run that panicked ends before the next one starts.
        self.run = None;
        let global = || Arc::new(global::tracer_with_scope(scope()));
        let tracer = self.tracer.clone().unwrap_or_else(global);
        self.run = RunSpans::start(tracer, self.verbosity, budget);
    }

    fn on_stage_started(&mut self, stage: PipelineStage) {
        if let Some(run) = &mut self.run {
            run.stage_started(stage);
        }
    }

    fn record_exclusion(&mut self, entry: ExcludedItem) {
        if let Some(run) = &mut self.run {
            run.excluded(&entry);
        }
    }

    fn record_inclusion(&mut self, entry: IncludedItem) {
        if let Some(run) = &mut self.run {
            run.included(&entry);
        }
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn on_stage_finished(&mut self, stage: PipelineStage, entered: usize, left: usize) {
        let Some(mut run) = self.run.take() else { return };
        let finished = run.stage_finished(entered, left);
        if stage == LAST_STAGE {
            run.succeed(finished);
        } else {
            self.run = Some(run);
        }
    }

    fn record_item_event(&mut self, _event: TraceEvent) {}

    /// Spans are made on the way, so that a run need not keep a second record for the end.
    fn interests(&self) -> Interests {
        let shows_items = self.run.as_ref().is_some_and(RunSpans::shows_items);
        Interests::NOTHING.decisions(shows_items)
    }

    fn on_pipeline_failed(&mut self, error: &CupelError) {
        if let Some(run) = self.run.take() {
            run.fail(error);
        }
    }
}
