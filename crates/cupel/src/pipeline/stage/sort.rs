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
        let keys = self.scratch.keys(scoreable.len());
        let is_unique = |&at: &usize| !repeated.get(at).copied().unwrap_or(false);
        let unique = (0..scoreable.len()).filter(is_unique);
        keys.extend(unique.map(|at| order::pack(u128::from(order::descending(scores[at])), at)));
        keys.sort_unstable();
        let candidate = |&key: &u128| {
            let at = order::position(key);
            Candidate::new(&scoreable[at], scores[at])
        };
        let sorted = keys.iter().map(candidate).collect();
        self.scratch.give_back_marks(repeated);
        sorted
    }
}
