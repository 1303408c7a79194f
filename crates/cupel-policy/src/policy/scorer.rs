//! Scorers from data.

use cupel::{
    CompositeScorer, CupelError, DecayCurve, DecayScorer, FadingRecencyScorer, FrequencyScorer,
    KindScorer, MetadataKeyScorer, MetadataTrustScorer, PriorityScorer, RecencyScorer,
    ReflexiveScorer, ScaledScorer, Scorer, TagScorer, TimeProvider,
};
use cupel_relevance::{RelevanceScorer, SimilarityScorer};

use super::build::{Parts, SharedClock, StoppedClock, refused};
use super::{CurveConfig, ScorerConfig, TagComparison, WeightedScorer};
use crate::time;

/// The weighted average of `scorers`.
pub(super) fn composite(
    scorers: &[WeightedScorer],
    parts: &Parts<'_>,
) -> Result<Box<dyn Scorer>, CupelError> {
    average(scorers, &mut |scorer| scorer.build(parts))
}

/// Whether `scorers` can be averaged, whatever they are.
pub(super) fn check_average(scorers: &[WeightedScorer]) -> Result<(), CupelError> {
    average(scorers, &mut |_| Ok(Box::new(RecencyScorer))).map(drop)
}

fn average(
    scorers: &[WeightedScorer],
    child: &mut MakeChild<'_>,
) -> Result<Box<dyn Scorer>, CupelError> {
    let scorers = scorers.iter().map(|entry| Ok((child(&entry.scorer)?, entry.weight)));
    Ok(Box::new(CompositeScorer::new(scorers.collect::<Result<_, CupelError>>()?)?))
}

/// Makes the scorers inside another one.
type MakeChild<'m> = dyn FnMut(&ScorerConfig) -> Result<Box<dyn Scorer>, CupelError> + 'm;

impl ScorerConfig {
    pub(crate) fn build(&self, parts: &Parts<'_>) -> Result<Box<dyn Scorer>, CupelError> {
        self.build_around(parts, &mut |child| child.build(parts))
    }

    /// Whether it can be built, whatever is inside it; that was checked when it was read.
    pub(super) fn check(&self, parts: &Parts<'_>) -> Result<(), CupelError> {
        self.build_around(parts, &mut |_| Ok(Box::new(RecencyScorer))).map(drop)
    }

    fn build_around(
        &self,
        parts: &Parts<'_>,
        child: &mut MakeChild<'_>,
    ) -> Result<Box<dyn Scorer>, CupelError> {
        Ok(match self {
            Self::Recency => Box::new(RecencyScorer),
            Self::Priority => Box::new(PriorityScorer),
            Self::Frequency => Box::new(FrequencyScorer),
            Self::Reflexive => Box::new(ReflexiveScorer),
            Self::Kind { weights: None } => Box::new(KindScorer::with_default_weights()),
            Self::Kind { weights: Some(weights) } => {
                Box::new(KindScorer::new(weights.iter().cloned())?)
            }
            Self::Tag { weights, comparison } => {
                let weights = weights.iter().cloned();
                Box::new(match comparison {
                    TagComparison::Ordinal => TagScorer::new(weights)?,
                    TagComparison::AsciiCaseInsensitive => TagScorer::case_insensitive(weights)?,
                })
            }
            Self::Scaled { inner, inner_weight } => {
                if let Some(weight) = inner_weight {
                    CompositeScorer::new(vec![(Box::new(RecencyScorer), *weight)])?;
                }
                Box::new(ScaledScorer::new(child(inner)?))
            }
            Self::Composite { scorers } => average(scorers, child)?,
            Self::MetadataTrust { default_score } => {
                Box::new(MetadataTrustScorer::new(*default_score)?)
            }
            Self::MetadataKey { key, value, boost } => {
                Box::new(MetadataKeyScorer::new(key.as_str(), value.as_str(), *boost)?)
            }
            Self::Decay { curve, null_timestamp_score, reference_time } => {
                let clock: Box<dyn TimeProvider> = match reference_time {
                    Some(time) => Box::new(StoppedClock(*time)),
                    None => Box::new(SharedClock(parts.clock.clone())),
                };
                Box::new(DecayScorer::new(clock, curve.build()?, *null_timestamp_score)?)
            }
            Self::FadingRecency { half_life } => Box::new(FadingRecencyScorer::new(*half_life)?),
            Self::Relevance(parameters) => Box::new(RelevanceScorer::with(*parameters)?),
            Self::Similarity => Box::new(SimilarityScorer),
            Self::Custom(custom) => {
                let made = parts.registry.scorer(custom);
                made.map_err(|refusal| refused(refusal, CupelError::ScorerConfig))?
            }
        })
    }
}

impl CurveConfig {
    pub(super) fn build(&self) -> Result<DecayCurve, CupelError> {
        match self {
            Self::Exponential { half_life_seconds } => {
                DecayCurve::exponential(time::duration(*half_life_seconds)?)
            }
            Self::Window { max_age_seconds } => {
                DecayCurve::window(time::duration(*max_age_seconds)?)
            }
            Self::Step { windows } => {
                let windows = windows
                    .iter()
                    .map(|window| Ok((time::duration(window.max_age_seconds)?, window.score)));
                DecayCurve::step(windows.collect::<Result<Vec<_>, CupelError>>()?)
            }
        }
    }
}
