//! As in the input.

use super::{Placer, place_by_arranging};
use crate::{Candidate, ContextItem, CupelError, RunContext, ScoredItem};

/// Keeps the order in which candidates were given to the run, pinned ones included.
///
/// Members of a [unit](ContextItem::group) stand where the input had them, so that nothing is ever reordered: what
/// conversations need. Asked by hand, through [`Placer::place`], it returns what it is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InputOrderPlacer;

impl Placer for InputOrderPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by_arranging(self, items)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|at| items[*at].index());
        Ok(order)
    }

    fn keeps_input_order(&self) -> bool {
        true
    }
}
