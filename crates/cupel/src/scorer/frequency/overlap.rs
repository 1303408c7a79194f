//! Counting, for every item at once, the peers that share a tag with it.
//!
//! Of few items with few different tags each is compared with each, a bit per tag. Beyond that,
//! items with few tags are counted by inclusion and exclusion: with `n(U)` items carrying all tags
//! of `U`, those sharing a tag with `S` number the sum of `±n(U)` over the non-empty subsets `U` of
//! `S`. That needs one table of subsets and no comparison of items. It doubles with every tag, so
//! items with many tags are looked up through [who has which tag](Holders) instead.

use std::collections::HashMap;

use super::holders::{Holders, Union};
use super::tag_sets::TagSets;
use crate::ContextItem;
use crate::hash::Seeded;

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
    let mask = |set: &[u32]| set.iter().fold(0u64, |mask, tag| mask | 1 << tag);
    let masks: Vec<u64> = sets.iter().map(mask).collect();
    let sharing = |own: &u64| masks.iter().map(|other| usize::from(own & other != 0)).sum();
    masks.iter().map(sharing).collect()
}

/// For each of the sets, how many share a tag with it.
fn sharing_by_count(sets: &TagSets) -> Vec<usize> {
    let narrow = SubsetCounts::of(sets);
    let wide = Holders::of(sets, |set| set.len() > SUBSET_LIMIT);
    let everyone = if wide.is_empty() { None } else { Some(Holders::of(sets, |_| true)) };

    let mut union = Union::new(sets.len());
    // Items often carry the same tags, and a wide set is worth looking up only once.
    let mut known: HashMap<&[u32], usize, Seeded> = HashMap::default();
    let sharing = |set| match &everyone {
        None => narrow.sharing(set),
        Some(all) => *known.entry(set).or_insert_with(|| match set.len() {
            ..=SUBSET_LIMIT => narrow.sharing(set) + wide.sharing(set, &mut union),
            _ => all.sharing(set, &mut union),
        }),
    };
    sets.iter().map(sharing).collect()
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

/// How many narrow items carry all tags of each subset that occurs.
///
/// A subset is a path in a trie: its tags in ascending order, each step keyed by the node before.
struct SubsetCounts {
    steps: HashMap<u64, u32, Seeded>,
    counts: Vec<usize>,
}

const ROOT: u32 = 0;

fn step(node: u32, tag: u32) -> u64 {
    u64::from(node) << 32 | u64::from(tag)
}

impl SubsetCounts {
    fn of(sets: &TagSets) -> Self {
        let mut subsets = Self { steps: HashMap::default(), counts: vec![0] };
        subsets.steps.reserve(sets.tags());
        for set in sets.iter().filter(|set| set.len() <= SUBSET_LIMIT) {
            subsets.count(ROOT, set);
        }
        subsets
    }

    /// Counts every way to extend the subset at `node` by tags of `rest`.
    fn count(&mut self, node: u32, rest: &[u32]) {
        for (at, &tag) in rest.iter().enumerate() {
            let fresh = self.counts.len() as u32;
            let next = *self.steps.entry(step(node, tag)).or_insert(fresh);
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
            if let Some(&next) = self.steps.get(&step(node, tag)) {
                sum += sign * self.counts[next as usize] as i64;
                sum += self.alternating(next, &rest[at + 1..], -sign);
            }
        }
        sum
    }
}
