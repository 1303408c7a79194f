//! What reading a message needs, whoever's it is.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Json, Keyed, Object, within};
use crate::model::{Call, HINTS_KEY, Hints, Media, Message, Part, PartKind, Piece, Role, Words};

/// A message that is not as its provider has it: where in it, and what was expected.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Malformed {
    pub(crate) path: String,
    pub(crate) problem: String,
}

impl Malformed {
    pub(crate) fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into() }
    }

    /// Something else is there.
    pub(crate) fn expected(
        path: impl Into<String>,
        expected: &str,
        found: Option<Json<'_>>,
    ) -> Self {
        let found = found.map_or("nothing", Json::kind);
        Self::new(path, format!("expected {expected}, found {found}"))
    }
}

/// A message while it is read: its text, and what was found in it so far.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    pub(crate) json: &'a Object<'a>,
    pub(crate) role: Role,
    pub(crate) content: Option<Range<usize>>,
    pub(crate) parts: Vec<Part>,
    pub(crate) named: bool,
    pub(crate) signed: bool,
    hints: Hints,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(json: &'a Object<'a>) -> Self {
        let hints = Hints::default();
        Self {
            json,
            role: Role::User,
            content: None,
            parts: Vec::new(),
            named: false,
            signed: false,
            hints,
        }
    }

    pub(crate) fn finish(self) -> Message {
        Message {
            text: self.json.text().into(),
            role: self.role,
            parts: self.parts.into(),
            content: self.content,
            named: self.named,
            signed: self.signed,
            hints: self.hints,
            speaks_to_us: self.json.has(HINTS_KEY),
        }
    }

    /// Where a value stands in the message.
    pub(crate) fn at(&self, value: Json<'_>) -> Range<usize> {
        within(self.json.text(), value.text())
    }

    /// What a model reads of a value.
    pub(crate) fn words(&self, value: Json<'_>) -> Piece {
        Piece::Text(Words::of(self.json.text(), value))
    }

    /// A string that must be there.
    pub(crate) fn required(
        &self,
        of: impl Keyed<'a>,
        key: &str,
        path: &str,
    ) -> Result<Cow<'a, str>, Malformed> {
        let value = of.value(key);
        let string = value.and_then(Json::string);
        string.ok_or_else(|| Malformed::expected(format!("{path}.{key}"), "a string", value))
    }

    /// A part made of the text at some keys of `of`.
    pub(crate) fn part(&self, kind: PartKind, of: impl Keyed<'a>, keys: &[&str]) -> Part {
        let pieces = keys.iter().filter_map(|key| Some(self.words(of.value(key)?)));
        Part { pieces: pieces.collect(), ..Part::new(kind) }
    }

    /// A part that is counted by its spelling.
    pub(crate) fn opaque(&self, of: Json<'a>) -> Part {
        Part { pieces: vec![self.words(of)], ..Part::new(PartKind::Opaque) }
    }

    pub(crate) fn media(&self, media: Media, of: Json<'a>) -> Part {
        Part { pieces: vec![Piece::Media(media, self.at(of))], ..Part::new(PartKind::Media(media)) }
    }

    pub(crate) fn call(&self, call: Call, of: impl Keyed<'a>, keys: &[&str]) -> Part {
        self.part(PartKind::Call(call), of, keys)
    }

    /// A content: a string is one text, of a list each element is what `block` makes of it.
    pub(crate) fn content(
        &self,
        content: Json<'a>,
        path: &str,
        block: impl Fn(&Self, Json<'a>, &str) -> Result<Part, Malformed>,
    ) -> Result<Vec<Part>, Malformed> {
        if content.is_string() {
            let text = Part { pieces: vec![self.words(content)], ..Part::new(PartKind::Text) };
            return Ok(vec![text]);
        }
        if !content.is_array() {
            return Err(Malformed::expected(path, "a string or an array of parts", Some(content)));
        }
        let elements = content.elements().into_iter().enumerate();
        let parts = elements.map(|(at, element)| {
            let path = format!("{path}[{at}]");
            if !element.is_object() {
                return Err(Malformed::expected(path, "an object", Some(element)));
            }
            Ok(Part { element: Some(self.at(element)), ..block(self, element, &path)? })
        });
        parts.collect()
    }

    /// Reads the key `cupel`.
    pub(crate) fn hints(&mut self) -> Result<(), Malformed> {
        let Some(hints) = self.json.get(HINTS_KEY) else { return Ok(()) };
        let path = format!(".{HINTS_KEY}");
        if !hints.is_object() {
            return Err(Malformed::expected(
                path,
                "an object with priority, pinned, tags or volatile",
                Some(hints),
            ));
        }
        for entry in hints.entries() {
            let path = format!("{path}.{}", entry.key);
            match &*entry.key {
                "priority" => {
                    let number = entry.value.text().parse();
                    self.hints.priority = Some(number.map_err(|_| {
                        Malformed::expected(path, "a whole number", Some(entry.value))
                    })?);
                }
                "pinned" => self.hints.pinned = boolean(path, entry.value)?,
                "volatile" => self.hints.volatile = boolean(path, entry.value)?,
                "tags" => {
                    let elements = entry.value.elements();
                    let tags: Option<Vec<_>> =
                        elements.iter().map(|tag| tag.string().map(Cow::into_owned)).collect();
                    let tags = tags.filter(|_| entry.value.is_array());
                    self.hints.tags = tags.ok_or_else(|| {
                        Malformed::expected(path, "an array of strings", Some(entry.value))
                    })?;
                }
                _ => {
                    return Err(Malformed::new(
                        path,
                        "unknown key; known are priority, pinned, tags and volatile",
                    ));
                }
            }
        }
        Ok(())
    }
}

fn boolean(path: String, value: Json<'_>) -> Result<bool, Malformed> {
    match value.text() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Malformed::expected(path, "true or false", Some(value))),
    }
}
