//! Counting, for every item at once, the peers that share a tag with it.
//!
//! Of few items with few different tags each is compared with each, a bit per tag. Beyond that,
//! items with few tags are counted by inclusion and exclusion: with `n(U)` items carrying all tags
//! of `U`, those sharing a tag with `S` number the sum of `±n(U)` over the non-empty subsets `U` of
//! `S`. That needs one table of subsets and no comparison of items. It doubles with every tag, so
//! items with many tags are looked up through the lists of who has which tag instead.

use std::collections::HashMap;

use crate::ContextItem;
use crate::hash::{AnyCase, Seeded};

/// Most distinct tags for which subsets are counted; 31 subsets.
const SUBSET_LIMIT: usize = 5;

/// Most items of which each is compared with each; a few hundred cost as much as counting subsets.
const COMPARE_LIMIT: usize = 512;

/// For each item, how many others (by instance) share a tag with it.
pub(super) fn matching_peers(items: &[ContextItem]) -> Vec<usize> {
    let sets = TagSets::of(items);
    let occurrences = Occurrences::of(items);
    let mut sharing = if sets.len() <= COMPARE_LIMIT && sets.distinct <= 64 {
        sharing_by_comparison(&sets)
    } else {
        sharing_by_count(&sets)
    };
    for (sharing, item) in sharing.iter_mut().zip(items) {
        // Its own occurrences share its tags, if it has any.
        *sharing = sharing.saturating_sub(occurrences.count(item));
    }
    sharing
}

/// For each of the sets, which have at most 64 different tags, how many share a tag with it.
fn sharing_by_comparison(sets: &TagSets) -> Vec<usize> {
    let mask = |at| sets.get(at).iter().fold(0u64, |mask, tag| mask | 1 << tag);
    let masks: Vec<u64> = (0..sets.len()).map(mask).collect();
    let sharing = |own: &u64| masks.iter().map(|other| usize::from(own & other != 0)).sum();
    masks.iter().map(sharing).collect()
}

/// For each of the sets, how many share a tag with it.
fn sharing_by_count(sets: &TagSets) -> Vec<usize> {
    let narrow = SubsetCounts::of(sets);
    let wide = Holders::of(sets, |set| set.len() > SUBSET_LIMIT);
    let everyone = if wide.is_empty() { None } else { Some(Holders::of(sets, |_| true)) };

    let mut seen = Seen::new(sets.len());
    // Items often carry the same tags, and a wide set is worth looking up only once.
    let mut known: HashMap<&[u32], usize, Seeded> = HashMap::default();
    let sharing = |at| {
        let set = sets.get(at);
        match &everyone {
            None => narrow.sharing(set),
            Some(all) => *known.entry(set).or_insert_with(|| match set.len() {
                ..=SUBSET_LIMIT => narrow.sharing(set) + wide.sharing(set, &mut seen),
                _ => all.sharing(set, &mut seen),
            }),
        }
    };
    (0..sets.len()).map(sharing).collect()
}

/// How often items occur by instance.
struct Occurrences(HashMap<usize, usize, Seeded>);

impl Occurrences {
    fn of(items: &[ContextItem]) -> Self {
        let mut counts: HashMap<usize, usize, Seeded> = HashMap::default();
        for item in items.iter().filter(|item| item.may_occur_again()) {
            *counts.entry(item.instance()).or_default() += 1;
        }
        Self(counts)
    }

    fn count(&self, item: &ContextItem) -> usize {
        self.0.get(&item.instance()).copied().unwrap_or(1)
    }
}

/// Every item's distinct tags as ascending numbers, in one allocation.
struct TagSets {
    tags: Vec<u32>,
    ends: Vec<usize>,
    distinct: usize,
}

impl TagSets {
    fn of(items: &[ContextItem]) -> Self {
        let mut numbers: HashMap<AnyCase<'_>, u32, Seeded> = HashMap::default();
        let mut sets =
            Self { tags: Vec::new(), ends: Vec::with_capacity(items.len()), distinct: 0 };
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

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.tags[start..self.ends[at]]
    }
}

/// How many narrow items carry all tags of each subset that occurs.
///
/// A subset is a path in a trie: its tags in ascending order, each step keyed by the node before.
struct SubsetCounts {
    steps: HashMap<(u32, u32), u32, Seeded>,
    counts: Vec<usize>,
}

const ROOT: u32 = 0;

impl SubsetCounts {
    fn of(sets: &TagSets) -> Self {
        let mut subsets = Self { steps: HashMap::default(), counts: vec![0] };
        subsets.steps.reserve(sets.tags.len());
        for at in 0..sets.len() {
            let set = sets.get(at);
            if set.len() <= SUBSET_LIMIT {
                subsets.count(ROOT, set);
            }
        }
        subsets
    }

    /// Counts every way to extend the subset at `node` by tags of `rest`.
    fn count(&mut self, node: u32, rest: &[u32]) {
        for (at, &tag) in rest.iter().enumerate() {
            let fresh = self.counts.len() as u32;
            let next = *self.steps.entry((node, tag)).or_insert(fresh);
            if next == fresh {
                self.counts.push(0);
            }
            self.counts[next as usize] += 1;
            self.count(next, &rest[at + 1..]);
        }
    }

    /// How many narrow items share a tag with `set`, which is narrow.
    fn sharing(&self, set: &[u32]) -> usize {
        let sum = self.alternating(ROOT, set, 1);
        usize::try_from(sum).expect("inclusion and exclusion counts items, so it is not negative")
    }

    fn alternating(&self, node: u32, rest: &[u32], sign: i64) -> i64 {
        let mut sum = 0;
        for (at, &tag) in rest.iter().enumerate() {
            // A subset nobody carries, and with it every larger one, counts nothing.
            if let Some(&next) = self.steps.get(&(node, tag)) {
                sum += sign * self.counts[next as usize] as i64;
                sum += self.alternating(next, &rest[at + 1..], -sign);
            }
        }
        sum
    }
}

/// Who has which tag, among some of the items.
struct Holders {
    by_tag: Vec<u32>,
    starts: Vec<usize>,
}

impl Holders {
    fn of(sets: &TagSets, include: impl Fn(&[u32]) -> bool) -> Self {
        let included = || (0..sets.len()).map(|at| (at, sets.get(at))).filter(|(_, s)| include(s));
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
        Self { by_tag, starts }
    }

    fn is_empty(&self) -> bool {
        self.by_tag.is_empty()
    }

    /// How many of the included items share a tag with `set`.
    fn sharing(&self, set: &[u32], seen: &mut Seen) -> usize {
        seen.clear();
        let mut count = 0;
        for &tag in set {
            let tag = tag as usize;
            for &holder in &self.by_tag[self.starts[tag]..self.starts[tag + 1]] {
                count += usize::from(seen.insert(holder));
            }
            if count == seen.rounds.len() {
                break; // everybody
            }
        }
        count
    }
}

/// A set of positions that is cleared in constant time.
struct Seen {
    round: u32,
    rounds: Vec<u32>,
}

impl Seen {
    fn new(len: usize) -> Self {
        Self { round: 0, rounds: vec![0; len] }
    }

    fn clear(&mut self) {
        self.round += 1;
    }

    fn insert(&mut self, position: u32) -> bool {
        std::mem::replace(&mut self.rounds[position as usize], self.round) != self.round
    }
}
