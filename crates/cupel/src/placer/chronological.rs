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
    let instants = Instants::new(items.iter().map(Candidate::item));
    let (positions, _) = scratch.order(items.iter().map(|it| instants.value(it.item())));
    order.extend(positions.iter().map(|&at| at as usize));
    if order.len() < items.len() {
        let is_undated = |(_, it): &(usize, &Candidate<'_>)| it.item().timestamp().is_none();
        order.extend(items.iter().enumerate().filter(is_undated).map(|(at, _)| at));
    }
    order
}
