use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{
    CompositeScorer, ContextItem, ContextKind, CupelError, DecayCurve, DecayScorer,
    FrequencyScorer, KindScorer, MetadataKeyScorer, MetadataTrustScorer, PriorityScorer,
    RecencyScorer, ReflexiveScorer, ScaledScorer, Scorer, TagScorer, TimeProvider,
};

/// A scorer, described: the eleven built-in ones and [`RawHintScorer`].
#[derive(Debug, Clone, PartialEq)]
pub enum ScorerSpec {
    /// [`RecencyScorer`].
    Recency,
    /// [`PriorityScorer`].
    Priority,
    /// [`FrequencyScorer`].
    Frequency,
    /// [`ReflexiveScorer`].
    Reflexive,
    /// [`KindScorer`].
    Kind {
        /// The weight of each kind, every kind at most once; `None` stands for the default weights.
        weights: Option<Vec<(ContextKind, f64)>>,
    },
    /// [`TagScorer`].
    Tag {
        /// The weight of each tag, every tag at most once.
        weights: Vec<(String, f64)>,
        /// How an item's tag is compared with a weighted one.
        comparison: TagComparison,
    },
    /// [`CompositeScorer`]: the weighted average of its children.
    Composite(Vec<(ScorerSpec, f64)>),
    /// [`ScaledScorer`] around another scorer.
    Scaled(Box<ScorerSpec>),
    /// [`DecayScorer`] with a clock that stands still.
    Decay {
        /// What the clock shows.
        now: DateTime<Utc>,
        /// How the score falls with age.
        curve: CurveSpec,
        /// The score of an item without a timestamp.
        null_timestamp_score: f64,
    },
    /// [`MetadataTrustScorer`].
    MetadataTrust {
        /// The score of an item without a usable trust value.
        default_score: f64,
    },
    /// [`MetadataKeyScorer`].
    MetadataKey {
        /// The metadata key looked at.
        key: String,
        /// The value that earns the boost.
        value: String,
        /// The score of a matching item; all others score 1.0.
        boost: f64,
    },
    /// [`RawHintScorer`], the way NaN and infinite scores get into a pipeline.
    RawHint,
}

/// How [`TagScorer`] compares tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagComparison {
    /// Byte by byte.
    Ordinal,
    /// ASCII letters regardless of case, everything else byte by byte.
    AsciiCaseInsensitive,
}

/// A decay curve, described.
#[derive(Debug, Clone, PartialEq)]
pub enum CurveSpec {
    /// Halves with every `half_life`.
    Exponential {
        /// The age at which the score is 0.5.
        half_life: TimeDelta,
    },
    /// 1.0 below `max_age`, 0.0 from there on.
    Window {
        /// The first age that scores 0.0.
        max_age: TimeDelta,
    },
    /// The score of the first window whose maximum age exceeds the item's; the last one's beyond
    /// all of them.
    Step {
        /// Maximum age and score of each window, youngest first.
        windows: Vec<(TimeDelta, f64)>,
    },
}

impl ScorerSpec {
    /// Builds the scorer, children first.
    pub fn build(&self) -> Result<Box<dyn Scorer>, CupelError> {
        Ok(match self {
            Self::Recency => Box::new(RecencyScorer),
            Self::Priority => Box::new(PriorityScorer),
            Self::Frequency => Box::new(FrequencyScorer),
            Self::Reflexive => Box::new(ReflexiveScorer),
            Self::Kind { weights: None } => Box::new(KindScorer::with_default_weights()),
            Self::Kind { weights: Some(weights) } => {
                Box::new(KindScorer::new(weights.iter().cloned().collect())?)
            }
            Self::Tag { weights, comparison } => {
                let weights: HashMap<String, f64> = weights.iter().cloned().collect();
                Box::new(match comparison {
                    TagComparison::Ordinal => TagScorer::new(weights)?,
                    TagComparison::AsciiCaseInsensitive => TagScorer::case_insensitive(weights)?,
                })
            }
            Self::Composite(children) => {
                let children = children.iter().map(|(child, weight)| Ok((child.build()?, *weight)));
                Box::new(CompositeScorer::new(children.collect::<Result<_, CupelError>>()?)?)
            }
            Self::Scaled(inner) => Box::new(ScaledScorer::new(inner.build()?)),
            Self::Decay { now, curve, null_timestamp_score } => Box::new(DecayScorer::new(
                Box::new(StoppedClock(*now)),
                curve.build()?,
                *null_timestamp_score,
            )?),
            Self::MetadataTrust { default_score } => {
                Box::new(MetadataTrustScorer::new(*default_score)?)
            }
            Self::MetadataKey { key, value, boost } => {
                Box::new(MetadataKeyScorer::new(key.as_str(), value.as_str(), *boost)?)
            }
            Self::RawHint => Box::new(RawHintScorer),
        })
    }
}

impl CurveSpec {
    /// Builds the curve.
    pub fn build(&self) -> Result<DecayCurve, CupelError> {
        match self {
            Self::Exponential { half_life } => DecayCurve::exponential(*half_life),
            Self::Window { max_age } => DecayCurve::window(*max_age),
            Self::Step { windows } => DecayCurve::step(windows.clone()),
        }
    }
}

/// Scores an item with its relevance hint exactly as given: NaN, infinities and negative numbers
/// included, 0.0 without a hint.
///
/// Built-in scorers are well behaved; custom ones need not be, and this one is not. It also has no
/// batch form of its own, so it exercises the default one.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawHintScorer;

impl Scorer for RawHintScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.future_relevance_hint().unwrap_or(0.0)
    }
}

#[derive(Debug)]
struct StoppedClock(DateTime<Utc>);

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
