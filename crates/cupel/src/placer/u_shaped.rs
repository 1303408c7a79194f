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
    // Without pinned items they arrive best first.
    if items.is_sorted_by(|a, b| a.score() >= b.score()) {
        let (all, on_the_left) = (items.len(), items.len().div_ceil(2));
        arranged.extend((0..on_the_left).map(|place| 2 * place));
        arranged.extend((on_the_left..all).map(|place| 2 * (all - place) - 1));
        return arranged;
    }
    arranged.resize(items.len(), 0);
    let scores = items.iter().map(|candidate| order::descending(candidate.score()));
    let (mut left, mut right) = (0, items.len());
    let mut is_left = true;
    scratch.visit_in_order(scores, |at, _| {
        if is_left {
            arranged[left] = at;
            left += 1;
        } else {
            right -= 1;
            arranged[right] = at;
        }
        is_left = !is_left;
    });
    arranged
}
