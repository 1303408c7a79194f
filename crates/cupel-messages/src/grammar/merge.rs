//! Which neighbours must become one message?

use std::borrow::Cow;

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
pub(crate) fn merge<'a>(
    provider: &dyn Provider,
    drafts: Vec<Draft<'a>>,
) -> (Vec<Draft<'a>>, Vec<Merged>) {
    if !provider.rules().merges {
        return (drafts, Vec::new());
    }
    let mut done: Vec<Draft<'a>> = Vec::with_capacity(drafts.len());
    let mut merged = Vec::new();
    for run in drafts.chunk_by(|one, other| same_speaker(&one.message, &other.message)) {
        match joined(provider, run) {
            Some(message) => {
                let into = done.len();
                merged.extend(run[1..].iter().map(|draft| Merged { into, origin: draft.origin }));
                done.push(Draft { origin: run[0].origin, message: Cow::Owned(message) });
            }
            None => done.extend_from_slice(run),
        }
    }
    (done, merged)
}

fn same_speaker(one: &Message, other: &Message) -> bool {
    let is_user = |message: &Message| matches!(message.role, Role::User | Role::Tool);
    let same = (is_user(one) && is_user(other)) || one.role == other.role;
    same && !one.signed && !other.signed
}

/// The first message of a run, with the content of all.
fn joined(provider: &dyn Provider, run: &[Draft<'_>]) -> Option<Message> {
    let [first, _, ..] = run else { return None };
    let parts =
        run.iter().map(|draft| elements(provider, &draft.message)).collect::<Option<Vec<_>>>()?;
    let parts: Vec<_> = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect();
    let mut splices = Splices::default();
    splices.replace(first.message.content.clone()?, format!("[{}]", parts.join(",")));
    read_message(provider, &splices.apply(&first.message.text)).ok()
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
