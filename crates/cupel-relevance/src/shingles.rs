//! Which texts say again what others said?

use std::collections::{HashMap, HashSet};

use foldhash::fast::{FixedState, RandomState};
use std::hash::{BuildHasher, Hasher};

use crate::words::words;

/// An earlier text that a later one repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Repeat {
    /// Which one.
    pub(crate) of: usize,
    /// How much of the later text's shingles it has, from 0 to 1.
    pub(crate) overlap: f64,
}

/// A shingle is looked for in no more texts: what so many have in common says nothing about two of them, and what is left to do
/// stays in proportion to the text.
const MOST_HOLDERS: usize = 32;

/// For each text, the earlier one that has most of its shingles, the first of equals, if it has at least the `threshold`, a share, and is
/// no repetition itself.
///
/// Shingles are `length` words in a row, without regard to case, each counted once; a shorter text is one shingle. They are compared
/// by 64-bit fingerprints. Where a shingle is in more than 32 texts that repeat nothing, it is found in the first 32 of them only, so
/// that an overlap with a later one may be understated, never overstated.
pub(crate) fn repeats<'t>(
    texts: impl Iterator<Item = &'t str>,
    length: usize,
    threshold: f64,
) -> Vec<Option<Repeat>> {
    let mut holders = HashMap::<u64, Vec<u32>, RandomState>::default();
    let mut shared = HashMap::<u32, usize, RandomState>::default();
    let mut found = Vec::new();
    for (at, text) in texts.enumerate() {
        let shingles = shingles(text, length);
        shared.clear();
        for holder in shingles.iter().filter_map(|shingle| holders.get(shingle)).flatten() {
            *shared.entry(*holder).or_default() += 1;
        }
        let most = shared.iter().map(|(holder, count)| (*count, std::cmp::Reverse(*holder))).max();
        let closest = most.map(|(count, of)| Repeat {
            of: of.0 as usize,
            overlap: count as f64 / shingles.len() as f64,
        });
        let repeat = closest.filter(|it| it.overlap >= threshold);
        if repeat.is_none() {
            for shingle in shingles {
                let holders = holders.entry(shingle).or_default();
                if holders.len() < MOST_HOLDERS {
                    holders.push(at as u32);
                }
            }
        }
        found.push(repeat);
    }
    found
}

/// The fingerprints of a text's shingles.
fn shingles(text: &str, length: usize) -> HashSet<u64, RandomState> {
    let fingerprint = |word: &str| {
        // Fixed, so that the same texts overlap alike everywhere.
        let mut hasher = FixedState::default().build_hasher();
        word.chars().flat_map(char::to_lowercase).for_each(|char| hasher.write_u32(char.into()));
        hasher.finish()
    };
    let words: Vec<_> = words(text).map(fingerprint).collect();
    let joined = |window: &[u64]| {
        let mut hasher = FixedState::default().build_hasher();
        window.iter().for_each(|word| hasher.write_u64(*word));
        hasher.finish()
    };
    words.windows(length.min(words.len()).max(1)).map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str], length: usize, threshold: f64) -> Vec<Option<(usize, f64)>> {
        let repeats = repeats(texts.iter().copied(), length, threshold);
        repeats.into_iter().map(|it| it.map(|it| (it.of, it.overlap))).collect()
    }

    #[test]
    fn a_text_repeats_the_earlier_one_that_has_most_of_its_shingles() {
        let texts = ["a b c d", "x y z", "A b, c!", "b c d e"];
        assert_eq!(of(&texts, 2, 0.6), [None, None, Some((0, 1.0)), Some((0, 2.0 / 3.0))]);
        assert_eq!(of(&texts, 2, 0.7), [None, None, Some((0, 1.0)), None]);
    }

    #[test]
    fn a_short_text_is_one_shingle_and_one_without_words_repeats_nothing() {
        assert_eq!(
            of(&["yes", "Yes!", "yes sir", "...", "..."], 5, 0.5),
            [None, Some((0, 1.0)), None, None, None]
        );
    }

    #[test]
    fn what_repeats_is_nobodys_original() {
        // The third is close to the second, which repeats the first, and not close enough to the first.
        let texts = ["a b c d e f", "b c d e f g", "d e f g h i"];
        assert_eq!(of(&texts, 2, 0.5), [None, Some((0, 0.8)), None]);
    }

    #[test]
    fn a_text_of_one_shingle_over_and_over_has_one() {
        let long = "again ".repeat(100_000);
        assert_eq!(
            of(&[&long, "again again again", &long], 3, 0.9),
            [None, Some((0, 1.0)), Some((0, 1.0))]
        );
    }

    #[test]
    fn a_shingle_that_all_have_is_looked_for_in_few() {
        let texts: Vec<_> = (0..100).map(|n| format!("header line here x{n} y{n} z{n}")).collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        assert!(of(&texts, 3, 0.5).iter().all(Option::is_none));
    }
}
