//! Counting tokens for items that come without a count.

use clap::ValueEnum;
use tiktoken_rs::CoreBPE;

/// A vocabulary. It is loaded when first used, and only then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tokenizer {
    /// GPT-4o, GPT-4.1, GPT-5, o1, o3, o4
    #[value(name = "o200k_base")]
    O200kBase,
    /// gpt-oss
    #[value(name = "o200k_harmony")]
    O200kHarmony,
    /// GPT-4, GPT-3.5 and the text-embedding-3 models
    #[value(name = "cl100k_base")]
    Cl100kBase,
    /// Codex and text-davinci-003
    #[value(name = "p50k_base")]
    P50kBase,
    /// The edit models
    #[value(name = "p50k_edit")]
    P50kEdit,
    /// GPT-3 and GPT-2
    #[value(name = "r50k_base")]
    R50kBase,
}

impl Tokenizer {
    /// How many tokens `text` is. Special tokens in it count as the plain text they are.
    pub(crate) fn count(self, text: &str) -> i64 {
        i64::try_from(self.vocabulary().count_ordinary(text)).unwrap_or(i64::MAX)
    }

    fn vocabulary(self) -> &'static CoreBPE {
        match self {
            Self::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Self::O200kHarmony => tiktoken_rs::o200k_harmony_singleton(),
            Self::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Self::P50kBase => tiktoken_rs::p50k_base_singleton(),
            Self::P50kEdit => tiktoken_rs::p50k_edit_singleton(),
            Self::R50kBase => tiktoken_rs::r50k_base_singleton(),
        }
    }

    /// Its name, as on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
