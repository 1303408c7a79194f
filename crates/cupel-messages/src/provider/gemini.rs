//! Gemini `generateContent`. Its SDKs spell keys in camelCase or in snake_case.

use super::{First, Fixed, Malformed, Provider, Reading, Rules};
use crate::body::Body;
use crate::json::{Json, quoted};
use crate::model::{Answer, Call, Media, Part, PartKind, Role};
use crate::{Format, Granularity, Sign};

pub(crate) struct Gemini;

impl Provider for Gemini {
    fn format(&self) -> Format {
        Format::Gemini
    }

    fn list_key(&self) -> &'static str {
        "contents"
    }

    fn fixed_keys(&self) -> &'static [(&'static str, Fixed)] {
        &[
            ("systemInstruction", Fixed::System),
            ("system_instruction", Fixed::System),
            ("tools", Fixed::Tools),
        ]
    }

    fn rules(&self) -> Rules {
        Rules {
            first: First::NoCall,
            merges: true,
            answers_adjacent: true,
            emits_runs: false,
            thinking_strips: false,
            system_in_turn: false,
            granularity: Granularity::Turn,
        }
    }

    fn sign(&self, body: &Body<'_>) -> Option<Sign> {
        if body.get("contents").is_some() {
            return Some(Sign::new(self.format(), "$.contents", "\"contents\""));
        }
        let (list, contents) = (body.list_path("messages"), body.messages("messages"));
        let at = contents.iter().position(|content| content.get("parts").is_some())?;
        Some(Sign::new(self.format(), format!("{list}[{at}].parts"), "\"parts\""))
    }

    fn part_path(&self, part: usize) -> String {
        format!(".parts[{part}]")
    }

    fn read(&self, reading: &mut Reading<'_>) -> Result<(), Malformed> {
        let content = reading.json;
        if !content.is_object() {
            return Err(Malformed::expected(
                "",
                "a content, an object with \"role\" and \"parts\"",
                Some(**content),
            ));
        }
        let Some(parts) = content.get("parts").filter(|parts| parts.is_array()) else {
            return Err(Malformed::expected(".parts", "an array of parts", content.get("parts")));
        };
        reading.content = Some(reading.at(parts));
        reading.parts = reading.content(parts, ".parts", part)?;
        let signature =
            |part: &Json<'_>| either(*part, "thoughtSignature", "thought_signature").is_some();
        reading.signed = parts.elements().iter().any(signature);
        let answers = reading.parts.iter().any(|part| matches!(part.kind, PartKind::Answer(_)));
        reading.role = match content.get_string("role").as_deref() {
            None | Some("user" | "function") if answers => Role::Tool,
            None | Some("user") => Role::User,
            Some("model") => Role::Assistant,
            Some(other) => {
                return Err(Malformed::new(
                    ".role",
                    format!("unknown role \"{other}\"; expected user or model"),
                ));
            }
        };
        Ok(())
    }

    fn media_source<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        let inline = either(part, "inlineData", "inline_data").and_then(|data| data.get("data"));
        inline.or_else(|| either(either(part, "fileData", "file_data")?, "fileUri", "file_uri"))
    }

    fn media_detail<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        let resolution = either(part, "mediaResolution", "media_resolution")?;
        resolution.get("level").or(Some(resolution))
    }

    fn answer(&self, call: &Call, text: &str) -> Option<String> {
        let id = call.id.as_ref().map_or(String::new(), |id| format!(r#""id":{},"#, quoted(id)));
        let (name, text) = (quoted(&call.name), quoted(text));
        Some(format!(
            r#"{{"functionResponse":{{{id}"name":{name},"response":{{"error":{text}}}}}}}"#
        ))
    }

    fn answering_message(&self, answers: &[String]) -> String {
        format!(r#"{{"role":"user","parts":[{}]}}"#, answers.join(","))
    }

    fn body(&self, text: &str) -> String {
        format!(r#"{{"output":{}}}"#, quoted(text))
    }

    fn text_part(&self, string: &str) -> String {
        format!(r#"{{"text":{string}}}"#)
    }
}

fn either<'a>(of: Json<'a>, camel: &str, snake: &str) -> Option<Json<'a>> {
    of.get(camel).or_else(|| of.get(snake))
}

fn part<'a>(reading: &Reading<'a>, part: Json<'a>, path: &str) -> Result<Part, Malformed> {
    let id_of = |of: Json<'a>| of.get_string("id").map(|id| id.into_owned());
    if let Some(call) = either(part, "functionCall", "function_call") {
        let name = reading.required(call, "name", &format!("{path}.functionCall"))?.into_owned();
        let neutral = Call { id: id_of(call), name, sort: "functionCall".into() };
        return Ok(reading.call(neutral, call, &["name", "args"]));
    }
    if let Some(response) = either(part, "functionResponse", "function_response") {
        let name =
            reading.required(response, "name", &format!("{path}.functionResponse"))?.into_owned();
        let body = response.get("response").map(|body| reading.at(body));
        let pieces = ["name", "response"].iter().filter_map(|key| response.get(key));
        let pieces = pieces.map(|value| reading.words(value)).collect();
        let answer = Answer { id: id_of(response), name: Some(name) };
        return Ok(Part { pieces, body, ..Part::new(PartKind::Answer(answer)) });
    }
    if let Some(text) = part.get("text") {
        let thought = part.get("thought").is_some_and(|thought| thought.text() == "true");
        let kind = if thought { PartKind::Thinking } else { PartKind::Text };
        return Ok(Part { pieces: vec![reading.words(text)], ..Part::new(kind) });
    }
    if let Some(data) =
        either(part, "inlineData", "inline_data").or_else(|| either(part, "fileData", "file_data"))
    {
        let mime = either(data, "mimeType", "mime_type").and_then(Json::string).unwrap_or_default();
        let media = match mime.split('/').next() {
            Some("image") => Media::Image,
            Some("audio") => Media::Audio,
            Some("video") => Media::Video,
            _ => Media::File,
        };
        return Ok(reading.media(media, part));
    }
    Ok(reading.opaque(part))
}
