use chrono::{DateTime, Utc};
use cupel::ContextKind;
use cupel_policy::{CurveConfig, ScorerConfig, StepWindow, TagComparison, WeightedScorer};
use cupel_policy::{Language, RelevanceParameters};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::policy::{raw_hint, reference_time};
use super::value::TAGS;

/// Scorers, up to two levels of composition deep.
///
/// A naive model of a scorer inside two `ScaledScorer`s takes cubic time, hence the bound.
pub fn scorers() -> impl Strategy<Value = ScorerConfig> {
    nested(prop_oneof![19 => simple(), 1 => Just(raw_hint())].boxed())
}

/// The same without [`RawHintScorer`](super::RawHintScorer), and with those that need a query: what any loader can build.
pub fn built_in_scorers() -> impl Strategy<Value = ScorerConfig> {
    nested(
        prop_oneof![8 => simple(), 1 => relevance(), 1 => Just(ScorerConfig::Similarity)].boxed(),
    )
}

/// Relevance with parameters in their whole range.
fn relevance() -> impl Strategy<Value = ScorerConfig> {
    let languages = select(Language::all().collect::<Vec<_>>());
    let sizes = || prop_oneof![2 => select(vec![0.0, 1.2, 200.0, 1e6]), 1 => 0.0..=1e6];
    let saturations = prop_oneof![2 => select(vec![8.0, 1e-9, 1e6]), 1 => 0.01..=100.0];
    let shares = vec(unit(), 4);
    (languages, vec(sizes(), 4), saturations, shares).prop_map(
        |(language, sizes, saturation, shares)| {
            let mut parameters = RelevanceParameters::default();
            parameters.language = language;
            parameters.query_saturation = saturation;
            let into = [
                &mut parameters.k1,
                &mut parameters.neighbour_decay,
                &mut parameters.document_weight,
                &mut parameters.similarity_decay,
            ];
            into.into_iter().zip(sizes).for_each(|(parameter, size)| *parameter = size);
            let into = [
                &mut parameters.b,
                &mut parameters.neighbour_share,
                &mut parameters.similarity_weight,
                &mut parameters.similarity_spread,
            ];
            into.into_iter().zip(shares).for_each(|(parameter, share)| *parameter = share);
            ScorerConfig::Relevance(parameters)
        },
    )
}

fn nested(simple: BoxedStrategy<ScorerConfig>) -> impl Strategy<Value = ScorerConfig> {
    let combined =
        prop_oneof![4 => simple.clone(), 1 => scaled(simple.clone()), 2 => composite(simple)]
            .boxed();
    prop_oneof![4 => combined.clone(), 1 => scaled(combined.clone()), 1 => composite(combined)]
}

fn scaled(inner: BoxedStrategy<ScorerConfig>) -> impl Strategy<Value = ScorerConfig> {
    (inner, prop::option::weighted(0.3, weights())).prop_map(|(inner, inner_weight)| {
        ScorerConfig::Scaled { inner: Box::new(inner), inner_weight }
    })
}

fn composite(child: BoxedStrategy<ScorerConfig>) -> impl Strategy<Value = ScorerConfig> {
    let weighted =
        (child, weights()).prop_map(|(scorer, weight)| WeightedScorer { scorer, weight });
    vec(weighted, 1..=4).prop_map(|scorers| ScorerConfig::Composite { scorers })
}

/// The extreme weights stay below a quarter of the largest number, so that four of them have a sum.
fn weights() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => select(vec![0.1, 0.25, 0.3, 0.5, 1.0, 2.0, 3.0]),
        3 => 0.01..=10.0,
        1 => select(vec![5e-324, 1e-300, 1e15, 1e16, 9_007_199_254_740_993.0, 1e300, f64::MAX / 5.0]),
    ]
}

fn unit() -> impl Strategy<Value = f64> {
    prop_oneof![3 => select(vec![0.0, -0.0, 0.1, 0.5, 0.9, 1.0]), 1 => 0.0..=1.0]
}

fn simple() -> impl Strategy<Value = ScorerConfig> {
    prop_oneof![
        2 => Just(ScorerConfig::Recency),
        2 => Just(ScorerConfig::Priority),
        2 => Just(ScorerConfig::Frequency),
        3 => Just(ScorerConfig::Reflexive),
        2 => kind(),
        2 => tag(),
        2 => decay(),
        1 => unit().prop_map(|default_score| ScorerConfig::MetadataTrust { default_score }),
        1 => metadata_key(),
        1 => select(vec![1e-300, 0.1, 0.25, 0.5, 1.0])
            .prop_map(|half_life| ScorerConfig::FadingRecency { half_life }),
    ]
}

fn kind() -> impl Strategy<Value = ScorerConfig> {
    let kinds = ["MESSAGE", "Document", "tooloutput", "Memory", "Note", "a \"b\"\n"]
        .map(|kind| ContextKind::new(kind).expect("no kind in the list is blank"));
    let weights = prop_oneof![
        5 => select(vec![0.0, -0.0, 0.2, 0.5, 1.0, 2.5]),
        1 => 0.0..=1.0,
        1 => Just(f64::MAX),
    ];
    let custom = (subsequence(kinds.to_vec(), 0..=6).prop_shuffle(), vec(weights, 6))
        .prop_map(|(kinds, weights)| Some(kinds.into_iter().zip(weights).collect()));
    prop_oneof![Just(None), custom].prop_map(|weights| ScorerConfig::Kind { weights })
}

fn tag() -> impl Strategy<Value = ScorerConfig> {
    let exact = [&TAGS[..], &["key with \"spaces\""]].concat();
    let folded = vec!["important", "Rust", "X", "Zed", "alpha", "ünï", "ÜNÏ"];
    let most = exact.len();
    let some = |tags: Vec<&'static str>| subsequence(tags.clone(), 0..=tags.len()).prop_shuffle();
    let comparisons = prop_oneof![
        (some(exact), Just(TagComparison::Ordinal)),
        (some(folded), Just(TagComparison::AsciiCaseInsensitive)),
    ];
    let weights = prop_oneof![
        9 => select(vec![0.0, -0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 2.5]),
        1 => 0.0..=1.0,
        1 => select(vec![1e-300, 1e300]),
    ];
    (comparisons, vec(weights, most)).prop_map(|((tags, comparison), weights)| ScorerConfig::Tag {
        weights: tags.into_iter().map(str::to_owned).zip(weights).collect(),
        comparison,
    })
}

/// From the shortest span that there is to the longest.
const SECONDS: [f64; 9] = [
    1e-9,
    0.000_5,
    1.0,
    1_234.567,
    6.0 * 3_600.0,
    24.0 * 3_600.0,
    3.0 * 86_400.0,
    3_650.0 * 86_400.0,
    9_223_372_036_854_774.0,
];

fn decay() -> impl Strategy<Value = ScorerConfig> {
    let seconds = || prop_oneof![8 => select(SECONDS.to_vec()), 1 => 1e-6..1e9];
    let steps = prop_oneof![
        3 => subsequence(SECONDS.to_vec(), 1..=SECONDS.len()),
        1 => vec(1e-6..1e6, 1..=4).prop_map(|spans: Vec<f64>| {
            let mut age = 0.0;
            let longer = |span| { age += span; age };
            spans.into_iter().map(longer).collect()
        }),
    ];
    let windows = (steps, vec(unit(), SECONDS.len())).prop_map(|(ages, scores)| {
        let window = |(max_age_seconds, score)| StepWindow { max_age_seconds, score };
        ages.into_iter().zip(scores).map(window).collect()
    });
    let curves = prop_oneof![
        seconds().prop_map(|half_life_seconds| CurveConfig::Exponential { half_life_seconds }),
        seconds().prop_map(|max_age_seconds| CurveConfig::Window { max_age_seconds }),
        windows.prop_map(|windows| CurveConfig::Step { windows }),
    ];
    let times = prop_oneof![6 => Just(None), 6 => Just(Some(reference_time())), 1 => any_time()];
    (curves, unit(), times).prop_map(|(curve, null_timestamp_score, reference_time)| {
        ScorerConfig::Decay { curve, null_timestamp_score, reference_time }
    })
}

/// Any time that a file can say.
fn any_time() -> impl Strategy<Value = Option<DateTime<Utc>>> {
    (-62_167_219_200_i64..=253_402_300_799, 0_u32..1_000_000_000)
        .prop_map(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos))
}

fn metadata_key() -> impl Strategy<Value = ScorerConfig> {
    let entries = prop_oneof![
        4 => Just(("cupel:priority".to_owned(), "high".to_owned())),
        1 => (".*", ".*"),
    ];
    let boosts = prop_oneof![4 => select(vec![0.5, 1.0, 1.5, f64::MAX]), 1 => weights()];
    (entries, boosts).prop_map(|((key, value), boost)| ScorerConfig::MetadataKey {
        key,
        value,
        boost,
    })
}
