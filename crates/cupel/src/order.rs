//! The one ordering of scores and instants, as integers that sort alike.
//!
//! Whatever sorts turns what it sorts by into a `u64` of the same order and asks
//! [`Scratch::order`](crate::Scratch) for the positions in that order.

use chrono::{DateTime, Utc};

/// The most candidates a run can address.
pub(crate) const MAX_POSITIONS: usize = u32::MAX as usize;

/// Maps a score to an integer of the same order: NaN below every number, `-0.0` equal to `0.0`.
pub(crate) fn ascending(score: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    if score.is_nan() {
        return 0;
    }
    let bits = (score + 0.0).to_bits(); // -0.0 + 0.0 is 0.0
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// Maps a score to an integer of the opposite order: best first, NaN last.
pub(crate) fn descending(score: f64) -> u64 {
    !ascending(score)
}

/// Maps integers to unsigned ones of the same order that differ in their leading bits.
pub(crate) struct Integers {
    least: i64,
    shift: u32,
}

impl Integers {
    /// A mapping for the given integers.
    pub(crate) fn new(integers: impl Iterator<Item = i64>) -> Self {
        let range = integers
            .fold((i64::MAX, i64::MIN), |(least, greatest), it| (least.min(it), greatest.max(it)));
        let (least, greatest) = range;
        let shift = greatest.wrapping_sub(least).cast_unsigned().leading_zeros().min(63);
        Self { least, shift }
    }

    /// The unsigned integer for one of them.
    pub(crate) fn value(&self, integer: i64) -> u64 {
        integer.wrapping_sub(self.least).cast_unsigned() << self.shift
    }
}

/// A timestamp in a form that compares fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant {
    seconds: i64,
    nanos: u32,
}

impl From<DateTime<Utc>> for Instant {
    fn from(timestamp: DateTime<Utc>) -> Self {
        Self { seconds: timestamp.timestamp(), nanos: timestamp.timestamp_subsec_nanos() }
    }
}

/// Maps instants to integers of the same order.
pub(crate) enum Instants {
    /// Seconds, and behind them nanoseconds, since a second that is not after any of the instants.
    Since(i64),
    /// Places among the instants, ascending: they are centuries apart, and an offset to the
    /// nanosecond would not fit.
    Among(Vec<Instant>),
}

impl Instants {
    /// A mapping for the given instants.
    pub(crate) fn new(instants: impl Iterator<Item = Instant> + Clone) -> Self {
        const MOST_SECONDS: i64 = 1 << 33;
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        for instant in instants.clone() {
            first = first.min(instant.seconds);
            last = last.max(instant.seconds);
        }
        if last.saturating_sub(first) < MOST_SECONDS {
            return Self::Since(first);
        }
        let mut ordered: Vec<_> = instants.collect();
        ordered.sort_unstable();
        ordered.dedup();
        Self::Among(ordered)
    }

    /// The integer for one of them.
    pub(crate) fn value(&self, instant: Instant) -> u64 {
        match self {
            Self::Since(first) => {
                // A leap second makes the sub-second part reach two billion, still under 2^31.
                (instant.seconds - first).cast_unsigned() << 31 | u64::from(instant.nanos)
            }
            Self::Among(ordered) => ordered.partition_point(|other| *other < instant) as u64,
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
    }

    #[test]
    fn instants_keep_their_order_near_and_far() {
        let at = |seconds, nanos| DateTime::from_timestamp(seconds, nanos).unwrap();
        let near = [
            at(-1, 0),
            at(-1, 999_999_999),
            at(0, 0),
            at(59, 0),
            at(59, 1_500_000_000), // within a leap second
            at(60, 0),
            at(1 << 32, 0),
        ];
        let far = [&[DateTime::<Utc>::MIN_UTC], &near[..], &[DateTime::<Utc>::MAX_UTC]].concat();
        for ordered in [&near[..], &far[..]] {
            let ordered = ordered.iter().map(|it| Instant::from(*it));
            let instants = Instants::new(ordered.clone());
            let values: Vec<_> = ordered.map(|it| instants.value(it)).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        }
    }

    #[test]
    fn integers_keep_their_order_at_the_ends_of_their_range() {
        for ordered in [&[-3, 0, 1, 2][..], &[i64::MIN, -1, 0, i64::MAX], &[i64::MAX], &[7, 7]] {
            let integers = Integers::new(ordered.iter().copied());
            let values: Vec<_> = ordered.iter().map(|it| integers.value(*it)).collect();
            assert!(values.is_sorted(), "{values:?}");
            let distinct = ordered.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(values.windows(2).filter(|pair| pair[0] != pair[1]).count(), distinct);
        }
    }
}
