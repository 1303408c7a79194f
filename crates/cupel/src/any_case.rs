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
        for bytes in self.0.as_bytes().chunks(8) {
            // Filled up with a byte that no text has, so that none hashes like the beginning of another.
            let mut word = [0xff; 8];
            word.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte.to_ascii_lowercase());
            state.write_u64(u64::from_le_bytes(word));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::AnyCase;

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
