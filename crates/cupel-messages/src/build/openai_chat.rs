//! OpenAI Chat Completions: results are messages of their own.

use super::script::{Called, Done, Returned, Shown, Turn};
use super::write::{Entry, array, calls, object, text_part, words};
use super::{Draft, ToolJson};
use crate::json::quoted;

pub(super) fn entries(draft: &Draft<'_>) -> Vec<Entry<'static>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.extend(draft.model.map(|model| ("model", quoted(model))));
    entries.extend(draft.max_tokens.map(|most| ("max_completion_tokens", most.to_string())));
    if !draft.tools.is_empty() {
        entries.push(("tools", array(draft.tools.iter().map(tool))));
    }
    let system = draft.system.iter().map(|system| message("system", system.clone()));
    entries.push(("messages", array(system.chain(draft.turns.iter().flat_map(messages)))));
    entries
}

fn tool(tool: &ToolJson<'_>) -> String {
    let function = object(&[
        ("name", tool.name.clone()),
        ("description", tool.description.clone()),
        ("parameters", tool.parameters.to_owned()),
    ]);
    object(&[("type", quoted("function")), ("function", function)])
}

fn messages(turn: &Turn<'_>) -> Vec<String> {
    match turn {
        Turn::User(shown) => vec![message("user", users(shown))],
        Turn::Model(done) => vec![models(done)],
        Turn::Tools(returned) => returned.iter().map(result).collect(),
    }
}

fn message(role: &str, content: String) -> String {
    object(&[("role", quoted(role)), ("content", content)])
}

fn users(shown: &[Shown<'_>]) -> String {
    match shown {
        [Shown::Words(words)] => quoted(words),
        parts => array(parts.iter().map(|part| match part {
            Shown::Words(words) => text_part("text", words),
            Shown::Image(image) => {
                let url = object(&[("url", quoted(&image.to_url()))]);
                object(&[("type", quoted("image_url")), ("image_url", url)])
            }
        })),
    }
}

fn models(done: &[Done<'_>]) -> String {
    let content = match words(done).collect::<Vec<_>>()[..] {
        [] => "null".to_owned(),
        [only] => quoted(only),
        ref several => array(several.iter().map(|words| text_part("text", words))),
    };
    let mut entries = vec![("role", quoted("assistant")), ("content", content)];
    if calls(done).next().is_some() {
        entries.push(("tool_calls", array(calls(done).map(call))));
    }
    object(&entries)
}

fn call(call: &Called<'_>) -> String {
    let function = object(&[("name", quoted(call.name)), ("arguments", quoted(call.arguments))]);
    object(&[("id", quoted(call.id)), ("type", quoted("function")), ("function", function)])
}

fn result(returned: &Returned<'_>) -> String {
    let (id, text) = (quoted(returned.call.id), quoted(returned.text));
    object(&[("role", quoted("tool")), ("tool_call_id", id), ("content", text)])
}
