//! What can be wrong with a vector.

use std::fmt;
use std::ops::Range;

/// A file that is not a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Line of the problem, from 1.
    pub line: usize,
    /// Column of the problem in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Something wrong at a place that is known as a range of bytes.
#[derive(Debug)]
pub(super) struct Problem {
    span: Range<usize>,
    message: String,
}

impl Problem {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// Says where in `text` it is.
    pub(super) fn locate(self, text: &str) -> ParseError {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
        }
    }
}

impl From<toml::de::Error> for Problem {
    fn from(error: toml::de::Error) -> Self {
        Self::new(error.span().unwrap_or(0..0), error.message())
    }
}
