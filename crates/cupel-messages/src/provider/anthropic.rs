//! Anthropic Messages.

use super::{First, Fixed, Malformed, Provider, Reading, Rules};
use crate::body::Body;
use crate::json::{Json, quoted};
use crate::model::{Answer, Call, Media, Part, PartKind, Role};
use crate::{Format, Granularity, Sign};

pub(crate) struct Anthropic;

impl Provider for Anthropic {
    fn format(&self) -> Format {
        Format::Anthropic
    }

    fn list_key(&self) -> &'static str {
        "messages"
    }

    fn fixed_keys(&self) -> &'static [(&'static str, Fixed)] {
        &[("system", Fixed::System), ("tools", Fixed::Tools)]
    }

    fn rules(&self) -> Rules {
        Rules {
            first: First::User,
            merges: true,
            answers_adjacent: true,
            emits_runs: false,
            thinking_strips: true,
            system_in_turn: true,
            granularity: Granularity::Turn,
        }
    }

    fn sign(&self, body: &Body<'_>) -> Option<Sign> {
        let (list, messages) = (body.list_path(self.list_key()), body.messages(self.list_key()));
        if !body.is_list() && body.get("messages").is_some() {
            for key in ["system", "anthropic_version", "anthropic_beta"] {
                if body.get(key).is_some() {
                    return Some(Sign::new(
                        self.format(),
                        format!("$.{key}"),
                        format!("\"{key}\""),
                    ));
                }
            }
            let tools = body.get("tools").map_or(Vec::new(), Json::elements);
            if let Some(at) = tools.iter().position(|tool| tool.get("input_schema").is_some()) {
                let path = format!("$.tools[{at}].input_schema");
                return Some(Sign::new(self.format(), path, "a tool's \"input_schema\""));
            }
        }
        messages.iter().enumerate().find_map(|(at, message)| {
            let blocks = message.get("content").map_or(Vec::new(), Json::elements);
            let own = |block: &Json<'_>| match block.get_string("type").as_deref() {
                Some(
                    "tool_use" | "tool_result" | "thinking" | "redacted_thinking"
                    | "server_tool_use",
                ) => true,
                Some("image" | "document") => block.get("source").is_some(),
                _ => false,
            };
            let part = blocks.iter().position(own)?;
            let what = format!("a part of type {}", blocks[part].get("type")?.text());
            Some(Sign::new(self.format(), format!("{list}[{at}].content[{part}].type"), what))
        })
    }

    fn part_path(&self, part: usize) -> String {
        format!(".content[{part}]")
    }

    fn read(&self, reading: &mut Reading<'_>) -> Result<(), Malformed> {
        let message = reading.json;
        if !message.is_object() {
            return Err(Malformed::expected(
                "",
                "a message, an object with \"role\" and \"content\"",
                Some(**message),
            ));
        }
        let role = reading.required(message, "role", "")?;
        let Some(content) = message.get("content") else {
            return Err(Malformed::expected(".content", "a string or an array of parts", None));
        };
        reading.content = Some(reading.at(content));
        reading.parts = reading.content(content, ".content", block)?;
        let answers = reading.parts.iter().any(|part| matches!(part.kind, PartKind::Answer(_)));
        reading.role = match &*role {
            "user" if answers => Role::Tool,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            other => {
                let problem =
                    format!("unknown role \"{other}\"; expected user, assistant or system");
                return Err(Malformed::new(".role", problem));
            }
        };
        Ok(())
    }

    fn media_source<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        let source = part.get("source")?;
        source.get("data").or_else(|| source.get("url"))
    }

    fn answer(&self, call: &Call, text: &str) -> Option<String> {
        let (id, text) = (quoted(call.id.as_deref()?), quoted(text));
        Some(format!(
            r#"{{"type":"tool_result","tool_use_id":{id},"content":{text},"is_error":true}}"#
        ))
    }

    fn answering_message(&self, answers: &[String]) -> String {
        format!(r#"{{"role":"user","content":[{}]}}"#, answers.join(","))
    }
}

fn block<'a>(reading: &Reading<'a>, block: Json<'a>, path: &str) -> Result<Part, Malformed> {
    Ok(match block.get_string("type").as_deref() {
        Some("text") => reading.part(PartKind::Text, block, &["text"]),
        Some("image") => reading.media(Media::Image, block),
        Some("document") => document(reading, block),
        Some("search_result") => {
            reading.part(PartKind::Document, block, &["title", "source", "content"])
        }
        Some("thinking") => reading.part(PartKind::Thinking, block, &["thinking"]),
        Some("redacted_thinking") => reading.part(PartKind::Thinking, block, &["data"]),
        Some("tool_use") => {
            let id = reading.required(block, "id", path)?.into_owned();
            let name = block.get_string("name").unwrap_or_default().into_owned();
            let call = Call { id: Some(id), name, sort: "tool_use".into() };
            reading.call(call, block, &["name", "input"])
        }
        Some("tool_result") => {
            let id = reading.required(block, "tool_use_id", path)?.into_owned();
            let content = block.get("content");
            let parts = match content {
                Some(content) => {
                    reading.content(content, &format!("{path}.content"), self::block)?
                }
                None => Vec::new(),
            };
            let pieces = parts.into_iter().flat_map(|part| part.pieces).collect();
            let body = content.map(|content| reading.at(content));
            Part {
                pieces,
                body,
                ..Part::new(PartKind::Answer(Answer { id: Some(id), name: None }))
            }
        }
        Some("compaction") => Part { kind: PartKind::Summary, ..reading.opaque(block) },
        _ => reading.opaque(block),
    })
}

/// A document is text that can be shortened, or a file.
fn document<'a>(reading: &Reading<'a>, block: Json<'a>) -> Part {
    let source = block.get("source");
    let data = source
        .filter(|it| it.get_string("type").as_deref() == Some("text"))
        .and_then(|it| it.get("data"));
    let Some(data) = data.filter(|it| it.is_string()) else {
        return reading.media(Media::File, block);
    };
    let mut part = reading.part(PartKind::Document, block, &["title", "context"]);
    part.pieces.push(reading.words(data));
    part.body = Some(reading.at(data));
    part
}
