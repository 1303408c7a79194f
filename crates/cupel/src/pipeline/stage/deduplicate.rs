//! Stage 3: of items with the same content, or units with the same contents in the same order, keep the best.
//!
//! Sorted by the fingerprints that items carry, and by content where those agree, equal contents are
//! neighbours. Texts made to share a fingerprint cost the comparisons of a sort, no more.

use std::cmp::Ordering;

use crate::pipeline::run::{Prepared, Run};
use crate::sort_keys::{ascending, sorted_positions_by};
use crate::{Candidate, ContextItem, ExclusionReason, PipelineStage, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Leaves out what repeats a better candidate's content; of equally good ones the first is kept.
    pub(crate) fn deduplicate(&mut self, prepared: &mut Prepared<'_>) {
        self.trace.stage_started(PipelineStage::Deduplicate);
        let entered = prepared.count(&prepared.candidates);
        if self.policy.deduplication {
            let mut is_repeated = repeated(&prepared.candidates).into_iter();
            self.leave_out_if(prepared, |_| is_repeated.next().unwrap_or(false));
        }
        let left = prepared.count(&prepared.candidates);
        self.trace.stage_done(PipelineStage::Deduplicate, entered, left);
    }

    /// Leaves out what repeats something that was chosen before, from earlier parts of a stream.
    pub(crate) fn leave_out_chosen(
        &mut self,
        prepared: &mut Prepared<'_>,
        is_chosen: impl Fn(&ContextItem) -> bool,
    ) {
        if self.policy.deduplication {
            self.leave_out_if(prepared, |candidate| is_chosen(candidate.item()));
        }
    }

    fn leave_out_if(
        &mut self,
        prepared: &mut Prepared<'_>,
        mut is_repeated: impl FnMut(&Candidate<'_>) -> bool,
    ) {
        let mut candidates = std::mem::take(&mut prepared.candidates);
        candidates.retain(|candidate| {
            let is_repeated = is_repeated(candidate);
            if is_repeated && self.trace.is_enabled() {
                for member in prepared.members(candidate) {
                    self.trace.excluded(PipelineStage::Deduplicate, &member, || {
                        // The survivor's content is this one's own, to the byte.
                        let deduplicated_against = member.item().content().to_owned();
                        ExclusionReason::Deduplicated { deduplicated_against }
                    });
                }
            }
            !is_repeated
        });
        prepared.candidates = candidates;
    }
}

/// An item's content, or those of a unit's members, in order.
pub(crate) struct Contents<T>(pub(crate) T);

/// What has [`Contents`].
pub(crate) trait HasContents {
    fn contents(&self) -> impl Iterator<Item = &str>;
}

impl HasContents for Candidate<'_> {
    fn contents(&self) -> impl Iterator<Item = &str> {
        self.items().map(ContextItem::content)
    }
}

impl HasContents for ContextItem {
    fn contents(&self) -> impl Iterator<Item = &str> {
        self.contents()
    }
}

impl<T: HasContents> Ord for Contents<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.contents().cmp(other.0.contents())
    }
}

impl<T: HasContents> PartialOrd for Contents<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: HasContents> PartialEq for Contents<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.contents().eq(other.0.contents())
    }
}

impl<T: HasContents> Eq for Contents<T> {}

/// Whether each candidate repeats a better one.
fn repeated(candidates: &[Candidate<'_>]) -> Vec<bool> {
    // Read once, in input order: the sort would follow the items' pointers all over the memory.
    let fingerprint = |it: &Candidate<'_>| it.fingerprint().max(1); // 0 is nothing to sort by
    let fingerprints: Vec<u64> = candidates.iter().map(fingerprint).collect();
    let contents = |at: usize| Contents(candidates[at]);
    let full = |at: usize| (fingerprints[at], contents(at));
    let order: Vec<_> =
        sorted_positions_by(candidates.len(), |at| fingerprints[at], full).collect();
    let mut is_repeated = vec![false; candidates.len()];
    let is_same =
        |a: usize, b: usize| fingerprints[a] == fingerprints[b] && contents(a) == contents(b);
    for equals in order.chunk_by(|a, b| is_same(*a, *b)) {
        if equals.len() > 1 {
            let mut best = equals[0];
            for &at in &equals[1..] {
                let is_better =
                    ascending(candidates[at].score()) > ascending(candidates[best].score());
                let worse = if is_better { std::mem::replace(&mut best, at) } else { at };
                is_repeated[worse] = true;
            }
        }
    }
    is_repeated
}
