//! The one ordering of scores, and integer keys that sort by it.
//!
//! Everything that sorts packs what it sorts by into the high bits of a `u128` and the position into
//! the low 32. One primitive, branch-free comparison then orders by value and breaks ties by
//! position, and the position is read back from the sorted key.

use chrono::{DateTime, Utc};

/// The most candidates a packed key can address.
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

/// Maps an integer to an unsigned one of the same order.
pub(crate) fn unsigned(value: i64) -> u64 {
    value.cast_unsigned() ^ (1 << 63)
}

/// Maps an instant to an integer of the same order, of 95 bits.
///
/// Leap seconds make the sub-second part reach two billion, which still fits 31 bits.
pub(crate) fn instant(timestamp: DateTime<Utc>) -> u128 {
    u128::from(unsigned(timestamp.timestamp())) << 31
        | u128::from(timestamp.timestamp_subsec_nanos())
}

/// Packs a value of at most 96 bits with a position.
pub(crate) fn pack(value: u128, position: usize) -> u128 {
    debug_assert!(value >> 96 == 0 && position <= MAX_POSITIONS);
    value << 32 | position as u128
}

/// The position in a packed key.
pub(crate) fn position(key: u128) -> usize {
    (key & 0xffff_ffff) as usize
}

/// The value in a packed key.
pub(crate) fn value(key: u128) -> u128 {
    key >> 32
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
    fn instants_keep_their_order_at_the_ends_of_time() {
        let at = |seconds, nanos| DateTime::from_timestamp(seconds, nanos).unwrap();
        let ordered = [
            DateTime::<Utc>::MIN_UTC,
            at(-1, 0),
            at(-1, 999_999_999),
            at(0, 0),
            at(59, 0),
            at(59, 1_500_000_000), // within a leap second
            at(60, 0),
            DateTime::<Utc>::MAX_UTC,
        ];
        assert!(ordered.windows(2).all(|pair| instant(pair[0]) < instant(pair[1])));
        assert!(instant(DateTime::<Utc>::MAX_UTC) >> 95 == 0);
    }

    #[test]
    fn packed_keys_give_back_both_parts() {
        let key = pack(u128::from(u64::MAX), 7);
        assert_eq!((value(key), position(key)), (u128::from(u64::MAX), 7));
    }
}
