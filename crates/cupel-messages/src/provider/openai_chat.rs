//! OpenAI Chat Completions.

use super::{First, Fixed, Malformed, Provider, Reading, Rules};
use crate::body::Body;
use crate::json::{Json, quoted};
use crate::model::{Answer, Call, Media, Part, PartKind, Role};
use crate::{Format, Granularity, Sign};

pub(crate) struct OpenAiChat;

impl Provider for OpenAiChat {
    fn format(&self) -> Format {
        Format::OpenAiChat
    }

    fn list_key(&self) -> &'static str {
        "messages"
    }

    fn fixed_keys(&self) -> &'static [(&'static str, Fixed)] {
        &[("tools", Fixed::Tools), ("functions", Fixed::Tools), ("response_format", Fixed::Tools)]
    }

    fn rules(&self) -> Rules {
        Rules {
            first: First::Anything,
            merges: false,
            answers_adjacent: true,
            emits_runs: false,
            thinking_strips: false,
            system_in_turn: false,
            granularity: Granularity::Unit,
        }
    }

    fn sign(&self, body: &Body<'_>) -> Option<Sign> {
        let tools = body.get("tools").map_or(Vec::new(), Json::elements);
        if let Some(at) = tools.iter().position(|tool| tool.get("function").is_some()) {
            // Responses names its functions one level higher.
            return Some(Sign::new(
                self.format(),
                format!("$.tools[{at}].function"),
                "a tool's \"function\"",
            ));
        }
        let (list, messages) = (body.list_path(self.list_key()), body.messages(self.list_key()));
        messages.iter().enumerate().find_map(|(at, message)| {
            let sign = |key: &str, what: &str| {
                Some(Sign::new(self.format(), format!("{list}[{at}].{key}"), what))
            };
            for key in ["tool_calls", "tool_call_id", "function_call"] {
                if message.get(key).is_some() {
                    return sign(key, &format!("\"{key}\""));
                }
            }
            match message.get_string("role").as_deref() {
                Some(role @ ("tool" | "function")) => {
                    return sign("role", &format!("the role \"{role}\""));
                }
                // Items of the Responses API have a type and these roles too.
                Some(role @ ("system" | "developer"))
                    if at == 0 && message.get("type").is_none() =>
                {
                    return sign("role", &format!("the role \"{role}\""));
                }
                _ => {}
            }
            let blocks = message.get("content").map_or(Vec::new(), Json::elements);
            let own = |block: &Json<'_>| {
                matches!(
                    block.get_string("type").as_deref(),
                    Some("image_url" | "input_audio" | "file" | "refusal")
                )
            };
            let at = blocks.iter().position(own).filter(|_| message.get("type").is_none())?;
            sign(
                &format!("content[{at}].type"),
                &format!("a part of type {}", blocks[at].get("type")?.text()),
            )
        })
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
        reading.role = match &*role {
            "system" | "developer" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" | "function" => Role::Tool,
            other => {
                let problem = format!(
                    "unknown role \"{other}\"; expected system, developer, user, assistant, tool or function"
                );
                return Err(Malformed::new(".role", problem));
            }
        };
        reading.named = message.get("name").is_some();
        let content = message.get("content");
        reading.content = content.map(|content| reading.at(content));
        let mut parts = match content {
            Some(content) => reading.content(content, ".content", block)?,
            None => Vec::new(),
        };
        if reading.role == Role::Tool {
            // All of it is one answer.
            let key = if role == "tool" { "tool_call_id" } else { "name" };
            let id = reading.required(message, key, "")?.into_owned();
            let answer = PartKind::Answer(Answer { id: Some(id), name: None });
            let pieces = parts.into_iter().flat_map(|part| part.pieces).collect();
            reading.parts.push(Part { pieces, body: reading.content.clone(), ..Part::new(answer) });
            return Ok(());
        }
        if let Some(reasoning) = message.get("reasoning_content").filter(|it| it.is_string()) {
            parts.insert(0, reading.opaque(reasoning));
        }
        for (at, tool_call) in
            message.get("tool_calls").map_or(Vec::new(), Json::elements).into_iter().enumerate()
        {
            let path = format!(".tool_calls[{at}]");
            let id = reading.required(tool_call, "id", &path)?.into_owned();
            let (sort, body, arguments) = match tool_call.get("custom") {
                Some(custom) => ("custom", custom, "input"),
                None => ("function", tool_call.get("function").unwrap_or(tool_call), "arguments"),
            };
            let name = body.get_string("name").unwrap_or_default().into_owned();
            let call = Call { id: Some(id), name, sort: sort.into() };
            parts.push(reading.call(call, body, &["name", arguments]));
        }
        if let Some(body) = message.get("function_call") {
            let name = reading.required(body, "name", ".function_call")?.into_owned();
            let call = Call { id: Some(name.clone()), name, sort: "function_call".into() };
            parts.push(reading.call(call, body, &["name", "arguments"]));
        }
        reading.parts = parts;
        Ok(())
    }

    fn media_source<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        let inside = |key: &str, data: &str| part.get(key)?.get(data);
        inside("image_url", "url")
            .or_else(|| inside("input_audio", "data"))
            .or_else(|| inside("file", "file_data"))
    }

    fn media_detail<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        part.get("image_url")?.get("detail")
    }

    fn answer(&self, call: &Call, text: &str) -> Option<String> {
        let (id, text) = (quoted(call.id.as_deref()?), quoted(text));
        Some(match &*call.sort {
            "function_call" => format!(r#"{{"role":"function","name":{id},"content":{text}}}"#),
            _ => format!(r#"{{"role":"tool","tool_call_id":{id},"content":{text}}}"#),
        })
    }
}

fn block<'a>(reading: &Reading<'a>, block: Json<'a>, _path: &str) -> Result<Part, Malformed> {
    Ok(match block.get_string("type").as_deref() {
        Some("text") => reading.part(PartKind::Text, block, &["text"]),
        Some("refusal") => reading.part(PartKind::Text, block, &["refusal"]),
        Some("image_url") => reading.media(Media::Image, block),
        Some("input_audio") => reading.media(Media::Audio, block),
        Some("file") => reading.media(Media::File, block),
        _ => reading.opaque(block),
    })
}
