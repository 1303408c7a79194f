//! Scoring by rank: the share of keyed peers with a smaller key.

use crate::ContextItem;
use crate::sort_keys::sorted_positions_by;

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

/// The rank scores of all items, by one sort. `leading` gives the leading bits of a key, 0 for none.
pub(super) fn score_batch<K: Ord>(
    items: &[ContextItem],
    leading: impl Fn(&ContextItem) -> u64,
    key: impl Fn(&ContextItem) -> Option<K>,
) -> Vec<f64> {
    // Read once, in their order: the sort would follow the items' pointers all over the memory.
    let leading: Vec<u64> = items.iter().map(leading).collect();
    let key = |at: usize| key(&items[at]);
    let order: Vec<_> = sorted_positions_by(items.len(), |at| leading[at], key).collect();
    let mut scores = vec![0.0; items.len()];
    let mut smaller = 0;
    for equals in order.chunk_by(|&a, &b| leading[a] == leading[b] && key(a) == key(b)) {
        for &at in equals {
            scores[at] = normalise(smaller, order.len());
        }
        smaller += equals.len();
    }
    scores
}

fn normalise(smaller: usize, keyed: usize) -> f64 {
    if keyed <= 1 { 1.0 } else { smaller as f64 / (keyed - 1) as f64 }
}
