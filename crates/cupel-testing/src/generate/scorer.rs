use chrono::{DateTime, TimeDelta, Utc};
use cupel::ContextKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::value::TAGS;
use crate::spec::{CurveSpec, ScorerSpec, TagComparison};

/// What the clocks of generated decay scorers show: 2025-01-01T12:00:00Z.
pub(super) fn reference_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_735_732_800, 0).expect("a moment within chrono's range")
}

/// Scorers, up to two levels of composition deep.
///
/// A naive model of a scorer inside two `ScaledScorer`s takes cubic time, hence the bound.
pub fn scorer_specs() -> impl Strategy<Value = ScorerSpec> {
    let simple = simple().boxed();
    let combined =
        prop_oneof![4 => simple.clone(), 1 => scaled(simple.clone()), 2 => composite(simple)]
            .boxed();
    prop_oneof![4 => combined.clone(), 1 => scaled(combined.clone()), 1 => composite(combined)]
}

fn scaled(inner: BoxedStrategy<ScorerSpec>) -> impl Strategy<Value = ScorerSpec> {
    inner.prop_map(|inner| ScorerSpec::Scaled(Box::new(inner)))
}

/// The extreme weights stay below a quarter of the largest number, so that four of them have a sum.
fn composite(child: BoxedStrategy<ScorerSpec>) -> impl Strategy<Value = ScorerSpec> {
    let weights = prop_oneof![
        6 => select(vec![0.1, 0.25, 0.3, 0.5, 1.0, 2.0, 3.0]),
        3 => 0.01..=10.0,
        1 => select(vec![5e-324, 1e-300, 1e300, f64::MAX / 5.0]),
    ];
    vec((child, weights), 1..=4).prop_map(ScorerSpec::Composite)
}

fn simple() -> impl Strategy<Value = ScorerSpec> {
    prop_oneof![
        2 => Just(ScorerSpec::Recency),
        2 => Just(ScorerSpec::Priority),
        2 => Just(ScorerSpec::Frequency),
        3 => Just(ScorerSpec::Reflexive),
        1 => Just(ScorerSpec::RawHint),
        2 => kind(),
        2 => tag(),
        2 => decay(),
        1 => metadata_trust(),
        1 => metadata_key(),
    ]
}

fn kind() -> impl Strategy<Value = ScorerSpec> {
    let kinds = ["MESSAGE", "Document", "tooloutput", "Memory", "Note"]
        .map(|kind| ContextKind::new(kind).expect("no kind in the list is blank"));
    let weights =
        prop_oneof![5 => select(vec![0.0, -0.0, 0.2, 0.5, 1.0, 2.5]), 1 => Just(f64::MAX)];
    let custom = (subsequence(kinds.to_vec(), 0..=5), vec(weights, 5))
        .prop_map(|(kinds, weights)| Some(kinds.into_iter().zip(weights).collect()));
    prop_oneof![Just(None), custom].prop_map(|weights| ScorerSpec::Kind { weights })
}

fn tag() -> impl Strategy<Value = ScorerSpec> {
    let folded = ["important", "Rust", "X", "Zed", "alpha", "ünï", "ÜNÏ"];
    let comparisons = prop_oneof![
        (subsequence(TAGS.to_vec(), 0..=TAGS.len()), Just(TagComparison::Ordinal)),
        (subsequence(folded.to_vec(), 0..=folded.len()), Just(TagComparison::AsciiCaseInsensitive)),
    ];
    let weights = prop_oneof![
        9 => select(vec![0.0, -0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 2.5]),
        1 => select(vec![1e-300, 1e300]),
    ];
    (comparisons, vec(weights, TAGS.len())).prop_map(|((tags, comparison), weights)| {
        ScorerSpec::Tag {
            weights: tags.into_iter().map(str::to_owned).zip(weights).collect(),
            comparison,
        }
    })
}

fn decay() -> impl Strategy<Value = ScorerSpec> {
    let spans = vec![
        TimeDelta::nanoseconds(1),
        TimeDelta::microseconds(500),
        TimeDelta::seconds(1),
        TimeDelta::milliseconds(1_234_567),
        TimeDelta::hours(6),
        TimeDelta::hours(24),
        TimeDelta::days(3),
        TimeDelta::days(3_650),
    ];
    let scores = vec(prop_oneof![select(vec![0.0, 0.1, 0.5, 0.9, 1.0]), 0.0..=1.0], spans.len());
    let curves = prop_oneof![
        select(spans.clone()).prop_map(|half_life| CurveSpec::Exponential { half_life }),
        select(spans.clone()).prop_map(|max_age| CurveSpec::Window { max_age }),
        (subsequence(spans, 1..=8), scores).prop_map(|(spans, scores)| CurveSpec::Step {
            windows: spans.into_iter().zip(scores).collect()
        }),
    ];
    (curves, select(vec![0.0, 0.5, 1.0])).prop_map(|(curve, null_timestamp_score)| {
        ScorerSpec::Decay { now: reference_time(), curve, null_timestamp_score }
    })
}

fn metadata_trust() -> impl Strategy<Value = ScorerSpec> {
    select(vec![0.0, 0.5, 1.0])
        .prop_map(|default_score| ScorerSpec::MetadataTrust { default_score })
}

fn metadata_key() -> impl Strategy<Value = ScorerSpec> {
    select(vec![0.5, 1.0, 1.5, f64::MAX]).prop_map(|boost| ScorerSpec::MetadataKey {
        key: "cupel:priority".to_owned(),
        value: "high".to_owned(),
        boost,
    })
}
