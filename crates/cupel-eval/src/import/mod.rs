//! Public sets, read as their publishers ship them, and transcripts of your own.
//!
//! | source | what it reads | an item is | gold is |
//! |---|---|---|---|
//! | [`Source::LoCoMo`] | `locomo10.json` | a turn of a chat | turns |
//! | [`Source::QmSum`] | `test.jsonl`, or one meeting as `.json` | a turn of a meeting | turns |
//! | [`Source::ChunkingEvaluation`] | the folder with `questions_df.csv` and `corpora/` | a chunk | characters |
//! | [`Source::HotpotQa`] | `hotpot_dev_distractor_v1.json` | a sentence | sentences |
//! | [`Source::Transcripts`] | requests or messages of OpenAI, Anthropic or Gemini, as JSON or JSON Lines, or a folder of them | a message | messages that the next step uses |
//!
//! The data itself is its publishers'; none of it is here.

mod chunking;
mod csv;
mod hotpotqa;
mod locomo;
mod qmsum;
mod transcript;
mod values;

pub use transcript::{Use, uses};

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use cupel_messages::Shorten;
use serde::de::DeserializeOwned;

use crate::set::Line;

/// Where a set comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// Questions about very long chats between two people.
    LoCoMo,
    /// Questions about meetings.
    QmSum,
    /// Questions about documents, whose answers are ranges of characters.
    ChunkingEvaluation,
    /// Questions that need sentences of two pages at once.
    HotpotQa,
    /// What a model's next step uses of its history.
    Transcripts,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::LoCoMo, Self::QmSum, Self::ChunkingEvaluation, Self::HotpotQa, Self::Transcripts];

    /// Its name as an option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoCoMo => "locomo",
            Self::QmSum => "qmsum",
            Self::ChunkingEvaluation => "chunking",
            Self::HotpotQa => "hotpotqa",
            Self::Transcripts => "transcripts",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// Reads what is at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or has another shape.
    pub fn read(self, path: &Path) -> Result<Imported, ImportError> {
        self.read_with(path, &ImportOptions::default())
    }

    /// The same with choices that transcripts leave open.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_with(self, path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
        match self {
            Self::LoCoMo => locomo::import(&File::read(path)?),
            Self::QmSum => qmsum::import(&File::read(path)?),
            Self::ChunkingEvaluation => chunking::import(path),
            Self::HotpotQa => hotpotqa::import(&File::read(path)?),
            Self::Transcripts => {
                transcript::import(&File::read_all(path, &["json", "jsonl"])?, options)
            }
        }
    }
}

/// What transcripts leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// What a step of an assistant is asked with.
    pub asked: Asked,
    /// When and how far long outputs have shorter forms; `None` for never.
    pub shorten: Option<Shorten>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { asked: Asked::default(), shorten: Some(Shorten::default()) }
    }
}

/// What a step of an assistant is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Asked {
    /// What the user said last.
    User,
    /// That, and what the assistant said since, if it did: as requests are cut.
    #[default]
    Exchange,
}

impl Asked {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::User, Self::Exchange];

    /// Its name as an option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Exchange => "exchange",
        }
    }
}

/// A set as imported.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Imported {
    /// Its lines, pools before their questions.
    pub lines: Vec<Line>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl Imported {
    /// Notes that some questions were left out, if any were.
    fn left_out(&mut self, questions: usize, why: &str) {
        match questions {
            0 => {}
            1 => self.notes.push(format!("1 question was left out for {why}")),
            more => self.notes.push(format!("{more} questions were left out for {why}")),
        }
    }
}

/// Why nothing was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportError {
    /// The file, with line and column where they are known.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, problem, remedy } = self;
        write!(f, "{place}: {problem}; {remedy}")
    }
}

impl std::error::Error for ImportError {}

/// A file of a publisher.
#[derive(Debug, Clone)]
struct File {
    path: PathBuf,
    text: String,
}

impl File {
    fn read(path: &Path) -> Result<Self, ImportError> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
                Ok(Self { path: path.to_owned(), text })
            }
            Err(error) => Err(ImportError {
                place: path.display().to_string(),
                problem: format!("cannot be read: {error}"),
                remedy: "give the path of the publisher's file; docs/quality.md says which"
                    .to_owned(),
            }),
        }
    }

    /// The file, or all files of a folder that end like this, by name.
    fn read_all(path: &Path, endings: &[&str]) -> Result<Vec<Self>, ImportError> {
        if !path.is_dir() {
            return Ok(vec![Self::read(path)?]);
        }
        let unreadable = |error: std::io::Error| ImportError {
            place: path.display().to_string(),
            problem: format!("cannot be read: {error}"),
            remedy: "check the folder and its permissions".to_owned(),
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
            if endings.contains(&ending) {
                paths.push(path);
            }
        }
        paths.sort();
        if paths.is_empty() {
            return Err(ImportError {
                place: path.display().to_string(),
                problem: format!("no file here ends in {}", endings.join(" or ")),
                remedy: "name the folder that holds the files, or one of them".to_owned(),
            });
        }
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// Its name without folders and ending.
    fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// All of it as one JSON value.
    fn json<T: DeserializeOwned>(&self, expected: &str) -> Result<T, ImportError> {
        serde_json::from_str(&self.text).map_err(|error| self.is_no_json(&error, expected))
    }

    /// Its JSON values, one after the other: a single one, or JSON Lines.
    fn json_values<T: DeserializeOwned>(&self, expected: &str) -> Result<Vec<T>, ImportError> {
        let values = serde_json::Deserializer::from_str(&self.text).into_iter();
        values.collect::<Result<_, _>>().map_err(|error| self.is_no_json(&error, expected))
    }

    fn is_no_json(&self, error: &serde_json::Error, expected: &str) -> ImportError {
        let told = error.to_string();
        let problem = told.split(" at line ").next().unwrap_or(&told).to_owned();
        let place = match error.line() {
            // Found out after the text was read.
            0 => self.path.display().to_string(),
            line => format!("{}:{line}:{}", self.path.display(), error.column().max(1)),
        };
        ImportError { place, problem, remedy: format!("this should be {expected}") }
    }

    fn has_nothing(&self, what: &str) -> ImportError {
        ImportError {
            place: self.path.display().to_string(),
            problem: format!("there is no {what} in it"),
            remedy: "is this another file of the publisher's?".to_owned(),
        }
    }
}

/// Makes names different that are not: the second `a` becomes `a (2)`.
#[derive(Debug, Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn unique(&mut self, name: &str) -> String {
        let times = self.0.entry(name.to_owned()).or_default();
        *times += 1;
        match *times {
            1 => name.to_owned(),
            again => self.unique(&format!("{name} ({again})")),
        }
    }
}
