//! One neutral form of a conversation: messages, and the parts they are made of.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::json::{Json, Splices, compact, within};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions of whoever runs the model.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Answers to the model's calls, whatever role the provider gives them.
    Tool,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a part of a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// Words.
    Text,
    /// An image, a recording, a file.
    Media(Media),
    /// A text to read, with a title perhaps.
    Document,
    /// The model's reasoning, which providers check and clients must not edit.
    Thinking,
    /// The model asks for a tool.
    Call(Call),
    /// What the tool said.
    Answer(Answer),
    /// Something the provider made for itself: never looked into, never edited.
    Opaque,
    /// The same, standing for all that was said before it.
    Summary,
}

/// What sort of media.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Media {
    /// A still image.
    Image,
    /// Sound.
    Audio,
    /// Moving images.
    Video,
    /// Anything else in a file, a PDF for instance.
    File,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its id; Gemini may leave it out.
    pub id: Option<String>,
    /// The tool's name, or its type where it has no name.
    pub name: String,
    /// The provider's word for this sort of call.
    pub(crate) sort: Cow<'static, str>,
}

impl Call {
    /// What to call it in messages.
    pub(crate) fn known_as(&self) -> String {
        self.id.clone().unwrap_or_else(|| self.name.clone())
    }
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The id of the call it answers; Gemini may leave it out.
    pub id: Option<String>,
    /// The tool's name, where the provider repeats it.
    pub name: Option<String>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub(crate) kind: PartKind,
    /// Where it stands in the message, if it can be taken out as an element of the content.
    pub(crate) element: Option<Range<usize>>,
    /// What of it a model reads.
    pub(crate) pieces: Vec<Piece>,
    /// The value that a shorter form replaces.
    pub(crate) body: Option<Range<usize>>,
}

impl Part {
    /// What it is.
    pub fn kind(&self) -> &PartKind {
        &self.kind
    }

    pub(crate) fn new(kind: PartKind) -> Self {
        Self { kind, element: None, pieces: Vec::new(), body: None }
    }
}

/// Something that costs tokens, by its place in the message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// A string's decoded text, or another value as it is spelled.
    Text(Words),
    /// Media, with the JSON that describes it.
    Media(Media, Range<usize>),
}

/// What a string says, or how another value is spelled without layout: kept if that is not how it stands in the
/// message, because it is asked for several times.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Words {
    range: Range<usize>,
    other: Option<Arc<str>>,
}

impl Words {
    /// The words of a value, a slice of the message's `text`.
    pub(crate) fn of(text: &str, value: Json<'_>) -> Self {
        let words = value.string().unwrap_or_else(|| compact(value));
        match words {
            Cow::Borrowed(words) => Self { range: within(text, words), other: None },
            Cow::Owned(words) => {
                Self { range: within(text, value.text()), other: Some(words.into()) }
            }
        }
    }

    pub(crate) fn in_text<'a>(&'a self, text: &'a str) -> &'a str {
        self.other.as_deref().unwrap_or_else(|| &text[self.range.clone()])
    }
}

/// What a message may say to us under the key `cupel`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// Higher is more important.
    pub priority: Option<i64>,
    /// Always in the window.
    pub pinned: bool,
    /// For scorers that look at tags.
    pub tags: Vec<String>,
    /// Only for this turn, as a reminder or what was retrieved for it: sessions expect it to be gone in the next.
    pub volatile: bool,
}

/// A message, with the JSON it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Shared, as its parts are, with whatever becomes of the message: an edited one is read anew.
    pub(crate) text: Arc<str>,
    pub(crate) role: Role,
    pub(crate) parts: Arc<[Part]>,
    /// The value that holds the parts.
    pub(crate) content: Option<Range<usize>>,
    /// Whether it names its speaker, which some providers charge a token for.
    pub(crate) named: bool,
    /// Whether a part carries a signature that binds it to its place.
    pub(crate) signed: bool,
    pub(crate) hints: Hints,
    /// Whether it has the key `cupel`, whatever that says.
    pub(crate) speaks_to_us: bool,
}

impl Message {
    /// Who speaks.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The JSON it was read from, byte for byte.
    pub fn json(&self) -> &str {
        &self.text
    }

    /// Whether its bytes are those of `other`; seen at once where it is a clone that nobody edited.
    pub(crate) fn is_spelled_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || self.text == other.text
    }

    /// What it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What it says under the key `cupel`.
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// All that a model reads of it as words, one piece a line.
    pub fn words(&self) -> String {
        let pieces = self.parts.iter().flat_map(|part| &part.pieces);
        let words = pieces.filter_map(|piece| match piece {
            Piece::Text(words) => Some(words.in_text(&self.text)),
            Piece::Media(..) => None,
        });
        let mut all = String::with_capacity(words.clone().map(|words| words.len() + 1).sum());
        for (nth, words) in words.enumerate() {
            if nth > 0 {
                all.push('\n');
            }
            all.push_str(words);
        }
        all
    }

    /// The calls in it, with the number of the part each is.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (usize, &Call)> {
        self.parts.iter().enumerate().filter_map(|(at, part)| match &part.kind {
            PartKind::Call(call) => Some((at, call)),
            _ => None,
        })
    }

    /// The call that a part is.
    pub(crate) fn call(&self, part: usize) -> Option<&Call> {
        match &self.parts.get(part)?.kind {
            PartKind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The answers in it, with the number of the part each is.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (usize, &Answer)> {
        self.parts.iter().enumerate().filter_map(|(at, part)| match &part.kind {
            PartKind::Answer(answer) => Some((at, answer)),
            _ => None,
        })
    }

    pub(crate) fn has(&self, kind: &PartKind) -> bool {
        self.parts.iter().any(|part| part.kind == *kind)
    }

    /// The message without the key `cupel`, as it is sent.
    pub fn without_own_key(&self) -> Cow<'_, str> {
        let mut splices = Splices::default();
        self.without_hints(&mut splices);
        if splices.is_empty() {
            Cow::Borrowed(&self.text)
        } else {
            Cow::Owned(splices.apply(&self.text))
        }
    }

    /// The splices that take the key `cupel` out.
    pub(crate) fn without_hints(&self, splices: &mut Splices) {
        if !self.speaks_to_us {
            return;
        }
        let entries = Json::trusted(&self.text).entries();
        let ranges: Vec<_> = entries.iter().map(|entry| within(&self.text, entry.text)).collect();
        splices.remove(&ranges, |at| entries[at].key == HINTS_KEY);
    }

    /// The splices that take parts out of the content.
    pub(crate) fn without_parts(&self, splices: &mut Splices, gone: impl Fn(usize) -> bool) {
        let elements = self.parts.iter().enumerate();
        let elements: Vec<_> =
            elements.filter_map(|(at, part)| Some((at, part.element.clone()?))).collect();
        let ranges: Vec<_> = elements.iter().map(|(_, range)| range.clone()).collect();
        splices.remove(&ranges, |at| gone(elements[at].0));
    }
}

/// The key under which a message speaks to us.
pub(crate) const HINTS_KEY: &str = "cupel";
