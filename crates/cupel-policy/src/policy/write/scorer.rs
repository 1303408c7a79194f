//! Scorers and decay curves.

use std::fmt::Display;

use cupel::ContextKind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::numbers::{NonNegative, Positive, Unit};
use crate::Arguments;
use crate::policy::{CurveConfig, ScorerConfig, TagComparison, WeightedScorer};
use crate::time::Time;

/// A scorer in a list, where it needs a weight.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, extend(
    "required" = ["type", "weight"],
    "properties" = { "weight": { "type": "number" } }
))]
pub(super) struct Weighted<'a>(ScorerDefinition<'a>);

/// How relevance is judged. The weight is needed in a list and means nothing elsewhere.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schemars(rename = "Scorer", deny_unknown_fields)]
enum ScorerDefinition<'a> {
    /// Newer items score higher, by rank.
    Recency {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
    },
    /// Items of higher priority score higher, by rank.
    Priority {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
    },
    /// The share of other items that have a tag in common.
    Frequency {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
    },
    /// The item's own futureRelevanceHint.
    Reflexive {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
    },
    /// A weight per kind.
    Kind {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// The weight of each kind, without regard to case, 0 for others; unless given SystemPrompt
        /// 1, Memory 0.8, ToolOutput 0.6, Document 0.4, Message 0.2.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind_weights: Option<Weights<'a, ContextKind>>,
    },
    /// The weights of the item's tags over the sum of all.
    Tag {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// The weight of each tag.
        tag_weights: Weights<'a, String>,
        /// Whether case counts: ordinal unless given, or asciiCaseInsensitive.
        #[schemars(with = "Option<Comparison>")]
        tag_comparison: Comparison,
    },
    /// Another scorer's scores, stretched to the whole of 0 to 1.
    Scaled {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// The other scorer.
        inner_scorer: Box<ScorerDefinition<'a>>,
    },
    /// The weighted average of other scorers.
    Composite {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// The other scorers.
        #[schemars(length(min = 1))]
        scorers: Vec<Weighted<'a>>,
    },
    /// The number in the metadata entry "cupel:trust".
    MetadataTrust {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// For items without one; 0.5 unless given.
        #[schemars(with = "Option<Unit>")]
        default_score: Unit,
    },
    /// A boost for items with a certain metadata entry; 1 for the others.
    MetadataKey {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// The entry's key.
        key: &'a str,
        /// The entry's value.
        value: &'a str,
        /// The score of an item that has it.
        boost: Positive,
    },
    /// A curve of the item's age.
    Decay {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// For items without a timestamp; 0.5 unless given.
        #[schemars(with = "Option<Unit>")]
        null_timestamp_score: Unit,
        /// What time it is, as RFC 3339; the program's clock unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        reference_time: Option<Time>,
        /// How the score falls with age.
        curve: Curve,
    },
    /// Newer items score higher: the score halves with every share of the history.
    FadingRecency {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// Over which share of the history it halves, above 0; 0.25 unless given.
        #[schemars(with = "Option<Unit>")]
        half_life: Unit,
    },
    /// How well the item answers the run's query.
    Relevance {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        /// Whose stop words and endings: auto unless given, none, or a language such as english or german.
        #[schemars(with = "Option<String>")]
        language: &'static str,
        /// How soon more of a term stops to count, in occurrences; 1.2 unless given.
        #[schemars(with = "Option<NonNegative>")]
        k1: NonNegative,
        /// How much long items must repeat a term to be as good as short ones; 0.5 unless given.
        #[schemars(with = "Option<Unit>")]
        b: Unit,
        /// How soon repeating a term in the query stops to count, in occurrences; 8 unless given.
        #[schemars(with = "Option<Positive>")]
        query_saturation: Positive,
        /// Over how many tokens a neighbour's terms lose 63 % of their effect, 0 for no neighbours; 200 unless given.
        #[schemars(with = "Option<NonNegative>")]
        neighbour_decay: NonNegative,
        /// How much is by an item's terms with its neighbours' and not by its own alone; 0.5 unless given.
        #[schemars(with = "Option<Unit>")]
        neighbour_share: Unit,
        /// How much the mean of its document counts beside the item; 0.3 unless given.
        #[schemars(with = "Option<NonNegative>")]
        document_weight: NonNegative,
        /// How much is by similarity and not by terms, where items have one; 0.35 unless given.
        #[schemars(with = "Option<Unit>")]
        similarity_weight: Unit,
        /// Over how many tokens a neighbour's similarity loses 63 % of its effect; 100 unless given.
        #[schemars(with = "Option<NonNegative>")]
        similarity_decay: NonNegative,
        /// How much of a similarity is the mean around the item and not its own; 0.7 unless given.
        #[schemars(with = "Option<Unit>")]
        similarity_spread: Unit,
    },
    /// The item's own similarity to the query, or the cosine of its vector and the query's.
    Similarity {
        /// How much it counts, relative to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
    },
    /// One that the program registered.
    #[serde(untagged)]
    #[schemars(skip)]
    Custom {
        r#type: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Positive>,
        #[serde(flatten)]
        arguments: &'a Arguments,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Comparison {
    Ordinal,
    AsciiCaseInsensitive,
}

/// How a score falls with age.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schemars(rename = "DecayCurve", deny_unknown_fields)]
enum Curve {
    /// Halves again and again.
    Exponential {
        /// How long it takes to halve.
        half_life_seconds: Positive,
    },
    /// 1, and from a certain age 0.
    Window {
        /// That age.
        max_age_seconds: Positive,
    },
    /// Falls in steps.
    Step {
        /// The steps, youngest first.
        #[schemars(length(min = 1, max = 1_000))]
        windows: Vec<Window>,
    },
}

/// One step of a decay curve.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StepWindow", deny_unknown_fields)]
struct Window {
    /// Below which age it applies; more than that of the window before.
    max_age_seconds: Positive,
    /// The score.
    score: Unit,
}

/// Weights by name, in the order of the file.
struct Weights<'a, N>(&'a [(N, f64)]);

impl<N: Display> Serialize for Weights<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.0.iter().map(|(name, weight)| (name.to_string(), NonNegative(*weight)));
        serializer.collect_map(entries)
    }
}

impl<N> JsonSchema for Weights<'_, N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Weights".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": generator.subschema_for::<NonNegative>(),
        })
    }
}

impl<'a> From<&'a WeightedScorer> for Weighted<'a> {
    fn from(entry: &'a WeightedScorer) -> Self {
        Self(define(&entry.scorer, Some(entry.weight)))
    }
}

fn define(scorer: &ScorerConfig, weight: Option<f64>) -> ScorerDefinition<'_> {
    let weight = weight.map(Positive);
    match scorer {
        ScorerConfig::Recency => ScorerDefinition::Recency { weight },
        ScorerConfig::Priority => ScorerDefinition::Priority { weight },
        ScorerConfig::Frequency => ScorerDefinition::Frequency { weight },
        ScorerConfig::Reflexive => ScorerDefinition::Reflexive { weight },
        ScorerConfig::Kind { weights } => {
            ScorerDefinition::Kind { weight, kind_weights: weights.as_deref().map(Weights) }
        }
        ScorerConfig::Tag { weights, comparison } => ScorerDefinition::Tag {
            weight,
            tag_weights: Weights(weights),
            tag_comparison: match comparison {
                TagComparison::Ordinal => Comparison::Ordinal,
                TagComparison::AsciiCaseInsensitive => Comparison::AsciiCaseInsensitive,
            },
        },
        ScorerConfig::Scaled { inner, inner_weight } => ScorerDefinition::Scaled {
            weight,
            inner_scorer: Box::new(define(inner, *inner_weight)),
        },
        ScorerConfig::Composite { scorers } => ScorerDefinition::Composite {
            weight,
            scorers: scorers.iter().map(Weighted::from).collect(),
        },
        ScorerConfig::MetadataTrust { default_score } => {
            ScorerDefinition::MetadataTrust { weight, default_score: Unit(*default_score) }
        }
        ScorerConfig::MetadataKey { key, value, boost } => {
            ScorerDefinition::MetadataKey { weight, key, value, boost: Positive(*boost) }
        }
        ScorerConfig::Decay { curve, null_timestamp_score, reference_time } => {
            ScorerDefinition::Decay {
                weight,
                null_timestamp_score: Unit(*null_timestamp_score),
                reference_time: reference_time.map(Time),
                curve: curve.into(),
            }
        }
        ScorerConfig::FadingRecency { half_life } => {
            ScorerDefinition::FadingRecency { weight, half_life: Unit(*half_life) }
        }
        ScorerConfig::Relevance(parameters) => ScorerDefinition::Relevance {
            weight,
            language: parameters.language.name(),
            k1: NonNegative(parameters.k1),
            b: Unit(parameters.b),
            query_saturation: Positive(parameters.query_saturation),
            neighbour_decay: NonNegative(parameters.neighbour_decay),
            neighbour_share: Unit(parameters.neighbour_share),
            document_weight: NonNegative(parameters.document_weight),
            similarity_weight: Unit(parameters.similarity_weight),
            similarity_decay: NonNegative(parameters.similarity_decay),
            similarity_spread: Unit(parameters.similarity_spread),
        },
        ScorerConfig::Similarity => ScorerDefinition::Similarity { weight },
        ScorerConfig::Custom(custom) => {
            ScorerDefinition::Custom { r#type: &custom.name, weight, arguments: &custom.arguments }
        }
    }
}

impl From<&CurveConfig> for Curve {
    fn from(curve: &CurveConfig) -> Self {
        match curve {
            CurveConfig::Exponential { half_life_seconds } => {
                Self::Exponential { half_life_seconds: Positive(*half_life_seconds) }
            }
            CurveConfig::Window { max_age_seconds } => {
                Self::Window { max_age_seconds: Positive(*max_age_seconds) }
            }
            CurveConfig::Step { windows } => Self::Step {
                windows: windows
                    .iter()
                    .map(|window| Window {
                        max_age_seconds: Positive(window.max_age_seconds),
                        score: Unit(window.score),
                    })
                    .collect(),
            },
        }
    }
}
