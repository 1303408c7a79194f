//! Stage 3: of items with the same content, keep the best.
//!
//! Contents are told apart by the fingerprints their items carry and compared in full only where
//! those match. Texts made to share fingerprints, or slots of the table, would turn that into
//! comparing everything with everything, so after too many of either the pass starts over with a
//! seeded hash of the whole text.

mod suspects;

use std::hash::{BuildHasher, RandomState};

use suspects::find_suspects;

use crate::marks::Marks;
use crate::pipeline::run::Run;
use crate::{ContextItem, ExclusionReason, PipelineStage, TraceCollector, order};

/// False matches after which fingerprints are given up on.
const FALSE_MATCH_LIMIT: usize = 32;

/// Occupied slots met per item, on average, after which they are as well. A table that is half full
/// has one on every second way.
const CROWDING_LIMIT: usize = 8;

/// Up to here a scan over the fingerprints is faster than a table.
const SCAN_LIMIT: usize = 24;

impl<C: TraceCollector> Run<'_, C> {
    /// Marks the items that repeat a better one's content; of equally good ones the first is kept.
    pub(crate) fn deduplicate(&mut self, scoreable: &[ContextItem], scores: &[f64]) -> Marks {
        self.trace.stage_started(PipelineStage::Deduplicate);
        let mut repeated = self.scratch.take_marks(scoreable.len());
        if self.policy.deduplication {
            self.mark_repeated(scoreable, scores, &mut repeated);
        }
        if self.trace.is_enabled() {
            self.report_repeated(scoreable, scores, &repeated);
        }
        repeated
    }

    fn mark_repeated(&mut self, items: &[ContextItem], scores: &[f64], repeated: &mut Marks) {
        if items.len() <= SCAN_LIMIT {
            return mark_by_scan(items, scores, repeated);
        }
        let all = 0..items.len();
        let fingerprints = items.iter().map(ContextItem::fingerprint);
        let (memory, hashes) = self.scratch.words_and_column(items.len(), fingerprints);
        let limits = Limits {
            false_matches: FALSE_MATCH_LIMIT,
            occupied: items.len().saturating_mul(CROWDING_LIMIT),
        };
        let (suspects, table) = find_suspects(memory, hashes);
        let is_done = if table.len() >= 2 * suspects.len() {
            let table = &mut table[..2 * suspects.len()];
            let suspects = suspects.iter().map(|at| *at as usize);
            mark_by_hash(items, scores, repeated, suspects, table, hashes, limits)
        } else {
            mark_by_hash(items, scores, repeated, all.clone(), memory, hashes, limits)
        };
        if !is_done {
            repeated.clear(items.len());
            let seed = RandomState::new();
            let full_hashes = items.iter().map(|item| seed.hash_one(item.content()));
            let (table, hashes) = self.scratch.words_and_column(items.len(), full_hashes);
            let none = Limits { false_matches: usize::MAX, occupied: usize::MAX };
            mark_by_hash(items, scores, repeated, all, table, hashes, none);
        }
    }

    fn report_repeated(&mut self, items: &[ContextItem], scores: &[f64], repeated: &Marks) {
        let mut dropped = 0;
        repeated.for_each(|at| {
            dropped += 1;
            let item = &items[at];
            self.trace.excluded(PipelineStage::Deduplicate, item, scores[at], || {
                // The survivor's content is this item's own, to the byte.
                ExclusionReason::Deduplicated { deduplicated_against: item.content().to_owned() }
            });
        });
        self.trace.stage_done(PipelineStage::Deduplicate, items.len(), items.len() - dropped);
    }
}

fn mark_by_scan(items: &[ContextItem], scores: &[f64], repeated: &mut Marks) {
    // One of 64 bits per fingerprint seen: most items are the first to have theirs.
    let mut seen = 0u64;
    for (at, item) in items.iter().enumerate() {
        let bit = 1 << (item.fingerprint() >> 58);
        if seen & bit != 0 {
            mark_if_repeated(at, items, scores, repeated);
        }
        seen |= bit;
    }
}

/// Marks the item at a position, or an earlier one, if they have the same content. Apart, so that
/// looking for suspects needs nothing but registers.
#[inline(never)]
fn mark_if_repeated(at: usize, items: &[ContextItem], scores: &[f64], repeated: &mut Marks) {
    let is_best =
        |&other: &usize| same_content(&items[other], &items[at]) && !repeated.contains(other);
    if let Some(best) = (0..at).find(is_best) {
        repeated.insert(worse_of(best, at, scores));
    }
}

/// What a table may meet before its hash is given up on.
struct Limits {
    /// Pairs of equal hash and unequal content.
    false_matches: usize,
    /// Occupied slots on the way to a free one.
    occupied: usize,
}

/// Looks only at the items at these positions, which ascend; `false` when a limit is exceeded.
fn mark_by_hash(
    items: &[ContextItem],
    scores: &[f64],
    repeated: &mut Marks,
    positions: impl Iterator<Item = usize>,
    table: &mut [u64],
    hashes: &[u64],
    mut limits: Limits,
) -> bool {
    // Open addressing, half full at most. The upper bits of a hash choose a slot, which holds the
    // lower ones and the position, plus one, of the best item with that content so far. Zero is
    // free.
    table.fill(0);
    let slots = table.len();
    for at in positions {
        let hash = hashes[at];
        let tag = hash << 32;
        let mut slot = ((u128::from(hash) * slots as u128) >> 64) as usize;
        loop {
            let entry = table[slot];
            if entry == 0 {
                table[slot] = tag | (at as u64 + 1);
                break;
            }
            if entry & !0xffff_ffff == tag {
                let best = (entry & 0xffff_ffff) as usize - 1;
                if same_content(&items[best], &items[at]) {
                    let worse = worse_of(best, at, scores);
                    repeated.insert(worse);
                    if worse == best {
                        table[slot] = tag | (at as u64 + 1);
                    }
                    break;
                }
                let Some(left) = limits.false_matches.checked_sub(1) else { return false };
                limits.false_matches = left;
            }
            let Some(left) = limits.occupied.checked_sub(1) else { return false };
            limits.occupied = left;
            slot = if slot + 1 == slots { 0 } else { slot + 1 };
        }
    }
    true
}

fn same_content(a: &ContextItem, b: &ContextItem) -> bool {
    a.fingerprint() == b.fingerprint() && (a.is_same_instance(b) || a.content() == b.content())
}

/// Of two positions, the one with the lower score, or the later one.
fn worse_of(earlier: usize, later: usize, scores: &[f64]) -> usize {
    if order::ascending(scores[later]) > order::ascending(scores[earlier]) {
        earlier
    } else {
        later
    }
}
