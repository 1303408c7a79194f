use cupel::{
    ContextKind, CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, CupelError,
    GreedySlice, KnapsackSlice, QuotaEntry, QuotaSlice, ScarcityBehavior, Slicer,
};

/// A slicer, described.
#[derive(Debug, Clone, PartialEq)]
pub enum SlicerSpec {
    /// [`GreedySlice`].
    Greedy,
    /// [`KnapsackSlice`].
    Knapsack {
        /// Tokens per unit of capacity.
        bucket_size: i64,
    },
    /// [`QuotaSlice`]: shares of the budget per kind.
    Quota {
        /// The constrained kinds.
        entries: Vec<QuotaSpec>,
        /// What selects within each kind's share.
        inner: Box<SlicerSpec>,
    },
    /// [`CountQuotaSlice`]: numbers of items per kind.
    CountQuota {
        /// The constrained kinds.
        entries: Vec<CountSpec>,
        /// What selects beyond the required items.
        inner: Box<SlicerSpec>,
        /// What happens when there are too few items of a required kind.
        scarcity: ScarcityBehavior,
    },
    /// [`CountConstrainedKnapsackSlice`]: numbers of items per kind around a knapsack.
    CountConstrainedKnapsack {
        /// The constrained kinds.
        entries: Vec<CountSpec>,
        /// Tokens per unit of the knapsack's capacity.
        bucket_size: i64,
        /// What happens when there are too few items of a required kind.
        scarcity: ScarcityBehavior,
    },
}

/// The share of the token budget one kind may use.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaSpec {
    /// The constrained kind.
    pub kind: ContextKind,
    /// Percentage set aside for the kind.
    pub require: f64,
    /// Percentage the kind may use at most.
    pub cap: f64,
}

/// The number of items of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct CountSpec {
    /// The constrained kind.
    pub kind: ContextKind,
    /// How many items are committed before anything else.
    pub require: usize,
    /// How many items there may be at most.
    pub cap: usize,
}

impl SlicerSpec {
    /// Builds the slicer, what it wraps first.
    pub fn build(&self) -> Result<Box<dyn Slicer>, CupelError> {
        Ok(match self {
            Self::Greedy => Box::new(GreedySlice),
            Self::Knapsack { bucket_size } => Box::new(KnapsackSlice::new(*bucket_size)?),
            Self::Quota { entries, inner } => {
                let entries = entries
                    .iter()
                    .map(|entry| QuotaEntry::new(entry.kind.clone(), entry.require, entry.cap));
                Box::new(QuotaSlice::new(
                    entries.collect::<Result<_, CupelError>>()?,
                    inner.build()?,
                )?)
            }
            Self::CountQuota { entries, inner, scarcity } => {
                Box::new(CountQuotaSlice::new(counts(entries)?, inner.build()?, *scarcity)?)
            }
            Self::CountConstrainedKnapsack { entries, bucket_size, scarcity } => {
                let knapsack = KnapsackSlice::new(*bucket_size)?;
                Box::new(CountConstrainedKnapsackSlice::new(counts(entries)?, knapsack, *scarcity)?)
            }
        })
    }
}

fn counts(entries: &[CountSpec]) -> Result<Vec<CountQuotaEntry>, CupelError> {
    entries
        .iter()
        .map(|entry| CountQuotaEntry::new(entry.kind.clone(), entry.require, entry.cap))
        .collect()
}
