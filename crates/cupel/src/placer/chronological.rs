//! Oldest first.

use super::{Placer, place_by};
use crate::{Candidate, ContextItem, CupelError, ScoredItem, Scratch, order};

/// Orders items by timestamp, oldest first; items without one follow in the order given.
///
/// Equal timestamps keep the order given. Scores play no part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChronologicalPlacer;

impl Placer for ChronologicalPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by(items, oldest_first)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        scratch: &mut Scratch,
    ) -> Result<Vec<usize>, CupelError> {
        Ok(oldest_first(items, scratch))
    }
}

/// After every instant, which takes 95 bits.
const NO_TIMESTAMP: u128 = 1 << 95;

fn oldest_first(items: &[Candidate<'_>], scratch: &mut Scratch) -> Vec<usize> {
    let keys = scratch.keys(items.len());
    keys.extend(items.iter().enumerate().map(|(at, candidate)| {
        order::pack(candidate.item().timestamp().map_or(NO_TIMESTAMP, order::instant), at)
    }));
    keys.sort_unstable();
    keys.iter().map(|&key| order::position(key)).collect()
}
