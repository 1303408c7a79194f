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
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut folded = [0; 32];
        for chunk in self.0.as_bytes().chunks(folded.len()) {
            let folded = &mut folded[..chunk.len()];
            folded.copy_from_slice(chunk);
            folded.make_ascii_lowercase();
            state.write(folded);
        }
        state.write_u8(0xff); // no text is the beginning of another
    }
}
