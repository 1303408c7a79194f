//! What is sorted by, as integers of the same order.
//!
//! Whatever sorts turns what it sorts by into a `u64` of the same order and asks
//! [`Scratch::visit_in_order`](crate::Scratch) for the positions in that order. Zero stands for nothing to
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
#[derive(Default)]
pub(crate) enum Integers {
    /// As doubles, which hold all that are not huge. Tried first, and given up on if the range turns
    /// out [`not to do`](Self::is_wrong), which spares a look at every integer.
    #[default]
    Near,
    /// By place.
    Among(Places<i64>),
}

/// Doubles hold every integer up to here.
const NEAR: f64 = (1u64 << 53) as f64;

impl Integers {
    /// A mapping for any integers.
    pub(crate) fn among(integers: impl Iterator<Item = i64>) -> Self {
        Self::Among(Places::new(integers))
    }

    /// The integer for one of them.
    pub(crate) fn value(&self, integer: i64) -> u64 {
        match self {
            Self::Near => ascending(integer as f64),
            Self::Among(places) => places.of(&integer),
        }
    }

    /// Whether this mapping does not do for integers that are mapped to this range.
    pub(crate) fn is_wrong(&self, (least, greatest): (u64, u64)) -> bool {
        let is_far = least <= ascending(-NEAR) || greatest >= ascending(NEAR);
        matches!(self, Self::Near) && is_far
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
        let near = (1 << 53) - 1;
        for (ordered, are_near) in [
            (&[-3, 0, 1, 2][..], true),
            (&[-near, 1 - near, near - 1, near], true),
            (&[0, near, near + 1, near + 2], false),
            (&[-near - 2, -near - 1, -near], false),
            (&[i64::MIN, i64::MIN + 1, -1, 0, i64::MAX - 1, i64::MAX], false),
            (&[7], true),
        ] {
            let values = |integers: &Integers| -> Vec<_> {
                ordered.iter().map(|it| integers.value(*it)).collect()
            };
            let near = values(&Integers::Near);
            assert_eq!(Integers::Near.is_wrong((near[0], near[near.len() - 1])), !are_near);
            let among = values(&Integers::among(ordered.iter().copied()));
            for values in [near, among].into_iter().skip(usize::from(!are_near)) {
                assert!(values[0] > 0 && values.is_sorted_by(|a, b| a < b), "{values:?}");
            }
        }
    }
}
