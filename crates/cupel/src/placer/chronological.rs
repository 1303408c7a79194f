//! Oldest first.

use super::{Placer, place_by_arranging};
use crate::sort_keys::sorted_positions_by;
use crate::{Candidate, ContextItem, CupelError, RunContext, ScoredItem};

/// Orders items by timestamp, oldest first; items without one follow in the order given.
///
/// Equal timestamps keep the order given. Scores play no part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChronologicalPlacer;

impl Placer for ChronologicalPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by_arranging(self, items)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let instant = |at: usize| items[at].instant();
        let dated = sorted_positions_by(items.len(), instant, |at| items[at].timestamp());
        let mut order: Vec<usize> = dated.collect();
        if order.len() < items.len() {
            order.extend((0..items.len()).filter(|at| instant(*at) == 0));
        }
        Ok(order)
    }
}
