//! What is a word found by?

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;

use crate::Language;
use crate::words::words;

/// Longer words are not language; they count, and nothing finds them.
const LONGEST_WORD: usize = 256;

/// Turns words into terms: what is written differently and means the same becomes the same.
pub(crate) struct Analyzer {
    language: Language,
    stemmer: Option<Stemmer>,
}

impl Analyzer {
    pub(crate) fn new(language: Language) -> Self {
        Self { language, stemmer: language.stemmer() }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// The term of a part of a word; none of a stop word.
    pub(crate) fn term(&self, part: &str) -> Option<String> {
        let lower = part.to_lowercase();
        if lower.is_empty() || self.language.is_stop_word(&lower) {
            return None;
        }
        Some(match &self.stemmer {
            Some(stemmer) => stemmer.stem(&lower).into_owned(),
            None => lower,
        })
    }

    /// The terms of a word: none of a stop word, one of others, and of an identifier those of its parts and the whole.
    fn terms(&self, word: &str) -> Vec<String> {
        let mut terms = Vec::new();
        pieces(word, |piece| match piece {
            Piece::Part(part) => terms.extend(self.term(part)),
            Piece::Whole(whole) => terms.push(whole),
        });
        terms
    }

    /// For each term of a text, in the order in which they occur first, the word that it comes from; of an identifier, the term.
    pub(crate) fn words_by_term(&self, text: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for word in words(text) {
            let terms = self.terms(word);
            let is_whole = terms.len() == 1;
            for term in terms {
                if !term.is_empty() && seen.insert(term.clone()) {
                    found.push(if is_whole { word.to_owned() } else { term });
                }
            }
        }
        found
    }
}

/// What a word is found by.
pub(crate) enum Piece<'w> {
    /// The word, or a part of an identifier, which has a term or is a stop word.
    Part(&'w str),
    /// An identifier in lower case, a term as it is; empty for a word that is too long, which nothing finds.
    Whole(String),
}

/// Tells `hear` what a word is found by.
pub(crate) fn pieces(word: &str, mut hear: impl FnMut(Piece<'_>)) {
    if word.len() > LONGEST_WORD {
        return hear(Piece::Whole(String::new()));
    }
    let word = composed(word);
    let mut count = 0;
    for part in parts(&word) {
        hear(Piece::Part(part));
        count += 1;
    }
    if count > 1 {
        hear(Piece::Whole(word.to_lowercase()));
    }
}

/// With accents on their letters, compatible characters as one, and without what is invisible.
fn composed(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let is_visible = |char: &char| {
        !matches!(char, '\u{00AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
    };
    word.chars().filter(is_visible).nfkc().collect::<String>().into()
}

/// A word where underscores, changes of case and digits divide it, as they do in identifiers: `parseHTTP2_header` is `parse`,
/// `HTTP`, `2` and `header`.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split('_').flat_map(|mut rest| {
        std::iter::from_fn(move || {
            let part;
            (part, rest) = rest.split_at(end_of_part(rest));
            (!part.is_empty()).then_some(part)
        })
    })
}

/// Where the first part of an identifier without underscores ends.
fn end_of_part(piece: &str) -> usize {
    let pairs = piece.chars().zip(piece.char_indices().skip(1));
    let nexts = piece.chars().skip(2).map(Some).chain([None]);
    let mut borders = pairs.zip(nexts);
    let divides = |((before, (_, after)), next): &_| divides(*before, *after, *next);
    borders.find(divides).map_or(piece.len(), |((_, (at, _)), _)| at)
}

/// Whether a part ends between two characters of an identifier, given the character after them.
fn divides(before: char, after: char, next: Option<char>) -> bool {
    let into_capitals = before.is_lowercase() && after.is_uppercase();
    let out_of_capitals =
        before.is_uppercase() && after.is_uppercase() && next.is_some_and(char::is_lowercase);
    into_capitals || out_of_capitals || before.is_numeric() != after.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(word: &str) -> Vec<String> {
        Analyzer::new(Language::English).terms(word)
    }

    #[test]
    fn endings_are_cut_off_and_stop_words_dropped() {
        assert_eq!(terms("Reminders"), ["remind"]);
        assert_eq!(terms("the"), [""; 0]);
        assert_eq!(Analyzer::new(Language::None).terms("The"), ["the"]);
        assert_eq!(Analyzer::new(Language::German).terms("Häuser"), ["haus"]);
    }

    #[test]
    fn identifiers_are_found_by_their_parts_and_whole() {
        assert_eq!(terms("send_mails"), ["send", "mail", "send_mails"]);
        assert_eq!(terms("parseHTTPHeader2"), ["pars", "http", "header", "2", "parsehttpheader2"]);
        assert_eq!(terms("NASA"), ["nasa"]);
        assert_eq!(terms("2024"), ["2024"]);
        assert_eq!(terms("is_valid"), ["valid", "is_valid"]);
        assert_eq!(terms("___"), [""; 0]);
    }

    #[test]
    fn what_looks_the_same_is_the_same() {
        assert_eq!(terms("cafe\u{301}"), terms("café"));
        assert_eq!(terms("ﬁle"), terms("file"));
        assert_eq!(terms("so\u{ad}lo"), terms("solo"));
    }

    #[test]
    fn words_too_long_for_a_language_are_found_by_nothing() {
        assert_eq!(terms(&"a".repeat(257)), [""]);
    }
}
