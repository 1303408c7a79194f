//! What is wrong with a document, and where.

use std::fmt;

use cupel::CupelError;

use crate::json::{Path, Quoted, SyntaxError, Value};

/// How many problems of one document are described; the rest are counted.
pub const MAX_PROBLEMS: usize = 100;

/// The code of a refusal that no [`CupelError`] stands for.
pub const INVALID_REQUEST: &str = "InvalidRequest";

/// One thing that is wrong, or in lenient mode merely odd, and where it stands.
///
/// ```
/// let error = cupel_policy::PolicyFile::from_json(r#"{"scorers": [{"type": "recency", "wieght": 1}]}"#)
///     .unwrap_err();
/// let problem = &error.problems()[1];
/// assert_eq!((problem.path(), problem.line(), problem.column()), ("$.scorers[0].wieght", 1, 34));
/// assert!(problem.to_string().contains("did you mean \"weight\"?"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    path: String,
    offset: usize,
    line: usize,
    column: usize,
    kind: ProblemKind,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// It is not JSON.
    Syntax {
        /// What was expected, and what is there.
        message: String,
        /// Whether the text ends where more of it was expected.
        ended: bool,
    },
    /// It is JSON of another type, or a number that is not whole or too large.
    WrongType {
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A key that means nothing here.
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that mean something.
        allowed: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// A key that means something elsewhere.
    MisplacedKey {
        /// The key.
        key: String,
        /// Where it belongs.
        belongs_to: String,
    },
    /// A key that must be there and is not.
    MissingKey {
        /// The key.
        key: String,
        /// The key that is there and was probably meant to be it.
        suggestion: Option<String>,
    },
    /// A key that is there already, perhaps in its other spelling.
    DuplicateKey {
        /// The key, as the second one is spelled.
        key: String,
        /// The key, as the first one is spelled.
        first: String,
    },
    /// A name that is not one of those there are.
    UnknownName {
        /// What it should be the name of.
        what: String,
        /// The name.
        name: String,
        /// The names there are.
        allowed: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// Well-formed, but a strategy or the model refuses it.
    Refused(CupelError),
    /// Anything else.
    Other {
        /// What is wrong.
        message: String,
    },
}

impl Problem {
    /// Where it stands, as a JSONPath such as `$.scorers[2].weight`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    pub fn kind(&self) -> &ProblemKind {
        &self.kind
    }

    /// The name of the [`CupelError`] variant behind it, else [`INVALID_REQUEST`].
    pub fn code(&self) -> &'static str {
        match &self.kind {
            ProblemKind::Refused(error) => error.name(),
            _ => INVALID_REQUEST,
        }
    }

    /// The same problem in a text that begins on line `first` of something larger.
    pub(crate) fn shift_lines(&mut self, first: usize) {
        self.line += first.saturating_sub(1);
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column, kind, .. } = self;
        write!(f, "{path} (line {line}, column {column}): {kind}")
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message, .. } => write!(f, "not JSON: {message}"),
            Self::WrongType { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::UnknownKey { key, allowed, suggestion } => {
                write!(f, "unknown key {}", Quoted(key))?;
                alternatives(f, suggestion.as_deref(), "keys", allowed)
            }
            Self::MisplacedKey { key, belongs_to } => {
                write!(f, "the key {} belongs to {belongs_to}", Quoted(key))
            }
            Self::MissingKey { key, .. } => write!(f, "missing key {key:?}"),
            Self::DuplicateKey { key, first } if key == first => {
                write!(f, "the key {} is given twice", Quoted(key))
            }
            Self::DuplicateKey { key, first } => write!(
                f,
                "the key {} is another spelling of {}, which is given already",
                Quoted(key),
                Quoted(first)
            ),
            Self::UnknownName { what, name, allowed, suggestion } => {
                write!(f, "unknown {what} {}", Quoted(name))?;
                alternatives(f, suggestion.as_deref(), "names", allowed)
            }
            Self::Refused(error) => error.fmt(f),
            Self::Other { message } => f.write_str(message),
        }
    }
}

fn alternatives(
    f: &mut fmt::Formatter<'_>,
    suggestion: Option<&str>,
    what: &str,
    allowed: &[String],
) -> fmt::Result {
    if let Some(suggestion) = suggestion {
        write!(f, "; did you mean {suggestion:?}?")?;
    }
    write!(f, " ({what} here: {})", allowed.join(", "))
}

/// All that is wrong with a document, in its order.
///
/// The first [`MAX_PROBLEMS`] are described, the rest only counted.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyError {
    problems: Vec<Problem>,
    more: usize,
}

impl PolicyError {
    /// The problems, in the order of the document; at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many further problems there are.
    pub fn more(&self) -> usize {
        self.more
    }

    /// The code of the first problem; see [`Problem::code`].
    pub fn code(&self) -> &'static str {
        self.problems.first().map_or(INVALID_REQUEST, Problem::code)
    }

    pub(crate) fn shift_lines(mut self, first: usize) -> Self {
        for problem in &mut self.problems {
            problem.shift_lines(first);
        }
        self
    }
}

impl fmt::Display for PolicyError {
    /// One problem per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyError {}

/// Problems as they are found.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    more: usize,
}

impl Problems {
    pub(crate) fn count(&self) -> usize {
        self.found.len() + self.more
    }

    pub(crate) fn add(&mut self, at: usize, path: &Path<'_>, kind: ProblemKind) {
        self.add_with(at, path, || kind);
    }

    /// Adds what `describe` says, unless there are too many problems to describe another: looking
    /// for what was meant by a million wrong names would take its time.
    pub(crate) fn add_with(
        &mut self,
        at: usize,
        path: &Path<'_>,
        describe: impl FnOnce() -> ProblemKind,
    ) {
        if self.found.len() == MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        // Line and column follow once the text is at hand.
        let (path, kind) = (path.to_string(), describe());
        self.found.push(Problem { path, offset: at, line: 0, column: 0, kind });
    }

    /// The problems in order, with their lines and columns in `text`.
    pub(crate) fn locate(mut self, text: &str) -> Vec<Problem> {
        self.found.sort_by_key(|problem| problem.offset);
        let text = text.strip_prefix('\u{feff}').map_or((0, text), |rest| (3, rest));
        let (mut offset, mut rest) = text;
        let (mut line, mut column) = (1, 1);
        for problem in &mut self.found {
            let end = problem.offset.saturating_sub(offset).min(rest.len());
            for char in rest[..end].chars() {
                (line, column) = if char == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            (offset, rest) = (offset + end, &rest[end..]);
            (problem.line, problem.column) = (line, column);
        }
        self.found
    }

    pub(crate) fn into_error(self, text: &str) -> PolicyError {
        let more = self.more;
        PolicyError { problems: self.locate(text), more }
    }
}

impl From<SyntaxError> for ProblemKind {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax { message: error.message, ended: error.ended }
    }
}

impl ProblemKind {
    pub(crate) fn wrong_type(expected: impl Into<String>, found: &Value<'_>) -> Self {
        Self::WrongType { expected: expected.into(), found: found.to_string() }
    }
}
