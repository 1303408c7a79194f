//! What may cross threads.

use std::thread;

use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextItemBuilder,
    ContextKind, ContextSource, CountConstrainedKnapsackSlice, CountQuotaSlice, CupelError,
    DecayScorer, ExclusionReason, FrequencyScorer, GreedySlice, KindScorer, KnapsackSlice,
    MetadataKeyScorer, MetadataTrustScorer, NullTraceCollector, OverflowEvent, Pipeline,
    PipelineBuilder, Placer, Policy, PriorityScorer, QuotaSlice, RecencyScorer, ReflexiveScorer,
    ScaledScorer, ScoredItem, Scorer, SelectionReport, Slicer, SystemTimeProvider, TagScorer,
    TimeProvider, TraceEvent, UShapedPlacer,
};

use crate::shorthand::{budget, contents, greedy, hinted};

fn crosses_threads<T: Send + Sync + ?Sized>() {}

/// Rule [ContextItem]: immutable values are safe to share
#[test]
fn data_and_reports_cross_threads() {
    crosses_threads::<ContextItem>();
    crosses_threads::<ContextItemBuilder>();
    crosses_threads::<ContextBudget>();
    crosses_threads::<ContextKind>();
    crosses_threads::<ContextSource>();
    crosses_threads::<ScoredItem>();
    crosses_threads::<CupelError>();
    crosses_threads::<SelectionReport>();
    crosses_threads::<TraceEvent>();
    crosses_threads::<OverflowEvent>();
    crosses_threads::<ExclusionReason>();
    crosses_threads::<NullTraceCollector>();
}

/// Rule [ContextItem]: immutable values are safe to share
#[test]
fn pipelines_and_strategies_cross_threads() {
    crosses_threads::<Pipeline>();
    crosses_threads::<PipelineBuilder>();
    crosses_threads::<Policy>();
    crosses_threads::<dyn Scorer>();
    crosses_threads::<dyn Slicer>();
    crosses_threads::<dyn Placer>();
    crosses_threads::<dyn TimeProvider>();
    crosses_threads::<(RecencyScorer, PriorityScorer, FrequencyScorer, ReflexiveScorer)>();
    crosses_threads::<(KindScorer, TagScorer, CompositeScorer, ScaledScorer)>();
    crosses_threads::<(DecayScorer, MetadataTrustScorer, MetadataKeyScorer, SystemTimeProvider)>();
    crosses_threads::<(GreedySlice, KnapsackSlice, QuotaSlice)>();
    crosses_threads::<(CountQuotaSlice, CountConstrainedKnapsackSlice)>();
    crosses_threads::<(ChronologicalPlacer, UShapedPlacer)>();
}

/// Rule [ContextItem]: immutable values are safe to share
#[test]
fn one_pipeline_serves_many_threads() {
    let pipeline = greedy().build().unwrap();
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), hinted("c", 10, 0.1)];
    thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|n| {
                let (pipeline, items) = (&pipeline, &items);
                scope.spawn(move || pipeline.run(items, &budget(10 * n)).unwrap())
            })
            .collect();
        for (n, run) in runs.into_iter().enumerate() {
            assert_eq!(contents(&run.join().unwrap()), &["a", "b", "c"][..n]);
        }
    });
}
