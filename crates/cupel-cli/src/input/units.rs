//! Which candidates stay together.

use std::collections::HashMap;

use cupel::ContextItem;

/// The units of two and more candidates; everything else stands alone.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// In the order of their first members, each in the order of the input.
    members: Vec<Vec<usize>>,
    /// Of each candidate that has a unit, which.
    of: HashMap<usize, usize>,
}

impl Units {
    pub(super) fn new(items: &[ContextItem]) -> Self {
        let mut by_group: HashMap<&str, usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (position, item) in items.iter().enumerate() {
            let Some(group) = item.group() else { continue };
            let unit = *by_group.entry(group).or_insert(members.len());
            match members.get_mut(unit) {
                Some(others) => others.push(position),
                None => members.push(vec![position]),
            }
        }
        members.retain(|members| members.len() > 1);
        let of = |(unit, members): (usize, &Vec<usize>)| {
            members.iter().map(|position| (*position, unit)).collect::<Vec<_>>()
        };
        let of = members.iter().enumerate().flat_map(of).collect();
        Self { members, of }
    }

    /// Which unit the candidate at `position` belongs to, if it does not stand alone.
    pub(crate) fn unit(&self, position: usize) -> Option<usize> {
        self.of.get(&position).copied()
    }

    /// All members of the unit that the candidate at `position` belongs to; none if it stands alone.
    pub(crate) fn members(&self, position: usize) -> &[usize] {
        self.unit(position).map(|unit| self.members[unit].as_slice()).unwrap_or_default()
    }

    /// The first of those that share the fate of the candidate at `position`.
    pub(crate) fn first(&self, position: usize) -> usize {
        self.members(position).first().copied().unwrap_or(position)
    }

    /// The positions in their order, but members of a unit next to the first of them.
    pub(crate) fn together(&self, mut positions: Vec<usize>) -> Vec<usize> {
        let mut rank: HashMap<usize, usize> = HashMap::new();
        for (at, position) in positions.iter().enumerate() {
            rank.entry(self.first(*position)).or_insert(at);
        }
        positions.sort_by_key(|position| (rank[&self.first(*position)], *position));
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_of_one_group_are_a_unit_and_a_group_of_one_is_none() {
        let item = |group: &str| ContextItem::builder("x", 1).group(group).build().unwrap();
        let alone = ContextItem::builder("x", 1).build().unwrap();
        let units = Units::new(&[item("a"), item("b"), alone, item("c"), item("b"), item("a")]);
        let members: Vec<_> = (0..6).map(|position| units.members(position).to_vec()).collect();
        assert_eq!(members, [vec![0, 5], vec![1, 4], vec![], vec![], vec![1, 4], vec![0, 5]]);
        assert_eq!([units.first(4), units.first(3)], [1, 3]);
        assert_eq!(units.together(vec![5, 3, 4, 0, 2, 1]), [0, 5, 3, 1, 4, 2]);
    }
}
