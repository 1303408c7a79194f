//! Scorers: the `[config]` of a scoring vector, and the entries of lists of scorers.

use serde::Deserialize;
use toml::Spanned;

use super::error::Problem;
use super::time::Instant;
use crate::engine::{
    CurveSpec, KindWeight, ScorerSpec, StepWindow, TagComparison, TagWeight, WeightedScorer, names,
};

names! {
    /// Which scorer.
    pub(super) ScorerName, "scorer" {
        /// Rank by timestamp.
        Recency = "recency",
        /// Rank by priority.
        Priority = "priority",
        /// A weight per kind.
        Kind = "kind",
        /// A weight per tag.
        Tag = "tag",
        /// Share of peers with a common tag.
        Frequency = "frequency",
        /// The item's hint.
        Reflexive = "reflexive",
        /// A weighted average.
        Composite = "composite",
        /// Another scorer's scores, stretched.
        Scaled = "scaled",
        /// The trust the metadata states.
        MetadataTrust = "metadata_trust",
        /// A boost for one metadata entry.
        MetadataKey = "metadata_key",
        /// A curve of the item's age.
        Decay = "decay",
    }
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ScorerTable {
    r#type: Option<ScorerName>,
    weight: Option<f64>,
    use_default_weights: Option<bool>,
    weights: Option<Vec<KindWeight>>,
    #[serde(default)]
    tag_weights: Vec<TagWeight>,
    tag_comparison: Option<TagComparison>,
    scorers: Option<ScorerTables>,
    children: Option<ScorerTables>,
    inner_scorer: Option<ScorerName>,
    default_score: Option<f64>,
    key: Option<String>,
    value: Option<String>,
    boost: Option<f64>,
    reference_time: Option<Instant>,
    null_timestamp_score: Option<f64>,
    curve: Option<Spanned<CurveTable>>,
}

pub(super) type ScorerTables = Vec<Spanned<ScorerTable>>;

names! {
    /// Which curve.
    pub(super) CurveName, "curve" {
        /// Halves with every half-life.
        Exponential = "exponential",
        /// 1 below an age, then 0.
        Window = "window",
        /// A score per window.
        Step = "step",
    }
}

#[derive(Debug, Deserialize)]
struct CurveTable {
    r#type: CurveName,
    half_life_secs: Option<f64>,
    max_age_secs: Option<f64>,
    #[serde(default)]
    windows: Vec<StepWindow>,
}

/// What a scorer table does not say itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// `config.inner_scorer` of a pipeline, for scaled entries without one of their own.
    pub(super) inner_scorer: Option<ScorerName>,
}

/// The scorer of a list of entries: one stands for itself, several are averaged.
pub(super) fn scorer_of_list(
    entries: &ScorerTables,
    around: Around,
) -> Result<ScorerSpec, Problem> {
    match entries.as_slice() {
        [only] => entry(only, around),
        several => children(several, around),
    }
}

fn children(entries: &[Spanned<ScorerTable>], around: Around) -> Result<ScorerSpec, Problem> {
    let weighted = |table: &Spanned<ScorerTable>| {
        let weight = table.get_ref().weight.unwrap_or(1.0);
        Ok(WeightedScorer { scorer: entry(table, around)?, weight })
    };
    Ok(ScorerSpec::Composite {
        children: entries.iter().map(weighted).collect::<Result<_, Problem>>()?,
    })
}

fn entry(table: &Spanned<ScorerTable>, around: Around) -> Result<ScorerSpec, Problem> {
    let Some(name) = table.get_ref().r#type else {
        return Err(Problem::new(table.span(), "type is missing; which scorer is this?"));
    };
    scorer(name, table, around)
}

/// The scorer called `name` with the parameters that `spanned` holds.
pub(super) fn scorer(
    name: ScorerName,
    spanned: &Spanned<ScorerTable>,
    around: Around,
) -> Result<ScorerSpec, Problem> {
    let table = spanned.get_ref();
    let missing =
        |field: &str| Problem::new(spanned.span(), format!("{field} is missing; {name} needs it"));
    Ok(match name {
        ScorerName::Recency => ScorerSpec::Recency,
        ScorerName::Priority => ScorerSpec::Priority,
        ScorerName::Frequency => ScorerSpec::Frequency,
        ScorerName::Reflexive => ScorerSpec::Reflexive,
        ScorerName::Kind => {
            let defaults = table.use_default_weights.unwrap_or(table.weights.is_none());
            let weights = (!defaults).then(|| table.weights.clone().unwrap_or_default());
            ScorerSpec::Kind { weights }
        }
        ScorerName::Tag => ScorerSpec::Tag {
            weights: table.tag_weights.clone(),
            comparison: table.tag_comparison.unwrap_or(TagComparison::Ordinal),
        },
        ScorerName::Composite => {
            let entries = table.children.as_deref().or(table.scorers.as_deref());
            children(entries.unwrap_or_default(), around)?
        }
        ScorerName::Scaled => ScorerSpec::Scaled { inner: Box::new(scaled(spanned, around)?) },
        ScorerName::MetadataTrust => {
            ScorerSpec::MetadataTrust { default_score: table.default_score.unwrap_or(0.5) }
        }
        ScorerName::MetadataKey => ScorerSpec::MetadataKey {
            key: table.key.clone().ok_or_else(|| missing("key"))?,
            value: table.value.clone().ok_or_else(|| missing("value"))?,
            boost: table.boost.ok_or_else(|| missing("boost"))?,
        },
        ScorerName::Decay => ScorerSpec::Decay {
            reference_time: table.reference_time.ok_or_else(|| missing("reference_time"))?.0,
            curve: curve(table.curve.as_ref().ok_or_else(|| missing("curve"))?)?,
            null_timestamp_score: table.null_timestamp_score.unwrap_or(0.5),
        },
    })
}

/// The scorer inside a scaled one: its only child, or one that shares its table.
fn scaled(spanned: &Spanned<ScorerTable>, around: Around) -> Result<ScorerSpec, Problem> {
    let table = spanned.get_ref();
    if let Some(children) = &table.children {
        return match children.as_slice() {
            [only] => entry(only, around),
            others => {
                let message = format!("scaled takes exactly one child, not {}", others.len());
                Err(Problem::new(spanned.span(), message))
            }
        };
    }
    match table.inner_scorer.or(around.inner_scorer) {
        Some(ScorerName::Scaled) => Err(Problem::new(
            spanned.span(),
            "inner_scorer = \"scaled\" would contain itself; use children",
        )),
        Some(inner) => scorer(inner, spanned, around),
        None => Err(Problem::new(spanned.span(), "scaled needs inner_scorer or children")),
    }
}

fn curve(spanned: &Spanned<CurveTable>) -> Result<CurveSpec, Problem> {
    let table = spanned.get_ref();
    let missing = |field: &str| {
        Problem::new(spanned.span(), format!("{field} is missing; {} needs it", table.r#type))
    };
    Ok(match table.r#type {
        CurveName::Exponential => CurveSpec::Exponential {
            half_life_secs: table.half_life_secs.ok_or_else(|| missing("half_life_secs"))?,
        },
        CurveName::Window => CurveSpec::Window {
            max_age_secs: table.max_age_secs.ok_or_else(|| missing("max_age_secs"))?,
        },
        CurveName::Step => CurveSpec::Step { windows: table.windows.clone() },
    })
}
