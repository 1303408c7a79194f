//! Counting, for every item at once, the peers that share a tag with it.
//!
//! Items with few tags are counted by [inclusion and exclusion](narrow), which compares no items. It
//! doubles with every tag, so items with many tags are looked up through [who has which tag](Holders)
//! instead.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::holders::{Holders, Union};
use super::narrow::{self, NARROW};
use super::tag_sets::TagSets;
use crate::ContextItem;

/// For each item, how many others (by instance) share a tag with it.
pub(super) fn matching_peers(items: &[ContextItem]) -> Vec<usize> {
    let mut sharing = sharing(&TagSets::of(items));
    // Its own occurrences share its tags, if it has any. Most items occur once.
    sharing.iter_mut().for_each(|sharing| *sharing = sharing.saturating_sub(1));
    let shared = items.iter().enumerate().filter(|(_, item)| item.is_shared());
    let mut shared: Vec<_> = shared.map(|(at, item)| (item.instance(), at)).collect();
    shared.sort_unstable();
    for occurrences in shared.chunk_by(|(a, _), (b, _)| a == b) {
        for (_, at) in occurrences {
            sharing[*at] = sharing[*at].saturating_sub(occurrences.len() - 1);
        }
    }
    sharing
}

/// For each of the sets, how many share a tag with it.
fn sharing(sets: &TagSets) -> Vec<usize> {
    let mut sharing = narrow::sharing(sets);
    let is_wide = |set: &[u32]| set.len() > NARROW;
    if !sets.iter().any(is_wide) {
        return sharing;
    }
    let wide = Holders::of(sets, is_wide);
    let everyone = Holders::of(sets, |_| true);
    let mut union = Union::new(sets.len());
    // Items often carry the same tags, and a wide set is worth looking up only once.
    let mut known: HashMap<_, _, RandomState> = HashMap::default();
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
