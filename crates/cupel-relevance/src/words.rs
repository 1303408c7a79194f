//! Where does a word begin, where does it end?

use std::ops::Range;

/// The words of a text: runs of letters, digits, marks and underscores. Scripts without spaces between words give every pair of
/// neighbouring characters, or the one character that stands alone.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    spans(text).map(|span| &text[span])
}

/// Where the words of a text are.
pub(crate) fn spans(text: &str) -> Spans<'_> {
    Spans { text, at: 0, unspaced_end: 0 }
}

pub(crate) struct Spans<'t> {
    text: &'t str,
    at: usize,
    /// Where the run of an unspaced script ends whose pairs are being given.
    unspaced_end: usize,
}

impl Iterator for Spans<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.at < self.unspaced_end {
            return Some(self.next_pair());
        }
        let start = run(self.text, self.at, Sort::Other);
        self.at = run(self.text, start, Sort::Spaced);
        if self.at > start {
            return Some(start..self.at);
        }
        self.unspaced_end = run(self.text, start, Sort::Unspaced);
        let characters = self.text[start..self.unspaced_end].chars().take(2).count();
        match characters {
            0 => None,
            1 => {
                self.at = self.unspaced_end;
                Some(start..self.at)
            }
            _ => Some(self.next_pair()),
        }
    }
}

impl Spans<'_> {
    /// The next two characters of a run of at least two.
    fn next_pair(&mut self) -> Range<usize> {
        let start = self.at;
        let rest = &self.text[start..self.unspaced_end];
        let mut ends = rest.char_indices().map(|(at, char)| start + at + char.len_utf8());
        let first = ends.next().unwrap_or(start);
        let second = ends.next().unwrap_or(self.unspaced_end);
        let is_last = second == self.unspaced_end;
        self.at = if is_last { second } else { first };
        start..second
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Other,
    Spaced,
    Unspaced,
}

/// Where the run of characters of one sort ends that begins at `start`.
#[inline(always)]
fn run(text: &str, start: usize, sort: Sort) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        while bytes.get(at).is_some_and(|byte| SORTS[*byte as usize] == Some(sort)) {
            at += 1;
        }
        match bytes.get(at) {
            Some(byte) if !byte.is_ascii() => match text[at..].chars().next() {
                Some(char) if sort_of(char) == sort => at += char.len_utf8(),
                _ => return at,
            },
            _ => return at,
        }
    }
}

/// The sorts of characters of one byte; none for parts of others.
const SORTS: [Option<Sort>; 256] = {
    let mut sorts = [None; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_of_words = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        sorts[byte] = Some(if is_of_words { Sort::Spaced } else { Sort::Other });
        byte += 1;
    }
    sorts
};

fn sort_of(char: char) -> Sort {
    match char {
        // Thai, Lao, Tibetan, Burmese, Khmer; kana; Han; Hangul; their extensions, half-width forms and further planes.
        '\u{0E00}'..='\u{0FFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{312F}'
        | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}' => Sort::Unspaced,
        _ if char.is_alphanumeric() || continues_a_word(char) => Sort::Spaced,
        _ => Sort::Other,
    }
}

/// Accents that follow their letter, and what is invisible within words.
fn continues_a_word(char: char) -> bool {
    unicode_normalization::char::is_combining_mark(char)
        || matches!(char, '\u{00AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    #[test]
    fn words_are_runs_of_letters_digits_and_underscores() {
        assert_eq!(
            of("Don't re-run send_mail(42), naïve Ünal!"),
            ["Don", "t", "re", "run", "send_mail", "42", "naïve", "Ünal"]
        );
        assert_eq!(of(""), [""; 0]);
        assert_eq!(of(" -- "), [""; 0]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(of("東京都に行く"), ["東京", "京都", "都に", "に行", "行く"]);
        assert_eq!(of("私 a本b"), ["私", "a", "本", "b"]);
        assert_eq!(of("한국어"), ["한국", "국어"]);
    }

    #[test]
    fn accents_and_invisible_characters_stay_within_their_word() {
        assert_eq!(of("cafe\u{301} so\u{ad}lo"), ["cafe\u{301}", "so\u{ad}lo"]);
    }
}
