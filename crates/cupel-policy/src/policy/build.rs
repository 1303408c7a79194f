//! From data to strategies.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use cupel::{
    ChronologicalPlacer, CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice,
    CupelError, GreedySlice, KnapsackSlice, Placer, Policy, PolicyBuilder, QuotaEntry, QuotaSlice,
    Slicer, TimeProvider, UShapedPlacer,
};

use super::{CountQuota, PlacerConfig, PolicyFile, Quota, SlicerConfig};
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
pub(super) struct StoppedClock(pub(super) DateTime<Utc>);

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

impl PolicyFile {
    pub(crate) fn assemble(&self, parts: &Parts<'_>) -> Result<Policy, CupelError> {
        let scorer = super::scorer::composite(&self.scorers, parts)?;
        let placer: Box<dyn Placer> = match &self.placer {
            PlacerConfig::Chronological => Box::new(ChronologicalPlacer),
            PlacerConfig::UShaped => Box::new(UShapedPlacer),
            PlacerConfig::Custom(custom) => {
                let made = parts.registry.placer(custom);
                made.map_err(|refusal| refused(refusal, CupelError::PipelineConfig))?
            }
        };
        PolicyBuilder::new()
            .scorer(scorer.into())
            .slicer(self.slicer(parts)?.into())
            .placer(placer.into())
            .deduplication(self.deduplication)
            .overflow_strategy(self.overflow)
            .build()
    }

    /// The slicer with its quotas around it.
    fn slicer(&self, parts: &Parts<'_>) -> Result<Box<dyn Slicer>, CupelError> {
        let counts = entries(&self.count_quotas, CountQuota::entry)?;
        if let SlicerConfig::Knapsack { bucket_size } = self.slicer
            && self.quotas.is_empty()
            && !counts.is_empty()
        {
            let knapsack = KnapsackSlice::new(bucket_size)?;
            let slicer = CountConstrainedKnapsackSlice::new(counts, knapsack, self.scarcity)?;
            return Ok(Box::new(slicer));
        }
        if let SlicerConfig::Stream { .. } = self.slicer
            && !self.quotas.is_empty()
        {
            return Err(stream_with_quotas());
        }

        let mut slicer = self.slicer.build(parts)?;
        if !self.quotas.is_empty() {
            slicer = Box::new(QuotaSlice::new(entries(&self.quotas, Quota::entry)?, slicer)?);
        }
        if !counts.is_empty() {
            slicer = Box::new(CountQuotaSlice::new(counts, slicer, self.scarcity)?);
        }
        Ok(slicer)
    }
}

/// A stream is chosen from batch by batch, and a share needs the whole.
pub(super) fn stream_with_quotas() -> CupelError {
    CupelError::SlicerConfig(
        "quotas need the whole list, which a stream does not have; use another slicerType, or \
         countQuotas"
            .to_owned(),
    )
}

fn entries<T, E>(list: &[T], entry: fn(&T) -> Result<E, CupelError>) -> Result<Vec<E>, CupelError> {
    list.iter().map(entry).collect()
}

impl SlicerConfig {
    pub(super) fn build(&self, parts: &Parts<'_>) -> Result<Box<dyn Slicer>, CupelError> {
        Ok(match self {
            Self::Greedy => Box::new(GreedySlice),
            Self::Knapsack { bucket_size } => Box::new(KnapsackSlice::new(*bucket_size)?),
            Self::Stream { batch_size: Some(size) } if *size < 1 => {
                return Err(CupelError::SlicerConfig(format!(
                    "the stream batch size ({size}) must be at least 1 item"
                )));
            }
            Self::Stream { .. } => Box::new(GreedySlice),
            Self::Custom(custom) => {
                let made = parts.registry.slicer(custom);
                made.map_err(|refusal| refused(refusal, CupelError::SlicerConfig))?
            }
        })
    }
}

impl Quota {
    pub(super) fn entry(&self) -> Result<QuotaEntry, CupelError> {
        let (min, max) = (self.min_percent.unwrap_or(0.0), self.max_percent.unwrap_or(100.0));
        QuotaEntry::new(self.kind.clone(), min, max)
    }
}

impl CountQuota {
    pub(super) fn entry(&self) -> Result<CountQuotaEntry, CupelError> {
        let cap = self.cap_count.unwrap_or(usize::MAX);
        CountQuotaEntry::new(self.kind.clone(), self.require_count, cap)
    }
}

/// A registry's refusal as the error of the family it concerns.
pub(super) fn refused(refusal: Refusal, family: fn(String) -> CupelError) -> CupelError {
    match refusal {
        Refusal::Cupel(error) => error,
        Refusal::Other(message) => family(message),
    }
}
