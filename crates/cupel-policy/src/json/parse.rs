//! Text to tree.
//!
//! Our own: serde_json drops positions and repeated keys, and jsonc-parser takes what is not JSON (raw control
//! characters in strings, any Unicode whitespace), stops at a depth of its own, and does not say what it found.

mod string;

use super::{Excerpt, MAX_DEPTH, Member, Node, Value};

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: usize,
    pub(crate) message: String,
    /// Whether the text ends where more of it was expected.
    pub(crate) ended: bool,
}

/// Which texts are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// What programs write: RFC 8259.
    Json,
    /// What people write: the same with `//` and `/* */` comments and trailing commas.
    Jsonc,
    /// What programs write that hold numbers JSON does not have: the same as `Json` with `NaN`,
    /// `Infinity` and `-Infinity`, as Python's `json` spells them.
    JsonWithNonFinite,
}

/// Reads one value with nothing but whitespace around it. A byte order mark is skipped.
pub(crate) fn parse(text: &str, dialect: Dialect) -> Result<Node<'_>, SyntaxError> {
    let mut parser = Parser::new(text, start(text), dialect);
    parser.skip_blank()?;
    let node = parser.value()?;
    parser.end()?;
    Ok(node)
}

/// Where a text starts: after its byte order mark.
pub(super) fn start(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) at: usize,
    depth: usize,
    dialect: Dialect,
    /// What ends where `text` does.
    pub(super) unit: &'static str,
}

impl<'t> Parser<'t> {
    /// Reads `text` from the offset `at` on.
    pub(super) fn new(text: &'t str, at: usize, dialect: Dialect) -> Self {
        Self { text, at, depth: 0, dialect, unit: "text" }
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), SyntaxError> {
        self.skip_blank()?;
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fail(format!("expected nothing more, found {}", self.next_token())),
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
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

    /// Skips whitespace and, where there may be some, comments.
    #[inline]
    pub(super) fn skip_blank(&mut self) -> Result<(), SyntaxError> {
        self.skip_whitespace();
        if self.peek() == Some(b'/') && self.dialect == Dialect::Jsonc {
            return self.skip_comments();
        }
        Ok(())
    }

    #[inline]
    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn skip_comments(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with("//") {
                self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(length) = comment.find("*/") else {
                    return self.fail_early("the comment has no end; close it with */");
                };
                self.at += "/*".len() + length + "*/".len();
            } else {
                return Ok(());
            }
            self.skip_whitespace();
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, message: message.into(), ended: self.peek().is_none() })
    }

    /// The text ends within what begins here.
    fn fail_early<T>(&self, message: &str) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, message: message.to_owned(), ended: true })
    }

    /// What stands here, for a message.
    fn next_token(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => format!("the end of the {}", self.unit),
            Some('/' | '#') if self.dialect != Dialect::Jsonc => {
                "a comment, which JSON does not have".to_owned()
            }
            Some('#') => "'#'; comments are // or /* */".to_owned(),
            Some('\'') => "a single quote; strings are in double quotes".to_owned(),
            Some(char) if char.is_alphanumeric() => {
                let word = self.text[self.at..].split(|char: char| !char.is_alphanumeric()).next();
                Excerpt(word.unwrap_or_default()).to_string()
            }
            Some(char) => format!("{char:?}"),
        }
    }

    pub(super) fn value(&mut self) -> Result<Node<'t>, SyntaxError> {
        let at = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ if self.eat_word("null") => Value::Null,
            _ if self.eat_word("true") => Value::Bool(true),
            _ if self.eat_word("false") => Value::Bool(false),
            _ if self.eat_non_finite("NaN") => Value::NonFinite(f64::NAN),
            _ if self.eat_non_finite("Infinity") => Value::NonFinite(f64::INFINITY),
            _ => return self.fail(format!("expected a value, found {}", self.next_token())),
        };
        Ok(Node { at, value })
    }

    fn eat_non_finite(&mut self, word: &str) -> bool {
        self.dialect == Dialect::JsonWithNonFinite && self.eat_word(word)
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
        self.skip_blank()?;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
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
            self.skip_blank()?;
            if !self.eat(b':') {
                return self
                    .fail(format!("expected ':' after the key, found {}", self.next_token()));
            }
            self.skip_blank()?;
            members.push(Member { at, key, value: self.value()? });
            if !self.another(b'}', "an object")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// Moves past a comma to the next element, or past the end: whether there is a next one.
    pub(super) fn another(&mut self, end: u8, of: &str) -> Result<bool, SyntaxError> {
        self.skip_blank()?;
        if self.eat(end) {
            return Ok(false);
        }
        let comma = self.at;
        if !self.eat(b',') {
            let end = char::from(end);
            return self.fail(format!("expected ',' or '{end}', found {}", self.next_token()));
        }
        self.skip_blank()?;
        if self.peek() != Some(end) {
            return Ok(true);
        }
        if self.dialect != Dialect::Jsonc {
            self.at = comma;
            return self.fail(format!("a comma before the end of {of}; remove it"));
        }
        self.at += 1;
        Ok(false)
    }

    fn number(&mut self) -> Result<Value<'t>, SyntaxError> {
        let start = self.at;
        self.eat(b'-');
        let leading_zero = self.peek() == Some(b'0');
        match self.eat_digits() {
            0 if self.eat_non_finite("Infinity") => {
                return Ok(Value::NonFinite(f64::NEG_INFINITY));
            }
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
        let has_exponent = self.eat(b'e') || self.eat(b'E');
        if has_exponent {
            let _ = self.eat(b'+') || self.eat(b'-');
            if self.eat_digits() == 0 {
                return self.fail(format!(
                    "expected a digit in the exponent, found {}",
                    self.next_token()
                ));
            }
        }
        let text = &self.text[start..self.at];
        // It takes an exponent or 309 digits to leave the range.
        let may_be_infinite = has_exponent || text.len() > 308;
        if may_be_infinite && !text.parse::<f64>().is_ok_and(f64::is_finite) {
            self.at = start;
            return self.fail(format!("the number {} is out of range", Excerpt(text)));
        }
        Ok(Value::Number(text))
    }
}

#[cfg(test)]
mod tests;
