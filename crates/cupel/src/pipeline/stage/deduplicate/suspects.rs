//! Which hashes may occur more than once.
//!
//! Most contents occur once. A few bits for each tell that of nearly all of them, in a cache where a table
//! of all would not fit: with it `run` takes a tenth longer at 10,000 candidates (`cargo bench -p cupel
//! --bench pipelines`).

/// Bits for each hash: about every eighth is then suspected for nothing.
const BITS_EACH: usize = 8;

/// The positions of all hashes that occur more than once, and of some others, ascending; and what is left
/// of `memory`, which holds twice as many words as there are hashes, of which there are several.
pub(super) fn find_suspects<'m>(
    memory: &'m mut [u64],
    hashes: &[u64],
) -> (&'m [u64], &'m mut [u64]) {
    let (positions, rest) = memory.split_at_mut(hashes.len());
    let words = (hashes.len() * BITS_EACH).div_ceil(64);
    let (seen, _) = rest[..2 * words].as_chunks_mut();
    seen.fill([0; 2]);
    for &hash in hashes {
        let (word, bit) = place(hash, words);
        let [once, twice] = &mut seen[word];
        *twice |= *once & bit;
        *once |= bit;
    }
    let mut count = 0;
    for (at, &hash) in hashes.iter().enumerate() {
        let (word, bit) = place(hash, words);
        let [_, twice] = seen[word];
        positions[count] = at as u64;
        count += usize::from(twice & bit != 0);
    }
    let (suspects, unused) = memory.split_at_mut(count);
    (suspects, unused)
}

/// The word and the bit in it that stand for a hash, by its upper and its lower bits.
fn place(hash: u64, words: usize) -> (usize, u64) {
    let word = (u128::from(hash) * words as u128) >> 64;
    (word as usize, 1 << (hash % 64))
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use proptest::prelude::*;

    use super::*;

    /// Equal, far apart, or different in bits that have no say.
    fn hash() -> impl Strategy<Value = u64> {
        let near = (0..3u64, prop::sample::select(vec![0, 1 << 20, 1 << 63, u64::MAX - 2]));
        prop_oneof![1 => near.prop_map(|(low, high)| high + low), 4 => any::<u64>()]
    }

    proptest! {
        #[test]
        fn whatever_occurs_twice_is_suspected(hashes in prop::collection::vec(hash(), 2..300)) {
            let mut memory = vec![u64::MAX; 2 * hashes.len()];
            let (suspects, unused) = find_suspects(&mut memory, &hashes);
            prop_assert!(suspects.is_sorted_by(|a, b| a < b));
            for (at, hash) in (0u64..).zip(&hashes) {
                let occurs = hashes.iter().filter(|other| *other == hash).count();
                prop_assert!(occurs == 1 || suspects.contains(&at), "{hash} at {at}");
            }
            prop_assert_eq!(suspects.len() + unused.len(), 2 * hashes.len());
        }
    }

    #[test]
    fn of_many_that_occur_once_few_are_suspected() {
        let hasher = BuildHasherDefault::<DefaultHasher>::new();
        let hashes: Vec<u64> = (0..10_000).map(|n| hasher.hash_one(n)).collect();
        let mut memory = vec![0; 2 * hashes.len()];
        let (suspects, _) = find_suspects(&mut memory, &hashes);
        assert!(suspects.len() < 1_500, "{} of 10,000", suspects.len());
    }
}
