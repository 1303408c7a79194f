//! Stage 4: best score first. An internal step: it reports nothing, and is timed as the beginning of
//! Slice.

use crate::marks::Marks;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::push::push_in_place;
use crate::sorting::{self, FEW};
use crate::{Candidate, PipelineStage, TraceCollector, order};

impl<C: TraceCollector> Run<'_, C> {
    /// The items not marked as repeated, best score first, ties in input order.
    pub(crate) fn sort<'a>(
        &mut self,
        classified: &'a Classified<'_>,
        scores: Vec<f64>,
        repeated: Marks,
    ) -> Vec<Candidate<'a>> {
        self.trace.stage_started(PipelineStage::Slice);
        let items = &*classified.scoreable;
        // With room for the pinned items that will join them.
        let room = items.len() + classified.pinned.len();
        let mut sorted = self.scratch.take_candidates(room);
        let keys = scores
            .iter()
            .enumerate()
            .map(|(at, score)| if repeated.contains(at) { 0 } else { order::descending(*score) });
        if items.len() <= FEW {
            let order = self.scratch.few_in_order(keys).iter();
            sorted.extend(order.map(|&at| Candidate::new(&items[at], scores[at])));
        } else {
            let tokens = items.iter().map(|item| item.tokens().cast_unsigned());
            let (words, tokens) = self.scratch.words_and_column(items.len(), tokens);
            sorting::visit_many(words, keys, (), usize::MAX, |at, _| {
                let tokens = tokens[at].cast_signed();
                push_in_place(&mut sorted, || {
                    Candidate::with_tokens(&items[at], scores[at], tokens)
                });
                true
            });
        }
        self.scratch.give_back_marks(repeated);
        self.scratch.give_back(scores);
        sorted
    }
}
