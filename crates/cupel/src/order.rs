//! What is sorted by, as integers of the same order.
//!
//! Whatever sorts turns what it sorts by into a `u64` of the same order and asks
//! [`Scratch::order`](crate::Scratch) for the positions in that order. Zero stands for nothing to
//! sort by.

/// The most candidates a run can address.
pub(crate) const MAX_POSITIONS: usize = u32::MAX as usize;

/// Maps a score to an integer of the same order: NaN below every number, `-0.0` equal to `0.0`.
pub(crate) fn ascending(score: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = (score + 0.0).to_bits(); // -0.0 + 0.0 is 0.0
    let all_if_negative = (bits.cast_signed() >> 63).cast_unsigned();
    if score.is_nan() { 0 } else { bits ^ (all_if_negative | SIGN) }
}

/// Maps a score to an integer of the opposite order: best first, NaN last. Greater than [`FIRST`].
pub(crate) fn descending(score: f64) -> u64 {
    !ascending(score) // at least that of infinity, whose bits are not all set
}

/// Comes before every score.
pub(crate) const FIRST: u64 = 1;

/// Places in an ascending list, for values that have no integer of their own.
pub(crate) struct Places<T>(Vec<T>);

impl<T: Ord> Places<T> {
    /// The places of the given values.
    pub(crate) fn new(values: impl Iterator<Item = T>) -> Self {
        let mut ordered: Vec<_> = values.collect();
        ordered.sort_unstable();
        ordered.dedup();
        Self(ordered)
    }

    /// The place of one of them, counted from 1.
    pub(crate) fn of(&self, value: &T) -> u64 {
        1 + self.0.partition_point(|other| other < value) as u64
    }
}

/// Maps integers to others of the same order, greater than 0, that differ in their leading bits.
pub(crate) enum Integers {
    /// Shifted by so much, after `least` is taken away.
    From { least: i64, shift: u32 },
    /// By place: their range takes every bit there is.
    Among(Places<i64>),
}

const LEADING: u64 = 1 << 63;

impl Integers {
    /// A mapping for the given integers.
    pub(crate) fn new(integers: impl Iterator<Item = i64> + Clone) -> Self {
        let range = integers
            .clone()
            .fold((i64::MAX, i64::MIN), |(least, greatest), it| (least.min(it), greatest.max(it)));
        let (least, greatest) = range;
        match greatest.wrapping_sub(least).cast_unsigned().leading_zeros().checked_sub(1) {
            Some(shift) => Self::From { least, shift: shift.min(62) },
            None => Self::Among(Places::new(integers)),
        }
    }

    /// The integer for one of them.
    pub(crate) fn value(&self, integer: i64) -> u64 {
        match self {
            Self::From { least, shift } => {
                integer.wrapping_sub(*least).cast_unsigned() << shift | LEADING
            }
            Self::Among(places) => places.of(&integer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_order_and_nan_is_below_all() {
        let ordered = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            0.0,
            f64::from_bits(1),
            0.5,
            f64::MAX,
            f64::INFINITY,
        ];
        assert!(ordered.windows(2).all(|pair| ascending(pair[0]) < ascending(pair[1])));
        assert!(ascending(f64::NAN) < ascending(f64::NEG_INFINITY));
        assert_eq!(ascending(f64::NAN), ascending(-f64::NAN));
        assert_eq!(ascending(-0.0), ascending(0.0));
        assert!(descending(f64::INFINITY) > FIRST);
    }

    #[test]
    fn integers_keep_their_order_at_the_ends_of_their_range() {
        let near_half = [i64::MIN, -1, 0, i64::MAX - 1];
        for ordered in
            [&[-3, 0, 1, 2][..], &[i64::MIN, -1, 0, i64::MAX], &near_half, &[i64::MAX], &[7, 7]]
        {
            let integers = Integers::new(ordered.iter().copied());
            let values: Vec<_> = ordered.iter().map(|it| integers.value(*it)).collect();
            assert!(values.is_sorted() && values[0] > 0, "{values:?}");
            let distinct = ordered.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(values.windows(2).filter(|pair| pair[0] != pair[1]).count(), distinct);
        }
    }
}
