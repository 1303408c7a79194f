//! Every built-in strategy, wrapped ones included.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use cupel::{ContextKind, Placer, ScarcityBehavior, Scorer, Slicer};
use cupel_testing::spec::{
    CountSpec, CurveSpec, PlacerSpec, QuotaSpec, ScorerSpec, SlicerSpec, TagComparison,
};

pub(crate) fn scorers() -> Vec<(&'static str, Arc<dyn Scorer>)> {
    let decay =
        |curve| ScorerSpec::Decay { now: DateTime::UNIX_EPOCH, curve, null_timestamp_score: 0.5 };
    let step = vec![(TimeDelta::nanoseconds(1), 1.0), (TimeDelta::MAX, 0.25)];
    let tags = vec![("a".to_owned(), 1.0), ("t1".to_owned(), f64::MAX / 2.0)];
    let metadata_key =
        ScorerSpec::MetadataKey { key: "k".to_owned(), value: "v".to_owned(), boost: f64::MAX };
    let specs = vec![
        ("recency", ScorerSpec::Recency),
        ("priority", ScorerSpec::Priority),
        ("frequency", ScorerSpec::Frequency),
        ("reflexive", ScorerSpec::Reflexive),
        ("kind", ScorerSpec::Kind { weights: None }),
        (
            "heavy kinds",
            ScorerSpec::Kind { weights: Some(vec![(ContextKind::message(), f64::MAX)]) },
        ),
        ("tag", ScorerSpec::Tag { weights: tags, comparison: TagComparison::AsciiCaseInsensitive }),
        ("half-life", decay(CurveSpec::Exponential { half_life: TimeDelta::nanoseconds(1) })),
        ("window", decay(CurveSpec::Window { max_age: TimeDelta::MAX })),
        ("steps", decay(CurveSpec::Step { windows: step })),
        ("trust", ScorerSpec::MetadataTrust { default_score: 0.5 }),
        ("metadata", metadata_key),
        ("raw hint", ScorerSpec::RawHint),
        ("scaled", ScorerSpec::Scaled(Box::new(ScorerSpec::RawHint))),
        (
            "composite",
            ScorerSpec::Composite(vec![
                (ScorerSpec::RawHint, f64::MIN_POSITIVE),
                (ScorerSpec::Scaled(Box::new(ScorerSpec::Priority)), 1e300),
            ]),
        ),
    ];
    specs.into_iter().map(|(name, spec)| (name, Arc::from(spec.build().unwrap()))).collect()
}

pub(crate) fn slicers() -> Vec<(&'static str, Arc<dyn Slicer>)> {
    let (greedy, knapsack) = (SlicerSpec::Greedy, SlicerSpec::Knapsack { bucket_size: 100 });
    let quota = |inner: &SlicerSpec| SlicerSpec::Quota {
        entries: vec![
            QuotaSpec { kind: ContextKind::message(), require: 30.0, cap: 90.0 },
            QuotaSpec { kind: ContextKind::memory(), require: 70.0, cap: 100.0 },
        ],
        inner: Box::new(inner.clone()),
    };
    let counts = || {
        let of = |kind, require, cap| CountSpec { kind, require, cap };
        vec![of(ContextKind::message(), 2, 3), of(ContextKind::memory(), 0, usize::MAX)]
    };
    let scarcity = ScarcityBehavior::Degrade;
    let count_quota = |inner: &SlicerSpec| SlicerSpec::CountQuota {
        entries: counts(),
        inner: Box::new(inner.clone()),
        scarcity,
    };
    let counted_knapsack =
        SlicerSpec::CountConstrainedKnapsack { entries: counts(), bucket_size: 100, scarcity };
    let specs = vec![
        ("greedy", greedy.clone()),
        ("knapsack", knapsack.clone()),
        ("knapsack of one bucket", SlicerSpec::Knapsack { bucket_size: i64::MAX }),
        ("quota(greedy)", quota(&greedy)),
        ("quota(knapsack)", quota(&knapsack)),
        ("count quota(greedy)", count_quota(&greedy)),
        ("count quota(quota(greedy))", count_quota(&quota(&greedy))),
        ("counted knapsack", counted_knapsack),
    ];
    specs.into_iter().map(|(name, spec)| (name, Arc::from(spec.build().unwrap()))).collect()
}

pub(crate) fn placers() -> Vec<(&'static str, Arc<dyn Placer>)> {
    vec![
        ("chronological", Arc::from(PlacerSpec::Chronological.build())),
        ("u-shaped", Arc::from(PlacerSpec::UShaped.build())),
    ]
}
