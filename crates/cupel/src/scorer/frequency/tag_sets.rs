//! Tags as numbers.

use super::tag_numbers::TagNumbers;
use crate::ContextItem;
use crate::hash::Seeded;

/// Every item's distinct tags as ascending numbers, in one allocation.
pub(super) struct TagSets {
    tags: Vec<u32>,
    ends: Vec<usize>,
    /// How many different tags there are.
    pub(super) distinct: usize,
}

impl TagSets {
    pub(super) fn of(items: &[ContextItem], hasher: Seeded) -> Self {
        /// Most tags that a table has room for from the start: more are rarely different.
        const COMMON: usize = 64;
        let total = items.iter().map(|item| item.tags().len()).sum();
        let mut numbers = TagNumbers::with_room(COMMON.min(total), hasher);
        let mut sets = Self {
            tags: Vec::with_capacity(total),
            ends: Vec::with_capacity(items.len()),
            distinct: 0,
        };
        for item in items {
            let start = sets.tags.len();
            sets.tags.extend(item.tags().iter().map(|tag| numbers.number(tag)));
            let distinct = sort_and_deduplicate(&mut sets.tags[start..]);
            sets.tags.truncate(start + distinct);
            sets.ends.push(start + distinct);
        }
        sets.distinct = numbers.len();
        sets
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The tags of all sets, one after the other.
    pub(super) fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// Where among the tags each set ends.
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }

    fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.tags[start..self.ends[at]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|at| self.get(at))
    }
}

/// Moves the different numbers to the front in ascending order; how many they are.
fn sort_and_deduplicate(numbers: &mut [u32]) -> usize {
    numbers.sort_unstable();
    let mut kept = numbers.len().min(1);
    for at in 1..numbers.len() {
        if numbers[at] != numbers[kept - 1] {
            numbers[kept] = numbers[at];
            kept += 1;
        }
    }
    kept
}
