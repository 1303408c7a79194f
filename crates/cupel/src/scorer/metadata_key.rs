//! A boost for items that carry a certain metadata entry.

use super::{Scorer, weight};
use crate::{ContextItem, CupelError};

/// Scores `boost` when a metadata key has exactly a certain value, and 1 otherwise.
///
/// Within a [`CompositeScorer`](super::CompositeScorer) it is averaged like every other child.
#[derive(Debug, Clone, PartialEq)]
pub struct MetadataKeyScorer {
    key: String,
    value: String,
    boost: f64,
}

impl MetadataKeyScorer {
    /// `boost` is finite and greater than 0; a boost below 1 demotes.
    pub fn new(
        key: impl Into<String>,
        value: impl Into<String>,
        boost: f64,
    ) -> Result<Self, CupelError> {
        weight::positive(boost, "the boost")?;
        Ok(Self { key: key.into(), value: value.into(), boost })
    }
}

impl Scorer for MetadataKeyScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        match item.metadata().get(&self.key) {
            Some(value) if *value == self.value => self.boost,
            _ => 1.0,
        }
    }

    fn name(&self) -> &str {
        "metadataKey"
    }
}
