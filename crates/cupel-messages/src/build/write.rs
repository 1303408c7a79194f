//! JSON put together from pieces that are JSON.

use super::script::{Called, Done, Turn};
use crate::json::quoted;

/// A key, and its value as JSON.
pub(super) type Entry<'a> = (&'a str, String);

pub(super) fn object(entries: &[Entry<'_>]) -> String {
    let entries: Vec<_> =
        entries.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", entries.join(","))
}

pub(super) fn array(elements: impl IntoIterator<Item = String>) -> String {
    let elements: Vec<_> = elements.into_iter().collect();
    format!("[{}]", elements.join(","))
}

/// A part that says something, by its type.
pub(super) fn text_part(sort: &str, words: &str) -> String {
    object(&[("type", quoted(sort)), ("text", quoted(words))])
}

/// The words among what the model says and does.
pub(super) fn words<'a>(done: &'a [Done<'a>]) -> impl Iterator<Item = &'a str> {
    done.iter().filter_map(|done| match done {
        Done::Words(words) => Some(*words),
        Done::Call(_) => None,
    })
}

/// The calls among what the model says and does.
pub(super) fn calls<'a>(done: &'a [Done<'a>]) -> impl Iterator<Item = &'a Called<'a>> {
    done.iter().filter_map(|done| match done {
        Done::Words(_) => None,
        Done::Call(call) => Some(call),
    })
}

/// Turns by the two sides that some providers know, and whether each is the model's: what tools return is the user's.
pub(super) fn sides<'a>(turns: &'a [Turn<'a>]) -> impl Iterator<Item = (bool, &'a [Turn<'a>])> {
    let models = |turn: &Turn<'_>| matches!(turn, Turn::Model(_));
    let same_side = move |one: &Turn<'_>, other: &Turn<'_>| models(one) == models(other);
    turns.chunk_by(same_side).map(move |side| (side.first().is_some_and(models), side))
}
