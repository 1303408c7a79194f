//! What is wrong with a set, where, and what to do about it.

use std::fmt;

use cupel_policy::PolicyError;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::read::ITEM_EXAMPLE;

/// What is wrong with a set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, problem, remedy } = self;
        write!(f, "line {line}, column {column}: {problem}; {remedy}")
    }
}

impl std::error::Error for SetError {}

/// What is wrong with a line, and the byte where.
pub(super) struct Wrong {
    offset: usize,
    problem: String,
    remedy: String,
}

impl Wrong {
    /// At the beginning of the line.
    pub(super) fn here(problem: impl Into<String>) -> Self {
        Self { offset: 0, problem: problem.into(), remedy: String::new() }
    }

    /// At a part of the line.
    pub(super) fn at(text: &str, part: &str, problem: impl Into<String>) -> Self {
        Self { offset: part.as_ptr().addr() - text.as_ptr().addr(), ..Self::here(problem) }
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// No JSON, or no object.
    pub(super) fn json(error: &serde_json::Error, text: &str) -> Self {
        let told = error.to_string();
        let problem = told.split(" at line ").next().unwrap_or(&told).to_owned();
        let offset = text.floor_char_boundary(error.column().saturating_sub(1).min(text.len()));
        let remedy = match error.classify() {
            Category::Eof => "each pool and each question is whole on its own line",
            Category::Syntax => "mend the JSON there; jq . FILE finds the same place",
            _ => "each line is an object, a pool or a question, with each of its keys once",
        };
        Self { offset, problem, remedy: remedy.to_owned() }
    }

    /// Items that the engine does not take.
    pub(super) fn items(error: &PolicyError, text: &str, items: &RawValue) -> Self {
        let first = &error.problems()[0];
        let path = first.path().trim_start_matches('$').trim_start_matches('.');
        let problem = match path {
            "" => first.kind().to_string(),
            path => format!("{path}: {}", first.kind()),
        };
        let before: usize = items.get().chars().take(first.column() - 1).map(char::len_utf8).sum();
        let wrong = Self::at(text, items.get(), problem).remedy(ITEM_EXAMPLE);
        Self { offset: wrong.offset + before, ..wrong }
    }

    pub(super) fn on(self, line: usize, text: &str) -> SetError {
        let column = text[..self.offset].chars().count() + 1;
        SetError { line, column, problem: self.problem, remedy: self.remedy }
    }
}
