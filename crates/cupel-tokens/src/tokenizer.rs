//! What people name when they are asked what to count with.

use std::fmt;
use std::str::FromStr;

use crate::{Basis, Counter, Model, UnknownName, Vocabulary};

/// A vocabulary or a model, by name.
///
/// ```
/// use cupel_tokens::{Counter, Tokenizer};
///
/// let tokenizer: Tokenizer = "openai/gpt-4o".parse()?;
/// assert_eq!(tokenizer.count("hello world"), 2);
/// assert_eq!(tokenizer.to_string(), "gpt-4o (o200k_base)");
/// # Ok::<(), cupel_tokens::UnknownName>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokenizer {
    /// Counts exactly with this vocabulary.
    Vocabulary(Vocabulary),
    /// Counts as this model does, or as near as is known.
    Model(Model),
}

impl Tokenizer {
    /// What goes by this name.
    ///
    /// # Errors
    ///
    /// If nothing does; the error lists what is spelled alike.
    pub fn by_name(name: &str) -> Result<Self, UnknownName> {
        match Vocabulary::by_name(name) {
            Some(vocabulary) => Ok(Self::Vocabulary(vocabulary)),
            None => Model::by_name(name).map(|model| Self::Model(*model)),
        }
    }
}

impl Counter for Tokenizer {
    fn count(&self, text: &str) -> i64 {
        match self {
            Self::Vocabulary(it) => it.count(text),
            Self::Model(it) => it.count(text),
        }
    }

    fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
        match self {
            Self::Vocabulary(it) => it.count_up_to(text, limit),
            Self::Model(it) => it.count_up_to(text, limit),
        }
    }

    fn basis(&self) -> Basis {
        match self {
            Self::Vocabulary(it) => it.basis(),
            Self::Model(it) => it.basis(),
        }
    }
}

impl FromStr for Tokenizer {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::by_name(name)
    }
}

/// What it is and what it is based on: `gpt-4o (o200k_base)`.
impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vocabulary(vocabulary) => vocabulary.fmt(f),
            Self::Model(model) => write!(f, "{} ({})", model.family, model.basis()),
        }
    }
}
