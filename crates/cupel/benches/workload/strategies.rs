//! Every strategy of this engine, by name.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextKind, CountConstrainedKnapsackSlice,
    CountQuotaEntry, DecayCurve, DecayScorer, FrequencyScorer, GreedySlice, KindScorer,
    KnapsackSlice, MetadataKeyScorer, MetadataTrustScorer, Placer, PriorityScorer, RecencyScorer,
    ReflexiveScorer, ScaledScorer, ScarcityBehavior, Scorer, Slicer, TagScorer, TimeProvider,
    UShapedPlacer,
};

use super::problem::{count_quota, quota};

pub(super) type Named<T> = (&'static str, fn() -> Box<T>);

pub(super) const SCORERS: [Named<dyn Scorer>; 12] = [
    ("recency", || Box::new(RecencyScorer)),
    ("priority", || Box::new(PriorityScorer)),
    ("frequency", || Box::new(FrequencyScorer)),
    ("kind", || Box::new(KindScorer::with_default_weights())),
    ("tag", || Box::new(tag())),
    ("reflexive", || Box::new(ReflexiveScorer)),
    ("decay", || Box::new(decay())),
    ("metadata-trust", || Box::new(MetadataTrustScorer::new(0.5).unwrap())),
    ("metadata-key", || Box::new(MetadataKeyScorer::new("cupel:trust", "0.3", 2.0).unwrap())),
    ("scaled", || Box::new(ScaledScorer::new(RecencyScorer))),
    ("composite-of-three", || Box::new(composite(3))),
    ("composite-of-sixteen", || Box::new(composite(16))),
];

pub(super) const SLICERS: [Named<dyn Slicer>; 5] = [
    ("greedy", || Box::new(GreedySlice)),
    ("knapsack", || Box::new(KnapsackSlice::with_default_bucket_size())),
    ("quota", quota),
    ("count-quota", count_quota),
    ("count-knapsack", || Box::new(count_knapsack())),
];

pub(super) const PLACERS: [Named<dyn Placer>; 2] =
    [("chronological", || Box::new(ChronologicalPlacer)), ("u-shaped", || Box::new(UShapedPlacer))];

fn tag() -> TagScorer {
    let weights: HashMap<String, f64> =
        (0..32).map(|at| (format!("tag{at}"), f64::from(at + 1))).collect();
    TagScorer::new(weights).unwrap()
}

fn decay() -> DecayScorer {
    let curve = DecayCurve::exponential(TimeDelta::days(100)).unwrap();
    DecayScorer::new(Stopped, curve, 0.5).unwrap()
}

/// A clock that always shows the same time, after all candidates'.
struct Stopped;

impl TimeProvider for Stopped {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }
}

fn composite(children: usize) -> CompositeScorer {
    let child = |at: usize| -> Box<dyn Scorer> {
        match at % 5 {
            0 => Box::new(RecencyScorer),
            1 => Box::new(PriorityScorer),
            2 => Box::new(KindScorer::with_default_weights()),
            3 => Box::new(ReflexiveScorer),
            _ => Box::new(tag()),
        }
    };
    let children = (0..children).map(|at| (child(at), 1.0 + at as f64)).collect();
    CompositeScorer::new(children).unwrap()
}

fn count_knapsack() -> CountConstrainedKnapsackSlice {
    let entries = vec![
        CountQuotaEntry::new(ContextKind::tool_output(), 2, 1_000).unwrap(),
        CountQuotaEntry::new(ContextKind::memory(), 1, 50).unwrap(),
    ];
    let knapsack = KnapsackSlice::with_default_bucket_size();
    CountConstrainedKnapsackSlice::new(entries, knapsack, ScarcityBehavior::Degrade).unwrap()
}
