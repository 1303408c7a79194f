//! Stages 4 and 5: sort and slice.
//!
//! Of candidates that nobody asks about afterwards, a slicer that can do without their order is given
//! them as they came in, and only what it chose is sorted.

use super::slice::{effective_budget, retain};
use crate::marks::Marks;
use crate::pipeline::run::Run;
use crate::pipeline::stage::Classified;
use crate::push::{push_in_place, push_within};
use crate::sorting::FEW;
use crate::{Candidate, CupelError, TraceCollector, UnsortedSlicer, order, slicer};

impl<C: TraceCollector> Run<'_, C> {
    /// The candidates the slicer chose of those not marked as repeated, best score first.
    #[inline]
    pub(crate) fn choose<'a>(
        &mut self,
        classified: &'a Classified<'_>,
        scores: Vec<f64>,
        repeated: Marks,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        if !self.trace.is_enabled()
            && scores.len() > FEW
            && let Some(slicer) = self.policy.slicer.unsorted()
        {
            let mut candidates = self.as_they_came(classified, scores, repeated);
            self.slice_unsorted(slicer, &mut candidates, classified)?;
            return Ok(candidates);
        }
        let mut candidates = self.sort(classified, scores, repeated);
        self.slice(&mut candidates, classified)?;
        Ok(candidates)
    }

    /// The items not marked as repeated, in input order. Apart, as is what is done with them: the usual
    /// way with few candidates stays in one piece.
    #[inline(never)]
    fn as_they_came<'a>(
        &mut self,
        classified: &'a Classified<'_>,
        scores: Vec<f64>,
        repeated: Marks,
    ) -> Vec<Candidate<'a>> {
        let items = &*classified.scoreable;
        // With room for the pinned items that will join them.
        let room = items.len() + classified.pinned.len();
        let mut candidates = self.scratch.take_candidates(room);
        let tokens = items.iter().map(|item| item.tokens().cast_unsigned());
        let (_, tokens) = self.scratch.words_and_column(items.len(), tokens);
        for (at, item) in items.iter().enumerate() {
            if !repeated.contains(at) {
                let tokens = tokens[at].cast_signed();
                push_in_place(&mut candidates, || Candidate::with_tokens(item, scores[at], tokens));
            }
        }
        self.scratch.give_back_marks(repeated);
        self.scratch.give_back(scores);
        candidates
    }

    /// Removes the candidates that the slicer does not choose, and sorts the others.
    #[inline(never)]
    fn slice_unsorted(
        &mut self,
        slicer: &dyn UnsortedSlicer,
        candidates: &mut Vec<Candidate<'_>>,
        classified: &Classified<'_>,
    ) -> Result<(), CupelError> {
        let effective = effective_budget(self.budget, classified.pinned_tokens);
        let selection = slicer.select_unsorted(candidates, &effective, self.scratch)?;
        slicer::check(slicer, &selection, candidates, &mut self.scratch.marks)?;
        self.scratch.give_back_positions(selection.kept);
        retain(candidates, &self.scratch.marks);
        self.sort_chosen(candidates);
        Ok(())
    }

    /// Puts candidates best score first, ties in their order.
    fn sort_chosen(&mut self, chosen: &mut [Candidate<'_>]) {
        let mut order = self.scratch.take_positions(chosen.len());
        let keys = chosen.iter().map(|candidate| order::descending(candidate.score()));
        self.scratch.visit_in_order(keys, |at, _| push_within(&mut order, at));
        permute(chosen, &mut order);
        self.scratch.give_back_positions(order);
    }
}

/// Puts `list[order[n]]` at each place `n`. The `order`, which names each place once, is used up.
fn permute<T: Copy>(list: &mut [T], order: &mut [usize]) {
    for start in 0..order.len() {
        let first = list[start];
        let mut to = start;
        while order[to] != start {
            let from = std::mem::replace(&mut order[to], to);
            list[to] = list[from];
            to = from;
        }
        list[to] = first;
        order[to] = to;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::permute;

    proptest! {
        #[test]
        fn each_goes_to_its_place(order in Just((0..50usize).collect::<Vec<_>>()).prop_shuffle()) {
            let mut list: Vec<_> = (100..150).collect();
            let expected: Vec<_> = order.iter().map(|at| list[*at]).collect();
            permute(&mut list, &mut order.clone());
            prop_assert_eq!(list, expected);
        }
    }
}
