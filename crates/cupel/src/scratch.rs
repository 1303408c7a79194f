//! Working memory that the strategies of one run share.

/// Working memory that the strategies of one run share, so that nesting them does not multiply
/// allocations.
///
/// The pipeline makes one per run and lends it to each strategy in turn. A custom strategy can
/// ignore it; one that wraps another passes it on.
#[derive(Debug, Default)]
pub struct Scratch {
    values: Vec<u64>,
    words: Vec<u64>,
    scores: Vec<f64>,
    marks: Vec<bool>,
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
        grow(&mut self.values, len);
        grow(&mut self.words, len);

        // A word holds the leading bits of a value, then its position: nothing sorts faster than
        // single integers. The position takes the place of trailing bits; where those are not all
        // zero, words that agree in the leading ones are put right afterwards.
        let position = u64::MAX.checked_shr((len as u64).leading_zeros()).unwrap_or(0);
        let (mut present, mut cut_off) = (0, 0);
        for ((at, value), slot) in (0u64..).zip(values).zip(&mut self.values) {
            *slot = value.unwrap_or_default();
            cut_off |= *slot & position;
            self.words[present] = *slot & !position | at;
            present += usize::from(value.is_some());
        }
        let words = &mut self.words[..present];
        words.sort_unstable();

        let mut agree = false;
        let mut previous = words.first().map_or(0, |first| !first);
        for word in words.iter_mut() {
            agree |= (previous ^ *word) & !position == 0;
            previous = *word;
            *word &= position;
        }
        if agree && cut_off != 0 {
            repair(words, &self.values, position);
        }
        (words, &self.values[..len])
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

    /// `len` marks, none set.
    pub(crate) fn take_marks(&mut self, len: usize) -> Vec<bool> {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.resize(len, false);
        marks
    }

    /// Takes back marks that are no longer needed.
    pub(crate) fn give_back_marks(&mut self, marks: Vec<bool>) {
        if marks.capacity() > self.marks.capacity() {
            self.marks = marks;
        }
    }
}

/// Lengthens a buffer whose contents do not matter.
fn grow(buffer: &mut Vec<u64>, len: usize) {
    if buffer.len() < len {
        buffer.clear();
        buffer.resize(len, 0);
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
