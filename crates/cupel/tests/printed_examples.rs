//! The examples printed in the specification's chapters on data, scorers, placers and diagnostics,
//! as code that compiles and runs.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItemBuilder, CupelError,
    DecayCurve, DecayScorer, DiagnosticTraceCollector, GreedySlice, MetadataKeyScorer, Pipeline,
    PriorityScorer, RecencyScorer, RunContext, Scorer, SystemTimeProvider, TimeProvider,
    TraceDetailLevel,
};

/// Rule [DecayScorer]: providers are Send + Sync
#[test]
fn a_time_provider_is_one_method_that_crosses_threads() {
    struct NewYear;

    impl TimeProvider for NewYear {
        fn now(&self) -> DateTime<Utc> {
            DateTime::from_timestamp(1_735_732_800, 0).unwrap()
        }
    }

    fn crosses_threads<T: Send + Sync + ?Sized>() {}
    crosses_threads::<dyn TimeProvider>();
    let boxed: Box<dyn TimeProvider + Send + Sync> = Box::new(NewYear);
    assert_eq!(boxed.now().to_rfc3339(), "2025-01-01T12:00:00+00:00");
}

/// Rule [DecayScorer]: the system's clock is a zero-sized provider
#[test]
fn a_decay_scorer_is_built_from_the_systems_clock_and_a_curve() -> Result<(), CupelError> {
    let half_life = Duration::hours(24);
    let scorer = DecayScorer::new(SystemTimeProvider, DecayCurve::exponential(half_life)?, 0.5)?;
    let fresh = ContextItemBuilder::new("fresh", 1).timestamp(Utc::now()).build()?;
    let aged = ContextItemBuilder::new("aged", 1).timestamp(Utc::now() - half_life).build()?;
    let undated = ContextItemBuilder::new("undated", 1).build()?;
    // A clock that runs on takes at most a minute of a day from these scores.
    assert!((scorer.score(&fresh, &[]) - 1.0).abs() < 0.001);
    assert!((scorer.score(&aged, &[]) - 0.5).abs() < 0.001);
    assert_eq!(scorer.score(&undated, &[]), 0.5);
    Ok(())
}

/// Rule [CompositeScorer]: weights are normalised by their sum
#[test]
fn composite_weights_three_to_one() -> Result<(), CupelError> {
    let time = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    let items = [
        ContextItemBuilder::new("old", 1)
            .timestamp(time("2025-01-01T00:00:00Z"))
            .priority(2)
            .build()?,
        ContextItemBuilder::new("new", 1)
            .timestamp(time("2025-01-02T00:00:00Z"))
            .priority(1)
            .build()?,
    ];
    let whole = CompositeScorer::new(vec![
        (Box::new(RecencyScorer), 3.0),
        (Box::new(PriorityScorer), 1.0),
    ])?;
    let parts = CompositeScorer::new(vec![
        (Box::new(RecencyScorer), 0.75),
        (Box::new(PriorityScorer), 0.25),
    ])?;
    assert_eq!(whole.score_batch(&items, &RunContext::default())?, [0.25, 0.75]);
    assert_eq!(parts.score_batch(&items, &RunContext::default())?, [0.25, 0.75]);
    Ok(())
}

/// Rule [MetadataKeyScorer]: value matches: the boost
#[test]
fn a_metadata_key_scorer_boosts_high_priority() -> Result<(), CupelError> {
    let scorer = MetadataKeyScorer::new("cupel:priority", "high", 1.5)?;
    let metadata = HashMap::from([("cupel:priority".to_owned(), "high".to_owned())]);
    let high = ContextItemBuilder::new("high", 1).metadata(metadata).build()?;
    assert_eq!(scorer.score(&high, &[]), 1.5);
    assert!(matches!(
        MetadataKeyScorer::new("cupel:priority", "high", 0.0),
        Err(CupelError::ScorerConfig(_))
    ));
    Ok(())
}

/// Rule [SelectionReport]: the report comes from the collector, after the run
#[test]
fn a_report_is_obtained_from_the_collector_of_a_run() -> Result<(), CupelError> {
    let pipeline = Pipeline::builder()
        .scorer(RecencyScorer)
        .slicer(GreedySlice)
        .placer(ChronologicalPlacer)
        .build()?;
    let candidates = [ContextItemBuilder::new("hello", 5).build()?];
    let budget = ContextBudget::new(4_096, 3_072, 0, HashMap::new(), 0.0)?;

    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let result = pipeline.run_traced(&candidates, &budget, &mut collector)?;
    let report = collector.into_report();

    assert_eq!(result.len(), 1);
    assert_eq!((report.total_candidates, report.total_tokens_considered), (1, 5));
    Ok(())
}
