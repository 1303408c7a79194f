//! How far the caller trusts an item.

use super::{Scorer, weight};
use crate::{ContextItem, CupelError};

/// Passes through the number in `metadata["cupel:trust"]`, clamped to `[0, 1]`.
///
/// Missing, unreadable and non-finite values give the default score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetadataTrustScorer {
    default_score: f64,
}

impl MetadataTrustScorer {
    /// The metadata key read, in the `cupel:` namespace reserved for such conventions.
    pub const KEY: &'static str = "cupel:trust";

    /// `default_score`, in `[0, 1]`, is for items without a usable value.
    pub fn new(default_score: f64) -> Result<Self, CupelError> {
        weight::unit_interval(default_score, "the default score")?;
        Ok(Self { default_score })
    }
}

impl Scorer for MetadataTrustScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        let trust = item.metadata().get(Self::KEY).and_then(|text| text.parse::<f64>().ok());
        match trust {
            Some(trust) if trust.is_finite() => trust.clamp(0.0, 1.0),
            _ => self.default_score,
        }
    }

    fn name(&self) -> &str {
        "metadataTrust"
    }
}
