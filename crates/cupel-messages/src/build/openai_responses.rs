//! OpenAI Responses: calls and results are items of their own.

use super::script::{Called, Done, Returned, Shown, Turn};
use super::write::{Entry, array, object, text_part};
use super::{Draft, ToolJson};
use crate::json::quoted;

pub(super) fn entries(draft: &Draft<'_>) -> Vec<Entry<'static>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.extend(draft.model.map(|model| ("model", quoted(model))));
    entries.extend(draft.max_tokens.map(|most| ("max_output_tokens", most.to_string())));
    entries.extend(draft.system.clone().map(|system| ("instructions", system)));
    if !draft.tools.is_empty() {
        entries.push(("tools", array(draft.tools.iter().map(tool))));
    }
    entries.push(("input", array(draft.turns.iter().flat_map(items))));
    entries
}

fn tool(tool: &ToolJson<'_>) -> String {
    object(&[
        ("type", quoted("function")),
        ("name", tool.name.clone()),
        ("description", tool.description.clone()),
        ("parameters", tool.parameters.to_owned()),
    ])
}

fn items(turn: &Turn<'_>) -> Vec<String> {
    match turn {
        Turn::User(shown) => vec![message("user", users(shown))],
        Turn::Model(done) => done.iter().map(models).collect(),
        Turn::Tools(returned) => returned.iter().map(output).collect(),
    }
}

fn message(role: &str, content: String) -> String {
    object(&[("role", quoted(role)), ("content", content)])
}

fn users(shown: &[Shown<'_>]) -> String {
    match shown {
        [Shown::Words(words)] => quoted(words),
        parts => array(parts.iter().map(|part| match part {
            Shown::Words(words) => text_part("input_text", words),
            Shown::Image(image) => object(&[
                ("type", quoted("input_image")),
                ("detail", quoted("auto")),
                ("image_url", quoted(&image.to_url())),
            ]),
        })),
    }
}

fn models(done: &Done<'_>) -> String {
    match done {
        Done::Words(words) => message("assistant", quoted(words)),
        Done::Call(Called { id, name, arguments }) => object(&[
            ("type", quoted("function_call")),
            ("call_id", quoted(id)),
            ("name", quoted(name)),
            ("arguments", quoted(arguments)),
        ]),
    }
}

fn output(returned: &Returned<'_>) -> String {
    let (id, text) = (quoted(returned.call.id), quoted(returned.text));
    object(&[("type", quoted("function_call_output")), ("call_id", id), ("output", text)])
}
