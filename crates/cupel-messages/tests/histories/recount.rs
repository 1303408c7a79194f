//! What a request costs, counted anew from its JSON: characters as tokens, and round numbers for the rest.

use cupel_messages::{Format, MediaPart, Meter};
use serde_json::Value;

/// Characters as tokens.
#[derive(Debug)]
pub(crate) struct Characters;

const IMAGE: i64 = 7;
const MESSAGE: i64 = 2;
const REQUEST: i64 = 5;

impl Meter for Characters {
    fn text(&self, text: &str) -> i64 {
        text.chars().count() as i64
    }

    fn media(&self, _media: &MediaPart<'_>) -> i64 {
        IMAGE
    }

    fn per_message(&self) -> i64 {
        MESSAGE
    }

    fn per_request(&self) -> i64 {
        REQUEST
    }
}

pub(crate) fn recount(format: Format, text: &str) -> i64 {
    let root: Value = serde_json::from_str(text).unwrap();
    let (list, fixed) = match format {
        Format::OpenAiChat => ("messages", spelled(&root["tools"])),
        Format::OpenAiResponses => ("input", chars(&root["instructions"])),
        Format::Anthropic => ("messages", chars(&root["system"])),
        Format::Gemini => ("contents", chars(&root["systemInstruction"]["parts"][0]["text"])),
    };
    let list = if root.is_array() { &root } else { &root[list] };
    let messages = list.as_array().unwrap().iter();
    REQUEST + fixed + messages.map(|message| MESSAGE + of_message(format, message)).sum::<i64>()
}

fn of_message(format: Format, message: &Value) -> i64 {
    match format {
        Format::OpenAiChat => {
            let calls = message["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
            let calls = calls.iter().map(|call| {
                chars(&call["function"]["name"]) + chars(&call["function"]["arguments"])
            });
            of_content(&message["content"]) + calls.sum::<i64>()
        }
        Format::OpenAiResponses => match message["type"].as_str() {
            Some("reasoning") => {
                spelled(&message["summary"]) + chars(&message["encrypted_content"])
            }
            Some("function_call") => chars(&message["name"]) + chars(&message["arguments"]),
            Some("function_call_output") => of_content(&message["output"]),
            Some("web_search_call") => spelled(message),
            _ => of_content(&message["content"]),
        },
        Format::Anthropic => of_content(&message["content"]),
        Format::Gemini => message["parts"].as_array().unwrap().iter().map(of_part).sum(),
    }
}

fn of_content(content: &Value) -> i64 {
    match content {
        Value::Array(blocks) => blocks.iter().map(of_block).sum(),
        text => chars(text),
    }
}

fn of_block(block: &Value) -> i64 {
    match block["type"].as_str().unwrap() {
        "image" | "image_url" | "input_image" => IMAGE,
        "thinking" => chars(&block["thinking"]),
        "tool_use" => chars(&block["name"]) + spelled(&block["input"]),
        "tool_result" => of_content(&block["content"]),
        "text" | "input_text" | "output_text" => chars(&block["text"]),
        _ => spelled(block),
    }
}

fn of_part(part: &Value) -> i64 {
    let response = &part["functionResponse"];
    let call = &part["functionCall"];
    if part["inlineData"].is_object() {
        IMAGE
    } else if call.is_object() {
        chars(&call["name"]) + spelled(&call["args"])
    } else if response.is_object() {
        chars(&response["name"]) + spelled(&response["response"])
    } else {
        chars(&part["text"])
    }
}

fn chars(value: &Value) -> i64 {
    value.as_str().map_or(0, |text| text.chars().count() as i64)
}

/// As it is spelled, without white space. Generated requests have no white space inside what is counted so.
fn spelled(value: &Value) -> i64 {
    if value.is_null() { 0 } else { value.to_string().chars().count() as i64 }
}
