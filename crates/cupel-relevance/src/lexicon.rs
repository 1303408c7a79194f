//! Which terms does a text have, and how many of each?

use std::collections::HashMap;
use std::ops::Range;

use crate::Language;
use crate::terms::{Analyzer, Piece, pieces};
use crate::words::spans;

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// A term by its number in a [`Lexicon`].
pub(crate) type Term = u32;

/// A term that the lexicon does not number.
const UNNUMBERED: Term = Term::MAX;

/// Numbers terms and counts them in texts.
///
/// What a word's terms are is found out once, the first time it is seen: a text has many words, but few different ones.
pub(crate) struct Lexicon {
    analyzer: Analyzer,
    terms: Map<String, Term>,
    takes_new_terms: bool,
    words: Words,
    /// The numbered terms of all words in `words`.
    terms_of_words: Vec<Term>,
    /// The terms of parts of words, which many identifiers share; none of stop words.
    parts: Map<Box<str>, Option<Term>>,
    /// How often each term is in the text being counted.
    counts: Vec<u32>,
}

/// Remembered words are forgotten when they are more, so that a text of nothing but different words needs no more memory.
const MOST_WORDS: usize = 1 << 17;

/// What is known of a word.
#[derive(Clone, Copy)]
struct Word {
    /// How many terms it has, those without a number included.
    length: u32,
    /// Where those with a number are.
    start: u32,
    end: u32,
}

/// Words by what they are written as.
#[derive(Default)]
struct Words {
    short: Map<u128, Word>,
    long: Map<Box<str>, Word>,
}

impl Words {
    fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }

    fn get(&self, text: &str, span: &Range<usize>) -> Option<Word> {
        match short(text, span) {
            Some(short) => self.short.get(&short).copied(),
            None => self.long.get(&text[span.clone()]).copied(),
        }
    }

    fn insert(&mut self, text: &str, span: &Range<usize>, word: Word) {
        match short(text, span) {
            Some(short) => self.short.insert(short, word),
            None => self.long.insert(text[span.clone()].into(), word),
        };
    }
}

/// The bytes of a word in one number, if there are less than 16: nearly all words are compared and hashed at once, whatever their length.
fn short(text: &str, span: &Range<usize>) -> Option<u128> {
    const ROOM: usize = 16;
    let length = span.len();
    if length >= ROOM {
        return None;
    }
    let rest = &text.as_bytes()[span.start..];
    let bytes = match rest.first_chunk() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; ROOM];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        }
    };
    // No word has a zero byte in it, so that the length need not be kept.
    Some(u128::from_le_bytes(bytes) & ((1 << (8 * length)) - 1))
}

/// The terms of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    /// How many there are, those without a number included.
    pub(crate) length: u32,
    /// How often those with a number occur, in the order in which they do first.
    pub(crate) terms: Box<[(Term, u32)]>,
}

impl Lexicon {
    /// One that numbers whatever it comes across.
    pub(crate) fn open(language: Language) -> Self {
        Self {
            analyzer: Analyzer::new(language),
            terms: Map::default(),
            takes_new_terms: true,
            words: Words::default(),
            terms_of_words: Vec::new(),
            parts: Map::default(),
            counts: Vec::new(),
        }
    }

    /// One that has numbers for the terms of `text` only, and those terms: to look for them and nothing else is cheaper.
    pub(crate) fn of(language: Language, text: &str) -> (Self, Counted) {
        let mut lexicon = Self::open(language);
        let counted = lexicon.count(text);
        lexicon.takes_new_terms = false;
        (lexicon, counted)
    }

    pub(crate) fn language(&self) -> Language {
        self.analyzer.language()
    }

    /// How many terms have a number: all below.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Counts the terms of a text.
    pub(crate) fn count(&mut self, text: &str) -> Counted {
        let mut length = 0_u32;
        let mut found = Vec::new();
        for span in spans(text) {
            let word = match self.words.get(text, &span) {
                Some(known) => known,
                None => self.learn(text, span),
            };
            length = length.saturating_add(word.length);
            for &term in &self.terms_of_words[word.start as usize..word.end as usize] {
                let count = &mut self.counts[term as usize];
                if *count == 0 {
                    found.push(term);
                }
                *count = count.saturating_add(1);
            }
        }
        let take = |term: Term| (term, std::mem::take(&mut self.counts[term as usize]));
        Counted { length, terms: found.into_iter().map(take).collect() }
    }

    #[cold]
    fn learn(&mut self, text: &str, span: Range<usize>) -> Word {
        if self.words.len().max(self.parts.len()) >= MOST_WORDS {
            self.words.clear();
            self.terms_of_words.clear();
            self.parts.clear();
        }
        let mut terms = Vec::new();
        pieces(&text[span.clone()], |piece| match piece {
            Piece::Part(part) => terms.extend(self.term(part)),
            Piece::Whole(whole) => terms.push(self.number(whole)),
        });
        let (start, length) = (self.terms_of_words.len() as u32, terms.len() as u32);
        self.terms_of_words.extend(terms.into_iter().filter(|term| *term != UNNUMBERED));
        let word = Word { length, start, end: self.terms_of_words.len() as u32 };
        self.words.insert(text, &span, word);
        word
    }

    fn term(&mut self, part: &str) -> Option<Term> {
        if let Some(&known) = self.parts.get(part) {
            return known;
        }
        let term = self.analyzer.term(part).map(|term| self.number(term));
        self.parts.insert(part.into(), term);
        term
    }

    fn number(&mut self, term: String) -> Term {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        if !self.takes_new_terms || term.is_empty() || self.terms.len() >= UNNUMBERED as usize {
            return UNNUMBERED;
        }
        let number = self.terms.len() as Term;
        self.terms.insert(term, number);
        self.counts.push(0);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted_and_all_of_them_make_the_length() {
        let (mut lexicon, query) = Lexicon::of(Language::English, "reminder job");
        assert_eq!(*query.terms, [(0, 1), (1, 1)]);
        let counted = lexicon.count("The reminders of the reminder_job are late");
        // reminder; reminder, job, reminder_job; late
        assert_eq!(counted, Counted { length: 5, terms: [(0, 2), (1, 1)].into() });
        assert_eq!(lexicon.count("late"), Counted { length: 1, terms: [].into() });
    }

    #[test]
    fn forgetting_words_changes_no_count() {
        let text: String = (0..MOST_WORDS + 10).map(|number| format!("x{number} ")).collect();
        let (mut lexicon, _) = Lexicon::of(Language::English, "x7");
        let before = lexicon.count("x7 y");
        lexicon.count(&text);
        assert_eq!(lexicon.count("x7 y"), before);
    }
}
