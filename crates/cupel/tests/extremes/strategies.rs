//! Every built-in strategy, wrapped ones included.

use std::sync::Arc;

use chrono::DateTime;
use cupel::{ContextKind, Placer, ScarcityBehavior, Scorer, Slicer};
use cupel_policy::{
    BucketSize, CountQuota, CurveConfig, PlacerConfig, Quota, ScorerConfig, SlicerConfig,
    StepWindow, TagComparison, WeightedScorer,
};
use cupel_testing::generate::{loader, raw_hint};

/// The longest duration that is a number of seconds.
const LONGEST: f64 = 9_223_372_036_854_774.0;

pub(crate) fn scorers() -> Vec<(&'static str, Arc<dyn Scorer>)> {
    let decay = |curve| ScorerConfig::Decay {
        curve,
        null_timestamp_score: 0.5,
        reference_time: Some(DateTime::UNIX_EPOCH),
    };
    let windows = vec![
        StepWindow { max_age_seconds: 1e-9, score: 1.0 },
        StepWindow { max_age_seconds: LONGEST, score: 0.25 },
    ];
    let tags = vec![("a".to_owned(), 1.0), ("t1".to_owned(), f64::MAX / 2.0)];
    let heavy = vec![(ContextKind::message(), f64::MAX)];
    let metadata_key =
        ScorerConfig::MetadataKey { key: "k".to_owned(), value: "v".to_owned(), boost: f64::MAX };
    let scaled = |inner| ScorerConfig::Scaled { inner: Box::new(inner), inner_weight: None };
    let composite = vec![
        WeightedScorer { scorer: raw_hint(), weight: f64::MIN_POSITIVE },
        WeightedScorer { scorer: scaled(ScorerConfig::Priority), weight: 1e300 },
    ];
    let configs = vec![
        ("recency", ScorerConfig::Recency),
        ("priority", ScorerConfig::Priority),
        ("frequency", ScorerConfig::Frequency),
        ("reflexive", ScorerConfig::Reflexive),
        ("kind", ScorerConfig::Kind { weights: None }),
        ("heavy kinds", ScorerConfig::Kind { weights: Some(heavy) }),
        (
            "tag",
            ScorerConfig::Tag { weights: tags, comparison: TagComparison::AsciiCaseInsensitive },
        ),
        ("half-life", decay(CurveConfig::Exponential { half_life_seconds: 1e-9 })),
        ("window", decay(CurveConfig::Window { max_age_seconds: LONGEST })),
        ("steps", decay(CurveConfig::Step { windows })),
        ("fading recency", ScorerConfig::FadingRecency { half_life: 1e-300 }),
        ("trust", ScorerConfig::MetadataTrust { default_score: 0.5 }),
        ("metadata", metadata_key),
        ("raw hint", raw_hint()),
        ("scaled", scaled(raw_hint())),
        ("composite", ScorerConfig::Composite { scorers: composite }),
    ];
    let build = |config| Arc::from(loader().build_scorer(&config).unwrap());
    configs.into_iter().map(|(name, config)| (name, build(config))).collect()
}

pub(crate) fn slicers() -> Vec<(&'static str, Arc<dyn Slicer>)> {
    let (greedy, knapsack) =
        (SlicerConfig::Greedy, SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(100) });
    let quota = |inner: &SlicerConfig| {
        let of = |kind, min, max| Quota { kind, min_percent: Some(min), max_percent: Some(max) };
        SlicerConfig::Quota {
            quotas: vec![
                of(ContextKind::message(), 30.0, 90.0),
                of(ContextKind::memory(), 70.0, 100.0),
            ],
            inner: Box::new(inner.clone()),
        }
    };
    let count_quota = |inner: &SlicerConfig| {
        let of = |kind, require_count, cap_count| CountQuota { kind, require_count, cap_count };
        SlicerConfig::CountQuota {
            quotas: vec![
                of(ContextKind::message(), 2, Some(3)),
                of(ContextKind::memory(), 0, Some(usize::MAX)),
            ],
            scarcity: ScarcityBehavior::Degrade,
            inner: Box::new(inner.clone()),
        }
    };
    let configs = vec![
        ("greedy", greedy.clone()),
        ("knapsack", knapsack.clone()),
        (
            "knapsack of one bucket",
            SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(i64::MAX) },
        ),
        ("adaptive knapsack", SlicerConfig::Knapsack { bucket_size: BucketSize::Auto }),
        ("quota(greedy)", quota(&greedy)),
        ("quota(knapsack)", quota(&knapsack)),
        ("count quota(greedy)", count_quota(&greedy)),
        ("count quota(quota(greedy))", count_quota(&quota(&greedy))),
        ("counted knapsack", count_quota(&knapsack)),
    ];
    let build = |config| Arc::from(loader().build_slicer(&config).unwrap());
    configs.into_iter().map(|(name, config)| (name, build(config))).collect()
}

pub(crate) fn placers() -> Vec<(&'static str, Arc<dyn Placer>)> {
    let configs =
        [("chronological", PlacerConfig::Chronological), ("u-shaped", PlacerConfig::UShaped)];
    let build = |config| Arc::from(loader().build_placer(&config).unwrap());
    configs.into_iter().map(|(name, config)| (name, build(config))).collect()
}
