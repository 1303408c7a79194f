//! Items and lists in a few words, for messages and snapshots.

use std::fmt::Display;

use cupel::ContextItem;

/// How many characters of a content are shown.
const SHOWN: usize = 60;

/// The beginning of a text, quoted and on one line.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

/// An item by its content, kind and size.
pub(crate) fn item(item: &ContextItem) -> String {
    format!("{} ({}, {} tokens)", quoted(item.content()), item.kind(), item.tokens())
}

/// Values separated by commas.
pub(crate) fn joined(values: impl IntoIterator<Item = impl Display>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    values.join(", ")
}
