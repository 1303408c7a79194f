//! From data to strategies.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use cupel::{
    ChronologicalPlacer, CupelError, InputOrderPlacer, Placer, Policy, PolicyBuilder,
    ReadingOrderPlacer, TimeProvider, UShapedPlacer,
};

use super::{PlacerConfig, PolicyFile, SlicerConfig};
use crate::Registry;
use crate::registry::Refusal;

/// What building needs besides the data.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'p> {
    pub(crate) registry: &'p Registry,
    pub(crate) clock: &'p Arc<dyn TimeProvider>,
}

/// A clock that several scorers share.
pub(super) struct SharedClock(pub(super) Arc<dyn TimeProvider>);

impl TimeProvider for SharedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.now()
    }
}

/// A clock that stands still.
pub(crate) struct StoppedClock(pub(crate) DateTime<Utc>);

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

impl PolicyFile {
    pub(crate) fn assemble(&self, parts: &Parts<'_>) -> Result<Policy, CupelError> {
        let scorer = super::scorer::composite(&self.scorers, parts)?;
        PolicyBuilder::new()
            .scorer(scorer)
            .slicer(self.slicing().build(parts)?)
            .placer(self.placer.build(parts)?)
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }

    /// The slicer with the quotas of the policy around it.
    fn slicing(&self) -> SlicerConfig {
        let mut slicer = self.slicer.clone();
        if !self.quotas.is_empty() {
            let quotas = self.quotas.clone();
            slicer = SlicerConfig::Quota { quotas, inner: Box::new(slicer) };
        }
        if !self.count_quotas.is_empty() {
            let (quotas, scarcity) = (self.count_quotas.clone(), self.scarcity);
            slicer = SlicerConfig::CountQuota { quotas, scarcity, inner: Box::new(slicer) };
        }
        slicer
    }
}

impl PlacerConfig {
    pub(crate) fn build(&self, parts: &Parts<'_>) -> Result<Box<dyn Placer>, CupelError> {
        Ok(match self {
            Self::Chronological => Box::new(ChronologicalPlacer),
            Self::UShaped => Box::new(UShapedPlacer),
            Self::InputOrder => Box::new(InputOrderPlacer),
            Self::ReadingOrder => Box::new(ReadingOrderPlacer::default()),
            Self::ReadingOrderUShaped => Box::new(ReadingOrderPlacer::u_shaped()),
            Self::Custom(custom) => {
                let made = parts.registry.placer(custom);
                made.map_err(|refusal| refused(refusal, CupelError::PipelineConfig))?
            }
        })
    }
}

/// A registry's refusal as the error of the family it concerns.
pub(super) fn refused(refusal: Refusal, family: fn(String) -> CupelError) -> CupelError {
    match refusal {
        Refusal::Cupel(error) => error,
        Refusal::Other(message) => family(message),
    }
}
