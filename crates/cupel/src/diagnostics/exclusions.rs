//! Exclusions on their way into a report.

use super::{ExcludedItem, ExclusionReason};
use crate::push::make_room;
use crate::{ContextItem, order};

/// What stages before slicing left out, until it has its place in a report: best score first.
///
/// Slicing leaves out by far the most, and best first already. Merged in as that arrives, the earlier
/// ones cost no second list of all.
#[derive(Debug)]
pub(super) struct Earlier {
    /// Worse than all that was recorded since slicing began, and the worst first.
    waiting: Vec<ExcludedItem>,
    /// What the best of them is sorted by.
    next: u64,
}

/// What an exclusion is sorted by.
fn key(excluded: &ExcludedItem) -> u64 {
    order::descending(excluded.score)
}

impl Default for Earlier {
    fn default() -> Self {
        Self { waiting: Vec::new(), next: u64::MAX }
    }
}

impl Earlier {
    /// Slicing begins, with this left out so far.
    pub(super) fn begin_slicing(&mut self, excluded: &mut Vec<ExcludedItem>) {
        if !excluded.is_empty() {
            self.finish(excluded);
            self.waiting = std::mem::take(excluded);
            self.waiting.reverse();
            self.find_next();
        }
    }

    fn find_next(&mut self) {
        self.next = self.waiting.last().map_or(u64::MAX, key);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// One more item is left out.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        excluded: &mut Vec<ExcludedItem>,
        item: &ContextItem,
        score: f64,
        reason: impl FnOnce() -> ExclusionReason,
    ) {
        let key = order::descending(score);
        if key >= self.next {
            self.merge_up_to(key, excluded);
        }
        // All that can fail comes before the handle, and the handle before the reason: the compiler then sees that
        // nothing has to be taken back, and makes the entry where it is kept.
        if excluded.len() == excluded.capacity() {
            make_room(excluded);
        }
        let item = item.clone();
        if excluded.len() < excluded.capacity() {
            excluded.push(ExcludedItem { item, score, reason: reason() });
        }
    }

    #[cold]
    #[inline(never)]
    fn merge_up_to(&mut self, last: u64, excluded: &mut Vec<ExcludedItem>) {
        while let Some(earlier) = self.waiting.pop_if(|earlier| key(earlier) <= last) {
            excluded.push(earlier);
        }
        self.find_next();
    }

    /// Puts all that was left out in its order, earlier decisions first among equals.
    #[inline]
    pub(super) fn finish(&mut self, excluded: &mut Vec<ExcludedItem>) {
        if !self.waiting.is_empty() {
            excluded.extend(self.waiting.drain(..).rev());
            self.find_next();
        }
        if !excluded.is_sorted_by_key(key) {
            excluded.sort_by_key(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn exclusions_are_sorted_as_a_stable_sort_would(
            before in prop::collection::vec(score(), 0..30),
            mut sliced in prop::collection::vec(score(), 0..200),
            comes_sorted in prop::bool::weighted(0.8),
            after in prop::collection::vec(score(), 0..3),
        ) {
            if comes_sorted {
                sliced.sort_by_key(|score| order::descending(*score));
            }
            let slicing_begins = before.len();
            let scores = [before, sliced, after].concat();
            let (mut earlier, mut excluded) = (Earlier::default(), Vec::new());
            for (at, &score) in scores.iter().enumerate() {
                if at == slicing_begins {
                    earlier.begin_slicing(&mut excluded);
                }
                let item = ContextItem::builder("x", at as i64).build().unwrap();
                earlier.push(&mut excluded, &item, score, || ExclusionReason::Unknown);
            }
            earlier.finish(&mut excluded);
            let mut expected: Vec<_> = (0..scores.len()).collect();
            expected.sort_by_key(|at| order::descending(scores[*at]));

            let sorted: Vec<_> = excluded.iter().map(|it| it.item.tokens() as usize).collect();
            prop_assert_eq!(sorted, expected);
        }
    }

    /// Mostly ties.
    fn score() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => prop::sample::select(vec![0.0, -0.0, 0.5, 1.0, f64::NAN, f64::INFINITY]),
            1 => 0.0..1.0,
        ]
    }
}
