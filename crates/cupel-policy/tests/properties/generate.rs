//! Policy files, requests, and damage to them.

use std::ops::Range;

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use cupel::{ContextItem, OverflowStrategy, Query, ScarcityBehavior};
use cupel_policy::{
    CountQuota, PolicyFile, PolicySource, Preset, Quota, Request, SlicerConfig, WeightedScorer,
};
use cupel_testing::generate::{
    built_in_scorers, built_in_slicers, count_quotas, placers, problems, quotas, reference_time,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Every file there can be, as far as built-in strategies go.
pub(crate) fn policy_files() -> impl Strategy<Value = PolicyFile> {
    let names = (prop::option::of(".*"), prop::option::of(".*"), prop::option::of(".*"));
    let strategies = (averages(), slicing(), placers(), any::<bool>(), overflows());
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

fn averages() -> impl Strategy<Value = Vec<WeightedScorer>> {
    let weights = prop_oneof![select(vec![1.0, 3.0, 0.1, 5e-324, 1e16, 1e300]), 1e-9_f64..1e9];
    let weighted = (built_in_scorers(), weights)
        .prop_map(|(scorer, weight)| WeightedScorer { scorer, weight });
    vec(weighted, 1..=4)
}

type Slicing = (SlicerConfig, Vec<Quota>, Vec<CountQuota>, ScarcityBehavior);

/// A slicer and quotas of the policy that may stand around it.
fn slicing() -> impl Strategy<Value = Slicing> {
    let scarcities = select(vec![ScarcityBehavior::Degrade, ScarcityBehavior::Throw]);
    (built_in_slicers(), quotas(), count_quotas(), scarcities).prop_map(
        |(slicer, mut quotas, mut counts, scarcity)| {
            if streams(&slicer) {
                quotas.clear();
            }
            let bare = matches!(slicer, SlicerConfig::Knapsack { .. }) && quotas.is_empty();
            if packs(&slicer) && !bare {
                counts.clear();
            }
            (slicer, quotas, counts, scarcity)
        },
    )
}

/// Whether quotas around it are refused.
fn streams(slicer: &SlicerConfig) -> bool {
    match slicer {
        SlicerConfig::Quota { inner, .. } | SlicerConfig::CountQuota { inner, .. } => {
            streams(inner)
        }
        other => matches!(other, SlicerConfig::Stream { .. }),
    }
}

/// Whether count quotas around it are refused, unless it is nothing but a knapsack.
fn packs(slicer: &SlicerConfig) -> bool {
    match slicer {
        SlicerConfig::Quota { inner, .. } => packs(inner),
        other => matches!(other, SlicerConfig::Knapsack { .. }),
    }
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
    let nows = prop::option::weighted(0.2, (0_i64..=100_000).prop_map(after_noon));
    (problems(10), policies, prop::option::of(queries()), nows).prop_map(
        |((items, budget), policy, query, now)| {
            let items = items.into_iter().filter(has_a_timestamp_to_write).collect();
            Request { id: None, items, budget, policy, query, now, session: None }
        },
    )
}

fn after_noon(milliseconds: i64) -> DateTime<Utc> {
    reference_time() + TimeDelta::milliseconds(milliseconds)
}

fn queries() -> impl Strategy<Value = Query> {
    let vectors = prop_oneof![Just(Vec::new()), vec(-1.0_f32..=1.0, 1..=3)];
    (".*", vectors).prop_map(|(text, vector)| Query::new(text).with_vector(vector).unwrap())
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
        "\"position\":5,",
        "\"vector\":[0.1,1e39],",
        "1e39",
        "1.00000005960464477540",
        "\"max_tokens\":5,",
        "\"type\":\"scaled\",",
        "2025-01-01T00:00:00Z",
        "+02:00",
        ".5",
        "//",
        "/*",
        "*/",
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
