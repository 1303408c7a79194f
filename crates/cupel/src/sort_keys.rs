//! What stages and strategies sort by, and the one sort behind all of them.
//!
//! Everything that is sorted is given a key: a `u64` in the order of the scores, densities or times
//! it stands for. 0 stands for nothing to sort by.

use chrono::{DateTime, Utc};

/// The most candidates a run can address.
pub(crate) const MAX_POSITIONS: usize = u32::MAX as usize;

/// Comes before every score in [`descending`] order.
pub(crate) const FIRST: u64 = 1;

/// The key of a score, lowest first: NaN below every number, `-0.0` equal to `0.0`.
pub(crate) fn ascending(score: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    if score.is_nan() {
        return 0;
    }
    let bits = (score + 0.0).to_bits(); // -0.0 + 0.0 is 0.0
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The key of a score, best first, NaN last.
pub(crate) fn descending(score: f64) -> u64 {
    !ascending(score)
}

/// The key of a timestamp, oldest first. Never 0.
///
/// Seconds and nanoseconds need 70 bits, so timestamps within 64 nanoseconds of each other, and those
/// before the year 0 or a long time after 9999, share keys: see [`sorted_positions_by`].
pub(crate) fn instant(timestamp: DateTime<Utc>) -> u64 {
    const YEAR_0: i64 = -62_167_219_200;
    const FRACTION_BITS: u32 = 25;
    let seconds = timestamp.timestamp() - YEAR_0;
    if seconds < 0 {
        return 1;
    }
    if seconds >= (1 << (u64::BITS - FRACTION_BITS)) - 1 {
        return u64::MAX;
    }
    // A leap second makes the nanoseconds reach two billion: 31 bits.
    let fraction = u64::from(timestamp.timestamp_subsec_nanos()) >> (31 - FRACTION_BITS);
    1 + (seconds.cast_unsigned() << FRACTION_BITS | fraction)
}

/// The positions below `len` in order of their keys, ties by position; those with key 0 are left out.
pub(crate) fn sorted_positions(
    len: usize,
    key: impl Fn(usize) -> u64 + Copy,
) -> impl ExactSizeIterator<Item = usize> + Clone {
    sorted_positions_by(len, key, key)
}

/// [`sorted_positions`] where `leading` has the leading bits of what is really sorted by: positions
/// whose keys agree are put in order of `full`, then of position.
///
/// What is sorted are words that hold the leading bits of a key and, in place of its trailing ones, the
/// position, by the first 33 bits in which they differ. The few that agree in these are put right afterwards.
pub(crate) fn sorted_positions_by<K: Ord>(
    len: usize,
    leading: impl Fn(usize) -> u64,
    full: impl Fn(usize) -> K,
) -> impl ExactSizeIterator<Item = usize> + Clone {
    let position_bits = u64::MAX.checked_shr((len as u64).leading_zeros()).unwrap_or(0);
    let position = move |word: u64| (word & position_bits) as usize;
    let mut words = Vec::with_capacity(len);
    for at in 0..len {
        let key = leading(at);
        if key != 0 {
            words.push(key & !position_bits | at as u64);
        }
    }
    let sorted_bits = sort(&mut words) & !position_bits;
    let agree = |a: &u64, b: &u64| (a ^ b) & sorted_bits == 0;
    if words.windows(2).any(|pair| agree(&pair[0], &pair[1])) {
        for agreeing in words.chunk_by_mut(agree) {
            if agreeing.len() > 1 && !agreeing.is_sorted_by_key(|word| full(position(*word))) {
                agreeing.sort_by_key(|word| full(position(*word)));
            }
        }
    }
    words.into_iter().map(position)
}

/// Sorts words that are in order of position, and gives the bits that they are sorted by; those that agree in them stay
/// in order of position.
///
/// This is a radix sort: digit by digit, the last one first, and each pass keeps the order of the one before. No branch
/// depends on the words, so none is mispredicted, which is what comparing thousands of them waits for most. Fewer are
/// sorted with fewer instructions by comparing.
fn sort(words: &mut Vec<u64>) -> u64 {
    const MOST_COMPARED: usize = 1536;
    const DIGIT_BITS: u32 = 11;
    const DIGITS: usize = 1 << DIGIT_BITS;
    /// From the first in which they differ. Among thousands of words hardly two agree in so many.
    const SORTED_BITS: u32 = 3 * DIGIT_BITS;
    // Made in any case: how often a run allocates does not depend on what it is given.
    let mut sorted = Vec::with_capacity(words.capacity());
    if words.len() <= MOST_COMPARED || words.is_sorted() {
        words.sort_unstable();
        return u64::MAX;
    }
    let differing = words.iter().fold(0, |bits, word| bits | (word ^ words[0]));
    let lowest_bit = (u64::BITS - differing.leading_zeros()).saturating_sub(SORTED_BITS);
    sorted.resize(words.len(), 0);
    for shift in (lowest_bit..lowest_bit + SORTED_BITS).step_by(DIGIT_BITS as usize) {
        let digit = |word: u64| (word >> shift) as usize % DIGITS;
        let mut next = [0; DIGITS]; // where the next word with each digit belongs
        words.iter().for_each(|word| next[digit(*word)] += 1);
        let mut end = 0;
        for count in &mut next {
            end += std::mem::replace(count, end);
        }
        for word in words.iter() {
            let next = &mut next[digit(*word)];
            sorted[*next] = *word;
            *next += 1;
        }
        std::mem::swap(words, &mut sorted);
    }
    u64::MAX << lowest_bit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
    fn timestamps_keep_their_order_near_and_far() {
        let at = |seconds, nanos| DateTime::from_timestamp(seconds, nanos).unwrap();
        let ordered = [
            DateTime::<Utc>::MIN_UTC,
            at(-62_167_219_201, 999_999_999), // the last moment before the year 0
            at(-62_167_219_200, 0),
            at(-1, 0),
            at(-1, 999_999_999),
            at(0, 0),
            at(59, 0),
            at(59, 1_500_000_000), // within a leap second
            at(60, 0),
            at(253_402_300_799, 999_999_999), // the last moment of 9999
            DateTime::<Utc>::MAX_UTC,
        ];
        let keys = ordered.map(instant);
        assert!(keys[0] > 0 && keys.is_sorted(), "{keys:?}");
        assert!(keys[2..10].is_sorted_by(|a, b| a < b), "{keys:?}");
    }

    /// Keys that are absent, equal, far apart, or differ in their last bits only.
    fn key() -> impl Strategy<Value = u64> {
        let near = (0..4u64, prop::sample::select(vec![1, 1 << 20, 1 << 62, u64::MAX - 4]));
        prop_oneof![
            1 => Just(0),
            4 => near.prop_map(|(low, high)| high + low),
            1 => any::<u64>(),
        ]
    }

    /// As many as are sorted by comparing, and as many as are sorted by their digits.
    fn keys() -> impl Strategy<Value = Vec<u64>> {
        prop_oneof![
            63 => prop::collection::vec(key(), 0..300),
            1 => prop::collection::vec(key(), 4000..6000),
        ]
    }

    fn in_order(keys: &[u64]) -> Vec<usize> {
        let mut positions: Vec<_> = (0..keys.len()).filter(|at| keys[*at] != 0).collect();
        positions.sort_by_key(|at| keys[*at]);
        positions
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn positions_are_in_order_of_key_then_position(keys in keys()) {
            let sorted = sorted_positions(keys.len(), |at| keys[at]);
            prop_assert!(sorted.eq(in_order(&keys)));
        }

        #[test]
        fn where_leading_bits_agree_the_rest_decides(keys in keys()) {
            let leading = |at: usize| keys[at].div_ceil(1 << 3);
            let sorted = sorted_positions_by(keys.len(), leading, |at| keys[at]);
            prop_assert!(sorted.eq(in_order(&keys)));
        }
    }
}
