//! Counting, for every item at once, the peers that share a tag with it.
//!
//! Few items are a bit each in the holders of a tag. Among many, those with few tags are counted by
//! [inclusion and exclusion](narrow), which compares no items. It doubles with every tag, so items
//! with many tags are looked up through [who has which tag](Holders) instead.

use std::collections::HashMap;

use super::holders::{Holders, Union};
use super::narrow::{self, NARROW};
use super::tag_sets::TagSets;
use crate::ContextItem;
use crate::hash::Seeded;

/// Most items for which a word has a bit each.
const FEW: usize = u128::BITS as usize;

/// For each item, how many others (by instance) share a tag with it.
pub(super) fn matching_peers(items: &[ContextItem]) -> Vec<usize> {
    let hasher = Seeded::default();
    let mut sharing = sharing(&TagSets::of(items, hasher), hasher);
    let occurrences = Occurrences::of(items, hasher);
    for (sharing, item) in sharing.iter_mut().zip(items) {
        // Its own occurrences share its tags, if it has any.
        *sharing = sharing.saturating_sub(occurrences.count(item));
    }
    sharing
}

/// For each of the sets, how many share a tag with it.
fn sharing(sets: &TagSets, hasher: Seeded) -> Vec<usize> {
    if sets.len() <= FEW {
        return sharing_among_few(sets);
    }
    let mut sharing = narrow::sharing(sets);
    let is_wide = |set: &[u32]| set.len() > NARROW;
    if !sets.iter().any(is_wide) {
        return sharing;
    }
    let wide = Holders::of(sets, is_wide);
    let everyone = Holders::of(sets, |_| true);
    let mut union = Union::new(sets.len());
    // Items often carry the same tags, and a wide set is worth looking up only once.
    let mut known = HashMap::with_hasher(hasher);
    for (sharing, set) in sharing.iter_mut().zip(sets.iter()) {
        *sharing = *known.entry(set).or_insert_with(|| {
            if is_wide(set) {
                everyone.sharing(set, &mut union)
            } else {
                *sharing + wide.sharing(set, &mut union)
            }
        });
    }
    sharing
}

/// For each of the sets, of which there are few, how many share a tag with it.
fn sharing_among_few(sets: &TagSets) -> Vec<usize> {
    let mut holders = vec![0u128; sets.distinct];
    for (at, set) in sets.iter().enumerate() {
        for &tag in set {
            holders[tag as usize] |= 1 << at;
        }
    }
    let union = |set: &[u32]| set.iter().fold(0, |union, &tag| union | holders[tag as usize]);
    sets.iter().map(|set| union(set).count_ones() as usize).collect()
}

/// How often items occur by instance.
struct Occurrences(HashMap<usize, usize, Seeded>);

impl Occurrences {
    fn of(items: &[ContextItem], hasher: Seeded) -> Self {
        let mut counts = HashMap::with_hasher(hasher);
        for item in items.iter().filter(|item| item.may_occur_again()) {
            *counts.entry(item.instance()).or_default() += 1;
        }
        Self(counts)
    }

    fn count(&self, item: &ContextItem) -> usize {
        self.0.get(&item.instance()).copied().unwrap_or(1)
    }
}
