//! What the caller marked as important.

use super::{Scorer, rank};
use crate::sort_keys::ascending;
use crate::{ContextItem, CupelError, RunContext};

/// Ranks items by priority: the highest scores 1, the lowest 0, those between evenly.
///
/// Equal priorities score equally. Items without one score 0; the only item with one scores 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityScorer;

impl Scorer for PriorityScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        rank::score(item, all_items, ContextItem::priority)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        // Small integers differ in the leading bits of their doubles, and in no others.
        let leading =
            |item: &ContextItem| item.priority().map_or(0, |priority| ascending(priority as f64));
        Ok(rank::score_batch(items, leading, ContextItem::priority))
    }

    fn name(&self) -> &str {
        "priority"
    }
}
