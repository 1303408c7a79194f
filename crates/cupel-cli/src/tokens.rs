//! Counting tokens for items that come without a count.

use std::str::FromStr;

use cupel_tokens::{Counter, UnknownName};

/// A model or a vocabulary, by name. Vocabularies are loaded when first used, and only then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tokenizer(cupel_tokens::Tokenizer);

impl Tokenizer {
    /// How many tokens `text` is. Special tokens in it count as the plain text they are.
    pub(crate) fn count(self, text: &str) -> i64 {
        self.0.count(text)
    }

    /// What it counts for and with: `o200k_base`, `gpt-4o (o200k_base)`.
    pub(crate) fn name(self) -> String {
        self.0.to_string()
    }

    /// What it is asked for by.
    pub(crate) fn key(self) -> String {
        match self.0 {
            cupel_tokens::Tokenizer::Vocabulary(vocabulary) => vocabulary.to_string(),
            cupel_tokens::Tokenizer::Model(model) => model.family.to_owned(),
        }
    }

    /// The counter itself.
    pub(crate) fn counter(self) -> cupel_tokens::Tokenizer {
        self.0
    }

    /// Whether the provider may count otherwise.
    pub(crate) fn is_estimate(self) -> bool {
        self.0.basis().is_estimate()
    }
}

impl Default for Tokenizer {
    /// What most current models count with.
    fn default() -> Self {
        Self(cupel_tokens::Tokenizer::Vocabulary(cupel_tokens::Vocabulary::O200kBase))
    }
}

impl From<cupel_tokens::Tokenizer> for Tokenizer {
    fn from(tokenizer: cupel_tokens::Tokenizer) -> Self {
        Self(tokenizer)
    }
}

impl FromStr for Tokenizer {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        cupel_tokens::Tokenizer::by_name(name).map(Self)
    }
}
