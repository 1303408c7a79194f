//! Slicers from data.

use cupel::{
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, CupelError, GreedySlice,
    KnapsackSlice, QuotaEntry, QuotaSlice, RankSlice, Slicer, StreamRun,
};
use cupel_relevance::DistinctSlice;

use super::build::{Parts, refused};
use super::{BucketSize, CountQuota, Quota, SlicerConfig};

impl SlicerConfig {
    pub(crate) fn build(&self, parts: &Parts<'_>) -> Result<Box<dyn Slicer>, CupelError> {
        self.build_around(parts, |inner| inner.build(parts))
    }

    /// The same, where `build_inner` makes the slicer inside it.
    pub(super) fn build_around(
        &self,
        parts: &Parts<'_>,
        build_inner: impl FnOnce(&SlicerConfig) -> Result<Box<dyn Slicer>, CupelError>,
    ) -> Result<Box<dyn Slicer>, CupelError> {
        Ok(match self {
            Self::Greedy => Box::new(GreedySlice),
            Self::Rank { size_exponent, size_floor } => {
                Box::new(RankSlice::new(*size_exponent, *size_floor)?)
            }
            Self::Knapsack { bucket_size } => Box::new(bucket_size.knapsack()?),
            Self::Stream { batch_size: Some(size) } if *size < 1 => {
                return Err(CupelError::SlicerConfig(format!(
                    "the stream batch size ({size}) must be at least 1 item"
                )));
            }
            Self::Stream { .. } => Box::new(GreedySlice),
            Self::Quota { inner, .. } if inner.streams() => return Err(stream_with_quotas()),
            Self::Quota { quotas, inner } => {
                Box::new(QuotaSlice::new(entries(quotas, Quota::entry)?, build_inner(inner)?)?)
            }
            Self::CountQuota { quotas, scarcity, inner } => {
                let counts = entries(quotas, CountQuota::entry)?;
                match **inner {
                    Self::Knapsack { bucket_size } => {
                        let knapsack = bucket_size.knapsack()?;
                        Box::new(CountConstrainedKnapsackSlice::new(counts, knapsack, *scarcity)?)
                    }
                    _ => Box::new(CountQuotaSlice::new(counts, build_inner(inner)?, *scarcity)?),
                }
            }
            Self::Distinct { inner, .. } if inner.streams() => {
                return Err(CupelError::SlicerConfig(
                    "near-duplicates are found in the whole list, which a stream does not have; use another slicerType \
                     inside distinct"
                        .to_owned(),
                ));
            }
            Self::Distinct { near_duplicates, inner } => {
                Box::new(DistinctSlice::new(build_inner(inner)?, *near_duplicates)?)
            }
            Self::Custom(custom) => {
                let made = parts.registry.slicer(custom);
                made.map_err(|refusal| refused(refusal, CupelError::SlicerConfig))?
            }
        })
    }

    /// Items per batch, if it is one that takes them in batches and there are no quotas around it.
    pub(super) fn batch_size(&self) -> Option<usize> {
        match self {
            Self::Stream { batch_size: None } => Some(StreamRun::DEFAULT_BATCH_SIZE),
            Self::Stream { batch_size: Some(size) } => {
                Some(usize::try_from(*size).unwrap_or(usize::MAX))
            }
            _ => None,
        }
    }

    /// Whether items reach it, or what is inside it, in batches.
    pub(super) fn streams(&self) -> bool {
        match self {
            Self::Stream { .. } => true,
            Self::Quota { inner, .. }
            | Self::CountQuota { inner, .. }
            | Self::Distinct { inner, .. } => inner.streams(),
            Self::Greedy | Self::Rank { .. } | Self::Knapsack { .. } | Self::Custom(_) => false,
        }
    }
}

/// A stream is chosen from batch by batch, and a share needs the whole.
fn stream_with_quotas() -> CupelError {
    CupelError::SlicerConfig(
        "quotas need the whole list, which a stream does not have; use another slicerType, or \
         countQuotas"
            .to_owned(),
    )
}

fn entries<T, E>(list: &[T], entry: fn(&T) -> Result<E, CupelError>) -> Result<Vec<E>, CupelError> {
    list.iter().map(entry).collect()
}

impl BucketSize {
    pub(super) fn knapsack(self) -> Result<KnapsackSlice, CupelError> {
        match self {
            Self::Tokens(size) => KnapsackSlice::new(size),
            Self::Auto => Ok(KnapsackSlice::adaptive()),
        }
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
