//! Scoring by rank: the share of keyed peers with a smaller key.

use crate::order::MAX_POSITIONS;
use crate::{ContextItem, Scratch};

/// Up to so many items are compared each with every other.
const FEW: usize = 20;

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

/// The rank scores of all items by their keys, which are integers of the same order and 0 for items
/// without one; and the least and the greatest key.
pub(super) fn score_batch(
    items: &[ContextItem],
    scratch: &mut Scratch,
    key: impl Fn(&ContextItem) -> u64,
) -> (Vec<f64>, (u64, u64)) {
    let mut scores = scratch.take_scores(items.len());
    if items.len() > MAX_POSITIONS {
        let some_key = |item: &ContextItem| Some(key(item)).filter(|key| *key != 0);
        scores.extend(items.iter().map(|item| score(item, items, some_key)));
        let keys = || items.iter().filter_map(some_key);
        return (scores, (keys().min().unwrap_or(u64::MAX), keys().max().unwrap_or(0)));
    }
    if items.len() <= FEW {
        let range = score_few(items, key, &mut scores);
        return (scores, range);
    }
    scores.resize(items.len(), 0.0);
    let (mut keyed, mut last, mut smaller) = (0u32, 0, 0.0);
    let (mut least, mut greatest) = (u64::MAX, 0);
    scratch.visit_in_order(items.iter().map(key), |at, key| {
        if key != greatest {
            (least, greatest) = (least.min(key), key);
            smaller = f64::from(keyed);
        }
        scores[at] = smaller;
        keyed += 1;
        last = at;
    });
    if keyed == 1 {
        scores[last] = normalise(0, 1);
    } else if keyed > 1 {
        let others = f64::from(keyed - 1);
        scores.iter_mut().for_each(|score| *score /= others);
    }
    (scores, (least, greatest))
}

/// Adds the scores of a few items to `scores`, each compared with every other, and returns the range of keys.
/// That is more work than a sort, but without decisions that a processor can only guess.
fn score_few(
    items: &[ContextItem],
    key: impl Fn(&ContextItem) -> u64,
    scores: &mut Vec<f64>,
) -> (u64, u64) {
    let mut keys = [0; FEW];
    let mut keyed = 0;
    let (mut least, mut greatest) = (u64::MAX, 0);
    for (place, item) in keys.iter_mut().zip(items) {
        let key = key(item);
        *place = key;
        keyed += usize::from(key != 0);
        least = least.min(if key == 0 { u64::MAX } else { key });
        greatest = greatest.max(key);
    }
    let keys = &keys[..items.len()];
    let keyless = keys.len() - keyed;
    if keyed > 1 {
        let others = number(keyed - 1);
        scores.extend(keys.iter().map(|own| {
            let smaller: usize = keys.iter().map(|other| usize::from(other < own)).sum();
            number(smaller.saturating_sub(keyless)) / others
        }));
    } else {
        scores.extend(keys.iter().map(|own| if *own == 0 { 0.0 } else { normalise(0, keyed) }));
    }
    (least, greatest)
}

/// As a signed number, which processors convert at once; nothing is so long that it matters.
fn number(count: usize) -> f64 {
    count.cast_signed() as f64
}

pub(super) fn normalise(smaller: usize, keyed: usize) -> f64 {
    if keyed <= 1 { 1.0 } else { number(smaller) / number(keyed - 1) }
}
