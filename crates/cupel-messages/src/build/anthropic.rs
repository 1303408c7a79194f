//! Anthropic Messages: results are the user's, and stand before anything else that the user says.

use super::image::Source;
use super::script::{Called, Done, Returned, Shown, Turn};
use super::write::{Entry, array, object, sides, text_part};
use super::{Draft, ToolJson};
use crate::json::quoted;

/// A request must say how long its answer may be.
const USUAL_MAX_TOKENS: u32 = 4_096;

pub(super) fn entries(draft: &Draft<'_>) -> Vec<Entry<'static>> {
    let most = draft.max_tokens.unwrap_or(USUAL_MAX_TOKENS);
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.extend(draft.model.map(|model| ("model", quoted(model))));
    entries.push(("max_tokens", most.to_string()));
    entries.extend(draft.system.clone().map(|system| ("system", system)));
    if !draft.tools.is_empty() {
        entries.push(("tools", array(draft.tools.iter().map(tool))));
    }
    let messages = sides(&draft.turns).map(|(models, turns)| {
        let role = if models { "assistant" } else { "user" };
        object(&[("role", quoted(role)), ("content", content(turns))])
    });
    entries.push(("messages", array(messages)));
    entries
}

fn tool(tool: &ToolJson<'_>) -> String {
    object(&[
        ("name", tool.name.clone()),
        ("description", tool.description.clone()),
        ("input_schema", tool.parameters.to_owned()),
    ])
}

fn content(turns: &[Turn<'_>]) -> String {
    if let [Turn::User(shown)] = turns
        && let [Shown::Words(words)] = shown[..]
    {
        return quoted(words);
    }
    array(turns.iter().flat_map(|turn| match turn {
        Turn::User(shown) => shown.iter().map(users).collect::<Vec<_>>(),
        Turn::Model(done) => done.iter().map(models).collect(),
        Turn::Tools(returned) => returned.iter().map(result).collect(),
    }))
}

fn users(shown: &Shown<'_>) -> String {
    match shown {
        Shown::Words(words) => text_part("text", words),
        Shown::Image(image) => {
            let source = match &image.0 {
                Source::Data { media_type, base64 } => object(&[
                    ("type", quoted("base64")),
                    ("media_type", quoted(media_type)),
                    ("data", quoted(base64)),
                ]),
                Source::Url(url) => object(&[("type", quoted("url")), ("url", quoted(url))]),
            };
            object(&[("type", quoted("image")), ("source", source)])
        }
    }
}

fn models(done: &Done<'_>) -> String {
    match done {
        Done::Words(words) => text_part("text", words),
        Done::Call(Called { id, name, arguments }) => object(&[
            ("type", quoted("tool_use")),
            ("id", quoted(id)),
            ("name", quoted(name)),
            ("input", (*arguments).to_owned()),
        ]),
    }
}

fn result(returned: &Returned<'_>) -> String {
    let (id, text) = (quoted(returned.call.id), quoted(returned.text));
    object(&[("type", quoted("tool_result")), ("tool_use_id", id), ("content", text)])
}
