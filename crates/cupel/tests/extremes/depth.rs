//! Strategies inside strategies, a thousand deep.

use std::sync::Arc;
use std::thread;

use cupel::scorer::MAX_SCORER_DEPTH;
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextItem, ContextKind, CountQuotaEntry,
    CountQuotaSlice, CupelError, GreedySlice, Pipeline, QuotaEntry, QuotaSlice, ReflexiveScorer,
    RunContext, ScaledScorer, ScarcityBehavior, Scorer, Slicer,
};

use crate::{budget, score_all};

const DEPTH: usize = MAX_SCORER_DEPTH;

/// Half of what Rust gives a thread unless told otherwise. Unoptimised, a scorer around another
/// takes up to half a kilobyte of stack, optimised less.
const FOR_SCORERS: usize = 1 << 20;

/// What a program's main thread usually has. A slicer around another takes up to three kilobytes.
const FOR_SLICERS: usize = 8 << 20;

fn on_a_stack_of(bytes: usize, work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(bytes).spawn(work).unwrap().join().unwrap();
}

fn items() -> Vec<ContextItem> {
    let hint = |at: i32| f64::from(at) / 99.0;
    (0..100)
        .map(|at| ContextItem::builder(format!("{at}"), 1).future_relevance_hint(hint(at)))
        .map(|builder| builder.build().unwrap())
        .collect()
}

/// Scaled scorers and composites in turn.
fn nested_scorers() -> Box<dyn Scorer> {
    (1..DEPTH).fold(Box::new(ReflexiveScorer), |inner: Box<dyn Scorer>, level| match level % 2 {
        0 => Box::new(ScaledScorer::new(inner)),
        _ => Box::new(CompositeScorer::new(vec![(inner, 2.0)]).unwrap()),
    })
}

fn nested_slicers() -> Box<dyn Slicer> {
    let message = ContextKind::message;
    (0..DEPTH).fold(Box::new(GreedySlice), |inner: Box<dyn Slicer>, level| match level % 2 {
        0 => {
            let all = QuotaEntry::new(message(), 0.0, 100.0).unwrap();
            Box::new(QuotaSlice::new(vec![all], inner).unwrap())
        }
        _ => {
            let all = CountQuotaEntry::new(message(), 0, usize::MAX).unwrap();
            let degrade = ScarcityBehavior::Degrade;
            Box::new(CountQuotaSlice::new(vec![all], inner, degrade).unwrap())
        }
    })
}

#[test]
fn scorers_a_thousand_deep_are_built_asked_printed_and_dropped() {
    on_a_stack_of(FOR_SCORERS, || {
        let (items, scorer) = (items(), nested_scorers());
        // Scaling what is scaled, and averaging one, change nothing.
        assert_eq!(score_all(&scorer, &items), score_all(&ReflexiveScorer, &items));
        assert_eq!(scorer.score(&items[99], &items), 1.0);
        assert_eq!(scorer.breakdown(&items, &RunContext::default()).unwrap()[99].score, 1.0);
        assert_eq!(scorer.depth(), DEPTH);
    });
}

#[test]
fn deeper_scorers_are_refused_however_deep_they_were_meant_to_be() {
    on_a_stack_of(FOR_SCORERS, || {
        let refused = |error: CupelError| {
            let message = error.to_string();
            assert!(message.contains("1001 scorers deep"), "{message}");
            assert!(message.contains("limit of 1000"), "{message}");
        };
        refused(CompositeScorer::new(vec![(nested_scorers(), 1.0)]).unwrap_err());

        let scaled: Box<dyn Scorer> = Box::new(ScaledScorer::new(nested_scorers()));
        assert_eq!(
            format!("{:?}", ScaledScorer::new(ReflexiveScorer)),
            r#"ScaledScorer { inner: "reflexive" }"#
        );
        refused(scaled.score_batch(&items(), &RunContext::default()).unwrap_err());
        refused(scaled.breakdown(&items(), &RunContext::default()).unwrap_err());
        assert_eq!(scaled.score(&items()[0], &items()), 0.5);

        let around =
            |inner: Box<dyn Scorer>, _| Box::new(ScaledScorer::new(inner)) as Box<dyn Scorer>;
        let deepest = (0..100_000).fold(scaled, around);
        let builder = Pipeline::builder().slicer(GreedySlice).placer(ChronologicalPlacer);
        let error = builder.scorer(deepest).build().unwrap_err();
        assert!(matches!(error, CupelError::ScorerConfig(_)), "{error}");
    });
}

#[test]
fn pipelines_of_scorers_a_thousand_deep_are_cloned_run_and_dropped() {
    on_a_stack_of(FOR_SCORERS, || {
        let scorer: Arc<dyn Scorer> = Arc::from(nested_scorers());
        let pipeline = Pipeline::builder()
            .scorer(Arc::clone(&scorer))
            .slicer(GreedySlice)
            .placer(ChronologicalPlacer)
            .build()
            .unwrap();
        drop(scorer);
        let clone = pipeline.clone();
        drop(pipeline);
        assert_eq!(clone.dry_run(&items(), &budget(10)).unwrap().included.len(), 10);
        assert!(format!("{clone:?}").len() < 1_000);
    });
}

#[test]
fn slicers_a_thousand_deep_are_built_asked_and_dropped() {
    on_a_stack_of(FOR_SLICERS, || {
        let slicer = nested_slicers();
        assert!(slicer.is_quota() && slicer.is_count_quota() && !slicer.is_knapsack());
        let pipeline = Pipeline::builder()
            .scorer(ReflexiveScorer)
            .slicer(slicer)
            .placer(ChronologicalPlacer)
            .build()
            .unwrap();
        assert_eq!(pipeline.dry_run(&items(), &budget(10)).unwrap().included.len(), 10);
    });
}

#[test]
fn a_composite_a_thousand_wide_is_one_average() {
    let wide = (0..DEPTH).map(|_| (Box::new(ReflexiveScorer) as Box<dyn Scorer>, 1e305)).collect();
    let scores = score_all(&CompositeScorer::new(wide).unwrap(), &items());
    for (score, own) in scores.iter().zip(score_all(&ReflexiveScorer, &items())) {
        assert!((score - own).abs() < 1e-9);
    }
}
