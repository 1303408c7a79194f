//! Stage 3: of items with the same content, keep the best.
//!
//! Sorted by the fingerprints that items carry, and by content where those agree, equal contents are
//! neighbours. Texts made to share a fingerprint cost the comparisons of a sort, no more.

use crate::pipeline::run::{Prepared, Run};
use crate::sort_keys::{ascending, sorted_positions_by};
use crate::{Candidate, ExclusionReason, PipelineStage, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Leaves out what repeats a better candidate's content; of equally good ones the first is kept.
    pub(crate) fn deduplicate(&mut self, prepared: &mut Prepared<'_>) {
        self.trace.stage_started(PipelineStage::Deduplicate);
        let entered = prepared.candidates.len();
        if self.policy.deduplication {
            let mut is_repeated = repeated(&prepared.candidates).into_iter();
            prepared.candidates.retain(|candidate| {
                let is_repeated = is_repeated.next().unwrap_or(false);
                if is_repeated {
                    // The survivor's content is this one's own, to the byte.
                    let content = candidate.item().content();
                    self.trace.excluded(PipelineStage::Deduplicate, candidate, || {
                        ExclusionReason::Deduplicated { deduplicated_against: content.to_owned() }
                    });
                }
                !is_repeated
            });
        }
        self.trace.stage_done(PipelineStage::Deduplicate, entered, prepared.candidates.len());
    }
}

/// Whether each candidate repeats a better one.
fn repeated(candidates: &[Candidate<'_>]) -> Vec<bool> {
    // Read once, in input order: the sort would follow the items' pointers all over the memory.
    let fingerprint = |it: &Candidate<'_>| it.item().fingerprint().max(1); // 0 is nothing to sort by
    let fingerprints: Vec<u64> = candidates.iter().map(fingerprint).collect();
    let content = |at: usize| candidates[at].item().content();
    let order = sorted_positions_by(
        candidates.len(),
        |at| fingerprints[at],
        |at| (fingerprints[at], content(at)),
    );
    let mut is_repeated = vec![false; candidates.len()];
    let is_same =
        |a: usize, b: usize| fingerprints[a] == fingerprints[b] && content(a) == content(b);
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
