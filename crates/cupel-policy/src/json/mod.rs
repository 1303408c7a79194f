//! JSON that remembers where everything stood.
//!
//! A message that names line and column needs the position of every key and value, and refusing a
//! key that is given twice needs both of them. The parsers at hand drop one or the other, so here
//! is a small one: strict RFC 8259, numbers kept as written, depth limited; with comments and
//! trailing commas for files that people write, and with NaN and infinities for programs that hold
//! such numbers.

mod parse;
mod path;
mod values;
mod write;

use std::borrow::Cow;
use std::fmt;

pub(crate) use parse::{Dialect, SyntaxError, parse};
pub(crate) use path::Path;
pub(crate) use values::{Read, lines, value_at, values};

/// How deeply arrays and objects may be nested.
pub const MAX_DEPTH: usize = 128;

/// A value and where it starts, as a byte offset.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node<'t> {
    pub(crate) at: usize,
    pub(crate) value: Value<'t>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'t> {
    Null,
    Bool(bool),
    /// As written; finite as an `f64`.
    Number(&'t str),
    /// NaN or an infinity, where the dialect has them. Not every reader of numbers takes one.
    NonFinite(f64),
    String(Cow<'t, str>),
    Array(Vec<Node<'t>>),
    Object(Vec<Member<'t>>),
}

/// A key with its value. An object may hold a key several times; readers refuse that.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member<'t> {
    pub(crate) at: usize,
    pub(crate) key: Cow<'t, str>,
    pub(crate) value: Node<'t>,
}

impl fmt::Display for Value<'_> {
    /// What it is, in a few words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(text) => write!(f, "the number {}", Excerpt(text)),
            Self::NonFinite(number) => write!(f, "the number {number}"),
            Self::String(text) => write!(f, "the string {}", Quoted(text)),
            Self::Array(_) => f.write_str("an array"),
            Self::Object(_) => f.write_str("an object"),
        }
    }
}

/// The beginning of a text, short enough for a message.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, rest) = shorten(self.0);
        write!(f, "{shown}{rest}")
    }
}

/// The same in quotes.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, rest) = shorten(self.0);
        write!(f, "{shown:?}{rest}")
    }
}

fn shorten(text: &str) -> (&str, &'static str) {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => (text, ""),
        Some((end, _)) => (&text[..end], "…"),
    }
}
