//! Documents as they are read.

use foldhash::{HashMap, HashMapExt};

use super::u_shaped::from_both_ends;
use super::{Placer, place_by_arranging};
use crate::sort_keys::{descending, sorted_positions};
use crate::{Candidate, ContextItem, CupelError, RunContext, ScoredItem};

/// Keeps the parts of a [document](ContextItem::document) together and in the order of their
/// [positions](ContextItem::position); documents come best part first.
///
/// Parts without a position follow those with one. Equal positions, and parts without, are in the order of the run's input;
/// asked by hand, through [`Placer::place`], in the order given. Documents whose best parts score the same are in the order
/// in which their first parts are given. An item without a document is a document of its own.
///
/// ```
/// use cupel::{ContextItem, CupelError, Placer, ReadingOrderPlacer, ScoredItem};
///
/// let part = |document: &str, position, score| -> Result<ScoredItem, CupelError> {
///     let item = ContextItem::builder(format!("{document} {position}"), 10);
///     Ok(ScoredItem { item: item.document(document).position(position).build()?, score })
/// };
/// let given = [part("guide", 7, 0.9)?, part("notes", 1, 0.8)?, part("guide", 2, 0.1)?];
/// let placed = ReadingOrderPlacer::default().place(&given);
/// let contents: Vec<_> = placed.iter().map(ContextItem::content).collect();
/// assert_eq!(contents, ["guide 2", "guide 7", "notes 1"]);
/// # Ok::<(), CupelError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadingOrderPlacer {
    is_u_shaped: bool,
}

impl ReadingOrderPlacer {
    /// The best document first, the second best last, and so on inwards, as [`UShapedPlacer`](crate::UShapedPlacer) does
    /// with items.
    pub fn u_shaped() -> Self {
        Self { is_u_shaped: true }
    }
}

impl Placer for ReadingOrderPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        place_by_arranging(self, items)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        // Documents are numbered as their first parts are given.
        let mut numbers = HashMap::with_capacity(items.len());
        let mut best = Vec::with_capacity(items.len());
        let mut document_of = Vec::with_capacity(items.len());
        for candidate in items {
            let score = descending(candidate.score());
            let next = best.len();
            let number = match candidate.item().document() {
                Some(document) => *numbers.entry(document).or_insert(next),
                None => next,
            };
            match best.get_mut(number) {
                Some(best) => *best = score.min(*best),
                None => best.push(score),
            }
            document_of.push(number);
        }
        let mut documents: Vec<_> = sorted_positions(best.len(), |number| best[number]).collect();
        if self.is_u_shaped {
            documents = from_both_ends(&documents);
        }
        let mut rank_of = vec![0; documents.len()];
        for (rank, number) in documents.into_iter().enumerate() {
            rank_of[number] = rank;
        }
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|at| {
            let position = items[*at].item().position();
            (rank_of[document_of[*at]], position.is_none(), position, items[*at].index())
        });
        Ok(order)
    }
}
