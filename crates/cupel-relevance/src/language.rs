//! Whose stop words, whose endings?

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use cupel::ContextItem;
use rust_stemmers::{Algorithm, Stemmer};

use crate::words::words;

/// The language of a text, as far as it matters for finding words again: which words say nothing, and which endings
/// a word may have.
///
/// Words of other languages are found where they are written alike, and Chinese, Japanese, Korean and Thai, which do
/// not end at spaces, by pairs of characters, whatever the language is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Language {
    /// That of which most stop words are in a sample of the items; English where there are few of any.
    #[default]
    Auto,
    /// None: every word counts, as it is written.
    None,
    /// Arabic.
    Arabic,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English.
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hungarian.
    Hungarian,
    /// Italian.
    Italian,
    /// Norwegian.
    Norwegian,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Tamil.
    Tamil,
    /// Turkish.
    Turkish,
}

struct Tongue {
    language: Language,
    name: &'static str,
    /// As ISO 639 has it.
    code: &'static str,
    algorithm: Algorithm,
}

const fn tongue(
    language: Language,
    name: &'static str,
    code: &'static str,
    algorithm: Algorithm,
) -> Tongue {
    Tongue { language, name, code, algorithm }
}

/// English first, which wins ties.
const TONGUES: [Tongue; 18] = [
    tongue(Language::English, "english", "en", Algorithm::English),
    tongue(Language::Arabic, "arabic", "ar", Algorithm::Arabic),
    tongue(Language::Danish, "danish", "da", Algorithm::Danish),
    tongue(Language::Dutch, "dutch", "nl", Algorithm::Dutch),
    tongue(Language::Finnish, "finnish", "fi", Algorithm::Finnish),
    tongue(Language::French, "french", "fr", Algorithm::French),
    tongue(Language::German, "german", "de", Algorithm::German),
    tongue(Language::Greek, "greek", "el", Algorithm::Greek),
    tongue(Language::Hungarian, "hungarian", "hu", Algorithm::Hungarian),
    tongue(Language::Italian, "italian", "it", Algorithm::Italian),
    tongue(Language::Norwegian, "norwegian", "no", Algorithm::Norwegian),
    tongue(Language::Portuguese, "portuguese", "pt", Algorithm::Portuguese),
    tongue(Language::Romanian, "romanian", "ro", Algorithm::Romanian),
    tongue(Language::Russian, "russian", "ru", Algorithm::Russian),
    tongue(Language::Spanish, "spanish", "es", Algorithm::Spanish),
    tongue(Language::Swedish, "swedish", "sv", Algorithm::Swedish),
    tongue(Language::Tamil, "tamil", "ta", Algorithm::Tamil),
    tongue(Language::Turkish, "turkish", "tr", Algorithm::Turkish),
];

impl Language {
    /// Every language there is, with [`Auto`](Self::Auto) and [`None`](Self::None).
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        [Self::Auto, Self::None].into_iter().chain(TONGUES.iter().map(|it| it.language))
    }

    /// The language of that name, or of that ISO 639 code, without regard to case.
    ///
    /// ```
    /// use cupel_relevance::Language;
    ///
    /// assert_eq!(Language::from_name("German"), Some(Language::German));
    /// assert_eq!(Language::from_name("de"), Some(Language::German));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let named = |it: &Self| it.name().eq_ignore_ascii_case(name);
        let coded = |it: &Tongue| it.code.eq_ignore_ascii_case(name);
        let by_code = || TONGUES.iter().find(|it| coded(it)).map(|it| it.language);
        Self::all().find(named).or_else(by_code)
    }

    /// Its name, as policy files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::None => "none",
            spoken => spoken.tongue().map_or("none", |tongue| tongue.name),
        }
    }

    fn tongue(self) -> Option<&'static Tongue> {
        TONGUES.iter().find(|it| it.language == self)
    }

    /// What cuts off its endings, of words in lower case.
    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        self.tongue().map(|tongue| Stemmer::create(tongue.algorithm))
    }

    /// Whether a word in lower case says nothing in this language.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        let at = TONGUES.iter().position(|it| it.language == self);
        at.is_some_and(|at| STOP_WORDS.get(word).is_some_and(|tongues| tongues & 1 << at != 0))
    }

    /// The language itself, or that of which most stop words are in a sample of `items`.
    pub(crate) fn of(self, items: &[ContextItem]) -> Self {
        if self != Self::Auto {
            return self;
        }
        let mut votes = [0_u32; TONGUES.len()];
        let step = items.len().div_ceil(SAMPLED_ITEMS).max(1);
        for item in items.iter().step_by(step) {
            for word in words(beginning(item.content())) {
                let tongues = STOP_WORDS.get(&*word.to_lowercase()).copied().unwrap_or(0);
                for (at, votes) in votes.iter_mut().enumerate() {
                    *votes += tongues >> at & 1;
                }
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        let winner = votes.iter().position(|votes| *votes == most).unwrap_or(0);
        if most < FEW { Self::English } else { TONGUES[winner].language }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A sample this small is read in some 50 microseconds.
const SAMPLED_ITEMS: usize = 32;
const SAMPLED_BYTES: usize = 400;

/// Fewer stop words than this say nothing about a language.
const FEW: u32 = 5;

/// The first bytes of a text that are whole characters.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(SAMPLED_BYTES)]
}

/// In which tongues a word is a stop word: a bit each.
static STOP_WORDS: LazyLock<HashMap<String, u32, foldhash::fast::FixedState>> =
    LazyLock::new(|| {
        let mut all = HashMap::<String, u32, _>::default();
        for (at, tongue) in TONGUES.iter().enumerate() {
            let listed = stop_words::lookup(tongue.code).unwrap_or_default();
            // Lists have "isn't" for what our words have as "isn" and "t".
            for word in listed.iter().flat_map(|entry| words(entry)) {
                *all.entry(word.to_lowercase()).or_default() |= 1 << at;
            }
        }
        all
    });

#[cfg(test)]
mod tests {
    use super::*;

    fn language_of(text: &str) -> Language {
        Language::Auto.of(&[ContextItem::builder(text, 1).build().expect("a valid item")])
    }

    #[test]
    fn every_language_has_stop_words_and_a_name_that_is_read_back() {
        for language in Language::all() {
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
        for tongue in &TONGUES {
            assert!(
                stop_words::lookup(tongue.code).is_some_and(|it| it.len() > 30),
                "{}",
                tongue.name
            );
        }
        assert_eq!(Language::from_name("klingon"), None);
    }

    #[test]
    fn the_language_is_that_of_most_stop_words() {
        assert_eq!(
            language_of("Wo ist der Schlüssel, den ich dir gestern mit dem Brief gegeben habe?"),
            Language::German
        );
        assert_eq!(
            language_of("Où est la clé que je vous ai donnée avec la lettre pour le bureau ?"),
            Language::French
        );
        assert_eq!(
            language_of("Where is the key that I gave you with the letter for the office?"),
            Language::English
        );
        assert_eq!(
            language_of("Где ключ, который я тебе вчера дал вместе с письмом, и что с ним стало?"),
            Language::Russian
        );
    }

    #[test]
    fn where_no_language_shows_it_is_english() {
        assert_eq!(language_of("fn main() { println!(\"{}\", x); }"), Language::English);
        assert_eq!(Language::Auto.of(&[]), Language::English);
    }
}
