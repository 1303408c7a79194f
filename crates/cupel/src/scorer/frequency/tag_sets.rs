//! Tags as numbers.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::ContextItem;
use crate::any_case::AnyCase;

/// Every item's distinct tags as ascending numbers, in one allocation.
pub(super) struct TagSets {
    tags: Vec<u32>,
    ends: Vec<usize>,
    /// How many different tags there are.
    pub(super) distinct: usize,
}

impl TagSets {
    pub(super) fn of(items: &[ContextItem]) -> Self {
        /// Most different tags that there is room for from the start.
        const COMMON: usize = 64;
        let total: usize = items.iter().map(|item| item.tags().len()).sum();
        let mut numbers: HashMap<AnyCase<'_>, u32, _> =
            HashMap::with_capacity_and_hasher(total.min(COMMON), RandomState::default());
        let mut tags = Vec::with_capacity(total);
        let mut ends = Vec::with_capacity(items.len());
        for item in items {
            let start = tags.len();
            for tag in item.tags() {
                let next = numbers.len() as u32;
                tags.push(*numbers.entry(AnyCase(tag)).or_insert(next));
            }
            let distinct = sort_and_deduplicate(&mut tags[start..]);
            tags.truncate(start + distinct);
            ends.push(tags.len());
        }
        Self { tags, ends, distinct: numbers.len() }
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
