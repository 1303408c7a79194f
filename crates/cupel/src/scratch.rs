//! Working memory that the strategies of one run share.

use crate::marks::Marks;

/// Working memory that the strategies of one run share, so that nesting them does not multiply
/// allocations.
///
/// The pipeline makes one per run and lends it to each strategy in turn. A custom strategy can
/// ignore it; one that wraps another passes it on.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
    scores: Vec<f64>,
    marks: Marks,
    /// The innermost scorer that gave a wrong number of scores.
    miscounting: Option<String>,
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The positions of those that have a value, by value, ties by position; and all values.
    ///
    /// Fastest where values differ in their leading bits. At most
    /// [`MAX_POSITIONS`](crate::order::MAX_POSITIONS) of them.
    pub(crate) fn order(
        &mut self,
        values: impl ExactSizeIterator<Item = Option<u64>>,
    ) -> (&[u64], &[u64]) {
        let len = values.len();
        let (kept, words) = self.words(len * 2).split_at_mut(len);

        // A word holds the leading bits of a value, then its position: nothing sorts faster than
        // single integers. The position takes the place of trailing bits; where those are not all
        // zero, words that agree in the leading ones are put right afterwards.
        let position = u64::MAX.checked_shr((len as u64).leading_zeros()).unwrap_or(0);
        let (mut present, mut cut_off) = (0, 0);
        for ((at, value), slot) in (0u64..).zip(values).zip(kept.iter_mut()) {
            *slot = value.unwrap_or_default();
            cut_off |= *slot & position;
            words[present] = *slot & !position | at;
            present += usize::from(value.is_some());
        }
        let words = &mut words[..present];
        words.sort_unstable();

        let mut agree = false;
        let mut previous = words.first().map_or(0, |first| !first);
        for word in words.iter_mut() {
            agree |= (previous ^ *word) & !position == 0;
            previous = *word;
            *word &= position;
        }
        if agree && cut_off != 0 {
            repair(words, kept, position);
        }
        (words, kept)
    }

    /// `len` words of any contents. Asking for the same number again allocates nothing.
    pub(crate) fn words(&mut self, len: usize) -> &mut [u64] {
        if self.words.len() < len {
            self.words = vec![0; len];
        }
        &mut self.words[..len]
    }

    /// An empty vector of scores with room for `len`, to be filled and returned by a scorer.
    pub(crate) fn take_scores(&mut self, len: usize) -> Vec<f64> {
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        scores.reserve_exact(len);
        scores
    }

    /// Takes back a vector of scores that is no longer needed.
    pub(crate) fn give_back(&mut self, scores: Vec<f64>) {
        if scores.capacity() > self.scores.capacity() {
            self.scores = scores;
        }
    }

    /// Remembers that the scorer called `name` gave a wrong number of scores, unless one inside it
    /// is to blame.
    pub(crate) fn blame(&mut self, name: &str) {
        self.miscounting.get_or_insert_with(|| name.to_owned());
    }

    /// The scorer to blame for a wrong number of scores.
    pub(crate) fn blamed(&mut self) -> Option<String> {
        self.miscounting.take()
    }

    /// Marks for `len` positions, none set. To be given back.
    pub(crate) fn take_marks(&mut self, len: usize) -> Marks {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear(len);
        marks
    }

    /// Takes back marks that are no longer needed.
    pub(crate) fn give_back_marks(&mut self, marks: Marks) {
        self.marks = marks;
    }
}

/// Sorts runs of positions whose values agree outside the bits of `position` by the whole value.
fn repair(positions: &mut [u64], values: &[u64], position: u64) {
    let value = |at: &u64| values[*at as usize];
    for run in positions.chunk_by_mut(|a, b| (value(a) ^ value(b)) & !position == 0) {
        // Within a run positions ascend, so equal values are in order already.
        if !run.is_sorted_by_key(value) {
            run.sort_unstable_by_key(|at| (value(at), *at));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Scratch;

    /// Values that are equal, far apart, or differ in their last bits only.
    fn value() -> impl Strategy<Value = Option<u64>> {
        let near = (0..4u64, prop::sample::select(vec![0, 1 << 20, 1 << 62, u64::MAX - 4]));
        prop_oneof![
            1 => Just(None),
            4 => near.prop_map(|(low, high)| Some(high + low)),
            1 => any::<u64>().prop_map(Some),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn positions_are_in_order_of_value_then_position(
            values in prop::collection::vec(value(), 0..300),
        ) {
            let mut expected: Vec<u64> = (0..values.len() as u64).collect();
            expected.retain(|at| values[*at as usize].is_some());
            expected.sort_by_key(|at| values[*at as usize]);

            let mut scratch = Scratch::new();
            for _ in 0..2 { // a used scratch gives the same
                let (positions, kept) = scratch.order(values.iter().copied());
                prop_assert_eq!(positions, &expected[..]);
                prop_assert_eq!(kept.len(), values.len());
            }
        }
    }
}
