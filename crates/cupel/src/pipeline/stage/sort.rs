//! Stage 4: best score first. An internal step: it reports nothing, and its time counts for no stage.

use crate::pipeline::run::Run;
use crate::{Candidate, ContextItem, TraceCollector, order};

impl<C: TraceCollector> Run<'_, C> {
    /// The items not marked as repeated, best score first, ties in input order.
    pub(crate) fn sort<'a>(
        &mut self,
        scoreable: &'a [ContextItem],
        scores: &[f64],
        repeated: Vec<bool>,
    ) -> Vec<Candidate<'a>> {
        let is_repeated = |at: usize| repeated.get(at).copied().unwrap_or(false);
        let keys = scores.iter().enumerate();
        let keys = keys.map(|(at, score)| (!is_repeated(at)).then(|| order::descending(*score)));
        let (positions, _) = self.scratch.order(keys);
        let candidate = |&at: &u64| Candidate::new(&scoreable[at as usize], scores[at as usize]);
        let sorted = positions.iter().map(candidate).collect();
        self.scratch.give_back_marks(repeated);
        sorted
    }
}
