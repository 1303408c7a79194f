//! Base64, as far as it is looked at.

use super::size::Bytes;

/// How much of wrapped text is unwrapped: the size of an image stands within it, unless somebody
/// put a book in front.
const UNWRAPPED: usize = 1 << 20;

/// Text in base64, in the usual or the URL-safe alphabet.
pub(super) enum Base64<'t> {
    /// On one line, so that any byte can be decoded where it stands.
    Plain(OneLine<'t>),
    /// Broken into lines, as in mail: its beginning, decoded.
    Wrapped(Box<[u8]>),
}

impl<'t> Base64<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let text = text.trim_ascii_start();
        // Lines are no longer than 76 characters where they are broken at all.
        let beginning = &text.as_bytes()[..text.len().min(80)];
        if !beginning.iter().any(u8::is_ascii_whitespace) {
            return Self::Plain(OneLine(text.as_bytes()));
        }
        let unwrapped: Vec<u8> =
            text.bytes().filter(|byte| !byte.is_ascii_whitespace()).take(UNWRAPPED).collect();
        let line = OneLine(&unwrapped);
        Self::Wrapped((0..).map_while(|position| line.at(position)).collect())
    }
}

pub(super) struct OneLine<'t>(&'t [u8]);

impl Bytes for OneLine<'_> {
    /// Three bytes are four characters of six bits.
    fn at(&self, position: usize) -> Option<u8> {
        let first = position / 3 * 4 + position % 3;
        let (high, low) = (self.six_bits(first)?, self.six_bits(first + 1)?);
        Some(match position % 3 {
            0 => high << 2 | low >> 4,
            1 => high << 4 | low >> 2,
            _ => high << 6 | low,
        })
    }
}

impl OneLine<'_> {
    fn six_bits(&self, position: usize) -> Option<u8> {
        match *self.0.get(position)? {
            letter @ b'A'..=b'Z' => Some(letter - b'A'),
            letter @ b'a'..=b'z' => Some(letter - b'a' + 26),
            digit @ b'0'..=b'9' => Some(digit - b'0' + 52),
            b'+' | b'-' => Some(62),
            b'/' | b'_' => Some(63),
            _ => None,
        }
    }
}
