//! What is not decided about yet.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};

use crate::{ContextItem, CupelError};

/// Items with their numbers in the stream.
type Placed = Vec<(usize, ContextItem)>;

/// The items of a batch, and those of earlier ones whose groups may go on.
pub(super) struct Batch {
    size: usize,
    /// How many items the batch has so far.
    filled: usize,
    alone: Placed,
    open: BTreeMap<String, OpenGroup>,
    /// How many of all these are pinned.
    pinned: usize,
    decided: DecidedGroups,
}

/// What is there of a group.
#[derive(Default)]
struct OpenGroup {
    members: Placed,
    /// Whether the batch has brought one of them.
    goes_on: bool,
}

impl Batch {
    pub(super) fn new(size: usize) -> Self {
        let (alone, open) = (Vec::new(), BTreeMap::new());
        Self { size, filled: 0, alone, open, pinned: 0, decided: DecidedGroups::default() }
    }

    /// Adds the item at `index` of the stream.
    pub(super) fn push(&mut self, index: usize, item: ContextItem) -> Result<(), CupelError> {
        let is_pinned = item.pinned();
        match item.group() {
            None => self.alone.push((index, item)),
            Some(group) if self.decided.contains(group) => {
                let (group, batch_size) = (group.to_owned(), self.size);
                return Err(CupelError::GroupSplit { group, index, batch_size });
            }
            Some(group) => {
                let open = self.open.entry(group.to_owned()).or_default();
                open.goes_on = true;
                open.members.push((index, item));
            }
        }
        self.filled += 1;
        self.pinned += usize::from(is_pinned);
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.filled >= self.size
    }

    pub(super) fn has_groups(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn has_pinned(&self) -> bool {
        self.pinned > 0
    }

    /// All but the members of groups that the batch has brought more of, in the order of the stream.
    pub(super) fn take_complete(&mut self) -> Placed {
        let (open, complete): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.open).into_iter().partition(|(_, group)| group.goes_on);
        self.open = open;
        self.open.values_mut().for_each(|group| group.goes_on = false);
        complete.keys().for_each(|group| self.decided.add(group));
        self.take(complete)
    }

    /// All there is, in the order of the stream, which is at its end.
    pub(super) fn take_all(&mut self) -> Placed {
        let open = std::mem::take(&mut self.open);
        self.take(open)
    }

    fn take(&mut self, groups: BTreeMap<String, OpenGroup>) -> Placed {
        let mut taken = std::mem::take(&mut self.alone);
        taken.extend(groups.into_values().flat_map(|group| group.members));
        taken.sort_by_key(|(index, _)| *index);
        self.filled = 0;
        self.pinned -= taken.iter().filter(|(_, item)| item.pinned()).count();
        taken
    }
}

/// The names of groups that were decided about, as keyed hashes: streams may have millions of them. Two names share one
/// once in 2^64 times, and nobody can arrange it.
#[derive(Default)]
struct DecidedGroups {
    key: RandomState,
    /// Ordered, because a table that doubles takes up to twice the room.
    hashes: BTreeSet<u64>,
}

impl DecidedGroups {
    fn add(&mut self, group: &str) {
        self.hashes.insert(self.key.hash_one(group));
    }

    fn contains(&self, group: &str) -> bool {
        self.hashes.contains(&self.key.hash_one(group))
    }
}
