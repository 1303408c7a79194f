//! Stage 4: best score first. An internal step: it reports nothing, and its time counts for no stage.

use crate::marks::Marks;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::{Candidate, TraceCollector, order};

impl<C: TraceCollector> Run<'_, C> {
    /// The items not marked as repeated, best score first, ties in input order.
    pub(crate) fn sort<'a>(
        &mut self,
        classified: &'a Classified<'_>,
        scores: Vec<f64>,
        repeated: Marks,
    ) -> Vec<Candidate<'a>> {
        self.trace.between_stages();
        let is_repeated = repeated.as_ref();
        let (positions, _) = self.scratch.order(scores.iter().enumerate().map(|(at, score)| {
            if is_repeated.contains(at) { 0 } else { order::descending(*score) }
        }));
        let scoreable = &classified.scoreable;
        let candidate = |&at: &u64| Candidate::new(&scoreable[at as usize], scores[at as usize]);
        // With room for the pinned items that will join them.
        let mut sorted = Vec::with_capacity(positions.len() + classified.pinned.len());
        sorted.extend(positions.iter().map(candidate));
        self.scratch.give_back_marks(repeated);
        sorted
    }
}
