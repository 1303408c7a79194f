//! Images, as bytes or as a link.

/// An image in a request.
///
/// ```
/// use cupel_messages::Image;
///
/// let by_its_bytes = Image::new("image/png", b"\x89PNG\r\n");
/// assert_eq!(by_its_bytes, Image::base64("image/png", "iVBORw0K"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image(pub(super) Source);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Data { media_type: String, base64: String },
    Url(String),
}

impl Image {
    /// An image by its bytes.
    pub fn new(media_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self::base64(media_type, encoded(bytes))
    }

    /// An image in base64.
    pub fn base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self(Source::Data { media_type: media_type.into(), base64: data.into() })
    }

    /// A link to an image, which the provider fetches. Its size is unknown: a common one is counted.
    pub fn url(url: impl Into<String>) -> Self {
        Self(Source::Url(url.into()))
    }

    /// The link, or the image as one.
    pub(super) fn to_url(&self) -> String {
        match &self.0 {
            Source::Data { media_type, base64 } => format!("data:{media_type};base64,{base64}"),
            Source::Url(url) => url.clone(),
        }
    }
}

impl Source {
    /// The media type: as given, or as the ending of a link tells.
    pub(super) fn media_type(&self) -> Option<&str> {
        let url = match self {
            Self::Data { media_type, .. } => return Some(media_type),
            Self::Url(url) => url.split(['?', '#']).next()?,
        };
        let (_, ending) = url.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "png" => Some("image/png"),
            "jpg" | "jpeg" => Some("image/jpeg"),
            "gif" => Some("image/gif"),
            "webp" => Some("image/webp"),
            _ => None,
        }
    }
}

/// Bytes in base64.
fn encoded(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_what_others_make_of_the_same_bytes() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(encoded(bytes.as_bytes()), text);
        }
        assert_eq!(encoded(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn a_link_tells_its_media_type_by_its_ending() {
        let of = |url: &str| Source::Url(url.to_owned()).media_type().map(str::to_owned);
        assert_eq!(of("https://a.b/c.JPG?size=1.0"), Some("image/jpeg".to_owned()));
        assert_eq!(of("https://a.b/c"), None);
    }
}
