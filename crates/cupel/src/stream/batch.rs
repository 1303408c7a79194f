//! What is not decided about yet.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::{ContextItem, CupelError};

/// Items with their places in the stream, in that order: a batch, and before it the members of groups that had one in
/// the batch before.
pub(super) struct Batch {
    size: usize,
    items: Vec<(usize, ContextItem)>,
    /// How many of them are from before.
    carried: usize,
    decided: DecidedGroups,
}

impl Batch {
    pub(super) fn new(size: usize) -> Self {
        Self { size, items: Vec::new(), carried: 0, decided: DecidedGroups::default() }
    }

    /// Adds the item at `index` of the stream.
    pub(super) fn push(&mut self, index: usize, item: ContextItem) -> Result<(), CupelError> {
        if let Some(group) = item.group()
            && self.decided.contains(group)
        {
            let (group, batch_size) = (group.to_owned(), self.size);
            return Err(CupelError::GroupSplit { group, index, batch_size });
        }
        self.items.push((index, item));
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.items.len() - self.carried >= self.size
    }

    pub(super) fn has_groups(&self) -> bool {
        self.items.iter().any(|(_, item)| item.has_group())
    }

    pub(super) fn has_pinned(&self) -> bool {
        self.items.iter().any(|(_, item)| item.pinned())
    }

    /// All but the members of groups that may go on: those with a member in the batch itself.
    pub(super) fn take_complete(&mut self) -> Vec<(usize, ContextItem)> {
        let groups = self.items[self.carried..].iter().filter_map(|(_, item)| item.group());
        let open: HashSet<String> = groups.map(str::to_owned).collect();
        let is_open = |item: &ContextItem| item.group().is_some_and(|group| open.contains(group));
        let all = std::mem::take(&mut self.items);
        let (open, complete): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(_, item)| is_open(item));
        self.carried = open.len();
        self.items = open;
        complete.iter().filter_map(|(_, item)| item.group()).for_each(|it| self.decided.add(it));
        complete
    }

    /// All there is, at the end of the stream.
    pub(super) fn take_all(&mut self) -> Vec<(usize, ContextItem)> {
        std::mem::take(&mut self.items)
    }
}

/// The names of groups that were decided about, as keyed hashes: streams may have millions of them. Two names share one
/// once in 2^64 times, and nobody can arrange it.
#[derive(Default)]
struct DecidedGroups {
    key: RandomState,
    hashes: HashSet<u64>,
}

impl DecidedGroups {
    fn add(&mut self, group: &str) {
        self.hashes.insert(self.key.hash_one(group));
    }

    fn contains(&self, group: &str) -> bool {
        self.hashes.contains(&self.key.hash_one(group))
    }
}
