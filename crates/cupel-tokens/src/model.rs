//! What is known of a model: how it counts text, images and sound, and what a request costs besides.

use std::fmt;
use std::time::Duration;

use crate::image::Formula;
use crate::{Basis, Counter, Factor, UnknownName, Vocabulary, name, table};

/// How a family of models counts. Plain data: copy it and change what you know better.
///
/// ```
/// use cupel_tokens::{Counter, Factor, Model};
///
/// let mut model = *Model::by_name("claude-sonnet-5.5")?;
/// assert_eq!(model.count("hello world"), 4);
/// model.factor = Factor::from_thousandths(3_000);
/// assert_eq!(model.count("hello world"), 6);
/// # Ok::<(), cupel_tokens::UnknownName>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// What the models of this row are called together.
    pub family: &'static str,
    /// Who offers them.
    pub provider: Provider,
    /// The vocabulary that text is counted with.
    pub vocabulary: Vocabulary,
    /// What the count is multiplied by, where the vocabulary is another model's. `None` means that it
    /// is the model's own, and that counts of text are exact.
    pub factor: Option<Factor>,
    /// What a request costs beyond its texts.
    pub overhead: Overhead,
    /// How images are counted; `None` for models that take none.
    pub image: Option<Formula>,
    /// What a second of sound costs; `None` where no number is published.
    pub audio_per_second: Option<i64>,
    /// What a second of video costs, its sound included; `None` where no number is published.
    pub video_per_second: Option<i64>,
}

/// Who offers a model, which decides the form of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI: GPT, o1, o3, o4, gpt-oss
    OpenAi,
    /// Anthropic: Claude
    Anthropic,
    /// Google: Gemini
    Google,
}

/// What a request costs beyond the texts in it, in tokens.
///
/// Tool definitions are counted as the compact JSON that they are sent as, plus `with_tools` once.
/// Providers rewrite definitions into a form of their own that none of them documents, and that is
/// seldom longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overhead {
    /// For every message.
    pub per_message: i64,
    /// For a message that has a `name`, in addition to the name itself.
    pub per_name: i64,
    /// Once, for the beginning of the reply.
    pub per_reply: i64,
    /// Once, if any tools are defined.
    pub with_tools: i64,
}

impl Model {
    /// The model with this name, as providers, routers and clouds spell it: `gpt-4o-mini-2024-07-18`,
    /// `openai/gpt-4o`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `models/gemini-2.5-flash`.
    ///
    /// # Errors
    ///
    /// If no family is known that it could belong to; the error lists names that are spelled alike.
    pub fn by_name(name: &str) -> Result<&'static Self, UnknownName> {
        name::find(name)
    }

    /// Every family there is a row for, as `docs/tokens.md` lists them.
    pub fn families() -> impl Iterator<Item = &'static Self> {
        table::ROWS.iter().map(|row| &row.model)
    }

    /// What `duration` of sound costs, begun seconds counted as whole ones.
    #[must_use]
    pub fn audio_tokens(&self, duration: Duration) -> Option<i64> {
        self.audio_per_second.map(|tokens| per_second(tokens, duration))
    }

    /// What `duration` of video costs, begun seconds counted as whole ones.
    #[must_use]
    pub fn video_tokens(&self, duration: Duration) -> Option<i64> {
        self.video_per_second.map(|tokens| per_second(tokens, duration))
    }
}

fn per_second(tokens: i64, duration: Duration) -> i64 {
    let seconds = duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0));
    i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(tokens)
}

impl Counter for Model {
    fn count(&self, text: &str) -> i64 {
        let tokens = self.vocabulary.count(text);
        self.factor.map_or(tokens, |factor| factor.apply(tokens))
    }

    fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
        match self.factor {
            None => self.vocabulary.count_up_to(text, limit),
            Some(factor) => {
                let tokens = self.vocabulary.count_up_to(text, factor.undo(limit))?;
                Some(factor.apply(tokens))
            }
        }
    }

    fn basis(&self) -> Basis {
        let vocabulary = self.vocabulary;
        match self.factor {
            None => Basis::Exact { vocabulary },
            Some(factor) => Basis::Estimate { vocabulary, factor },
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Google => "Google",
        })
    }
}
