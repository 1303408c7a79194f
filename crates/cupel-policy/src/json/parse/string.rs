//! Strings and their escapes.

use std::borrow::Cow;

use super::{Parser, SyntaxError};

impl<'t> Parser<'t> {
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, SyntaxError> {
        let opening = self.at;
        self.at += 1;
        let mut unescaped = String::new();
        let mut verbatim_from = self.at;
        loop {
            self.at += plain(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    let verbatim = &self.text[verbatim_from..self.at];
                    self.at += 1;
                    if unescaped.is_empty() {
                        return Ok(Cow::Borrowed(verbatim));
                    }
                    unescaped.push_str(verbatim);
                    return Ok(Cow::Owned(unescaped));
                }
                Some(b'\\') => {
                    unescaped.push_str(&self.text[verbatim_from..self.at]);
                    unescaped.push(self.escape()?);
                    verbatim_from = self.at;
                }
                Some(byte) if byte < 0x20 => {
                    return self.fail(format!(
                        "a control character (\\u{byte:04x}) in a string must be escaped"
                    ));
                }
                _ => {
                    self.at = opening;
                    return self.fail_early("the string has no end");
                }
            }
        }
    }

    /// The character that a backslash and what follows it stand for.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => {
                self.at = start;
                return self
                    .fail("a backslash in a string must begin an escape such as \\n or \\\\");
            }
        })
    }

    /// `\uXXXX`, and the second half of a surrogate pair with it.
    fn unicode_escape(&mut self, start: usize) -> Result<char, SyntaxError> {
        let mut units = self.hex_unit().into_iter().collect::<Vec<_>>();
        if matches!(units.first(), Some(0xd800..=0xdbff)) && self.text[self.at..].starts_with("\\u")
        {
            self.at += 2;
            units.extend(self.hex_unit());
        }
        let mut chars = char::decode_utf16(units);
        match (chars.next(), chars.next()) {
            (Some(Ok(char)), None) => Ok(char),
            _ => {
                self.at = start;
                self.fail("\\u needs four hexadecimal digits, and a surrogate needs its other half")
            }
        }
    }

    fn hex_unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = u16::from_str_radix(digits, 16).ok().filter(|_| all_hex)?;
        self.at += 4;
        Some(unit)
    }
}

/// How many bytes a string begins with that mean themselves: neither its end, nor an escape, nor a
/// control character. Texts are long, so eight at a time.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = u64::from_ne_bytes([0x80; 8]);
    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    // Subtracting sets the top bit of a byte that is too small, and of others only next to such a
    // one: a word is plain or not, whichever byte says so.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & TOPS;
    let equal = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let is_plain_word = |word: &&[u8; 8]| {
        let word = u64::from_ne_bytes(**word);
        below(word, 0x20) | equal(word, b'"') | equal(word, b'\\') == 0
    };
    let (words, _) = bytes.as_chunks::<8>();
    let fast = 8 * words.iter().take_while(is_plain_word).count();
    fast + bytes[fast..].iter().take_while(|byte| is_plain(byte)).count()
}
