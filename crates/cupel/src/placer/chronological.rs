//! Oldest first.

use super::{Placer, place_by};
use crate::model::Instants;
use crate::push::push_within;
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
        let mut greatest = 0;
        let values = items.iter().map(|it| instants.value(it.item()));
        scratch.visit_in_order(values, |at, value| {
            push_within(&mut order, at);
            greatest = value;
        });
        if !instants.is_wrong(greatest) {
            break;
        }
        order.clear();
        instants = Instants::among(items.iter().map(Candidate::item));
    }
    if order.len() < items.len() {
        let timeless = |at: &usize| items[*at].item().instant() == 0;
        order.extend((0..items.len()).filter(timeless));
    }
    order
}
