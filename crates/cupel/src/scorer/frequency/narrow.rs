//! Counting by inclusion and exclusion.
//!
//! With `n(U)` sets that contain `U`, those sharing a tag with `S` number the sum of `±n(U)` over
//! the non-empty subsets `U` of `S`. The subsets are walked depth first, each with a list of the
//! sets that contain it. Only tags after the last one of `U` are added to `U`, so every subset is
//! met once, and nothing has to be looked up by it.
//!
//! A subset that only one set contains needs no walk: if more tags follow, as many larger subsets
//! are added to that set's sum as are taken away.
//!
//! That is half of what `score/frequency` in `benches/instructions` counts. A hash map from subsets
//! to their counts took more than twice as many instructions.

use super::tag_sets::TagSets;

/// Most distinct tags of a set that is counted here; 31 subsets.
pub(super) const NARROW: usize = 5;

/// For each narrow set, how many narrow ones share a tag with it; 0 for the others.
pub(super) fn sharing(sets: &TagSets) -> Vec<usize> {
    let mut walk = Walk::of(sets);
    let everyone = List { from: 0, to: walk.entries.len() };
    walk.extend(everyone, 1);
    walk.sums
}

/// Sets that contain a subset: a part of the entries.
#[derive(Clone, Copy)]
struct List {
    from: usize,
    to: usize,
}

/// A set in a list, and which of all tags are those that follow in it.
#[derive(Clone, Copy, Default)]
struct Entry {
    set: u32,
    from: u32,
    to: u32,
}

impl Entry {
    fn rest(self, tags: &[u32]) -> &[u32] {
        &tags[self.from as usize..self.to as usize]
    }
}

/// A tag that the subset at hand is extended by.
#[derive(Clone, Copy, Default)]
struct Extension {
    /// In which round the rest was counted: in any but the present one, for another subset.
    round: u32,
    /// How many sets contain the larger subset.
    count: u32,
    /// One more than the index of the list of those where more tags follow; 0 without one.
    list: u32,
}

struct Walk<'s> {
    tags: &'s [u32],
    /// May go below 0 on the way, and wrap around there.
    sums: Vec<usize>,
    by_tag: Vec<Extension>,
    round: u32,
    /// Of the lists still to be walked, and of those being walked. Both are stacks.
    entries: Vec<Entry>,
    lists: Vec<List>,
}

impl<'s> Walk<'s> {
    /// With a list of all narrow sets.
    fn of(sets: &'s TagSets) -> Self {
        let most = sets.tags().len().min(sets.len() * NARROW);
        let mut entries = Vec::with_capacity(sets.len() + 2 * most);
        let mut from = 0;
        for (set, &to) in sets.ends().iter().enumerate() {
            if (1..=NARROW).contains(&(to - from)) {
                entries.push(Entry { set: set as u32, from: from as u32, to: to as u32 });
            }
            from = to;
        }
        let (sums, by_tag) = (vec![0; sets.len()], vec![Extension::default(); sets.distinct]);
        Self { tags: sets.tags(), sums, by_tag, round: 0, entries, lists: Vec::new() }
    }

    /// Walks the larger subsets of the sets in `list`, adding those with one tag more to their sums.
    fn extend(&mut self, list: List, sign: isize) {
        let (entries, lists) = (self.entries.len(), self.lists.len());
        self.count(list);
        for entry in list.from..list.to {
            let entry = self.entries[entry];
            let sum = self.add_up(entry);
            let total = &mut self.sums[entry.set as usize];
            *total = total.wrapping_add_signed(sign * sum as isize);
        }
        for list in lists..self.lists.len() {
            self.extend(self.lists[list], -sign);
        }
        self.lists.truncate(lists);
        self.entries.truncate(entries);
    }

    /// Counts how many sets in `list` have each tag.
    fn count(&mut self, list: List) {
        self.round += 1;
        let (round, tags, by_tag) = (self.round, self.tags, self.by_tag.as_mut_slice());
        for entry in &self.entries[list.from..list.to] {
            for &tag in entry.rest(tags) {
                let extension = &mut by_tag[tag as usize];
                if extension.round == round {
                    extension.count += 1;
                } else {
                    *extension = Extension { round, count: 1, list: 0 };
                }
            }
        }
    }

    /// The sum of all counts for one set, which is entered into the lists that are to be walked.
    fn add_up(&mut self, mut entry: Entry) -> usize {
        let mut sum = 0;
        for &tag in entry.rest(self.tags) {
            entry.from += 1;
            let extension = &mut self.by_tag[tag as usize];
            let goes_on = entry.from < entry.to;
            if goes_on && extension.count == 1 {
                continue;
            }
            sum += extension.count as usize;
            if goes_on {
                if extension.list == 0 {
                    let start = self.entries.len();
                    self.entries.resize(start + extension.count as usize, Entry::default());
                    self.lists.push(List { from: start, to: start });
                    extension.list = self.lists.len() as u32;
                }
                let list = &mut self.lists[extension.list as usize - 1];
                self.entries[list.to] = entry;
                list.to += 1;
            }
        }
        sum
    }
}
