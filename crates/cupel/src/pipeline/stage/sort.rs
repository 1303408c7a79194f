//! Stage 4: best score first. An internal step: it reports nothing, and is timed as the beginning of
//! Slice.

use crate::pipeline::run::{Prepared, Run};
use crate::sort_keys::{descending, sorted_positions};
use crate::{PipelineStage, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Puts candidates best score first, ties in input order.
    pub(crate) fn sort(&mut self, prepared: &mut Prepared<'_>) {
        self.trace.stage_started(PipelineStage::Slice);
        let unsorted = &prepared.candidates;
        let order = sorted_positions(unsorted.len(), |at| descending(unsorted[at].score()));
        prepared.candidates = order.map(|at| unsorted[at]).collect();
    }
}
