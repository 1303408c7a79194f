//! The collector that measures.

use std::time::Instant;

use cupel::{
    ContextBudget, CupelError, ExcludedItem, IncludedItem, Interests, PipelineStage,
    TraceCollector, TraceEvent,
};
use opentelemetry::metrics::{Counter, Histogram, Meter};
use opentelemetry::{KeyValue, global};

use crate::{LAST_STAGE, names, scope};

/// Measures each run: how long it took, how full its window is, how many items there were, how many
/// are in, and how many were left out for which reason.
///
/// Make one, keep it, and clone it for every run: clones share the instruments. It stands alone or
/// goes with other collectors, in a pair:
///
/// ```
/// use cupel::{ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, Pipeline, RecencyScorer};
/// use cupel_otel::{CupelOtelMetricsCollector, CupelOtelTraceCollector, CupelVerbosity};
///
/// let metrics = CupelOtelMetricsCollector::new();
///
/// # let pipeline = Pipeline::builder()
/// #     .scorer(RecencyScorer)
/// #     .slicer(GreedySlice)
/// #     .placer(ChronologicalPlacer)
/// #     .build()?;
/// # let items = [ContextItem::builder("Hello!", 2).build()?];
/// # let budget = ContextBudget::builder(100).build()?;
/// let spans = CupelOtelTraceCollector::new(CupelVerbosity::StageOnly);
/// let window = pipeline.run_traced(&items, &budget, &mut (spans, metrics.clone()))?;
/// # assert_eq!(window.len(), 1);
/// # Ok::<(), cupel::CupelError>(())
/// ```
///
/// A failed run is measured by its duration alone, with the kind of error as `error.type`.
#[derive(Debug, Clone)]
pub struct CupelOtelMetricsCollector {
    instruments: Instruments,
    run: Option<Tally>,
}

impl CupelOtelMetricsCollector {
    /// Reports to the meter provider that is global now.
    pub fn new() -> Self {
        Self::with_meter(&global::meter_with_scope(scope()))
    }

    /// Reports to `meter`.
    pub fn with_meter(meter: &Meter) -> Self {
        Self { instruments: Instruments::new(meter), run: None }
    }
}

impl Default for CupelOtelMetricsCollector {
    fn default() -> Self {
        Self::new()
    }
}

impl TraceCollector for CupelOtelMetricsCollector {
    fn is_enabled(&self) -> bool {
        true
    }

    fn on_pipeline_started(&mut self, budget: &ContextBudget) {
        self.run = Some(Tally::new(budget));
    }

    fn set_candidates(&mut self, count: usize, _tokens: i64) {
        if let Some(run) = &mut self.run {
            run.considered = count as u64;
        }
    }

    fn record_exclusion(&mut self, entry: ExcludedItem) {
        if let Some(run) = &mut self.run {
            run.excluded(names::exclusion_reason_name(&entry.reason));
        }
    }

    fn record_inclusion(&mut self, entry: IncludedItem) {
        if let Some(run) = &mut self.run {
            run.included += 1;
            run.included_tokens += i128::from(entry.item.tokens());
            if let Some(shortened) = entry.shortened {
                run.shortened += 1;
                let saved = u64::try_from(shortened.tokens_saved).unwrap_or(0);
                run.tokens_saved = run.tokens_saved.saturating_add(saved);
            }
        }
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn on_stage_finished(&mut self, stage: PipelineStage, _entered: usize, _left: usize) {
        if stage == LAST_STAGE
            && let Some(run) = self.run.take()
        {
            self.instruments.record_success(&run);
        }
    }

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn interests(&self) -> Interests {
        Interests::NOTHING.decisions(true)
    }

    fn on_pipeline_failed(&mut self, error: &CupelError) {
        if let Some(run) = self.run.take() {
            self.instruments.record_failure(&run, error);
        }
    }
}

/// What one run has come to so far.
#[derive(Debug, Clone)]
struct Tally {
    started: Instant,
    max_tokens: i64,
    considered: u64,
    included: u64,
    included_tokens: i128,
    shortened: u64,
    tokens_saved: u64,
    /// How often each reason was given: a handful, so a list finds them fastest.
    exclusions: Vec<(&'static str, u64)>,
}

impl Tally {
    fn new(budget: &ContextBudget) -> Self {
        Self {
            started: Instant::now(),
            max_tokens: budget.max_tokens(),
            considered: 0,
            included: 0,
            included_tokens: 0,
            shortened: 0,
            tokens_saved: 0,
            exclusions: Vec::new(),
        }
    }

    fn excluded(&mut self, reason: &'static str) {
        match self.exclusions.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.exclusions.push((reason, 1)),
        }
    }

    fn duration_in_seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The same share as [`cupel::budget_utilization`] tells of a report.
    fn utilization(&self) -> f64 {
        match self.included_tokens {
            0 => 0.0,
            tokens => tokens as f64 / self.max_tokens as f64,
        }
    }
}

#[derive(Debug, Clone)]
struct Instruments {
    duration: Histogram<f64>,
    utilization: Histogram<f64>,
    considered: Histogram<u64>,
    included: Histogram<u64>,
    shortened: Counter<u64>,
    tokens_saved: Counter<u64>,
    exclusions: Counter<u64>,
}

impl Instruments {
    fn new(meter: &Meter) -> Self {
        Self {
            duration: meter
                .f64_histogram(names::RUN_DURATION)
                .with_description("How long selecting a window took.")
                .with_unit("s")
                .with_boundaries(DURATION_BOUNDARIES.to_vec())
                .build(),
            utilization: meter
                .f64_histogram(names::WINDOW_UTILIZATION)
                .with_description("The window's tokens as a share of the budget's maximum.")
                .with_unit("1")
                .with_boundaries(UTILIZATION_BOUNDARIES.to_vec())
                .build(),
            considered: meter
                .u64_histogram(names::ITEMS_CONSIDERED)
                .with_description("How many candidates a run had.")
                .with_unit("{item}")
                .build(),
            included: meter
                .u64_histogram(names::ITEMS_INCLUDED)
                .with_description("How many items a window holds.")
                .with_unit("{item}")
                .build(),
            shortened: meter
                .u64_counter(names::ITEMS_SHORTENED)
                .with_description("Items in a window in a shorter form.")
                .with_unit("{item}")
                .build(),
            tokens_saved: meter
                .u64_counter(names::TOKENS_SAVED)
                .with_description("Tokens that shorter forms saved.")
                .with_unit("{token}")
                .build(),
            exclusions: meter
                .u64_counter(names::EXCLUSIONS)
                .with_description("Items left out, by reason.")
                .with_unit("{item}")
                .build(),
        }
    }

    fn record_success(&self, run: &Tally) {
        self.duration.record(run.duration_in_seconds(), &[]);
        self.utilization.record(run.utilization(), &[]);
        self.considered.record(run.considered, &[]);
        self.included.record(run.included, &[]);
        if run.shortened > 0 {
            self.shortened.add(run.shortened, &[]);
            self.tokens_saved.add(run.tokens_saved, &[]);
        }
        for &(reason, count) in &run.exclusions {
            self.exclusions.add(count, &[KeyValue::new(names::EXCLUSION_REASON, reason)]);
        }
    }

    fn record_failure(&self, run: &Tally, error: &CupelError) {
        let error_type = KeyValue::new(names::ERROR_TYPE, error.name());
        self.duration.record(run.duration_in_seconds(), &[error_type]);
    }
}

/// From ten microseconds to ten seconds. The usual boundaries begin at five seconds, where a run
/// should never be.
const DURATION_BOUNDARIES: [f64; 13] =
    [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0];

/// Tenths, closer towards a full window; a window that was let through over budget lies beyond.
const UTILIZATION_BOUNDARIES: [f64; 13] =
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];
