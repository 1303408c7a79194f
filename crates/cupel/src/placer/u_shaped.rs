//! Best at both ends.

use super::{Placer, place_by_arranging};
use crate::sort_keys::{descending, sorted_positions};
use crate::{Candidate, ContextItem, CupelError, RunContext, ScoredItem};

/// Puts the best items at both ends and the worst in the middle, where models attend least.
///
/// Best first, then last, then second, then second to last, and so on inwards. Equal scores keep
/// the order given. Pinned items arrive with score 1 and so stand near the ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UShapedPlacer;

impl Placer for UShapedPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by_arranging(self, items)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let best_first = sorted_positions(items.len(), |at| descending(items[at].score()));
        Ok(from_both_ends(&best_first.collect::<Vec<_>>()))
    }
}

/// The first first, the second last, and so on inwards.
pub(super) fn from_both_ends(best_first: &[usize]) -> Vec<usize> {
    let left = best_first.iter().step_by(2);
    let right = best_first.iter().skip(1).step_by(2);
    let mut arranged = Vec::with_capacity(best_first.len());
    arranged.extend(left.chain(right.rev()));
    arranged
}
