//! Best at both ends.

use super::{Placer, place_by};
use crate::{Candidate, ContextItem, CupelError, ScoredItem, Scratch, order};

/// Puts the best items at both ends and the worst in the middle, where models attend least.
///
/// Best first, then last, then second, then second to last, and so on inwards. Equal scores keep
/// the order given. Pinned items arrive with score 1 and so stand near the ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UShapedPlacer;

impl Placer for UShapedPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by(items, best_outside)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        scratch: &mut Scratch,
    ) -> Result<Vec<usize>, CupelError> {
        Ok(best_outside(items, scratch))
    }
}

fn best_outside(items: &[Candidate<'_>], scratch: &mut Scratch) -> Vec<usize> {
    let mut arranged = scratch.take_positions(items.len());
    let scores = items.iter().map(|candidate| order::descending(candidate.score()));
    let (ranked, _) = scratch.order(scores);
    let left = ranked.iter().step_by(2);
    let right = ranked.iter().skip(1).step_by(2).rev();
    arranged.extend(left.chain(right).map(|&at| at as usize));
    arranged
}
