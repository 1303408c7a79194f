//! Scorers and decay curves.

use cupel::{CupelError, FadingRecencyScorer};
use cupel_relevance::{Language, RelevanceParameters, RelevanceScorer};

use super::strategy::{accepted, arguments};
use crate::error::ProblemKind;
use crate::json::{Node, Path, Value};
use crate::policy::{
    CurveConfig, CustomConfig, MAX_STEP_WINDOWS, ScorerConfig, StepWindow, TagComparison,
    WeightedScorer, scorer as build,
};
use crate::read::{
    Context, Fields, Spelled, by_kind, entries, list, number, one_of, string, timestamp,
    unknown_name,
};
use crate::time;

pub(crate) const SCORER_TYPES: &[&str] = &[
    "recency",
    "priority",
    "frequency",
    "reflexive",
    "kind",
    "tag",
    "scaled",
    "composite",
    "metadataTrust",
    "metadataKey",
    "decay",
    "fadingRecency",
    "relevance",
    "similarity",
];

/// Which scorers have which keys beside `type` and `weight`.
const SCORER_KEYS: &[(&str, &[&str])] = &[
    ("kind", &["kindWeights"]),
    ("tag", &["tagWeights", "tagComparison"]),
    ("scaled", &["innerScorer"]),
    ("composite", &["scorers"]),
    ("metadataTrust", &["defaultScore"]),
    ("metadataKey", &["key", "value", "boost"]),
    ("decay", &["nullTimestampScore", "referenceTime", "curve"]),
    ("fadingRecency", &["halfLife"]),
    (
        "relevance",
        &[
            "language",
            "k1",
            "b",
            "querySaturation",
            "neighbourDecay",
            "neighbourShare",
            "documentWeight",
            "similarityWeight",
            "similarityDecay",
            "similaritySpread",
        ],
    ),
];

const CURVE_TYPES: &[(&str, &str)] =
    &[("exponential", "exponential"), ("window", "window"), ("step", "step")];

const CURVE_KEYS: &[(&str, &[&str])] = &[
    ("exponential", &["halfLifeSeconds"]),
    ("window", &["maxAgeSeconds"]),
    ("step", &["windows"]),
];

const TAG_COMPARISONS: &[(&str, TagComparison)] = &[
    ("ordinal", TagComparison::Ordinal),
    ("asciiCaseInsensitive", TagComparison::AsciiCaseInsensitive),
];

/// A list of scorers that can be averaged.
pub(super) fn scorers(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<WeightedScorer>> {
    let scorers = list(weighted)(node, path, context)?;
    context.accepted(node, path, build::check_average(&scorers)).map(|()| scorers)
}

fn weighted(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<WeightedScorer> {
    let (scorer, weight) = scorer(Weight::Required, node, path, context)?;
    Some(WeightedScorer { weight: weight?, scorer })
}

/// A scorer whose weight means nothing and may be left out.
fn inner(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<(ScorerConfig, Option<f64>)> {
    scorer(Weight::Optional, node, path, context)
}

/// Whether a scorer must have a weight.
enum Weight {
    Required,
    Optional,
}

fn scorer(
    weight: Weight,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<(ScorerConfig, Option<f64>)> {
    let mut fields = Fields::of(node, path, "a scorer object", context)?;
    let name = fields.required("type", context, string);
    let weight = match weight {
        Weight::Required => fields.required("weight", context, positive),
        Weight::Optional => fields.optional("weight", context, positive),
    };
    let name = name?;
    let scorer = match SCORER_TYPES.iter().find(|known| Spelled(known).is_name(&name)) {
        Some(known) => built_in(known, fields, node, path, context),
        None => custom(name, fields, node, path, context),
    };
    Some((scorer?, weight))
}

/// The rest of a scorer of that type.
fn built_in(
    known: &str,
    mut fields: Fields<'_>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ScorerConfig> {
    let scorer = match known {
        "recency" => Some(ScorerConfig::Recency),
        "priority" => Some(ScorerConfig::Priority),
        "frequency" => Some(ScorerConfig::Frequency),
        "reflexive" => Some(ScorerConfig::Reflexive),
        "kind" => {
            let weights = by_kind(non_negative, CupelError::ScorerConfig);
            Some(ScorerConfig::Kind { weights: fields.optional("kindWeights", context, weights) })
        }
        "tag" => {
            let weights = fields.required("tagWeights", context, tag_weights);
            let comparison = one_of("tag comparison", TAG_COMPARISONS);
            let comparison = fields.optional("tagComparison", context, comparison);
            weights.map(|weights| ScorerConfig::Tag {
                weights,
                comparison: comparison.unwrap_or_default(),
            })
        }
        "scaled" => fields.required("innerScorer", context, inner).map(|(inner, inner_weight)| {
            ScorerConfig::Scaled { inner: Box::new(inner), inner_weight }
        }),
        "composite" => fields
            .required("scorers", context, scorers)
            .map(|scorers| ScorerConfig::Composite { scorers }),
        "metadataTrust" => {
            let default_score = fields.optional("defaultScore", context, unit_interval);
            Some(ScorerConfig::MetadataTrust { default_score: default_score.unwrap_or(NEUTRAL) })
        }
        "metadataKey" => metadata_key(&mut fields, context),
        "decay" => decay(&mut fields, context),
        "fadingRecency" => {
            let half_life = fields.optional("halfLife", context, |node, path, context| {
                let given = number(node, path, context)?;
                context.accepted(node, path, FadingRecencyScorer::new(given).map(|_| given))
            });
            Some(ScorerConfig::FadingRecency { half_life: half_life.unwrap_or(USUAL_HALF_LIFE) })
        }
        "relevance" => Some(ScorerConfig::Relevance(relevance(&mut fields, context))),
        _ => Some(ScorerConfig::Similarity),
    };
    fields.finish_knowing(|key| owner(key, SCORER_KEYS, "scorers"), context);
    let scorer = scorer?;
    let checked = scorer.check(&context.parts());
    context.accepted(node, path, checked).map(|()| scorer)
}

/// A quarter of the history, which agents did best with.
const USUAL_HALF_LIFE: f64 = 0.25;

/// A number among the parameters of relevance.
type Parameter = fn(&mut RelevanceParameters) -> &mut f64;

const RELEVANCE_NUMBERS: &[(&str, Parameter)] = &[
    ("k1", |it| &mut it.k1),
    ("b", |it| &mut it.b),
    ("querySaturation", |it| &mut it.query_saturation),
    ("neighbourDecay", |it| &mut it.neighbour_decay),
    ("neighbourShare", |it| &mut it.neighbour_share),
    ("documentWeight", |it| &mut it.document_weight),
    ("similarityWeight", |it| &mut it.similarity_weight),
    ("similarityDecay", |it| &mut it.similarity_decay),
    ("similaritySpread", |it| &mut it.similarity_spread),
];

/// The parameters of relevance, each as it usually is unless given.
fn relevance(fields: &mut Fields<'_>, context: &mut Context<'_>) -> RelevanceParameters {
    let mut parameters = RelevanceParameters::default();
    if let Some(language) = fields.optional("language", context, language) {
        parameters.language = language;
    }
    for (key, parameter) in RELEVANCE_NUMBERS {
        let given = fields.optional(key, context, |node, path, context| {
            let given = number(node, path, context)?;
            // Alone among the usual ones, so that the problem stands at the number and not at the scorer.
            let mut alone = RelevanceParameters::default();
            *parameter(&mut alone) = given;
            context.accepted(node, path, RelevanceScorer::with(alone).map(|_| given))
        });
        if let Some(given) = given {
            *parameter(&mut parameters) = given;
        }
    }
    parameters
}

fn language(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<Language> {
    let name = string(node, path, context)?;
    let language = Language::from_name(&name);
    if language.is_none() {
        let names = Language::all().map(Language::name);
        context.problems.add_with(node.at, path, || unknown_name("language", &name, names));
    }
    language
}

/// What a score is when nothing is known.
const NEUTRAL: f64 = 0.5;

fn metadata_key(fields: &mut Fields<'_>, context: &mut Context<'_>) -> Option<ScorerConfig> {
    let key = fields.required("key", context, string);
    let value = fields.required("value", context, string);
    let boost = fields.required("boost", context, positive);
    Some(ScorerConfig::MetadataKey { key: key?, value: value?, boost: boost? })
}

fn decay(fields: &mut Fields<'_>, context: &mut Context<'_>) -> Option<ScorerConfig> {
    let null_timestamp_score = fields.optional("nullTimestampScore", context, unit_interval);
    let reference_time = fields.optional("referenceTime", context, timestamp);
    let curve = fields.required("curve", context, curve);
    Some(ScorerConfig::Decay {
        curve: curve?,
        null_timestamp_score: null_timestamp_score.unwrap_or(NEUTRAL),
        reference_time,
    })
}

fn custom(
    name: String,
    fields: Fields<'_>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ScorerConfig> {
    let registry = context.parts().registry;
    if !registry.scorer_names().any(|registered| registered == name) {
        let names = SCORER_TYPES.iter().copied().chain(registry.scorer_names());
        let at = fields.position_of_value("type").unwrap_or(node.at);
        let describe = || unknown_name("scorer type", &name, names);
        context.problems.add_with(at, &path.key("type"), describe);
        return None;
    }
    let arguments = arguments(fields.rest(), path, context)?;
    let custom = CustomConfig { name, arguments: arguments.into() };
    accepted(registry.scorer(&custom).map(drop), node, path, context)?;
    Some(ScorerConfig::Custom(custom))
}

/// Whose key that is, if it is one of `keys` at all.
pub(super) fn owner(key: &str, keys: &[(&str, &[&str])], family: &str) -> Option<String> {
    let owner = keys.iter().find(|(_, keys)| keys.iter().any(|known| Spelled(known).is_key(key)));
    owner.map(|(owner, _)| format!("{family} of type {owner:?}"))
}

fn tag_weights(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<(String, f64)>> {
    let members = entries(node, path, context)?;
    let weights: Vec<_> = members
        .into_iter()
        .map(|member| {
            let weight = non_negative(&member.value, &path.key(&member.key), context)?;
            Some((member.key.to_string(), weight))
        })
        .collect();
    weights.into_iter().collect()
}

fn curve(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<CurveConfig> {
    let mut fields = Fields::of(node, path, "a decay curve object", context)?;
    let curve = match fields.required("type", context, one_of("decay curve", CURVE_TYPES))? {
        "exponential" => fields
            .required("halfLifeSeconds", context, seconds)
            .map(|half_life_seconds| CurveConfig::Exponential { half_life_seconds }),
        "window" => fields
            .required("maxAgeSeconds", context, seconds)
            .map(|max_age_seconds| CurveConfig::Window { max_age_seconds }),
        _ => fields
            .required("windows", context, step_windows)
            .map(|windows| CurveConfig::Step { windows }),
    };
    fields.finish_knowing(|key| owner(key, CURVE_KEYS, "decay curves"), context);
    let curve = curve?;
    let checked = curve.build();
    context.accepted(node, path, checked).map(|_| curve)
}

fn step_windows(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<StepWindow>> {
    if let Value::Array(windows) = &node.value
        && windows.len() > MAX_STEP_WINDOWS
    {
        let message =
            format!("{} windows are more than a file may have ({MAX_STEP_WINDOWS})", windows.len());
        context.problem(node, path, ProblemKind::Other { message });
        return None;
    }
    list(step_window)(node, path, context)
}

fn step_window(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<StepWindow> {
    let mut fields = Fields::of(node, path, "a step window object", context)?;
    let max_age_seconds = fields.required("maxAgeSeconds", context, seconds);
    let score = fields.required("score", context, unit_interval);
    fields.finish(context);
    Some(StepWindow { max_age_seconds: max_age_seconds?, score: score? })
}

/// A number that a scorer takes only if it is `right`.
fn number_that(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
    right: impl FnOnce(f64) -> bool,
    rule: &str,
) -> Option<f64> {
    let number = number(node, path, context)?;
    if right(number) {
        return Some(number);
    }
    let refused = CupelError::ScorerConfig(format!("{number} must be {rule}"));
    context.problem(node, path, ProblemKind::Refused(refused));
    None
}

fn positive(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<f64> {
    number_that(node, path, context, |number| number > 0.0, "greater than 0")
}

fn non_negative(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<f64> {
    number_that(node, path, context, |number| number >= 0.0, "at least 0")
}

fn unit_interval(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<f64> {
    number_that(node, path, context, |number| (0.0..=1.0).contains(&number), "between 0 and 1")
}

/// A number of seconds that is still more than nothing when rounded to the nanosecond.
fn seconds(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<f64> {
    let seconds = number(node, path, context)?;
    let duration = context.accepted(node, path, time::duration(seconds))?;
    let longer_than_zero = duration > chrono::Duration::zero();
    number_that(
        node,
        path,
        context,
        |_| longer_than_zero,
        "more than 0 when rounded to nanoseconds",
    )
}
