//! OpenAI Responses: every item of `input` is a message here.

use super::{First, Fixed, Malformed, Provider, Reading, Rules};
use crate::body::Body;
use crate::json::{Json, Object, quoted};
use crate::model::{Answer, Call, Media, Part, PartKind, Role};
use crate::{Format, Granularity, Sign};

pub(crate) struct OpenAiResponses;

impl Provider for OpenAiResponses {
    fn format(&self) -> Format {
        Format::OpenAiResponses
    }

    fn list_key(&self) -> &'static str {
        "input"
    }

    fn fixed_keys(&self) -> &'static [(&'static str, Fixed)] {
        &[("instructions", Fixed::System), ("tools", Fixed::Tools), ("text", Fixed::Tools)]
    }

    fn rules(&self) -> Rules {
        Rules {
            first: First::Anything,
            merges: false,
            answers_adjacent: false,
            emits_runs: true,
            thinking_strips: false,
            system_in_turn: false,
            granularity: Granularity::Unit,
        }
    }

    fn keeps_history(&self, body: &Body<'_>) -> bool {
        let elsewhere =
            ["previous_response_id", "conversation"].iter().any(|key| body.get(key).is_some());
        let items = body.messages(self.list_key());
        elsewhere
            || items.iter().any(|item| item.get_string("type").as_deref() == Some("item_reference"))
    }

    fn sign(&self, body: &Body<'_>) -> Option<Sign> {
        if body.get("input").is_some() {
            return Some(Sign::new(self.format(), "$.input", "\"input\""));
        }
        let (list, items) = (body.list_path("messages"), body.messages("messages"));
        items.iter().enumerate().find_map(|(at, item)| {
            let sort = item.get_string("type").filter(|sort| *sort != "message");
            if let Some(sort) = sort {
                return Some(Sign::new(
                    self.format(),
                    format!("{list}[{at}].type"),
                    format!("an item of type \"{sort}\""),
                ));
            }
            let blocks = item.get("content").map_or(Vec::new(), Json::elements);
            let own = |block: &Json<'_>| {
                matches!(
                    block.get_string("type").as_deref(),
                    Some("input_text" | "output_text" | "input_image" | "input_file")
                )
            };
            let part = blocks.iter().position(own)?;
            let what = format!("a part of type {}", blocks[part].get("type")?.text());
            Some(Sign::new(self.format(), format!("{list}[{at}].content[{part}].type"), what))
        })
    }

    fn read(&self, reading: &mut Reading<'_>) -> Result<(), Malformed> {
        let item = reading.json;
        if item.is_string() {
            // `"input": "..."` is one message of the user.
            reading
                .parts
                .push(Part { pieces: vec![reading.words(**item)], ..Part::new(PartKind::Text) });
            return Ok(());
        }
        if !item.is_object() {
            return Err(Malformed::expected(
                "",
                "an item, an object with \"type\" or \"role\"",
                Some(**item),
            ));
        }
        match item.get_string("type").as_deref() {
            None | Some("message") => return message(reading),
            Some("reasoning") => {
                reading.role = Role::Assistant;
                let part = reading.part(
                    PartKind::Thinking,
                    item,
                    &["summary", "content", "encrypted_content"],
                );
                reading.parts.push(part);
            }
            Some(sort) => {
                let id = item.get_string("call_id");
                // The one output that is found by the call's own id.
                let id = id.or_else(|| {
                    item.get_string("id").filter(|_| sort == "local_shell_call_output")
                });
                let part = match id {
                    Some(id) if sort.ends_with("_output") => answer(reading, item, id.into_owned()),
                    Some(id) => {
                        let name = item.get_string("name").unwrap_or(sort.into()).into_owned();
                        let call =
                            Call { id: Some(id.into_owned()), name, sort: sort.to_owned().into() };
                        let keys = ["name", "arguments", "input", "action", "actions", "operation"];
                        reading.call(call, item, &keys)
                    }
                    None if sort.starts_with("compaction") => {
                        Part { kind: PartKind::Summary, ..reading.opaque(**item) }
                    }
                    None => reading.opaque(**item),
                };
                let answers = matches!(part.kind, PartKind::Answer(_));
                reading.role = if answers { Role::Tool } else { Role::Assistant };
                reading.parts.push(part);
            }
        }
        Ok(())
    }

    fn media_source<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        ["image_url", "data", "file_data"].iter().find_map(|key| part.get(key))
    }

    fn answer(&self, call: &Call, text: &str) -> Option<String> {
        let (id, text) = (quoted(call.id.as_deref()?), quoted(text));
        // Other calls are answered with screenshots, exit codes and the like, which nobody can make up.
        let sort =
            ["function_call", "custom_tool_call"].into_iter().find(|sort| *sort == call.sort)?;
        Some(format!(r#"{{"type":"{sort}_output","call_id":{id},"output":{text}}}"#))
    }
}

fn message(reading: &mut Reading<'_>) -> Result<(), Malformed> {
    let item = reading.json;
    reading.role = match &*reading.required(item, "role", "")? {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        other => {
            let problem =
                format!("unknown role \"{other}\"; expected system, developer, user or assistant");
            return Err(Malformed::new(".role", problem));
        }
    };
    if let Some(content) = item.get("content") {
        reading.content = Some(reading.at(content));
        reading.parts = reading.content(content, ".content", block)?;
    }
    Ok(())
}

fn answer<'a>(reading: &Reading<'a>, item: &Object<'a>, id: String) -> Part {
    let output = item.get("output");
    let kind = PartKind::Answer(Answer { id: Some(id), name: None });
    match output {
        Some(text) if text.is_string() || text.is_array() => {
            let parts = reading.content(text, ".output", block).unwrap_or_default();
            // Only what functions and custom tools return is words that can be said shorter.
            let words = matches!(
                item.get_string("type").as_deref(),
                Some(
                    "function_call_output" | "custom_tool_call_output" | "local_shell_call_output"
                )
            );
            let body = words.then(|| reading.at(text));
            Part {
                pieces: parts.into_iter().flat_map(|part| part.pieces).collect(),
                body,
                ..Part::new(kind)
            }
        }
        Some(image) if image.get("image_url").is_some() => {
            Part { kind, ..reading.media(Media::Image, image) }
        }
        _ => reading.part(kind, item, &["output", "status", "tools"]),
    }
}

fn block<'a>(reading: &Reading<'a>, block: Json<'a>, _path: &str) -> Result<Part, Malformed> {
    Ok(match block.get_string("type").as_deref() {
        Some("input_text" | "output_text" | "text" | "summary_text" | "reasoning_text") => {
            reading.part(PartKind::Text, block, &["text"])
        }
        Some("refusal") => reading.part(PartKind::Text, block, &["refusal"]),
        Some("input_image") => reading.media(Media::Image, block),
        Some("input_audio") => reading.media(Media::Audio, block),
        Some("input_file") => reading.media(Media::File, block),
        _ => reading.opaque(block),
    })
}
