//! JSON as slices of its own text, looked into one level at a time.
//!
//! Nothing is rebuilt: a value knows where in the text it stands, and a change is a splice. That is how bytes
//! nobody asked to change stay as they were, number spellings, key order and white space included.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use serde_json::value::RawValue;

use crate::Error;

/// A value in valid JSON text, without the white space around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Json<'a>(&'a str);

/// One entry of an object.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) value: Json<'a>,
    /// Key, colon and value.
    pub(crate) text: &'a str,
}

impl<'a> Json<'a> {
    /// Checks the whole text once; what is found inside later is valid by that.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        let raw: &RawValue = serde_json::from_str(text)?;
        match too_deep(text) {
            None => Ok(Self(raw.get())),
            Some(at) => Err(Error::too_deep(text, at, MAX_DEPTH)),
        }
    }

    /// A part of text that [`parse`](Self::parse) has accepted.
    pub(crate) fn trusted(text: &'a str) -> Self {
        Self(text)
    }

    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    pub(crate) fn is_string(self) -> bool {
        self.0.starts_with('"')
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// What it is, in words, for messages.
    pub(crate) fn kind(self) -> &'static str {
        match self.0.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// The decoded text of a string. One that has no Unicode form (half of a surrogate pair) stays as it is spelled.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        if !inner.contains('\\') {
            return Some(Cow::Borrowed(inner));
        }
        Some(serde_json::from_str(self.0).map_or(Cow::Borrowed(inner), Cow::Owned))
    }

    /// The value of `key`, unless that is null or missing; the last one if it is there twice.
    pub(crate) fn get(self, key: &str) -> Option<Json<'a>> {
        Object::of(self).get(key)
    }

    /// The string at `key`.
    pub(crate) fn get_string(self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.string()
    }

    /// The entries of an object; none of anything else.
    pub(crate) fn entries(self) -> Vec<Entry<'a>> {
        if !self.is_object() {
            return Vec::new();
        }
        Scan::of(self).entries(|scan, _| scan.skip_value())
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn elements(self) -> Vec<Json<'a>> {
        if !self.is_array() {
            return Vec::new();
        }
        let mut scan = Scan { text: self.0, at: 1 };
        std::iter::from_fn(|| scan.next_value().map(Json)).collect()
    }
}

/// A value whose entries were looked up once, for whoever asks for several of them.
#[derive(Debug, Clone)]
pub(crate) struct Object<'a> {
    json: Json<'a>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Object<'a> {
    pub(crate) fn of(json: Json<'a>) -> Self {
        Self::new(json, json.entries())
    }

    /// A value whose entries are known.
    pub(crate) fn new(json: Json<'a>, entries: Vec<Entry<'a>>) -> Self {
        Self { json, entries }
    }

    /// The value of `key`, unless that is null or missing; the last one if it is there twice.
    pub(crate) fn get(&self, key: &str) -> Option<Json<'a>> {
        let found = self.entries.iter().rev().find(|entry| entry.key == key)?;
        (!found.value.is_null()).then_some(found.value)
    }

    /// The string at `key`.
    pub(crate) fn get_string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.string()
    }

    /// Whether `key` is there, with whatever value.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }
}

impl<'a> Deref for Object<'a> {
    type Target = Json<'a>;

    fn deref(&self) -> &Json<'a> {
        &self.json
    }
}

/// What has values by key.
pub(crate) trait Keyed<'a> {
    /// The value of `key`, unless that is null or missing; the last one if it is there twice.
    fn value(&self, key: &str) -> Option<Json<'a>>;
}

impl<'a> Keyed<'a> for Json<'a> {
    fn value(&self, key: &str) -> Option<Json<'a>> {
        self.get(key)
    }
}

impl<'a> Keyed<'a> for &Object<'a> {
    fn value(&self, key: &str) -> Option<Json<'a>> {
        self.get(key)
    }
}

/// How deep arrays and objects may be nested: as deep as ordinary readers of JSON go.
const MAX_DEPTH: usize = 127;

/// Where the text first goes deeper than that.
fn too_deep(text: &str) -> Option<usize> {
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at) - 1,
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Walks over valid JSON.
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn of(json: Json<'a>) -> Self {
        Self { text: json.0, at: 0 }
    }

    /// Whether an array starts here.
    pub(crate) fn is_at_array(&self) -> bool {
        self.text[self.at..].starts_with('[')
    }

    /// The entries of the object that starts here. `walk` walks over each value, by its key.
    pub(crate) fn entries(&mut self, mut walk: impl FnMut(&mut Self, &str)) -> Vec<Entry<'a>> {
        let mut entries = Vec::new();
        self.at += 1;
        while let Some(key) = self.next_value() {
            self.skip_filler();
            let (from, start) = (within(self.text, key).start, self.at);
            let key = Json(key).string().unwrap_or(Cow::Borrowed(key));
            walk(self, &key);
            let value = Json(&self.text[start..self.at]);
            entries.push(Entry { key, value, text: &self.text[from..self.at] });
        }
        self.at += 1;
        entries
    }

    /// The elements of the array that starts here, with their entries.
    pub(crate) fn objects(&mut self) -> Vec<Object<'a>> {
        self.at += 1;
        let objects = std::iter::from_fn(|| self.next_object()).collect();
        self.at += 1;
        objects
    }

    fn next_object(&mut self) -> Option<Object<'a>> {
        self.skip_filler();
        let start = self.at;
        if !self.text[start..].starts_with('{') {
            return self.next_value().map(|value| Object::of(Json(value)));
        }
        let entries = self.entries(|scan, _| scan.skip_value());
        Some(Object { json: Json(&self.text[start..self.at]), entries })
    }

    /// Walks over the value that starts here.
    pub(crate) fn skip_value(&mut self) {
        self.next_value();
    }

    /// White space and the punctuation between values: which is where is known to be right.
    fn skip_filler(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let filler = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':'));
        self.at += filler.count();
    }

    /// The next value, or nothing before the closing bracket.
    fn next_value(&mut self) -> Option<&'a str> {
        self.skip_filler();
        let bytes = self.text.as_bytes();
        let start = self.at;
        match bytes.get(start)? {
            b'}' | b']' => return None,
            b'"' => self.at = string_end(bytes, start),
            b'{' | b'[' => {
                let mut depth = 0_usize;
                while self.at < bytes.len() {
                    match bytes[self.at] {
                        b'"' => self.at = string_end(bytes, self.at) - 1,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => {
                let scalar = bytes[start..].iter().take_while(|byte| {
                    !matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r')
                });
                self.at += scalar.count();
            }
        }
        Some(&self.text[start..self.at])
    }
}

/// The position after the closing quote of the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// Where `inner`, a slice of `outer`, stands in it.
pub(crate) fn within(outer: &str, inner: &str) -> Range<usize> {
    let start = inner.as_ptr().addr() - outer.as_ptr().addr();
    start..start + inner.len()
}

/// The text without white space between its tokens: what the value is, however it was laid out.
pub(crate) fn compact(json: Json<'_>) -> Cow<'_, str> {
    let (text, bytes) = (json.text(), json.text().as_bytes());
    let (mut done, mut from, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b' ' | b'\t' | b'\n' | b'\r' => {
                done.push_str(&text[from..at]);
                at += 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    done.push_str(&text[from..]);
    Cow::Owned(done)
}

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = Vec::with_capacity(text.len() + text.len() / 8 + 2);
    serde_json::to_writer(&mut json, text).expect("every text is a JSON string");
    String::from_utf8(json).expect("JSON is UTF-8")
}

/// Replacements in a text, applied together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Splices(Vec<(Range<usize>, String)>);

impl Splices {
    pub(crate) fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    /// Takes siblings (elements, or whole entries, by their ranges) out of their container, commas included.
    pub(crate) fn remove(&mut self, siblings: &[Range<usize>], gone: impl Fn(usize) -> bool) {
        let mut kept_before = false;
        for (at, own) in siblings.iter().enumerate() {
            if !gone(at) {
                kept_before = true;
            } else if kept_before {
                self.replace(siblings[at - 1].end..own.end, "");
            } else {
                let end = siblings.get(at + 1).map_or(own.end, |next| next.start);
                self.replace(own.start..end, "");
            }
        }
    }

    /// The text with all of it done. Ranges do not overlap.
    pub(crate) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut done = String::with_capacity(text.len());
        let mut from = 0;
        for (range, with) in &self.0 {
            done.push_str(&text[from..range.start]);
            done.push_str(with);
            from = range.end;
        }
        done.push_str(&text[from..]);
        done
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_slices_of_their_text() {
        let text = r#" { "a" : [ 1.50, "x\"]", {"b":[]} , null ] ,"é\n": -2e3 } "#;
        let json = Json::parse(text).unwrap();
        let entries = json.entries();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[1].key, "é\n");
        assert_eq!(entries[1].value.text(), "-2e3");
        let elements: Vec<_> =
            json.get("a").unwrap().elements().iter().map(|it| it.text()).collect();
        assert_eq!(elements, ["1.50", r#""x\"]""#, r#"{"b":[]}"#, "null"]);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_and_null_counts_as_missing() {
        let json = Json::parse(r#"{"a":1,"a":2,"b":null}"#).unwrap();
        assert_eq!(json.get("a").unwrap().text(), "2");
        assert!(json.get("b").is_none());
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused_with_its_place() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(&nested(127)).is_ok());
        let deep = format!("\n{}", nested(128));
        let error = Json::parse(&deep).unwrap_err().to_string();
        assert_eq!(error, "not JSON: nested deeper than 127 levels at line 2, column 128");
        assert!(serde_json::from_str::<serde_json::Value>(&nested(127)).is_ok());
    }

    #[test]
    fn half_a_surrogate_pair_is_read_as_it_is_spelled() {
        let json = Json::parse(r#""a\ud800b""#).unwrap();
        assert_eq!(json.string().unwrap(), r"a\ud800b");
    }

    #[test]
    fn layout_is_not_part_of_a_value() {
        let laid_out = Json::trusted("{ \"a b\" : [ 1,\n 2 ] }");
        assert_eq!(compact(laid_out), "{\"a b\":[1,2]}");
        assert!(matches!(compact(Json::trusted("[1,2]")), Cow::Borrowed("[1,2]")));
    }

    #[test]
    fn removed_siblings_take_their_commas_along() {
        let text = "[ 1, 2 ,3,  4 ]";
        let ranges: Vec<_> = Json::parse(text)
            .unwrap()
            .elements()
            .iter()
            .map(|it| within(text, it.text()))
            .collect();
        let without = |gone: &[usize]| {
            let mut splices = Splices::default();
            splices.remove(&ranges, |at| gone.contains(&at));
            splices.apply(text)
        };
        assert_eq!(without(&[0]), "[ 2 ,3,  4 ]");
        assert_eq!(without(&[1, 2]), "[ 1,  4 ]");
        assert_eq!(without(&[0, 1, 3]), "[ 3 ]");
        assert_eq!(without(&[0, 1, 2, 3]), "[  ]");
    }
}
