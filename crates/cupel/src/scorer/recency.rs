//! Newer is better.

use super::{Scorer, rank};
use crate::model::Instants;
use crate::{ContextItem, Scratch};

/// Ranks items by timestamp: the newest scores 1, the oldest 0, those between evenly.
///
/// Equal timestamps score equally. Items without one score 0; the only item with one scores 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecencyScorer;

impl Scorer for RecencyScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        rank::score(item, all_items, ContextItem::timestamp)
    }

    fn score_batch(&self, items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
        let near = Instants::default();
        let (scores, (_, greatest)) = rank::score_batch(items, scratch, |item| near.value(item));
        if !near.is_wrong(greatest) {
            return scores;
        }
        scratch.give_back(scores);
        let instants = Instants::among(items.iter());
        rank::score_batch(items, scratch, |item| instants.value(item)).0
    }
}
