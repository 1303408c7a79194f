//! Hashing small keys fast, with a seed.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

/// Builds hashers for keys of a few integers. The seed is drawn anew each time, so that no input
/// can be made to collide; results never depend on it because maps are only looked up in.
#[derive(Clone, Copy)]
pub(crate) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0) | 1)
    }
}

impl BuildHasher for Seeded {
    type Hasher = Multiplying;

    fn build_hasher(&self) -> Multiplying {
        Multiplying { state: 0, seed: self.0 }
    }
}

/// Multiplies each integer into the state.
pub(crate) struct Multiplying {
    state: u64,
    seed: u64,
}

impl Hasher for Multiplying {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        // Both halves of the product, so that high bits of the key reach low bits of the hash.
        let product = u128::from(self.state ^ value ^ self.seed) * u128::from(MULTIPLIER);
        self.state = product as u64 ^ (product >> 64) as u64;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.state.wrapping_mul(self.seed) ^ (self.state >> 32)
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

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
        let (words, _) = self.0.as_bytes().as_chunks::<8>();
        for word in words {
            state.write_u64(to_lowercase(u64::from_le_bytes(*word)));
        }
        state.write_u64(lowercase_end(self.0));
    }
}

/// What is left of a text after all groups of eight bytes, in lower case, and of how many bytes that
/// is, so that no text hashes like the beginning of another.
pub(crate) fn lowercase_end(text: &str) -> u64 {
    let (_, rest) = text.as_bytes().as_chunks::<8>();
    let word = match (rest.first_chunk(), rest.last_chunk()) {
        (Some(first), Some(last)) => {
            // They overlap, and agree there.
            let shift = (rest.len() - 4) * 8;
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift
        }
        _ => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    to_lowercase(word) | (rest.len() as u64) << 56
}

/// Eight bytes of text with their ASCII letters in lower case, all at once.
fn to_lowercase(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low_bits = word & (0x7f * EACH);
    let from_a = low_bits + (0x80 - u64::from(b'A')) * EACH;
    let after_z = low_bits + (0x7f - u64::from(b'Z')) * EACH;
    let is_upper = (from_a ^ after_z) & !word & (0x80 * EACH);
    word | is_upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_lowered_as_the_standard_library_does() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut bytes = [b'@', b'A', b'Z', b'[', b'z', 0x80, 0xff, 0];
                bytes[place] = byte;
                let lowered = to_lowercase(u64::from_le_bytes(bytes));
                assert_eq!(lowered.to_le_bytes(), bytes.map(|byte| byte.to_ascii_lowercase()));
            }
        }
    }

    #[test]
    fn the_end_of_a_text_has_all_of_its_last_bytes() {
        for len in 0..8 {
            let end = lowercase_end(&"ABCDEFGH\u{7f}PqRsTu"[8..][..len]).to_le_bytes();
            assert_eq!(end, lowercase_end(&"ABCDEFGH\u{7f}PqRsTu"[..8 + len]).to_le_bytes());
            assert_eq!(end[..len], b"\x7fpqrstu"[..len]);
            assert!(end[len..7].iter().all(|&byte| byte == 0));
            assert_eq!(usize::from(end[7]), len);
        }
    }

    #[test]
    fn texts_that_differ_in_more_than_case_hash_apart() {
        let hasher = Seeded::default();
        let hash = |text: &str| hasher.hash_one(AnyCase(text));
        let texts =
            ["", "a", "a\0", "aa", "abcdefgh", "abcdefgh\0", "abcdefgha", "@", "`", "[", "{"];
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(hash(text), hash(&text.to_ascii_uppercase()));
            assert!(texts[..at].iter().all(|other| hash(other) != hash(text)), "{text:?}");
        }
    }
}
