//! Text that hashes and compares without regard to ASCII case.

use std::hash::{Hash, Hasher};

/// Text that hashes and compares without regard to ASCII case.
#[derive(Clone, Copy)]
pub(crate) struct AnyCase<'a>(pub(crate) &'a str);

impl PartialEq for AnyCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (words, rest) = self.0.as_bytes().as_chunks();
        for word in words {
            state.write_u64(lowercase(u64::from_le_bytes(*word)));
        }
        if !rest.is_empty() {
            // Filled up with a byte that no text has, so that none hashes like the beginning of another.
            let word = rest.iter().rev().fold(u64::MAX, |word, byte| word << 8 | u64::from(*byte));
            state.write_u64(lowercase(word));
        }
    }
}

/// Eight bytes with their ASCII letters in lower case, all at once: one by one they are a tenth of `run/c` in
/// `benches/instructions`.
fn lowercase(word: u64) -> u64 {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = EACH << 7;
    // The high bit of a byte that is at least `least`, if it is ASCII. No sum carries into the next byte.
    let reaches = |least: u8| (word & !HIGH) + EACH * u64::from(0x80 - least);
    let is_capital = reaches(b'A') & !reaches(b'Z' + 1) & !word & HIGH;
    word | is_capital >> 2
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use proptest::prelude::*;

    use super::{AnyCase, lowercase};

    proptest! {
        #[test]
        fn capitals_and_nothing_else_are_lowered(bytes: [u8; 8]) {
            let lower = bytes.map(|byte| byte.to_ascii_lowercase());
            prop_assert_eq!(lowercase(u64::from_le_bytes(bytes)), u64::from_le_bytes(lower));
        }
    }

    #[test]
    fn texts_that_differ_in_more_than_case_hash_apart() {
        let seed = RandomState::new();
        let hash = |text: &str| seed.hash_one(AnyCase(text));
        let texts =
            ["", "a", "a\0", "aa", "abcdefgh", "abcdefgh\0", "abcdefgha", "@", "`", "[", "{"];
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(hash(text), hash(&text.to_ascii_uppercase()));
            assert!(texts[..at].iter().all(|other| hash(other) != hash(text)), "{text:?}");
        }
    }
}
