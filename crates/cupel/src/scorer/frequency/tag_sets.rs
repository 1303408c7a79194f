//! Tags as numbers.

use std::collections::HashMap;

use crate::ContextItem;
use crate::hash::{AnyCase, Seeded};

/// Every item's distinct tags as ascending numbers, in one allocation.
pub(super) struct TagSets {
    tags: Vec<u32>,
    ends: Vec<usize>,
    /// How many different tags there are.
    pub(super) distinct: usize,
}

impl TagSets {
    pub(super) fn of(items: &[ContextItem]) -> Self {
        /// Most tags that a table has room for from the start: more are rarely different.
        const COMMON: usize = 64;
        let total = items.iter().map(|item| item.tags().len()).sum();
        let mut numbers: HashMap<AnyCase<'_>, u32, Seeded> = HashMap::default();
        numbers.reserve(COMMON.min(total));
        let mut sets = Self {
            tags: Vec::with_capacity(total),
            ends: Vec::with_capacity(items.len()),
            distinct: 0,
        };
        for item in items {
            let start = sets.tags.len();
            for tag in item.tags() {
                let next = numbers.len() as u32;
                sets.tags.push(*numbers.entry(AnyCase(tag)).or_insert(next));
            }
            sets.tags[start..].sort_unstable();
            let mut kept = start;
            for at in start..sets.tags.len() {
                if at == start || sets.tags[at] != sets.tags[kept - 1] {
                    sets.tags[kept] = sets.tags[at];
                    kept += 1;
                }
            }
            sets.tags.truncate(kept);
            sets.ends.push(kept);
        }
        sets.distinct = numbers.len();
        sets
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many tags there are in all sets together.
    pub(super) fn tags(&self) -> usize {
        self.tags.len()
    }

    fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.tags[start..self.ends[at]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|at| self.get(at))
    }
}
