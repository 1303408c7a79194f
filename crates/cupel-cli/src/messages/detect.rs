//! Items or a request?

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Whether a text, or the beginning of one, is a request to a model rather than items.
///
/// An object is one if it has a list of messages; an array, if its first element is a message. What
/// has a token count or a kind is an item whatever else it has: callers keep roles in items, too.
pub(crate) fn is_request(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let mut keys = Keys::default();
    // An error says that the text is cut off or broken; what was seen before it still counts.
    let _ = keys.deserialize(&mut serde_json::Deserializer::from_slice(text));
    let has = |key: &str| keys.seen.iter().any(|seen| seen == key);
    let is_item = has("tokens") || has("kind");
    match keys.in_list {
        true => !is_item && (has("role") || has("parts") || has("type") && !has("content")),
        false => {
            let has_list = has("messages") || has("input") || has("contents");
            has_list && !is_item && !has("content") && !has("items")
        }
    }
}

/// Whether a line of a batch brings a request to a model rather than items.
pub(super) fn brings_messages(line: &[u8]) -> bool {
    let mut keys = Keys {
        decisive: &["items", "messages", "input", "contents", "request"],
        ..Keys::default()
    };
    let _ = keys.deserialize(&mut serde_json::Deserializer::from_slice(line));
    let last = keys.seen.last().map(String::as_str);
    !keys.in_list && last != Some("items") && last.is_some_and(|key| keys.decisive.contains(&key))
}

/// The keys of an object, or of the first object in a list.
#[derive(Debug, Default)]
struct Keys {
    seen: Vec<String>,
    in_list: bool,
    /// Nothing after one of these matters.
    decisive: &'static [&'static str],
}

impl<'de> DeserializeSeed<'de> for &mut Keys {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list of objects")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key()? {
            self.seen.push(key);
            if self.seen.last().is_some_and(|key| self.decisive.contains(&key.as_str())) {
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        // A list in a list is neither.
        if !self.in_list {
            self.in_list = true;
            list.next_element_seed(self)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_messages_are_told_from_lines_with_items() {
        for line in [r#"{"id": 1, "messages": []}"#, r#"{"request": {}}"#, r#"{"input": "a"}"#] {
            assert!(brings_messages(line.as_bytes()), "{line}");
        }
        for line in ["", "[]", r#"{"items": [], "messages": []}"#, r#"{"id": 1}"#, "{\"messages"] {
            assert!(!brings_messages(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn requests_are_told_from_items() {
        let requests = [
            r#"{"model": "gpt-5", "messages": []}"#,
            r#"{"input": "hello"}"#,
            r#"{"contents": [{"parts": []}]}"#,
            r#"[{"role": "user", "content": "hello"}]"#,
            r#"[{"parts": [{"text": "hello"}]}]"#,
            r#"[{"type": "function_call", "call_id": "a"}, {"#,
            "\u{feff} {\n\"messages\": [{\"role\": \"us",
        ];
        for text in requests {
            assert!(is_request(text.as_bytes()), "{text}");
        }
        let items = [
            "",
            "[]",
            "{}",
            "42",
            "[[1]]",
            r#"{"content": "hello", "messages": 3}"#,
            r#"{"items": [], "messages": []}"#,
            r#"[{"role": "user", "content": "hello", "tokens": 3}]"#,
            r#"[{"role": "user", "content": "hello", "kind": "Message"}]"#,
            r#"[{"type": "note", "content": "hello"}]"#,
            r#"{"content": "a", "tokens": 1}"#,
        ];
        for text in items {
            assert!(!is_request(text.as_bytes()), "{text}");
        }
    }
}
