//! Two implementations that share no code agree, on texts that nobody thought of.

use std::collections::BTreeSet;

use cupel_tokens::{Counter, Vocabulary};
use proptest::prelude::*;
use tiktoken_rs::CoreBPE;

fn other(vocabulary: Vocabulary) -> &'static CoreBPE {
    match vocabulary {
        Vocabulary::O200kBase => tiktoken_rs::o200k_base_singleton(),
        Vocabulary::O200kHarmony => tiktoken_rs::o200k_harmony_singleton(),
        Vocabulary::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        Vocabulary::P50kBase => tiktoken_rs::p50k_base_singleton(),
        Vocabulary::P50kEdit => tiktoken_rs::p50k_edit_singleton(),
        Vocabulary::R50kBase => tiktoken_rs::r50k_base_singleton(),
        _ => unreachable!("no other is in the list of all"),
    }
}

/// Characters at which the patterns that split texts turn, among others.
fn text() -> impl Strategy<Value = String> {
    let turning = prop::sample::select(
        " \t\n\r/'sStTlL.!-_09aAzZßéΩжñ中文の한글🎉\u{200d}\u{301}\u{a0}\u{2028}\u{3000}\u{0}٣²"
            .chars()
            .collect::<Vec<_>>(),
    );
    let any = prop_oneof![8 => turning, 1 => any::<char>()];
    prop::collection::vec(any, 0..120).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn counts_agree(text in text(), at in 0..Vocabulary::ALL.len()) {
        let vocabulary = Vocabulary::ALL[at];
        let expected = other(vocabulary).encode_ordinary(&text).len();
        prop_assert_eq!(usize::try_from(vocabulary.count(&text)), Ok(expected));
    }

    #[test]
    fn a_limit_changes_nothing_but_whether_there_is_an_answer(
        text in text(),
        repeated in 1_usize..40,
        at in 0..Vocabulary::ALL.len(),
        limit in 0_i64..3_000,
    ) {
        let (vocabulary, text) = (Vocabulary::ALL[at], text.repeat(repeated));
        let exact = vocabulary.count(&text);
        prop_assert_eq!(vocabulary.count_up_to(&text, limit), (exact <= limit).then_some(exact));
    }
}

#[test]
fn no_token_is_longer_than_the_bound_that_early_answers_rely_on() {
    let longest = |vocabulary: Vocabulary| {
        let encoding = tiktoken::get_encoding(vocabulary.name()).unwrap();
        (0..300_000).map(|token| encoding.decode(&[token]).len()).max().unwrap()
    };
    let longest: BTreeSet<_> = Vocabulary::ALL.into_iter().map(longest).collect();
    assert_eq!(longest.last(), Some(&128));
}
