//! Which neighbours must become one message?

use super::Draft;
use crate::json::{Json, Splices};
use crate::model::{Message, Role};
use crate::provider::{Provider, read_message};

/// A message that was taken into the one before it.
#[derive(Debug, PartialEq)]
pub(crate) struct Merged {
    pub(crate) into: usize,
    pub(crate) origin: Option<usize>,
}

/// Makes one message of neighbours of one role, where the provider wants that. Signed parts stay where they are.
pub(crate) fn merge(provider: &dyn Provider, drafts: Vec<Draft>) -> (Vec<Draft>, Vec<Merged>) {
    let mut done: Vec<Draft> = Vec::with_capacity(drafts.len());
    let mut merged = Vec::new();
    for draft in drafts {
        let joined = match done.last() {
            Some(before)
                if provider.rules().merges && same_speaker(&before.message, &draft.message) =>
            {
                joined(provider, &before.message, &draft.message)
            }
            _ => None,
        };
        match (joined, done.last_mut()) {
            (Some(message), Some(before)) => {
                before.message = message;
                merged.push(Merged { into: done.len() - 1, origin: draft.origin });
            }
            _ => done.push(draft),
        }
    }
    (done, merged)
}

fn same_speaker(one: &Message, other: &Message) -> bool {
    let is_user = |message: &Message| matches!(message.role, Role::User | Role::Tool);
    let same = (is_user(one) && is_user(other)) || one.role == other.role;
    same && !one.signed && !other.signed
}

/// The first message with the content of both.
fn joined(provider: &dyn Provider, one: &Message, other: &Message) -> Option<Message> {
    let place = one.content.clone()?;
    let parts = [elements(provider, one)?, elements(provider, other)?];
    let parts: Vec<_> =
        parts.iter().filter(|part| !part.trim().is_empty()).map(String::as_str).collect();
    let mut splices = Splices::default();
    splices.replace(place, format!("[{}]", parts.join(",")));
    read_message(provider, &splices.apply(&one.text)).ok()
}

/// The parts of a message, as they are spelled.
fn elements(provider: &dyn Provider, message: &Message) -> Option<String> {
    let content = Json::trusted(&message.text[message.content.clone()?]);
    if content.is_string() {
        let empty = content.text() == "\"\"";
        return Some(if empty { String::new() } else { provider.text_part(content.text()) });
    }
    let list = content.text().strip_prefix('[')?.strip_suffix(']')?;
    Some(list.trim().to_owned())
}
