//! How connected an item is to its peers.

mod overlap;

use super::Scorer;
use crate::{ContextItem, Scratch};

/// Scores an item by the share of its peers that have a tag in common with it.
///
/// Tags are compared without regard to ASCII case. An item is not its own peer, by instance: a
/// handle given twice is skipped twice, an equal item counts. Without tags, or alone, it scores 0.
///
/// Scoring all of N items takes time proportional to N for items with up to five distinct tags
/// each. Each larger set of tags that occurs is compared with the others once, through lists of who
/// has which tag, which costs the number of tags they share: with many different large sets that
/// overlap, up to the square of their number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrequencyScorer;

impl Scorer for FrequencyScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        if item.tags().is_empty() || all_items.len() <= 1 {
            return 0.0;
        }
        let matching = all_items
            .iter()
            .filter(|other| !other.is_same_instance(item) && share_a_tag(item, other))
            .count();
        share(matching, all_items.len())
    }

    fn score_batch(&self, items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
        let mut scores = scratch.take_scores(items.len());
        if items.len() <= 1 {
            scores.resize(items.len(), 0.0);
            return scores;
        }
        let matching = overlap::matching_peers(items);
        scores.extend(matching.into_iter().map(|matching| share(matching, items.len())));
        scores
    }
}

fn share(matching: usize, all: usize) -> f64 {
    matching as f64 / (all - 1) as f64
}

fn share_a_tag(a: &ContextItem, b: &ContextItem) -> bool {
    a.tags().iter().any(|tag| b.tags().iter().any(|other| tag.eq_ignore_ascii_case(other)))
}
