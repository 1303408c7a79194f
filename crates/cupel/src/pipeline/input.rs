//! What a run is given, and the units that it is made of.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use crate::ContextItem;

/// A run's items, and what stands in for those of them that stay together.
///
/// Candidates refer to both, so this outlives all stages.
pub(crate) struct Input<'a> {
    pub(crate) items: &'a [ContextItem],
    /// Made by Classify, which sees whether there are groups at all.
    units: OnceCell<Units>,
}

/// Groups of two or more.
struct Units {
    units: Vec<Unit>,
    groups: Groups,
    /// Which of the units each item of the input belongs to, or [`NO_UNIT`].
    of_index: Vec<u32>,
}

const NO_UNIT: u32 = u32::MAX;

/// Items that are in the window or out of it together.
struct Unit {
    /// What strategies see of it.
    stand_in: ContextItem,
    /// Which group it is.
    group: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(items: &'a [ContextItem]) -> Self {
        Self { items, units: OnceCell::new() }
    }

    /// Whether any items stay together.
    pub(crate) fn has_units(&self) -> bool {
        self.units.get().is_some()
    }

    fn unit_of(&self, index: usize) -> Option<(&Units, &Unit)> {
        let units = self.units.get()?;
        let number = Some(units.of_index[index]).filter(|number| *number != NO_UNIT)?;
        Some((units, &units.units[number as usize]))
    }

    /// What stands in for the unit that the item at `index` belongs to with others.
    pub(crate) fn stand_in_of(&self, index: usize) -> Option<&ContextItem> {
        self.unit_of(index).map(|(_, unit)| &unit.stand_in)
    }

    /// Indices of all members of that unit, ascending; nothing for an item that is none.
    pub(crate) fn members_with(&self, index: usize) -> &[u32] {
        self.unit_of(index).map_or(&[], |(units, unit)| units.groups.members(unit.group))
    }

    /// Makes units of those of the `groups` that have these numbers, each of two or more items. Gives what stands in for
    /// each, with the index of its first member.
    pub(crate) fn make_units(
        &self,
        groups: Groups,
        numbers: &[usize],
    ) -> impl Iterator<Item = (usize, &ContextItem)> {
        let units = self.units.get_or_init(|| {
            let of_groups = groups.indices.iter().map(|&index| self.items[index as usize].clone());
            let of_groups: Arc<[ContextItem]> = of_groups.collect();
            let mut of_index = vec![NO_UNIT; self.items.len()];
            let mut units = Vec::with_capacity(numbers.len());
            for &group in numbers {
                let members = groups.members(group);
                members.iter().for_each(|&index| of_index[index as usize] = units.len() as u32);
                let stand_in = ContextItem::standing_for(&of_groups, groups.range(group));
                units.push(Unit { stand_in, group });
            }
            Units { units, groups, of_index }
        });
        let first = |unit: &Unit| units.groups.members(unit.group)[0] as usize;
        units.units.iter().map(move |unit| (first(unit), &unit.stand_in))
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
    pub(crate) fn new(items: &[ContextItem], indices: &[u32]) -> Self {
        let group = |index: u32| items[index as usize].group().unwrap_or_default();
        let mut number_of: HashMap<&str, u32> = HashMap::with_capacity(indices.len());
        let mut numbers: Vec<u32> = Vec::with_capacity(indices.len());
        let mut sizes: Vec<u32> = Vec::new();
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
            let place = &mut next[number as usize];
            grouped[*place as usize] = index;
            *place += 1;
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
