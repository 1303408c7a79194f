//! Newer is better.

use super::{Scorer, rank};
use crate::{ContextItem, CupelError, RunContext};

/// Ranks items by timestamp: the newest scores 1, the oldest 0, those between evenly.
///
/// Equal timestamps score equally. Items without one score 0; the only item with one scores 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecencyScorer;

impl Scorer for RecencyScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        rank::score(item, all_items, ContextItem::timestamp)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        Ok(rank::score_batch(items, ContextItem::instant, ContextItem::timestamp))
    }

    fn name(&self) -> &str {
        "recency"
    }
}
