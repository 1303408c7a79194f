//! What the caller marked as important.

use super::{Scorer, add_scores, rank};
use crate::model::levels;
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
        if let Some(score) = counted(items) {
            let mut scores = scratch.take_scores(items.len());
            scores.extend(items.iter().map(score));
            return scores;
        }
        let leveled = with_levels(items, scratch, |mut levels, scores, _| {
            levels.iter_mut().for_each(|level| *level = scores[level.to_bits() as usize]);
            levels
        });
        leveled.unwrap_or_else(|| score_sorted(items, scratch))
    }

    fn add_batch(
        &self,
        items: &[ContextItem],
        weight: f64,
        sums: &mut [f64],
        scratch: &mut Scratch,
    ) -> usize {
        if let Some(score) = counted(items) {
            for (sum, item) in sums.iter_mut().zip(items) {
                *sum += score(item) * weight;
            }
            return items.len();
        }
        let leveled = with_levels(items, scratch, |levels, scores, scratch| {
            for (sum, level) in sums.iter_mut().zip(&levels) {
                *sum += scores[level.to_bits() as usize] * weight;
            }
            scratch.give_back(levels);
            items.len()
        });
        leveled.unwrap_or_else(|| add_scores(score_sorted(items, scratch), weight, sums, scratch))
    }
}

/// How many items have each level is counted in so many bits of one word.
const COUNT_BITS: u8 = 5;

/// A word has room to count levels below this.
const COUNTED: u8 = 12;

/// The score of each item, if they are few and have few levels: counted in one word, which spares a table
/// of [`LEVELS`], a twentieth of `run/b` at 10 candidates.
#[inline]
fn counted(items: &[ContextItem]) -> Option<impl Fn(&ContextItem) -> f64> {
    /// Times this, each count becomes the sum of itself and all lower ones.
    const ONES: u64 = 0x0084_2108_4210_8421;
    const MOST: usize = (1 << COUNT_BITS) - 1;

    if items.len() > MOST {
        return None;
    }
    let (mut counts, mut keyed) = (0u64, 0);
    for level in items.iter().map(ContextItem::level) {
        if level < COUNTED {
            counts += 1 << (COUNT_BITS * level);
            keyed += 1;
        } else if level != levels::NONE {
            return None;
        }
    }
    let smaller = counts.wrapping_mul(ONES) << COUNT_BITS;
    Some(move |item: &ContextItem| match item.level() {
        levels::NONE => 0.0,
        level => rank::normalise((smaller >> (COUNT_BITS * level)) as usize & MOST, keyed),
    })
}

/// The scores of items with any priorities.
fn score_sorted(items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
    let near = Integers::default();
    let (scores, range) = rank::score_batch(items, scratch, |item| key(item, &near));
    if !near.is_wrong(range) {
        return scores;
    }
    scratch.give_back(scores);
    let among = Integers::among(items.iter().filter_map(ContextItem::priority));
    rank::score_batch(items, scratch, |item| key(item, &among)).0
}

// As indices.
const LEVELS: usize = levels::LEVELS as usize;
const NONE: usize = levels::NONE as usize;
const BEYOND: usize = levels::BEYOND as usize;

/// If all priorities are levels, calls `then` with the level of each item, as bits, since the memory is that
/// of scores, and with the score of each level, and of none. That takes a sixth of the instructions of sorting,
/// at 1,000 items.
#[inline]
fn with_levels<T>(
    items: &[ContextItem],
    scratch: &mut Scratch,
    then: impl FnOnce(Vec<f64>, &[f64; NONE + 1], &mut Scratch) -> T,
) -> Option<T> {
    let mut levels = scratch.take_scores(items.len());
    // Fetched before they are counted, by a loop that does nothing else, many are on their way at once.
    levels.extend(items.iter().map(|item| f64::from_bits(u64::from(item.level()))));
    let mut counts = [0usize; BEYOND + 1];
    for level in &levels {
        counts[level.to_bits() as usize] += 1;
    }
    if counts[BEYOND] > 0 {
        scratch.give_back(levels);
        return None;
    }
    let keyed = items.len() - counts[NONE];
    let mut scores = [0.0; NONE + 1];
    let mut smaller = 0;
    for (score, count) in scores.iter_mut().zip(&counts[..LEVELS]) {
        if smaller == keyed {
            break;
        }
        *score = rank::normalise(smaller, keyed);
        smaller += count;
    }
    Some(then(levels, &scores, scratch))
}

fn key(item: &ContextItem, priorities: &Integers) -> u64 {
    item.priority().map_or(0, |priority| priorities.value(priority))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn items(priorities: &[Option<i64>]) -> Vec<ContextItem> {
        let item = |priority: &Option<i64>| {
            let builder = ContextItem::builder("x", 1);
            priority.iter().fold(builder, |it, priority| it.priority(*priority)).build()
        };
        priorities.iter().map(|it| item(it).unwrap()).collect()
    }

    fn are_levels(items: &[ContextItem]) -> bool {
        with_levels(items, &mut Scratch::new(), |_, _, _| ()).is_some()
    }

    proptest! {
        #[test]
        fn levels_score_as_each_item_does(
            priorities in prop::collection::vec(prop::option::of(0..LEVELS as i64), 0..40),
        ) {
            let items = items(&priorities);
            let expected: Vec<_> =
                items.iter().map(|item| PriorityScorer.score(item, &items)).collect();
            prop_assert!(are_levels(&items));
            prop_assert_eq!(PriorityScorer.score_all(&items), expected);
        }

        #[test]
        fn what_is_counted_in_a_word_scores_as_each_item_does(
            priorities in prop::collection::vec(prop::option::of(0..i64::from(COUNTED)), 0..=31),
        ) {
            let items = items(&priorities);
            let score = counted(&items).unwrap();
            for item in &items {
                prop_assert_eq!(score(item), PriorityScorer.score(item, &items));
            }
        }
    }

    #[test]
    fn a_word_has_no_room_for_more() {
        assert!(counted(&items(&[Some(i64::from(COUNTED) - 1); 31])).is_some());
        assert!(counted(&items(&[None; 32])).is_none());
        for beyond in [-1, i64::from(COUNTED), i64::MIN, i64::MAX] {
            assert!(counted(&items(&[Some(beyond)])).is_none(), "{beyond}");
        }
    }

    #[test]
    fn what_is_no_level_is_not_counted_as_one() {
        for beyond in [-1, LEVELS as i64, i64::MIN, i64::MAX] {
            let items = items(&[Some(1), None, Some(beyond)]);
            assert!(!are_levels(&items), "{beyond}");
            let expected: Vec<_> =
                items.iter().map(|item| PriorityScorer.score(item, &items)).collect();
            assert_eq!(PriorityScorer.score_all(&items), expected, "{beyond}");
        }
    }
}
