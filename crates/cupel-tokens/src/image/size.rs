//! Reading width and height from the first bytes of an image.

use super::base64::Base64;

/// Width and height, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

impl Size {
    /// The size of a PNG, JPEG, GIF or WebP image, from as much of the file as there is. `None` if it is
    /// none of these, or ends before it says.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::read(bytes)
    }

    /// The same of an image in base64, of which only the few bytes that are needed are decoded.
    #[must_use]
    pub fn of_base64(text: &str) -> Option<Self> {
        match Base64::new(text) {
            Base64::Plain(it) => Self::read(&it),
            Base64::Wrapped(bytes) => Self::read(&*bytes),
        }
    }

    /// The same of a `data:` URL in base64. `None` for any other URL.
    #[must_use]
    pub fn of_data_url(url: &str) -> Option<Self> {
        let scheme = url.get(..5)?;
        let (kind, data) = url.split_once(',')?;
        let is_base64 = kind.len() >= 7 && kind.is_char_boundary(kind.len() - 7) && {
            kind[kind.len() - 7..].eq_ignore_ascii_case(";base64")
        };
        (scheme.eq_ignore_ascii_case("data:") && is_base64).then(|| Self::of_base64(data))?
    }

    /// The longer side.
    #[must_use]
    pub fn longest(self) -> u32 {
        self.width.max(self.height)
    }

    /// The shorter side.
    #[must_use]
    pub fn shortest(self) -> u32 {
        self.width.min(self.height)
    }

    fn read(bytes: &(impl Bytes + ?Sized)) -> Option<Self> {
        let (width, height) = match bytes.at(0)? {
            0x89 => png(bytes)?,
            b'G' => gif(bytes)?,
            b'R' => webp(bytes)?,
            0xff => jpeg(bytes)?,
            _ => return None,
        };
        (width > 0 && height > 0).then_some(Self { width, height })
    }
}

/// Bytes that can be looked at one by one, wherever they are.
pub(super) trait Bytes {
    fn at(&self, position: usize) -> Option<u8>;

    fn has(&self, position: usize, expected: &[u8]) -> bool {
        expected.iter().enumerate().all(|(at, byte)| self.at(position + at) == Some(*byte))
    }

    /// The number in `count` bytes, most significant first.
    fn big_endian(&self, position: usize, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |sum, at| Some(sum << 8 | u32::from(self.at(position + at)?)))
    }

    /// The number in `count` bytes, least significant first.
    fn little_endian(&self, position: usize, count: usize) -> Option<u32> {
        (0..count).rev().try_fold(0, |sum, at| Some(sum << 8 | u32::from(self.at(position + at)?)))
    }
}

impl Bytes for [u8] {
    fn at(&self, position: usize) -> Option<u8> {
        self.get(position).copied()
    }
}

type Sides = (u32, u32);

fn png(bytes: &(impl Bytes + ?Sized)) -> Option<Sides> {
    let is_png = bytes.has(0, b"\x89PNG\r\n\x1a\n") && bytes.has(12, b"IHDR");
    is_png.then_some((bytes.big_endian(16, 4)?, bytes.big_endian(20, 4)?))
}

fn gif(bytes: &(impl Bytes + ?Sized)) -> Option<Sides> {
    let is_gif = bytes.has(0, b"GIF87a") || bytes.has(0, b"GIF89a");
    is_gif.then_some((bytes.little_endian(6, 2)?, bytes.little_endian(8, 2)?))
}

/// Three kinds of file go by this name: lossy, lossless, and extended by a chunk that says the size of
/// the canvas.
fn webp(bytes: &(impl Bytes + ?Sized)) -> Option<Sides> {
    if !bytes.has(0, b"RIFF") || !bytes.has(8, b"WEBP") {
        return None;
    }
    if bytes.has(12, b"VP8 ") {
        let starts = bytes.has(23, &[0x9d, 0x01, 0x2a]);
        let side = |at| Some(bytes.little_endian(at, 2)? & 0x3fff);
        starts.then_some((side(26)?, side(28)?))
    } else if bytes.has(12, b"VP8L") {
        let bits = bytes.little_endian(21, 4)?;
        bytes.has(20, &[0x2f]).then_some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
    } else if bytes.has(12, b"VP8X") {
        Some((bytes.little_endian(24, 3)? + 1, bytes.little_endian(27, 3)? + 1))
    } else {
        None
    }
}

/// Segments follow each other, each with its length, until one begins the frame.
fn jpeg(bytes: &(impl Bytes + ?Sized)) -> Option<Sides> {
    if !bytes.has(0, &[0xff, 0xd8]) {
        return None;
    }
    let mut position = 2;
    loop {
        if bytes.at(position)? != 0xff {
            return None;
        }
        let marker = bytes.at(position + 1)?;
        match marker {
            // Padding, and markers without a segment.
            0xff => position += 1,
            0x01 | 0xd0..=0xd7 => position += 2,
            // Frames. Among their numbers are three that begin something else.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((
                    bytes.big_endian(position + 7, 2)?,
                    bytes.big_endian(position + 5, 2)?,
                ));
            }
            // The image itself, or its end, before any frame.
            0xd9 | 0xda | 0x00 => return None,
            _ => {
                let length = bytes.big_endian(position + 2, 2)?;
                // A length counts its own two bytes.
                position += 2 + usize::try_from(length).ok().filter(|it| *it >= 2)?;
            }
        }
    }
}
