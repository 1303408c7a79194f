//! The values items are made of.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::policy::reference_time;

/// Kinds in several spellings; three of them mean `Message`.
pub(super) const KINDS: [&str; 10] = [
    "Message",
    "message",
    "MESSAGE",
    "Document",
    "document",
    "ToolOutput",
    "toolOUTPUT",
    "Memory",
    "SystemPrompt",
    "Note",
];

/// Tags in several spellings. Only ASCII letters have a case that counts, so the last two differ.
pub(super) const TAGS: [&str; 9] =
    ["important", "Important", "IMPORTANT", "rust", "Rust", "x", "", "ünï", "ÜNÏ"];

const MORE_TAGS: [&str; 12] =
    ["a", "B", "c", "D", "e", "F", "g", "H", "i", "J", "urgent", "URGENT"];

/// Contents that are easily taken for one another.
const LOOKALIKES: [&str; 6] =
    ["alpha", "Alpha", "alpha ", "caf\u{e9}", "cafe\u{301}", "\u{feff}alpha"];

/// Few enough to be shared, and two that differ only in how they are encoded.
const GROUPS: [&str; 6] = ["call-1", "call-2", "call-3", "Call-1", "caf\u{e9}", "cafe\u{301}"];

const DOCUMENTS: [&str; 4] = ["guide.md", "Guide.md", "notes", "minutes of the board"];

const TRUST: [&str; 10] =
    ["0.85", "0.5", "1.5", "-0.1", "-0.0", "NaN", "+Infinity", "high", "", " 0.5"];

pub(super) fn calm_scores() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0_i32..=100).prop_map(|hundredths| f64::from(hundredths) / 100.0),
        1 => select(vec![0.0, 0.5, 1.0]),
        1 => 0.0..=1.0,
    ]
}

pub(super) fn wild_scores() -> impl Strategy<Value = f64> {
    prop_oneof![1 => calm_scores(), 1 => troublesome_scores()]
}

fn troublesome_scores() -> impl Strategy<Value = f64> {
    select(vec![
        1.0,
        0.0,
        -0.0,
        -0.3,
        1.7,
        0.000_05,
        5e-324,
        1e15,
        1e18,
        1e300,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
    ])
}

/// Mostly distinct contents, some of them lookalikes.
pub(super) fn contents() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0_u32..500).prop_map(|number| format!("item-{number}")),
        1 => select(&LOOKALIKES[..]).prop_map(str::to_owned),
    ]
}

pub(super) fn tokens() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => 1_i64..=100,
        3 => select(vec![1_i64, 10, 50, 100]),
        2 => 100_i64..=900,
        1 => Just(0),
        1 => -3_i64..=-1,
    ]
}

pub(super) fn extreme_tokens() -> impl Strategy<Value = i64> {
    const BEYOND_F64: i64 = (1 << 53) + 1;
    let extremes = [
        i64::MAX,
        i64::MAX - 1,
        i64::MAX / 2,
        i64::MIN,
        i64::MIN + 1,
        1_000_000_000_000,
        BEYOND_F64,
    ];
    prop_oneof![2 => tokens(), 1 => select(extremes.to_vec())]
}

/// Mostly few tags from a small set, so that items share them; sometimes many from a larger one.
pub(super) fn tags() -> impl Strategy<Value = Vec<&'static str>> {
    prop_oneof![
        9 => vec(select(&TAGS[..]), 0..=3),
        1 => vec(prop_oneof![select(&TAGS[..]), select(&MORE_TAGS[..])], 4..=10),
    ]
}

pub(super) fn priorities() -> impl Strategy<Value = Option<i64>> {
    prop::option::weighted(0.7, prop_oneof![8 => -2_i64..=5, 1 => select(vec![i64::MIN, i64::MAX])])
}

pub(super) fn hints() -> impl Strategy<Value = Option<f64>> {
    prop::option::weighted(0.85, prop_oneof![3 => calm_scores(), 1 => troublesome_scores()])
}

pub(super) fn metadata() -> impl Strategy<Value = HashMap<String, String>> {
    let trust = prop::option::weighted(0.4, select(&TRUST[..]));
    let priority = prop::option::weighted(0.3, select(&["high", "High", "normal"][..]));
    (trust, priority).prop_map(|(trust, priority)| {
        let entries = [("cupel:trust", trust), ("cupel:priority", priority)];
        let present = entries
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())));
        present.collect()
    })
}

/// Moments around [`reference_time`], where decay curves have their edges; few enough to collide.
pub(super) fn timestamps() -> impl Strategy<Value = Option<DateTime<Utc>>> {
    let ages = [
        TimeDelta::zero(),
        TimeDelta::nanoseconds(1),
        TimeDelta::microseconds(500),
        TimeDelta::seconds(1),
        TimeDelta::hours(1),
        TimeDelta::hours(6),
        TimeDelta::hours(24),
        TimeDelta::days(3),
        TimeDelta::days(400),
        TimeDelta::hours(-12),
    ];
    let moments = prop_oneof![
        10 => select(ages.to_vec()).prop_map(|age| reference_time() - age),
        6 => (0_i64..=100_000).prop_map(|seconds| reference_time() - TimeDelta::seconds(seconds)),
        1 => select(ends_of_time().to_vec()),
    ];
    prop::option::weighted(0.8, moments)
}

/// The first and the last moment that an item may have.
fn ends_of_time() -> [DateTime<Utc>; 2] {
    ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]
        .map(|time| time.parse().expect("a valid time"))
}

pub(super) fn groups() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::weighted(0.6, select(&GROUPS[..]))
}

/// What up to four variants keep of an item's tokens, in hundredths, and of its worth. Mostly richest first.
pub(super) fn shares() -> impl Strategy<Value = Vec<(i64, Option<f64>)>> {
    let hundredths = prop_oneof![4 => 0_i64..100, 1 => select(vec![0_i64, 50, 99])];
    let worths = prop_oneof![
        2 => Just(None),
        1 => select(vec![0.0, 0.5, 0.9, 1.0]).prop_map(Some),
        1 => (0.0..=1.0).prop_map(Some),
    ];
    let richest_first = |mut shares: Vec<(i64, Option<f64>)>| {
        shares.sort_by_key(|(hundredths, _)| std::cmp::Reverse(*hundredths));
        shares
    };
    prop_oneof![
        1 => Just(Vec::new()),
        2 => vec((hundredths, worths), 1..=4).prop_map(richest_first),
    ]
}

/// What retrieval may know of an item.
#[derive(Debug, Clone)]
pub(super) struct Passage {
    pub(super) document: Option<&'static str>,
    pub(super) position: Option<i64>,
    pub(super) similarity: Option<f64>,
    pub(super) vector: Vec<f32>,
}

/// Few documents, so that they have several parts; few positions, so that some are taken twice.
pub(super) fn passages() -> impl Strategy<Value = Passage> {
    let positions = prop_oneof![9 => -1_i64..=6, 1 => select(vec![i64::MIN, i64::MAX])];
    let similarities = prop_oneof![
        4 => calm_scores(),
        1 => select(vec![-0.0, -0.3, 42.0, 5e-324, f64::MAX, f64::MIN]),
    ];
    let coordinates = prop_oneof![
        4 => (-10_i8..=10).prop_map(|tenths| f32::from(tenths) / 10.0),
        1 => select(vec![0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE]),
    ];
    (
        prop::option::weighted(0.8, select(&DOCUMENTS[..])),
        prop::option::weighted(0.8, positions),
        prop::option::weighted(0.4, similarities),
        prop_oneof![1 => Just(Vec::new()), 2 => vec(coordinates.clone(), 3), 1 => vec(coordinates, 0..=4)],
    )
        .prop_map(|(document, position, similarity, vector)| Passage {
            document,
            position,
            similarity,
            vector,
        })
}
