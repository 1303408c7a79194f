//! Policy files, requests, and damage to them.

use std::ops::Range;

use chrono::{DateTime, Datelike, Utc};
use cupel::{ContextItem, ContextKind, OverflowStrategy, ScarcityBehavior};
use cupel_policy::{
    CountQuota, CurveConfig, PlacerConfig, PolicyFile, PolicySource, Preset, Quota, Request,
    ScorerConfig, SlicerConfig, StepWindow, TagComparison, WeightedScorer,
};
use cupel_testing::generate::problems;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

/// Every file there can be, as far as built-in strategies go.
pub(crate) fn policy_files() -> impl Strategy<Value = PolicyFile> {
    let names = (prop::option::of(".*"), prop::option::of(".*"), prop::option::of(".*"));
    let strategies =
        (vec(weighted(scorers()), 1..=4), slicing(), placers(), any::<bool>(), overflows());
    (names, strategies).prop_map(
        |((schema, name, description), (scorers, slicing, placer, deduplication, overflow))| {
            let (slicer, quotas, count_quotas, scarcity) = slicing;
            let scarcity =
                if count_quotas.is_empty() { ScarcityBehavior::default() } else { scarcity };
            PolicyFile {
                schema,
                name,
                description,
                scorers,
                slicer,
                quotas,
                count_quotas,
                scarcity,
                placer,
                deduplication,
                overflow,
            }
        },
    )
}

fn weighted(scorers: impl Strategy<Value = ScorerConfig>) -> impl Strategy<Value = WeightedScorer> {
    (scorers, positive()).prop_map(|(scorer, weight)| WeightedScorer { scorer, weight })
}

/// Small enough that a few of them have a sum.
fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![
        select(vec![1.0, 3.0, 0.1, 0.3, 5e-324, 1e15, 1e16, 1e300, 9_007_199_254_740_993.0]),
        1e-9_f64..1e9,
    ]
}

fn unit() -> impl Strategy<Value = f64> {
    prop_oneof![select(vec![0.0, -0.0, 0.5, 1.0]), 0.0_f64..=1.0]
}

fn scorers() -> impl Strategy<Value = ScorerConfig> {
    let kinds =
        vec![ContextKind::message(), ContextKind::memory(), ContextKind::new("a \"b\"\n").unwrap()];
    let kind_weights = (subsequence(kinds, 0..=3).prop_shuffle(), vec(unit(), 3))
        .prop_map(|(kinds, weights)| kinds.into_iter().zip(weights).collect());
    let tags = vec!["x", "", "ünï", "key with spaces"];
    let tag_weights =
        (subsequence(tags, 0..=4).prop_shuffle(), vec(unit(), 4)).prop_map(|(tags, weights)| {
            tags.into_iter().map(str::to_owned).zip(weights).collect::<Vec<_>>()
        });
    let comparisons = select(vec![TagComparison::Ordinal, TagComparison::AsciiCaseInsensitive]);
    let leaves = prop_oneof![
        Just(ScorerConfig::Recency),
        Just(ScorerConfig::Priority),
        Just(ScorerConfig::Frequency),
        Just(ScorerConfig::Reflexive),
        prop::option::of(kind_weights).prop_map(|weights| ScorerConfig::Kind { weights }),
        (tag_weights, comparisons)
            .prop_map(|(weights, comparison)| ScorerConfig::Tag { weights, comparison }),
        unit().prop_map(|default_score| ScorerConfig::MetadataTrust { default_score }),
        (".*", ".*", positive()).prop_map(|(key, value, boost)| ScorerConfig::MetadataKey {
            key,
            value,
            boost
        }),
        (curves(), unit(), prop::option::of(times())).prop_map(
            |(curve, null_timestamp_score, reference_time)| ScorerConfig::Decay {
                curve,
                null_timestamp_score,
                reference_time,
            }
        ),
    ];
    leaves.prop_recursive(3, 12, 3, |inner| {
        let scaled =
            (inner.clone(), prop::option::of(positive())).prop_map(|(inner, inner_weight)| {
                ScorerConfig::Scaled { inner: Box::new(inner), inner_weight }
            });
        let composite =
            vec(weighted(inner), 1..=3).prop_map(|scorers| ScorerConfig::Composite { scorers });
        prop_oneof![scaled, composite]
    })
}

fn times() -> impl Strategy<Value = DateTime<Utc>> {
    (-62_167_219_200_i64..=253_402_300_799, 0_u32..1_000_000_000)
        .prop_map(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos).unwrap())
}

fn curves() -> impl Strategy<Value = CurveConfig> {
    let seconds = || prop_oneof![select(vec![1e-9, 0.1, 3600.0, 8e15]), 1e-6_f64..1e9];
    prop_oneof![
        seconds().prop_map(|half_life_seconds| CurveConfig::Exponential { half_life_seconds }),
        seconds().prop_map(|max_age_seconds| CurveConfig::Window { max_age_seconds }),
        vec((1e-6_f64..1e6, unit()), 1..=4).prop_map(|steps| {
            let mut age = 0.0;
            let windows = steps.into_iter().map(|(more, score)| {
                age += more;
                StepWindow { max_age_seconds: age, score }
            });
            CurveConfig::Step { windows: windows.collect() }
        }),
    ]
}

type Slicing = (SlicerConfig, Vec<Quota>, Vec<CountQuota>, ScarcityBehavior);

fn slicing() -> impl Strategy<Value = Slicing> {
    let slicers = prop_oneof![
        Just(SlicerConfig::Greedy),
        select(vec![1, 100, i64::MAX])
            .prop_map(|bucket_size| SlicerConfig::Knapsack { bucket_size }),
        prop::option::of(1_i64..=i64::MAX)
            .prop_map(|batch_size| SlicerConfig::Stream { batch_size }),
    ];
    let scarcities = select(vec![ScarcityBehavior::Degrade, ScarcityBehavior::Throw]);
    (slicers, quotas(), count_quotas(), scarcities).prop_map(
        |(slicer, mut quotas, mut counts, scarcity)| {
            match slicer {
                SlicerConfig::Stream { .. } => quotas.clear(),
                SlicerConfig::Knapsack { .. } if !quotas.is_empty() => counts.clear(),
                _ => {}
            }
            (slicer, quotas, counts, scarcity)
        },
    )
}

fn some_kinds() -> impl Strategy<Value = Vec<ContextKind>> {
    let kinds = ["Message", "tooloutput", "Document"].map(|kind| ContextKind::new(kind).unwrap());
    subsequence(kinds.to_vec(), 0..=3).prop_shuffle()
}

fn quotas() -> impl Strategy<Value = Vec<Quota>> {
    (some_kinds(), vec((0.0_f64..=33.0, 33.0_f64..=100.0, 0..3), 3)).prop_map(|(kinds, limits)| {
        let quota = |(kind, (min, max, which))| Quota {
            kind,
            min_percent: (which != 1).then_some(min),
            max_percent: (which != 2).then_some(max),
        };
        kinds.into_iter().zip(limits).map(quota).collect()
    })
}

fn count_quotas() -> impl Strategy<Value = Vec<CountQuota>> {
    let caps = prop::option::of(prop_oneof![3_usize..9, Just(usize::MAX)]);
    (some_kinds(), vec((0_usize..=3, caps), 3)).prop_map(|(kinds, limits)| {
        let quota =
            |(kind, (require_count, cap_count))| CountQuota { kind, require_count, cap_count };
        kinds.into_iter().zip(limits).map(quota).collect()
    })
}

fn placers() -> impl Strategy<Value = PlacerConfig> {
    prop_oneof![Just(PlacerConfig::Chronological), Just(PlacerConfig::UShaped)]
}

fn overflows() -> impl Strategy<Value = OverflowStrategy> {
    select(vec![OverflowStrategy::Throw, OverflowStrategy::Truncate, OverflowStrategy::Proceed])
}

/// Requests that JSON can carry.
pub(crate) fn requests() -> impl Strategy<Value = Request> {
    let policies = prop_oneof![
        1 => select(Preset::ALL.to_vec()).prop_map(PolicySource::from),
        3 => policy_files().prop_map(PolicySource::from),
    ];
    (problems(10), policies).prop_map(|((items, budget), policy)| {
        let items = items.into_iter().filter(has_a_timestamp_to_write).collect();
        Request { items, budget, policy }
    })
}

/// RFC 3339 has years of four digits; the generators go further.
pub(crate) fn has_a_timestamp_to_write(item: &ContextItem) -> bool {
    item.timestamp().is_none_or(|time| (0..=9999).contains(&time.year()))
}

/// A text with a few places changed, mostly to something that still looks like JSON.
pub(crate) fn damaged(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let pieces = [
        "",
        "null",
        "0",
        "-0",
        "1",
        "-1",
        "1.0",
        "1e2",
        "1e400",
        "99999999999999999999",
        "\"\"",
        "\"x\"",
        "\" \"",
        "\"NaN\"",
        "\"Infinity\"",
        "true",
        "[]",
        "{}",
        "[1]",
        "{\"a\":1}",
        "\"",
        ",",
        ":",
        "{",
        "}",
        "[",
        "]",
        "\\",
        "\\u0041",
        "\\ud800",
        "_",
        "\u{1}",
        "\u{feff}",
        "é",
        "😀",
        "\"tokens\":1,",
        "\"kind\":\"A\",",
        "\"kind\":\"a\",",
        "\"original_tokens\":5,",
        "\"max_tokens\":5,",
        "\"type\":\"scaled\",",
        "2025-01-01T00:00:00Z",
        "+02:00",
        ".5",
    ];
    let change = (any::<Index>(), prop::option::of(0_usize..12), select(pieces.to_vec()));
    (text, vec(change, 0..5)).prop_map(|(mut text, changes)| {
        for (at, length, piece) in changes {
            let range = match length {
                Some(length) => stretch(&text, at, length),
                None => whole_value(&text, at),
            };
            text.replace_range(range, piece);
        }
        text
    })
}

/// That many characters from some place on.
fn stretch(text: &str, at: Index, length: usize) -> Range<usize> {
    let boundaries: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let start = at.index(boundaries.len());
    let end = (start + length).min(boundaries.len() - 1);
    boundaries[start]..boundaries[end]
}

/// What follows some colon, up to the next comma or bracket.
fn whole_value(text: &str, at: Index) -> Range<usize> {
    let colons: Vec<_> = text.match_indices(':').map(|(at, _)| at + 1).collect();
    if colons.is_empty() {
        return 0..text.len();
    }
    let start = *at.get(&colons);
    let end = text[start..].find([',', '}', ']']).map_or(text.len(), |length| start + length);
    start..end
}
