//! Text to tree.

use std::borrow::Cow;

use super::{Excerpt, MAX_DEPTH, Member, Node, Value};

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Reads one JSON value with nothing but whitespace around it. A byte order mark is skipped.
pub(crate) fn parse(text: &str) -> Result<Node<'_>, SyntaxError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
    }
    parser.skip_whitespace();
    let node = parser.value()?;
    parser.skip_whitespace();
    match parser.peek() {
        None => Ok(node),
        Some(_) => parser.fail(format!("expected nothing more, found {}", parser.next_token())),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn eat_digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, message: message.into() })
    }

    /// What stands here, for a message.
    fn next_token(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "the end of the text".to_owned(),
            Some('/' | '#') => "a comment, which JSON does not have".to_owned(),
            Some('\'') => "a single quote; strings are in double quotes".to_owned(),
            Some(char) if char.is_alphanumeric() => {
                let word = self.text[self.at..].split(|char: char| !char.is_alphanumeric()).next();
                Excerpt(word.unwrap_or_default()).to_string()
            }
            Some(char) => format!("{char:?}"),
        }
    }

    fn value(&mut self) -> Result<Node<'t>, SyntaxError> {
        let at = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ if self.eat_word("null") => Value::Null,
            _ if self.eat_word("true") => Value::Bool(true),
            _ if self.eat_word("false") => Value::Bool(false),
            _ => return self.fail(format!("expected a value, found {}", self.next_token())),
        };
        Ok(Node { at, value })
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..]
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Value<'t>, SyntaxError>,
    ) -> Result<Value<'t>, SyntaxError> {
        if self.depth == MAX_DEPTH {
            return self.fail(format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_whitespace();
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Value<'t>, SyntaxError> {
        let mut elements = Vec::new();
        if self.eat(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if !self.another(b']', "an array")? {
                return Ok(Value::Array(elements));
            }
        }
    }

    fn object(&mut self) -> Result<Value<'t>, SyntaxError> {
        let mut members = Vec::new();
        if self.eat(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            let at = self.at;
            if self.peek() != Some(b'"') {
                return self
                    .fail(format!("expected a key in double quotes, found {}", self.next_token()));
            }
            let key = self.string()?;
            self.skip_whitespace();
            if !self.eat(b':') {
                return self
                    .fail(format!("expected ':' after the key, found {}", self.next_token()));
            }
            self.skip_whitespace();
            members.push(Member { at, key, value: self.value()? });
            if !self.another(b'}', "an object")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// Moves past a comma to the next element, or past the end: whether there is a next one.
    fn another(&mut self, end: u8, of: &str) -> Result<bool, SyntaxError> {
        self.skip_whitespace();
        if self.eat(end) {
            return Ok(false);
        }
        let comma = self.at;
        if !self.eat(b',') {
            let end = char::from(end);
            return self.fail(format!("expected ',' or '{end}', found {}", self.next_token()));
        }
        self.skip_whitespace();
        if self.peek() == Some(end) {
            self.at = comma;
            return self.fail(format!("a comma before the end of {of}; remove it"));
        }
        Ok(true)
    }

    fn number(&mut self) -> Result<Value<'t>, SyntaxError> {
        let start = self.at;
        self.eat(b'-');
        let leading_zero = self.peek() == Some(b'0');
        match self.eat_digits() {
            0 => return self.fail(format!("expected a digit, found {}", self.next_token())),
            digits if digits > 1 && leading_zero => {
                self.at = start;
                return self.fail("a number must not start with a zero");
            }
            _ => {}
        }
        if self.eat(b'.') && self.eat_digits() == 0 {
            return self.fail(format!(
                "expected a digit after the decimal point, found {}",
                self.next_token()
            ));
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            if self.eat_digits() == 0 {
                return self.fail(format!(
                    "expected a digit in the exponent, found {}",
                    self.next_token()
                ));
            }
        }
        let text = &self.text[start..self.at];
        if !text.parse::<f64>().is_ok_and(f64::is_finite) {
            self.at = start;
            return self.fail(format!("the number {} is out of range", Excerpt(text)));
        }
        Ok(Value::Number(text))
    }

    fn string(&mut self) -> Result<Cow<'t, str>, SyntaxError> {
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
                    return self.fail("the string has no end");
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
fn plain(bytes: &[u8]) -> usize {
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

#[cfg(test)]
mod tests;
