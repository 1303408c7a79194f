//! What can be wrong with a request or its budget, as values a caller can act on.

use std::fmt;

use cupel::CupelError;

use crate::{Format, Tokens};

/// Why a request was not read, or not cut.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The text is not JSON.
    Json {
        /// What is wrong with it.
        problem: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// JSON, but no request of a known provider.
    Unrecognised {
        /// Where a message list was looked for.
        path: String,
        /// What is there.
        found: String,
    },
    /// Some of it can only be one provider's, some only another's.
    Mixed {
        /// What speaks for the first, and where.
        one: Sign,
        /// What speaks for the second, and where.
        other: Sign,
    },
    /// A message, or a part of one, that its provider does not know.
    Malformed {
        /// The format it was read as.
        format: Format,
        /// Where.
        path: String,
        /// What is there, and what was expected.
        problem: String,
    },
    /// One call, two answers: which of them the model should see is not ours to choose.
    AnsweredTwice {
        /// The call's id.
        id: String,
        /// The first answer.
        first: String,
        /// The second answer.
        second: String,
    },
    /// What must be in does not fit, even in its shortest form.
    BudgetTooSmall {
        /// Tokens there are.
        budget: i64,
        /// The least that would do.
        needed: i64,
        /// What of it is what: `messages` and `media` are those that must stay.
        least: Tokens,
    },
    /// The provider wants a user message, and there is none.
    NoUserMessage {
        /// The message list.
        path: String,
    },
    /// A builder was told something that makes no sense.
    Unbuildable {
        /// The step, as it was written.
        step: String,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// The engine refused.
    Engine(CupelError),
}

/// Something that only one provider's requests have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// Whose it is.
    pub format: Format,
    /// Where it is.
    pub path: String,
    /// What it is.
    pub what: String,
}

impl Sign {
    pub(crate) fn new(format: Format, path: impl Into<String>, what: impl Into<String>) -> Self {
        Self { format, path: path.into(), what: what.into() }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} is {}", self.what, self.path, self.format)
    }
}

impl Error {
    /// The variant's name, for messages that cross a process border; for the engine's errors, the engine's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Json { .. } => "Json",
            Self::Unrecognised { .. } => "Unrecognised",
            Self::Mixed { .. } => "Mixed",
            Self::Malformed { .. } => "Malformed",
            Self::AnsweredTwice { .. } => "AnsweredTwice",
            Self::BudgetTooSmall { .. } => "BudgetTooSmall",
            Self::NoUserMessage { .. } => "NoUserMessage",
            Self::Unbuildable { .. } => "Unbuildable",
            Self::Engine(error) => error.name(),
        }
    }

    /// What stands at `at` is nested more than `limit` deep.
    pub(crate) fn too_deep(text: &str, at: usize, limit: usize) -> Self {
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = at - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        Self::Json { problem: format!("nested deeper than {limit} levels"), line, column }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { problem, line, column } => {
                write!(f, "not JSON: {problem} at line {line}, column {column}")
            }
            Self::Unrecognised { path, found } => write!(
                f,
                "{path}: not a request of a known provider: found {found}; expected an object with \"messages\" (OpenAI chat, \
                 Anthropic), \"input\" (OpenAI Responses) or \"contents\" (Gemini), or an array of such messages"
            ),
            Self::Mixed { one, other } => {
                write!(
                    f,
                    "two formats in one request: {one}, but {other}; convert one of them, or say which format it is"
                )
            }
            Self::Malformed { format, path, problem } => {
                write!(f, "{path}: {problem} (read as {format})")
            }
            Self::AnsweredTwice { id, first, second } => write!(
                f,
                "{second}: the call \"{id}\" was answered already, by {first}; a call has one answer: remove one of the two"
            ),
            Self::BudgetTooSmall { budget, needed, least } => write!(
                f,
                "a budget of {budget} tokens is too small: what must stay takes {needed} (system {}, tools {}, current turn and \
                 pinned messages {}, media {}); raise it to {needed}, pin less, allow shorter forms, or start a new turn",
                least.system, least.tools, least.messages, least.media
            ),
            Self::NoUserMessage { path } => {
                write!(
                    f,
                    "{path}: no user message is left, and the provider wants one; add the user's message"
                )
            }
            Self::Unbuildable { step, problem } => write!(f, "{step}: {problem}"),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Engine(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CupelError> for Error {
    fn from(error: CupelError) -> Self {
        Self::Engine(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let whole = error.to_string();
        let problem = whole.split(" at line ").next().unwrap_or(&whole).to_owned();
        Self::Json { problem, line, column }
    }
}
