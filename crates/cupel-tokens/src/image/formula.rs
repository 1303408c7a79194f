//! What providers publish about the tokens of an image.
//!
//! All of it in whole numbers, so that every machine agrees: a scaled side is a fraction, and only the
//! number of patches or tiles that it takes is rounded, up.

use super::{Detail, Size};
use crate::Factor;

/// The side of OpenAI's tiles.
const TILE: u64 = 512;
/// The side of OpenAI's patches.
const PATCH: u64 = 32;
/// The side of Anthropic's patches.
const CELL: u64 = 28;
/// The side of Gemini's tiles, what one costs, and the side up to which an image is a single one.
const SQUARE: u64 = 768;
const PER_SQUARE: u64 = 258;
const SINGLE_SQUARE: u32 = 384;

/// How many tokens an image of some size is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formula {
    /// OpenAI, older: tiles of 512 pixels.
    Tiles(Tiles),
    /// OpenAI, newer: patches of 32 pixels.
    Patches(Patches),
    /// Anthropic: patches of 28 pixels, after scaling down to a longest side and a number of tokens.
    Grid {
        /// In pixels.
        longest_side: u32,
        /// Which is also the most that an image can cost.
        most_tokens: u32,
    },
    /// Gemini before 3: 258 up to 384 x 384, else 258 for each tile of 768 pixels.
    Squares,
    /// Gemini 3: by the media resolution that is asked for, whatever the size.
    ByDetail {
        /// At `MEDIA_RESOLUTION_LOW`.
        low: i64,
        /// At `MEDIA_RESOLUTION_MEDIUM`.
        medium: i64,
        /// At `MEDIA_RESOLUTION_HIGH`, which is the default for images.
        high: i64,
    },
}

/// A price for the image and one for each tile of it, after fitting it into 2,048 x 2,048 and its
/// short side into 768. An image in low detail is the base alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiles {
    /// Once.
    pub base: i64,
    /// For each tile.
    pub tile: i64,
}

/// A number of patches, times a factor. Limits are the longest side in pixels and the number of
/// patches; larger images are scaled down to them. In low detail an image is fitted into 512 x 512.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patches {
    /// Tokens for each patch, the sum rounded up.
    pub factor: Factor,
    /// Limits in high detail.
    pub high: (u32, u32),
    /// Limits in original detail.
    pub original: (u32, u32),
}

impl Formula {
    /// How many tokens an image of this size is.
    #[must_use]
    pub fn tokens(self, size: Size, detail: Detail) -> i64 {
        let size = Size { width: size.width.max(1), height: size.height.max(1) };
        match self {
            Self::Tiles(tiles) => tiles.tokens(size, detail),
            Self::Patches(patches) => patches.tokens(size, detail),
            Self::Grid { longest_side, most_tokens } => {
                saturating(cells(size, longest_side, most_tokens))
            }
            Self::Squares => saturating(squares(size).saturating_mul(PER_SQUARE)),
            Self::ByDetail { low, medium, high } => match detail {
                Detail::Low => low,
                Detail::Medium => medium,
                Detail::Auto | Detail::High | Detail::Original => high,
            },
        }
    }
}

impl Tiles {
    fn tokens(self, size: Size, detail: Detail) -> i64 {
        if detail == Detail::Low {
            return self.base;
        }
        let (long, short) = (size.longest(), size.shortest());
        // Both steps only ever scale down, so that the narrower of the two decides.
        let fit = Scale::at_most(2048, long).min(Scale::at_most(768, short));
        let tiles = fit.pieces(size.width, TILE) * fit.pieces(size.height, TILE);
        saturating(tiles).saturating_mul(self.tile).saturating_add(self.base)
    }
}

impl Patches {
    fn tokens(self, size: Size, detail: Detail) -> i64 {
        let (longest_side, most) = match detail {
            Detail::Low => (512, u32::MAX),
            Detail::Auto | Detail::Medium | Detail::High => self.high,
            Detail::Original => self.original,
        };
        let fit = Scale::at_most(longest_side, size.longest());
        let patches = fit.pieces(size.width, PATCH) * fit.pieces(size.height, PATCH);
        let patches = match patches > u64::from(most) {
            true => most_patches(size, u64::from(most)),
            false => patches,
        };
        self.factor.apply(saturating(patches))
    }
}

/// The patches of an image that has too many, scaled down as OpenAI describes it: to the area of
/// `most` patches, and then until one side is a whole number of them.
fn most_patches(size: Size, most: u64) -> u64 {
    let (width, height) = (u64::from(size.width), u64::from(size.height));
    let columns = (most * width / height).isqrt().max(1);
    let rows = (most * height / width).isqrt().max(1);
    let patches = match columns * height < rows * width {
        true => columns * (columns * height).div_ceil(width),
        false => rows * (rows * width).div_ceil(height),
    };
    patches.min(most)
}

/// Anthropic's patches at the largest scale at which they respect both limits.
fn cells(size: Size, longest_side: u32, most: u32) -> u64 {
    let (width, height, most) = (u64::from(size.width), u64::from(size.height), u64::from(most));
    let fit = Scale::at_most(longest_side, size.longest());
    let (columns, rows) = (fit.pieces(size.width, CELL), fit.pieces(size.height, CELL));
    if columns * rows <= most {
        return columns * rows;
    }
    // Growing an image adds a column or a row at a time, right after one of its sides is a whole
    // number of patches. So the most that fits is found at such a scale.
    let by_columns = (1..=columns.min(most)).map(|it| it * (it * height).div_ceil(width));
    let by_rows = (1..=rows.min(most)).map(|it| it * (it * width).div_ceil(height));
    by_columns.chain(by_rows).filter(|cells| *cells <= most).max().unwrap_or(most)
}

fn squares(size: Size) -> u64 {
    match size.longest() <= SINGLE_SQUARE {
        true => 1,
        false => u64::from(size.width).div_ceil(SQUARE) * u64::from(size.height).div_ceil(SQUARE),
    }
}

/// A fraction that sides are multiplied by, at most 1.
#[derive(Debug, Clone, Copy)]
struct Scale {
    to: u64,
    from: u64,
}

impl Scale {
    /// Brings `side` down to `limit`, if it is longer.
    fn at_most(limit: u32, side: u32) -> Self {
        Self { to: u64::from(limit.min(side)), from: u64::from(side) }
    }

    fn min(self, other: Self) -> Self {
        if self.to * other.from <= other.to * self.from { self } else { other }
    }

    /// How many pieces of `length` pixels cover `side` when it is scaled.
    fn pieces(self, side: u32, length: u64) -> u64 {
        (u64::from(side) * self.to).div_ceil(self.from * length)
    }
}

fn saturating(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
