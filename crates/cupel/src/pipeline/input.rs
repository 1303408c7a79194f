//! What a run is given, and the units that it is made of.

use std::cell::OnceCell;

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
    /// Which of them each item of the input belongs to.
    of_index: Vec<Option<u32>>,
}

/// Items that are in the window or out of it together.
pub(crate) struct Unit {
    /// What strategies see of it.
    pub(crate) stand_in: ContextItem,
    /// Indices of its members, ascending.
    pub(crate) members: Vec<u32>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(items: &'a [ContextItem]) -> Self {
        Self { items, units: OnceCell::new() }
    }

    /// Whether any items stay together.
    pub(crate) fn has_units(&self) -> bool {
        self.units.get().is_some()
    }

    /// The unit that the item at `index` belongs to with others.
    pub(crate) fn unit_of(&self, index: usize) -> Option<&Unit> {
        let units = self.units.get()?;
        units.of_index[index].map(|unit| &units.units[unit as usize])
    }

    /// Makes units of `groups`, each of two or more items.
    pub(crate) fn make_units(&self, groups: Vec<Vec<u32>>) -> impl Iterator<Item = &Unit> {
        let units = self.units.get_or_init(|| {
            let mut of_index = vec![None; self.items.len()];
            let mut unit = |(number, members): (usize, Vec<u32>)| {
                members.iter().for_each(|&index| of_index[index as usize] = Some(number as u32));
                let items = members.iter().map(|&index| self.items[index as usize].clone());
                Unit { stand_in: ContextItem::standing_for(items.collect()), members }
            };
            let units = groups.into_iter().enumerate().map(&mut unit).collect();
            Units { units, of_index }
        });
        units.units.iter()
    }
}

/// Those of the items at `indices`, which have groups, that share one, in order of first appearance.
pub(crate) fn by_group(items: &[ContextItem], indices: Vec<u32>) -> Vec<Vec<u32>> {
    let mut number_of: HashMap<&str, usize> = HashMap::with_capacity(indices.len());
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for index in indices {
        let group = items[index as usize].group().unwrap_or_default();
        let number = *number_of.entry(group).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(members) => members.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}
