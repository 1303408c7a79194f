//! Vocabularies, and counting with them.

use std::fmt;

use tiktoken::CoreBpe;

use crate::{Basis, Counter, up_to};

/// A published vocabulary. It is loaded when first counted with, and only then.
///
/// ```
/// use cupel_tokens::{Counter, Vocabulary};
///
/// assert_eq!(Vocabulary::O200kBase.count("hello world"), 2);
/// assert_eq!(Vocabulary::by_name("cl100k_base"), Some(Vocabulary::Cl100kBase));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// GPT-4o and everything after it; o1, o3, o4
    O200kBase,
    /// gpt-oss
    O200kHarmony,
    /// GPT-4, GPT-3.5 and the text-embedding-3 models
    Cl100kBase,
    /// Codex and text-davinci-003
    P50kBase,
    /// The edit models
    P50kEdit,
    /// GPT-3 and GPT-2
    R50kBase,
}

impl Vocabulary {
    /// All there are, newest first.
    pub const ALL: [Self; 6] = [
        Self::O200kBase,
        Self::O200kHarmony,
        Self::Cl100kBase,
        Self::P50kBase,
        Self::P50kEdit,
        Self::R50kBase,
    ];

    /// The vocabulary with this name, in any case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(name))
    }

    /// The name it was published under.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::P50kEdit => "p50k_edit",
            Self::R50kBase => "r50k_base",
        }
    }

    /// How many bytes the longest of its tokens has. No text has fewer tokens than its length
    /// divided by this.
    pub(crate) const fn longest_token(self) -> usize {
        128
    }

    /// Whether a run of line breaks is always a piece of its own, or the end of one.
    pub(crate) const fn splits_at_line_breaks(self) -> bool {
        matches!(self, Self::O200kBase | Self::O200kHarmony | Self::Cl100kBase)
    }

    fn encoding(self) -> &'static CoreBpe {
        tiktoken::get_encoding(self.name()).expect("the features of the dependency include all six")
    }
}

/// Special tokens in a text, such as `<|endoftext|>`, count as the plain text they are.
impl Counter for Vocabulary {
    fn count(&self, text: &str) -> i64 {
        i64::try_from(self.encoding().count(text)).unwrap_or(i64::MAX)
    }

    fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
        up_to::count_up_to(*self, text, limit, |part| self.count(part))
    }

    fn basis(&self) -> Basis {
        Basis::Exact { vocabulary: *self }
    }
}

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
