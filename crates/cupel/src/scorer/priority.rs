//! What the caller marked as important.

use super::{Scorer, rank};
use crate::order::Integers;
use crate::{ContextItem, Scratch};

/// Ranks items by priority: the highest scores 1, the lowest 0, those between evenly.
///
/// Equal priorities score equally. Items without one score 0; the only item with one scores 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityScorer;

impl Scorer for PriorityScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        rank::score(item, all_items, ContextItem::priority)
    }

    fn score_batch(&self, items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
        let near = Integers::default();
        let (scores, range) = rank::score_batch(items, scratch, |item| key(item, &near));
        if !near.is_wrong(range) {
            return scores;
        }
        scratch.give_back(scores);
        let among = Integers::among(items.iter().filter_map(ContextItem::priority));
        rank::score_batch(items, scratch, |item| key(item, &among)).0
    }
}

fn key(item: &ContextItem, priorities: &Integers) -> u64 {
    item.priority().map_or(0, |priority| priorities.value(priority))
}
