//! Texts that make naive tokenizers take forever, or fall over.

use std::iter;

use cupel_tokens::{Counter, Vocabulary};

const MEGABYTES_2: usize = 2_000_000;

/// A fixed sequence without a pattern.
fn noise() -> impl Iterator<Item = u64> {
    iter::successors(Some(0x9e37_79b9_7f4a_7c15_u64), |state| {
        let state = state ^ (state << 13);
        let state = state ^ (state >> 7);
        Some(state ^ (state << 17))
    })
}

#[test]
fn white_space_without_end_is_counted() {
    let spaces = " ".repeat(MEGABYTES_2);
    let counts = Vocabulary::ALL.map(|vocabulary| vocabulary.count(&spaces));
    // 128 spaces are one token of the three newer ones, and a space is one of the oldest.
    assert_eq!(counts[..3], [15_625; 3]);
    assert_eq!(counts[5], 2_000_000);
    // Those between agree on everything but special tokens, and know shorter runs.
    assert!(counts[3] == counts[4] && counts[3] > 15_625, "{counts:?}");
    let before_a_word = Vocabulary::O200kBase.count(&format!("{spaces}x"));
    assert_eq!((counts[0], before_a_word), (15_625, 15_627));
    let mixed = Vocabulary::O200kBase.count(&" \t".repeat(MEGABYTES_2 / 2));
    assert_eq!(mixed, 999_999);
}

#[test]
fn random_bytes_are_counted() {
    let bytes: Vec<u8> = noise().take(MEGABYTES_2).map(|it| it as u8).collect();
    let text = String::from_utf8_lossy(&bytes);
    let counted = Vocabulary::O200kBase.count(&text);
    let expected = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
    assert_eq!(usize::try_from(counted), Ok(expected));
}

#[test]
fn random_letters_in_one_word_are_counted() {
    let letter = |it: u64| char::from(b'a' + (it % 26) as u8);
    let text: String = noise().take(MEGABYTES_2).map(letter).collect();
    let counted = Vocabulary::O200kBase.count(&text);
    let expected = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
    assert_eq!(usize::try_from(counted), Ok(expected));
}

#[test]
fn counting_needs_little_stack() {
    let count = || Vocabulary::O200kBase.count(&"unfamiliarcompoundword ".repeat(1_000));
    let expected = count();
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    assert_eq!(thread.spawn(count).unwrap().join().unwrap(), expected);
}
