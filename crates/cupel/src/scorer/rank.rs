//! Scoring by rank: the share of keyed peers with a smaller key.

use crate::order::{self, MAX_POSITIONS};
use crate::{ContextItem, Scratch};

/// The rank score of `item`; an item without a key scores 0, the only one with a key scores 1.
pub(super) fn score<K: Ord>(
    item: &ContextItem,
    all_items: &[ContextItem],
    key: impl Fn(&ContextItem) -> Option<K>,
) -> f64 {
    let Some(own) = key(item) else { return 0.0 };
    let (mut keyed, mut smaller) = (0, 0);
    for other in all_items.iter().filter_map(key) {
        keyed += 1;
        smaller += usize::from(other < own);
    }
    normalise(smaller, keyed)
}

/// The rank scores of all items by one sort. `key` gives at most 96 bits.
pub(super) fn score_batch(
    items: &[ContextItem],
    scratch: &mut Scratch,
    key: impl Fn(&ContextItem) -> Option<u128>,
) -> Vec<f64> {
    let mut scores = scratch.take_scores(items.len());
    if items.len() > MAX_POSITIONS {
        scores.extend(items.iter().map(|item| score(item, items, &key)));
        return scores;
    }

    let keys = scratch.keys(items.len());
    let keyed = items.iter().enumerate();
    keys.extend(keyed.filter_map(|(at, item)| Some(order::pack(key(item)?, at))));
    keys.sort_unstable();

    scores.resize(items.len(), 0.0);
    let mut smaller = 0;
    for (at, &packed) in keys.iter().enumerate() {
        if at > 0 && order::value(packed) != order::value(keys[at - 1]) {
            smaller = at;
        }
        scores[order::position(packed)] = normalise(smaller, keys.len());
    }
    scores
}

fn normalise(smaller: usize, keyed: usize) -> f64 {
    if keyed <= 1 { 1.0 } else { smaller as f64 / (keyed - 1) as f64 }
}
