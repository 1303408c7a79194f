//! What a run is given, and the units that it is made of.

use std::cell::OnceCell;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::ContextItem;
use crate::model::Unit;

/// A run's items, and the units that those of them make that stay together.
///
/// Candidates refer to both, so this outlives all stages.
pub(crate) struct Input<'a> {
    pub(crate) items: &'a [ContextItem],
    /// Made by Classify, which sees whether there are groups at all.
    groups: OnceCell<Groups>,
    /// Groups of two or more.
    units: OnceCell<Vec<Unit<'a>>>,
    /// Which of the units each item belongs to, or [`NO_UNIT`].
    unit_of: OnceCell<Vec<u32>>,
}

const NO_UNIT: u32 = u32::MAX;

impl<'a> Input<'a> {
    pub(crate) fn new(items: &'a [ContextItem]) -> Self {
        let (groups, units, unit_of) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { items, groups, units, unit_of }
    }

    /// Whether any items stay together.
    pub(crate) fn has_units(&self) -> bool {
        self.units.get().is_some()
    }

    /// The unit that the item at `index` belongs to with others.
    pub(crate) fn unit_with(&'a self, index: usize) -> Option<&'a Unit<'a>> {
        let units = self.units.get()?;
        let unit_of = self.unit_of.get_or_init(|| {
            let mut unit_of = vec![NO_UNIT; self.items.len()];
            for (unit, number) in units.iter().zip(0..) {
                unit.indices().iter().for_each(|&index| unit_of[index as usize] = number);
            }
            unit_of
        });
        units.get(unit_of[index] as usize)
    }

    /// The groups of its items at `indices`, which are all that have one.
    pub(crate) fn groups(&'a self, indices: &[u32]) -> &'a Groups {
        self.groups.get_or_init(|| Groups::new(self.items, indices))
    }

    /// Makes units of those of its `groups` that have these numbers, each of two or more items.
    pub(crate) fn make_units(&'a self, groups: &'a Groups, numbers: &[usize]) -> &'a [Unit<'a>] {
        let unit = |&number: &usize| Unit::new(self.items, groups.members(number));
        self.units.get_or_init(|| numbers.iter().map(unit).collect())
    }
}

/// Indices of items, those that share a group together.
pub(crate) struct Groups {
    /// Group after group, in order of first appearance, ascending in each.
    indices: Vec<u32>,
    /// Where in `indices` each group begins, and where the last one ends.
    bounds: Vec<u32>,
}

impl Groups {
    /// Those of the items at `indices`, which have groups.
    fn new(items: &[ContextItem], indices: &[u32]) -> Self {
        let group = |index: u32| items[index as usize].group().unwrap_or_default();
        let mut number_of: HashMap<&str, u32> = HashMap::with_capacity(indices.len());
        let mut numbers: Vec<u32> = Vec::with_capacity(indices.len());
        let mut sizes: Vec<u32> = Vec::with_capacity(indices.len());
        let mut last = None;
        for &index in indices {
            let own = group(index);
            // What belongs together mostly stands together.
            let number = match last {
                Some((group, number)) if group == own => number,
                _ => *number_of.entry(own).or_insert(sizes.len() as u32),
            };
            last = Some((own, number));
            match sizes.get_mut(number as usize) {
                Some(size) => *size += 1,
                None => sizes.push(1),
            }
            numbers.push(number);
        }
        let mut bounds = Vec::with_capacity(sizes.len() + 1);
        bounds.push(0);
        bounds.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        let mut next = bounds.clone();
        let mut grouped = vec![0; indices.len()];
        for (&index, number) in indices.iter().zip(numbers) {
            let end = &mut next[number as usize];
            grouped[*end as usize] = index;
            *end += 1;
        }
        Self { indices: grouped, bounds }
    }

    pub(crate) fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Indices of the items of a group, ascending.
    pub(crate) fn members(&self, group: usize) -> &[u32] {
        &self.indices[self.range(group)]
    }

    fn range(&self, group: usize) -> Range<usize> {
        self.bounds[group] as usize..self.bounds[group + 1] as usize
    }
}
