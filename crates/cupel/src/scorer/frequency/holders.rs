//! Who has which tag.
//!
//! Whether two sets are disjoint cannot be decided for all pairs in much less than the square of
//! their number, so crafted tags can always make this the dearest part of a run. It is kept cheap
//! by the word: a tag that many items have is a row of one bit per item, 64 of which are added to a
//! union at once, and one that few have is a list. Either way a tag of a set that is looked up costs
//! at most one operation per 64 items. `tests/adversarial_cost.rs` measures it.

use super::tag_sets::TagSets;

const BITS: usize = u64::BITS as usize;

/// Who has which tag, among some of the items.
pub(super) struct Holders {
    /// Positions of the holders of each tag, one tag after the other.
    by_tag: Vec<u32>,
    starts: Vec<usize>,
    /// Rows of bits for the tags with more holders than a row has words. There are at most 64 of
    /// them per tag of an average item, so that all rows take about twice the room of the lists.
    rows: Vec<u64>,
    row_of: Vec<Option<u32>>,
}

impl Holders {
    pub(super) fn of(sets: &TagSets, include: impl Fn(&[u32]) -> bool) -> Self {
        let included = || sets.iter().enumerate().filter(|(_, set)| include(set));
        let mut starts = vec![0; sets.distinct + 1];
        for (_, set) in included() {
            for &tag in set {
                starts[tag as usize + 1] += 1;
            }
        }
        for tag in 0..sets.distinct {
            starts[tag + 1] += starts[tag];
        }
        let mut next = starts.clone();
        let mut by_tag = vec![0; starts[sets.distinct]];
        for (at, set) in included() {
            for &tag in set {
                by_tag[next[tag as usize]] = at as u32;
                next[tag as usize] += 1;
            }
        }
        let mut holders = Self { by_tag, starts, rows: Vec::new(), row_of: Vec::new() };
        holders.draw_rows(sets.len().div_ceil(BITS));
        holders
    }

    fn draw_rows(&mut self, words: usize) {
        let tags = self.starts.len() - 1;
        let mut drawn = 0;
        self.row_of = (0..tags)
            .map(|tag| {
                let is_dense = self.starts[tag + 1] - self.starts[tag] > words;
                drawn += u32::from(is_dense);
                is_dense.then(|| drawn - 1)
            })
            .collect();
        let mut rows = vec![0; drawn as usize * words];
        for (tag, row) in self.row_of.iter().enumerate() {
            let Some(row) = *row else { continue };
            let row = &mut rows[row as usize * words..][..words];
            for &holder in self.list(tag) {
                row[holder as usize / BITS] |= 1 << (holder as usize % BITS);
            }
        }
        self.rows = rows;
    }

    fn list(&self, tag: usize) -> &[u32] {
        &self.by_tag[self.starts[tag]..self.starts[tag + 1]]
    }

    /// How many of the included items share a tag with `set`.
    pub(super) fn sharing(&self, set: &[u32], union: &mut Union) -> usize {
        let words = union.common.len();
        let row = |tag: &u32| self.row_of[*tag as usize];
        let rows =
            set.iter().filter_map(row).map(|row| &self.rows[row as usize * words..][..words]);
        let mut count = union.start(rows);
        for &tag in set.iter().filter(|tag| row(tag).is_none()) {
            count += self.list(tag as usize).iter().filter(|holder| union.insert(**holder)).count();
        }
        count
    }
}

/// The holders of any of several tags.
pub(super) struct Union {
    /// Those of tags with a row, a bit each, if there are such tags.
    common: Vec<u64>,
    has_common: bool,
    /// The round in which each of the others was last met: cleared by beginning another.
    rounds: Vec<u32>,
    round: u32,
}

impl Union {
    pub(super) fn new(items: usize) -> Self {
        let (common, rounds) = (vec![0; items.div_ceil(BITS)], vec![0; items]);
        Self { common, has_common: false, rounds, round: 0 }
    }

    /// Starts over with the holders in `rows`; how many they are.
    fn start<'r>(&mut self, mut rows: impl Iterator<Item = &'r [u64]>) -> usize {
        self.round += 1;
        let first = rows.next();
        self.has_common = first.is_some();
        let Some(first) = first else { return 0 };
        self.common.copy_from_slice(first);
        for row in rows {
            for (word, more) in self.common.iter_mut().zip(row) {
                *word |= more;
            }
        }
        self.common.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Adds a holder; whether it was not there yet.
    fn insert(&mut self, holder: u32) -> bool {
        let at = holder as usize;
        let is_common = self.has_common && self.common[at / BITS] >> (at % BITS) & 1 == 1;
        !is_common && std::mem::replace(&mut self.rounds[at], self.round) != self.round
    }
}
