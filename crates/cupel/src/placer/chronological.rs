//! Oldest first.

use super::{Placer, place_by};
use crate::model::Instants;
use crate::{Candidate, ContextItem, CupelError, ScoredItem, Scratch};

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

fn oldest_first(items: &[Candidate<'_>], scratch: &mut Scratch) -> Vec<usize> {
    let mut order = scratch.take_positions(items.len());
    let mut instants = Instants::default();
    loop {
        let (positions, values) = scratch.order(items.iter().map(|it| instants.value(it.item())));
        let greatest = positions.last().map_or(0, |&at| values[at as usize]);
        if instants.is_wrong(greatest) {
            instants = Instants::among(items.iter().map(Candidate::item));
            continue;
        }
        order.extend(positions.iter().map(|&at| at as usize));
        if order.len() < items.len() {
            order.extend((0..items.len()).filter(|&at| values[at] == 0));
        }
        return order;
    }
}
