//! How many tokens is it?

use std::borrow::Cow;
use std::ops::{Add, AddAssign};

use cupel_tokens::Basis;

use crate::json::{Json, compact};
use crate::model::{Media, Message, Piece, Role};
use crate::provider::Fixed;
use crate::{Format, Request};

/// Says what the pieces of a request cost.
///
/// Only [`text`](Self::text) is required. A meter is a pure function: the same text, the same number.
pub trait Meter: Send + Sync {
    /// Tokens of a text.
    fn text(&self, text: &str) -> i64;

    /// Tokens of an image, a recording or a file.
    ///
    /// The default knows no dimensions: 1,600 for an image, 1,000 for a minute of sound or a page of a file, 16,000 for a video.
    fn media(&self, media: &MediaPart<'_>) -> i64 {
        match media.kind {
            Media::Image => 1_600,
            Media::Audio | Media::File => 1_000,
            Media::Video => 16_000,
        }
    }

    /// What a message costs beside what it says.
    fn per_message(&self) -> i64 {
        3
    }

    /// What a message costs more when it names its speaker.
    fn per_name(&self) -> i64 {
        1
    }

    /// What a request costs beside its messages.
    fn per_request(&self) -> i64 {
        3
    }

    /// What a request costs more when it defines tools, beside their definitions.
    fn with_tools(&self) -> i64 {
        0
    }

    /// What the numbers are based on.
    fn basis(&self) -> Basis {
        Basis::Custom
    }
}

/// Media to be counted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MediaPart<'a> {
    /// What sort it is.
    pub kind: Media,
    /// Whose message it is in.
    pub format: Format,
    /// The model of the request, if that says one.
    pub model: Option<&'a str>,
    /// The part that describes it, as JSON.
    pub json: &'a str,
}

impl MediaPart<'_> {
    /// The media itself, as a data URL or in base64, or the link to it.
    pub fn source(&self) -> Option<Cow<'_, str>> {
        self.format.provider().media_source(Json::trusted(self.json))?.string()
    }

    /// How closely the model is asked to look, in the provider's word.
    pub fn detail(&self) -> Option<Cow<'_, str>> {
        self.format.provider().media_detail(Json::trusted(self.json))?.string()
    }
}

/// Four characters a token, rounded up; wide characters (CJK) count as one each.
///
/// An estimate for whoever has no vocabulary at hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Estimate;

impl Meter for Estimate {
    fn text(&self, text: &str) -> i64 {
        let quarters: i64 =
            text.chars().map(|c| if ('\u{2e80}'..='\u{fffd}').contains(&c) { 4 } else { 1 }).sum();
        (quarters + 3) / 4
    }
}

/// Tokens of a request by what they are spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tokens {
    /// System instructions, wherever they stand.
    pub system: i64,
    /// Tool definitions and output schemas.
    pub tools: i64,
    /// What is said in messages, calls and answers included, and what each message costs beside it.
    pub messages: i64,
    /// Images, recordings and files in messages.
    pub media: i64,
    /// What a request costs beside all of that.
    pub request: i64,
}

impl Tokens {
    /// All of it.
    pub fn total(&self) -> i64 {
        let parts = [self.system, self.tools, self.messages, self.media, self.request];
        parts.into_iter().fold(0, i64::saturating_add)
    }
}

impl Add for Tokens {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            system: self.system.saturating_add(other.system),
            tools: self.tools.saturating_add(other.tools),
            messages: self.messages.saturating_add(other.messages),
            media: self.media.saturating_add(other.media),
            request: self.request.saturating_add(other.request),
        }
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Counts the messages of one request.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'a> {
    pub(crate) meter: &'a dyn Meter,
    pub(crate) format: Format,
    pub(crate) model: Option<&'a str>,
}

impl Counting<'_> {
    /// What a message costs.
    pub(crate) fn message(&self, message: &Message) -> Tokens {
        self.parts(message, |_| true)
    }

    /// What a message costs with only the parts that `counts`.
    pub(crate) fn parts(&self, message: &Message, counts: impl Fn(usize) -> bool) -> Tokens {
        let (mut words, mut media) = (self.beside_words(message), 0_i64);
        let parts = message.parts.iter().enumerate().filter(|(at, _)| counts(*at));
        for piece in parts.flat_map(|(_, part)| &part.pieces) {
            match piece {
                Piece::Text(said) => {
                    words = words.saturating_add(self.text(said.in_text(&message.text)))
                }
                Piece::Media(kind, range) => {
                    let json = &message.text[range.clone()];
                    let part =
                        MediaPart { kind: *kind, format: self.format, model: self.model, json };
                    media = media.saturating_add(self.meter.media(&part).max(0));
                }
            }
        }
        match message.role {
            Role::System => Tokens { system: words, media, ..Tokens::default() },
            _ => Tokens { messages: words, media, ..Tokens::default() },
        }
    }

    /// What a message costs beside what it says.
    pub(crate) fn beside_words(&self, message: &Message) -> i64 {
        let name = if message.named { self.meter.per_name() } else { 0 };
        self.meter.per_message().saturating_add(name)
    }

    /// What stands beside the messages costs.
    pub(crate) fn fixed(&self, fixed: Fixed, value: Json<'_>) -> Tokens {
        let tokens = match fixed {
            Fixed::System => {
                words_of(value).iter().map(|text| self.text(text)).fold(0, i64::saturating_add)
            }
            Fixed::Tools => self.text(&compact(value)),
        };
        match fixed {
            Fixed::System => Tokens { system: tokens, ..Tokens::default() },
            Fixed::Tools => Tokens { tools: tokens, ..Tokens::default() },
        }
    }

    /// A meter is the caller's: a negative count is none.
    pub(crate) fn text(&self, text: &str) -> i64 {
        if text.is_empty() { 0 } else { self.meter.text(text).max(0) }
    }
}

/// The texts of a system instruction: a string, blocks, or parts.
fn words_of(value: Json<'_>) -> Vec<Cow<'_, str>> {
    if let Some(text) = value.string() {
        return vec![text];
    }
    let blocks = if value.is_array() {
        value.elements()
    } else {
        value.get("parts").map_or(vec![value], Json::elements)
    };
    blocks
        .into_iter()
        .filter_map(|block| block.string().or_else(|| block.get_string("text")))
        .collect()
}

impl Request {
    /// What the request costs, part by part.
    pub fn count(&self, meter: &dyn Meter) -> Tokens {
        let counting = self.counting(meter);
        let messages = self.messages().iter().map(|message| counting.message(message));
        messages.fold(self.count_fixed(meter), Add::add)
    }

    /// What each message costs, in their order.
    pub fn count_messages(&self, meter: &dyn Meter) -> Vec<Tokens> {
        let counting = self.counting(meter);
        self.messages().iter().map(|message| counting.message(message)).collect()
    }

    /// What stands beside the messages costs.
    pub(crate) fn count_fixed(&self, meter: &dyn Meter) -> Tokens {
        let counting = self.counting(meter);
        let mut sum = Tokens { request: meter.per_request().max(0), ..Tokens::default() };
        for (fixed, value) in self.fixed() {
            sum += counting.fixed(fixed, value);
        }
        if sum.tools > 0 {
            sum.tools = sum.tools.saturating_add(meter.with_tools().max(0));
        }
        sum
    }

    pub(crate) fn counting<'a>(&'a self, meter: &'a dyn Meter) -> Counting<'a> {
        Counting { meter, format: self.format(), model: self.model() }
    }
}
