//! Positions in order of a value: the one sort behind every stage.

/// What settles ties in value before positions do.
pub(crate) trait Tie {
    /// Whether it settles any.
    const SETTLES: bool;

    /// An integer to sort a position by among those with the same value.
    fn of(&self, position: usize) -> u64;
}

/// Nothing does.
impl Tie for () {
    const SETTLES: bool = false;

    fn of(&self, _position: usize) -> u64 {
        0
    }
}

/// Up to so many are sorted by inserting one after the other.
pub(crate) const FEW: usize = 20;

/// Memory to sort a few values in, apart from their positions: a processor has to wait for a pair that
/// was written in halves and is read as a whole.
#[derive(Debug, Default)]
pub(crate) struct Few {
    values: [u64; FEW],
    positions: [usize; FEW],
}

/// The values but zeroes and their positions: by value, ties by `tie`, then by position. There are at
/// most [`FEW`] values.
#[inline]
pub(crate) fn sort_few(
    memory: &mut Few,
    values: impl ExactSizeIterator<Item = u64>,
    tie: impl Tie,
) -> (&[u64], &[usize]) {
    let Few { values: sorted, positions } = memory;
    let mut present = 0;
    for (at, value) in values.enumerate().filter(|(_, value)| *value != 0) {
        assert!(present < FEW, "more than a few values"); // once, instead of in each step
        let mut place = present;
        while place > 0
            && comes_before((value, at), (sorted[place - 1], positions[place - 1]), &tie)
        {
            sorted[place] = sorted[place - 1];
            positions[place] = positions[place - 1];
            place -= 1;
        }
        sorted[place] = value;
        positions[place] = at;
        present += 1;
    }
    (&sorted[..present], &positions[..present])
}

/// Whether a value and its position come before those of an earlier position.
#[inline]
fn comes_before(new: (u64, usize), earlier: (u64, usize), tie: &impl Tie) -> bool {
    new.0 < earlier.0 || (settles(tie) && new.0 == earlier.0 && tie.of(new.1) < tie.of(earlier.1))
}

fn settles<T: Tie>(_tie: &T) -> bool {
    T::SETTLES
}

/// How many words of memory [`visit_many`] needs for `len` values.
pub(crate) fn words_needed(len: usize) -> usize {
    len.saturating_mul(2)
}

/// Calls `visit` with the position of each value but zeroes, and the value: by value, ties by `tie`,
/// then by position, until it says no, which is expected after
/// `expected` of them.
///
/// `memory` holds [`words_needed`] words. There are at most
/// [`MAX_POSITIONS`](crate::order::MAX_POSITIONS) values.
#[inline]
pub(crate) fn visit_many(
    memory: &mut [u64],
    values: impl ExactSizeIterator<Item = u64>,
    tie: impl Tie,
    expected: usize,
    mut visit: impl FnMut(usize, u64) -> bool,
) {
    let (kept, words) = memory.split_at_mut(values.len());
    // Two plain loops: the compiler makes less of one that does both, and values that have to be fetched
    // from all over the memory are on their way together.
    kept.iter_mut().zip(values).for_each(|(kept, value)| *kept = value);

    // A word holds the leading bits of a value, then its position: nothing sorts faster than
    // single integers. The position takes the place of trailing bits; words that agree in the
    // leading ones are put right afterwards.
    let position = u64::MAX.checked_shr((kept.len() as u64).leading_zeros()).unwrap_or(0);
    let (mut present, mut used_bits) = (0, 0);
    for (at, &value) in (0u64..).zip(kept.iter()) {
        words[present] = value & !position | at;
        present += usize::from(value != 0);
        used_bits |= value;
    }
    let (first, rest) = split_first(&mut words[..present], expected, position);
    for words in [first, rest] {
        words.sort_unstable();
        if used_bits & position != 0 || settles(&tie) {
            repair(words, position, |at| (kept[at], tie.of(at)));
        }
        for word in words.iter() {
            let at = (word & position) as usize;
            // Without a panic in between, a visitor that ignores the value costs no look at it.
            if !visit(at, kept.get(at).copied().unwrap_or(0)) {
                return;
            }
        }
    }
}

/// The first `expected` words in order, and those that come after them, if it pays to know and all
/// words that agree in all but the bits of `position` are on the same side.
fn split_first(words: &mut [u64], expected: usize, position: u64) -> (&mut [u64], &mut [u64]) {
    if expected >= words.len() / 2 {
        return (words, &mut []);
    }
    let (_, &mut last, after) = words.select_nth_unstable(expected);
    let agrees = |word: &u64| (word ^ last) & !position == 0;
    let end = if after.iter().any(agrees) { words.len() } else { expected + 1 };
    words.split_at_mut(end)
}

/// Sorts runs of words that agree in all but the bits of `position` by the keys of their positions.
fn repair<K: Ord>(words: &mut [u64], position: u64, key: impl Fn(usize) -> K) {
    let mut from = 0;
    while let Some(offset) = first_agreeing(&words[from..], position) {
        let start = from + offset;
        let leading = words[start] & !position;
        let run = words[start..].iter().take_while(|word| **word & !position == leading).count();
        let run = &mut words[start..start + run];
        let key = |word: &u64| key((word & position) as usize);
        // Within a run positions ascend, so equal keys are in order already.
        if !run.is_sorted_by_key(key) {
            run.sort_unstable_by_key(|word| (key(word), *word));
        }
        from = start + run.len();
    }
}

/// The first word that agrees with the next one in all but the bits of `position`.
fn first_agreeing(words: &[u64], position: u64) -> Option<usize> {
    let next = words.get(1..)?;
    words.iter().zip(next).position(|(word, next)| (word ^ next) & !position == 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Values that are absent, equal, far apart, or differ in their last bits only.
    fn value() -> impl Strategy<Value = u64> {
        let near = (0..4u64, prop::sample::select(vec![1, 1 << 20, 1 << 62, u64::MAX - 4]));
        prop_oneof![
            1 => Just(0),
            4 => near.prop_map(|(low, high)| high + low),
            1 => any::<u64>(),
        ]
    }

    /// Ties are settled by these.
    struct By<'a>(&'a [u64]);

    impl Tie for By<'_> {
        const SETTLES: bool = true;

        fn of(&self, position: usize) -> u64 {
            self.0[position]
        }
    }

    /// Positions and values as a stable sort has them.
    fn in_order(values: &[u64], tie: &impl Tie) -> Vec<(usize, u64)> {
        let mut expected: Vec<_> = values.iter().copied().enumerate().collect();
        expected.retain(|(_, value)| *value != 0);
        expected.sort_by_key(|(at, value)| (*value, tie.of(*at)));
        expected
    }

    /// Checks what is visited of `values` by a visitor that says no after `most` of them.
    fn check(
        values: &[u64],
        tie: &impl Tie,
        most: usize,
        visit: impl FnOnce(&mut dyn FnMut(usize, u64) -> bool),
    ) {
        let mut expected = in_order(values, tie);
        expected.truncate(most.max(1));

        let mut visited = Vec::new();
        visit(&mut |at, value| {
            visited.push((at, value));
            visited.len() < most
        });
        assert_eq!(visited, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn many_are_visited_in_order_of_value_then_tie_then_position(
            values in prop::collection::vec(value(), 0..300),
            ties in prop::collection::vec(0..3u64, 300),
            expected in prop_oneof![0..300usize, Just(usize::MAX)],
            most in prop_oneof![0..300usize, Just(usize::MAX)],
        ) {
            let mut memory = vec![u64::MAX; words_needed(values.len())];
            check(&values, &(), most, |visit| {
                visit_many(&mut memory, values.iter().copied(), (), expected, visit);
            });
            check(&values, &By(&ties), most, |visit| {
                visit_many(&mut memory, values.iter().copied(), By(&ties), expected, visit);
            });
        }

        #[test]
        fn few_are_in_order_of_value_then_tie_then_position(
            values in prop::collection::vec(value(), 0..=FEW),
            ties in prop::collection::vec(0..3u64, FEW),
        ) {
            let mut memory = Few { values: [7; FEW], positions: [7; FEW] };
            let listed = |(values, positions): (&[u64], &[usize])| -> Vec<_> {
                positions.iter().copied().zip(values.iter().copied()).collect()
            };
            let sorted = listed(sort_few(&mut memory, values.iter().copied(), ()));
            prop_assert_eq!(sorted, in_order(&values, &()));
            let sorted = listed(sort_few(&mut memory, values.iter().copied(), By(&ties)));
            prop_assert_eq!(sorted, in_order(&values, &By(&ties)));
        }
    }
}
