//! Stage 3: of items with the same content, keep the best.
//!
//! Contents are told apart by the fingerprints their items carry and compared in full only where
//! those match. Texts made to share fingerprints would turn that into comparing everything with
//! everything, so after a few dozen false matches the pass starts over with a seeded hash of the
//! whole text.

use std::hash::{BuildHasher, RandomState};

use crate::pipeline::run::Run;
use crate::{ContextItem, ExclusionReason, PipelineStage, TraceCollector, order};

/// False matches after which fingerprints are given up on.
const FALSE_MATCH_LIMIT: usize = 32;

/// Up to here a scan over the fingerprints is faster than a table.
const SCAN_LIMIT: usize = 24;

impl<C: TraceCollector> Run<'_, C> {
    /// Marks the items that repeat a better one's content; of equally good ones the first is kept.
    ///
    /// No marks at all mean that nothing is marked.
    pub(crate) fn deduplicate(&mut self, scoreable: &[ContextItem], scores: &[f64]) -> Vec<bool> {
        self.trace.stage_started(PipelineStage::Deduplicate);
        let mut repeated = Vec::new();
        if self.policy.deduplication {
            repeated = self.scratch.take_marks(scoreable.len());
            mark_repeated(scoreable, scores, &mut repeated);
        }
        if self.trace.is_enabled() {
            self.report_repeated(scoreable, scores, &repeated);
        }
        repeated
    }

    fn report_repeated(&mut self, items: &[ContextItem], scores: &[f64], repeated: &[bool]) {
        let mut dropped = 0;
        for ((item, score), _) in items.iter().zip(scores).zip(repeated).filter(|(_, it)| **it) {
            dropped += 1;
            self.trace.excluded(PipelineStage::Deduplicate, item, *score, || {
                // The survivor's content is this item's own, to the byte.
                ExclusionReason::Deduplicated { deduplicated_against: item.content().to_owned() }
            });
        }
        self.trace.stage_done(PipelineStage::Deduplicate, items.len(), items.len() - dropped);
    }
}

fn mark_repeated(items: &[ContextItem], scores: &[f64], repeated: &mut [bool]) {
    if items.len() <= SCAN_LIMIT {
        return mark_by_scan(items, scores, repeated);
    }
    if !mark_by_hash(items, scores, repeated, ContextItem::fingerprint, FALSE_MATCH_LIMIT) {
        repeated.fill(false);
        let seed = RandomState::new();
        let full_hash = |item: &ContextItem| seed.hash_one(item.content());
        mark_by_hash(items, scores, repeated, full_hash, usize::MAX);
    }
}

fn mark_by_scan(items: &[ContextItem], scores: &[f64], repeated: &mut [bool]) {
    for at in 1..items.len() {
        let same = |&other: &usize| !repeated[other] && same_content(&items[other], &items[at]);
        if let Some(best) = (0..at).find(same) {
            repeated[worse_of(best, at, scores)] = true;
        }
    }
}

/// `false` once there were more than `limit` pairs of equal hash and unequal content.
fn mark_by_hash(
    items: &[ContextItem],
    scores: &[f64],
    repeated: &mut [bool],
    hash: impl Fn(&ContextItem) -> u64,
    limit: usize,
) -> bool {
    // Open addressing at half load. A slot holds the upper half of a hash and the position, plus
    // one, of the best item with that content so far; zero is free.
    let slots = (items.len() * 2).next_power_of_two();
    let mut table = vec![0u64; slots];
    let mut false_matches = 0;
    for (at, item) in items.iter().enumerate() {
        let hash = hash(item);
        let tag = hash & !0xffff_ffff;
        let mut slot = hash as usize & (slots - 1);
        loop {
            let entry = table[slot];
            if entry == 0 {
                table[slot] = tag | (at as u64 + 1);
                break;
            }
            if entry & !0xffff_ffff == tag {
                let best = (entry & 0xffff_ffff) as usize - 1;
                if same_content(&items[best], item) {
                    let worse = worse_of(best, at, scores);
                    repeated[worse] = true;
                    if worse == best {
                        table[slot] = tag | (at as u64 + 1);
                    }
                    break;
                }
                false_matches += 1;
                if false_matches > limit {
                    return false;
                }
            }
            slot = (slot + 1) & (slots - 1);
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
