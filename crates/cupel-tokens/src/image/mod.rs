//! Images: how large they are, and how many tokens that is.
//!
//! What an image costs follows from its width and height, and never from the length of the text that
//! it is sent as. The size is read from the first bytes of the file ([`Size::of_bytes`],
//! [`Size::of_base64`]); of an image that is only a link it is unknown, and the count says what was
//! assumed.
//!
//! ```
//! use cupel_tokens::image::{self, Detail, Size};
//! use cupel_tokens::Model;
//!
//! let size = Size { width: 1000, height: 1000 };
//! let model = Model::by_name("claude-sonnet-4-5")?;
//! let count = image::tokens(model, Some(size), Detail::Auto).expect("it takes images");
//! assert_eq!((count.tokens, count.is_assumed), (1296, false));
//!
//! let count = image::tokens(model, None, Detail::Auto).expect("it takes images");
//! assert_eq!((count.size, count.is_assumed), (image::ASSUMED_SIZE, true));
//! # Ok::<(), cupel_tokens::UnknownName>(())
//! ```

mod base64;
mod formula;
mod size;

pub use formula::{Formula, Patches, Tiles};
pub use size::Size;

use crate::Model;

/// What an image of unknown size is taken to be: a screenshot, larger than most pictures that are sent.
pub const ASSUMED_SIZE: Size = Size { width: 1920, height: 1080 };

/// How closely a model is asked to look: OpenAI's `detail`, Gemini's media resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Detail {
    /// Left to the provider, which today is as `High`.
    #[default]
    Auto,
    /// `low`, `MEDIA_RESOLUTION_LOW`
    Low,
    /// `MEDIA_RESOLUTION_MEDIUM`; for OpenAI as `High`
    Medium,
    /// `high`, `MEDIA_RESOLUTION_HIGH`
    High,
    /// `original`, where OpenAI offers it
    Original,
}

impl Detail {
    /// The value that a request gives, in either provider's spelling.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match name.strip_prefix("media_resolution_").unwrap_or(&name) {
            "auto" | "unspecified" => Some(Self::Auto),
            "low" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" => Some(Self::High),
            "original" => Some(Self::Original),
            _ => None,
        }
    }
}

/// How many tokens an image is, and of which size it was taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageCount {
    /// Never negative.
    pub tokens: i64,
    /// The size that was counted with.
    pub size: Size,
    /// Whether that is [`ASSUMED_SIZE`], because the real one is unknown.
    pub is_assumed: bool,
}

/// How many tokens `model` makes of an image. `None` if it takes none.
#[must_use]
pub fn tokens(model: &Model, size: Option<Size>, detail: Detail) -> Option<ImageCount> {
    let formula = model.image?;
    let is_assumed = size.is_none();
    let size = size.unwrap_or(ASSUMED_SIZE);
    Some(ImageCount { tokens: formula.tokens(size, detail), size, is_assumed })
}
