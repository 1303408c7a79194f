//! Gemini `generateContent`: everything is a part of the user's contents or of the model's.

use super::image::{Image, Source};
use super::script::{Called, Done, Returned, Shown, Turn};
use super::write::{Entry, array, object, sides};
use super::{Draft, ToolJson};
use crate::json::quoted;

/// What stands for a signature that nobody has, by Google's documentation.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn entries(draft: &Draft<'_>) -> Vec<Entry<'static>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.extend(draft.model.map(|model| ("model", quoted(model))));
    entries.extend(
        draft
            .max_tokens
            .map(|most| ("generationConfig", object(&[("maxOutputTokens", most.to_string())]))),
    );
    entries.extend(draft.system.clone().map(|system| {
        ("systemInstruction", object(&[("parts", array([object(&[("text", system)])]))]))
    }));
    if !draft.tools.is_empty() {
        let declared = array(draft.tools.iter().map(tool));
        entries.push(("tools", array([object(&[("functionDeclarations", declared)])])));
    }
    let signs = draft.model.is_some_and(checks_signatures);
    let contents = sides(&draft.turns).map(|(models, turns)| {
        let role = if models { "model" } else { "user" };
        let parts = array(turns.iter().flat_map(|turn| parts(turn, signs)));
        object(&[("role", quoted(role)), ("parts", parts)])
    });
    entries.push(("contents", array(contents)));
    entries
}

fn tool(tool: &ToolJson<'_>) -> String {
    object(&[
        ("name", tool.name.clone()),
        ("description", tool.description.clone()),
        ("parametersJsonSchema", tool.parameters.to_owned()),
    ])
}

/// From version 3 on, the first call of each step must be signed.
fn checks_signatures(model: &str) -> bool {
    let version = model.split("gemini-").nth(1).and_then(|rest| rest.split(['.', '-']).next());
    version.and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 3)
}

fn parts(turn: &Turn<'_>, signs: bool) -> Vec<String> {
    let text = |words: &str| object(&[("text", quoted(words))]);
    match turn {
        Turn::User(shown) => {
            let part = |shown: &Shown<'_>| match shown {
                Shown::Words(words) => text(words),
                Shown::Image(image) => self::image(image),
            };
            shown.iter().map(part).collect()
        }
        Turn::Model(done) => {
            let mut unsigned = signs;
            let part = |done: &Done<'_>| match done {
                Done::Words(words) => text(words),
                Done::Call(call) => self::call(call, std::mem::take(&mut unsigned)),
            };
            done.iter().map(part).collect()
        }
        Turn::Tools(returned) => returned.iter().map(response).collect(),
    }
}

fn image(image: &Image) -> String {
    let mime = image.0.media_type().map(|media_type| ("mimeType", quoted(media_type)));
    let mut entries: Vec<Entry<'_>> = mime.into_iter().collect();
    match &image.0 {
        Source::Data { base64, .. } => {
            entries.push(("data", quoted(base64)));
            object(&[("inlineData", object(&entries))])
        }
        Source::Url(url) => {
            entries.push(("fileUri", quoted(url)));
            object(&[("fileData", object(&entries))])
        }
    }
}

fn call(call: &Called<'_>, sign: bool) -> String {
    let function = object(&[
        ("id", quoted(call.id)),
        ("name", quoted(call.name)),
        ("args", call.arguments.to_owned()),
    ]);
    let mut entries = vec![("functionCall", function)];
    if sign {
        entries.push(("thoughtSignature", quoted(NO_SIGNATURE)));
    }
    object(&entries)
}

fn response(returned: &Returned<'_>) -> String {
    let output = object(&[("output", quoted(returned.text))]);
    let function = object(&[
        ("id", quoted(returned.call.id)),
        ("name", quoted(returned.call.name)),
        ("response", output),
    ]);
    object(&[("functionResponse", function)])
}
