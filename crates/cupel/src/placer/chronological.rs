//! Oldest first.

use super::{Placer, place_by};
use crate::order::Instants;
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
    let timestamps = items.iter().map(|candidate| candidate.item().instant());
    let instants = Instants::new(timestamps.clone().flatten());
    let mut order = Vec::with_capacity(items.len());
    let (positions, _) = scratch.order(timestamps.clone().map(|it| Some(instants.value(it?))));
    order.extend(positions.iter().map(|&at| at as usize));
    if order.len() < items.len() {
        order.extend(timestamps.enumerate().filter(|(_, it)| it.is_none()).map(|(at, _)| at));
    }
    order
}
