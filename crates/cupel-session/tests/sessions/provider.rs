//! A provider's prompt cache, played naively: two requests as JSON, what they have in common from the start, and what of
//! that ends where a cache entry does. Knows nothing of the crate.

use cupel_messages::{Format, MediaPart, Meter};
use serde_json::{Value, json};

/// Characters as tokens, and round numbers for the rest.
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

/// How a provider caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    /// Whatever is the same.
    Anything,
    /// Up to explicit breakpoints, and one behind the last thing said to the model.
    Breakpoints,
    /// Up to explicit breakpoints, looked for from another at most twenty blocks later.
    LookBack,
}

/// What a provider charges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tariff {
    pub(crate) caching: Caching,
    pub(crate) read: i64,
    pub(crate) write: i64,
    pub(crate) minimum: i64,
}

/// Read, written and plain tokens, and their price in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bill {
    pub(crate) read: i64,
    pub(crate) written: i64,
    pub(crate) plain: i64,
    pub(crate) thousandths: i64,
}

/// A part of a request as a cache sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    /// Who says what, without marks.
    pub(crate) what: Value,
    pub(crate) tokens: i64,
    pub(crate) marked: bool,
    pub(crate) asks: bool,
    pub(crate) thinks: bool,
}

/// The bill for `now`, sent right after `before`.
pub(crate) fn bill(format: Format, before: Option<&str>, now: &str, tariff: Tariff) -> Bill {
    let blocks = seen(format, now);
    let before = before.map_or(Vec::new(), |before| seen(format, before));
    let mut common = 0;
    while common < blocks.len()
        && common < before.len()
        && blocks[common].what == before[common].what
    {
        common += 1;
    }
    let upto = |end: usize| blocks[..end].iter().map(|block| block.tokens).sum::<i64>();
    let ends = |blocks: &[Seen]| {
        let marks = (0..blocks.len()).filter(|at| blocks[*at].marked);
        let mut ends: Vec<usize> = marks.map(|at| at + 1).collect();
        if tariff.caching == Caching::Breakpoints {
            ends.extend((0..blocks.len()).rfind(|at| blocks[*at].asks).map(|at| at + 1));
        }
        ends
    };
    let mut read = 0;
    for end in 1..=common {
        let is_entry = match tariff.caching {
            Caching::Anything => true,
            Caching::Breakpoints => ends(&before).contains(&end),
            Caching::LookBack => {
                let reaches = |mark: &usize| *mark >= end && mark - end <= 20;
                ends(&before).contains(&end) && ends(&blocks).iter().any(reaches)
            }
        };
        if is_entry && upto(end) >= tariff.minimum {
            read = upto(end);
        }
    }
    let last = match tariff.caching {
        Caching::Anything => blocks.len(),
        _ => ends(&blocks).into_iter().max().unwrap_or(0),
    };
    let written = if upto(last) >= tariff.minimum { (upto(last) - read).max(0) } else { 0 };
    let plain = upto(blocks.len()) + REQUEST - read - written;
    let thousandths = read * tariff.read + written * tariff.write + plain * 1_000;
    Bill { read, written, plain, thousandths }
}

/// A request as a cache sees it.
pub(crate) fn seen(format: Format, text: &str) -> Vec<Seen> {
    let root: Value = serde_json::from_str(text).unwrap();
    let mut blocks = Vec::new();
    let (key, fixed): (&str, Vec<(&Value, i64)>) = match format {
        Format::OpenAiChat => ("messages", vec![(&root["tools"], spelled(&root["tools"]))]),
        Format::OpenAiResponses => {
            ("input", vec![(&root["instructions"], chars(&root["instructions"]))])
        }
        Format::Anthropic => {
            let words = |value: &Value| match value {
                Value::Array(blocks) => blocks.iter().map(|block| chars(&block["text"])).sum(),
                text => chars(text),
            };
            ("messages", vec![(&root["system"], words(&root["system"]))])
        }
        Format::Gemini => {
            let system = &root["systemInstruction"];
            ("contents", vec![(system, chars(&system["parts"][0]["text"]))])
        }
    };
    for (value, tokens) in fixed.into_iter().filter(|(value, _)| !value.is_null()) {
        let marked = value.as_array().and_then(|list| list.last()).is_some_and(is_marked);
        let what = match value {
            Value::String(text) => json!([{"type": "text", "text": text}]),
            other => other.clone(),
        };
        let what = without_marks(what);
        // Instructions as one text or in a list of one are the same to us only where we make a list of a text.
        blocks.push(Seen { what, tokens, marked, asks: true, thinks: false });
    }
    let list = if root.is_array() { &root } else { &root[key] };
    for message in list.as_array().unwrap() {
        blocks.extend(of_message(format, message));
    }
    blocks
}

fn of_message(format: Format, message: &Value) -> Vec<Seen> {
    let role = message["role"].as_str().unwrap_or_default();
    match format {
        Format::OpenAiChat | Format::OpenAiResponses => {
            let tokens = MESSAGE + openai(format, message);
            let mut what = message.clone();
            let is_output = message["type"] == "function_call_output";
            if let Value::String(text) = &message["content"] {
                what["content"] = json!([{"text": text}]);
            } else if let Value::Array(parts) = &message["content"] {
                let plain = parts.iter().map(|part| match part["type"].as_str() {
                    Some("text" | "input_text") => json!({"text": part["text"]}),
                    _ => without_marks(part.clone()),
                });
                what["content"] = plain.collect();
            }
            let marked =
                message["content"].as_array().is_some_and(|parts| parts.iter().any(is_marked));
            let by_model = matches!(
                message["type"].as_str(),
                Some("reasoning" | "function_call" | "web_search_call")
            );
            let asks = (role != "assistant" && !by_model) || is_output;
            vec![Seen { what, tokens, marked, asks, thinks: false }]
        }
        Format::Anthropic | Format::Gemini => {
            let parts =
                if format == Format::Anthropic { &message["content"] } else { &message["parts"] };
            let parts = match parts {
                Value::String(text) => vec![json!({"type": "text", "text": text})],
                parts => parts.as_array().unwrap().clone(),
            };
            let asks = !matches!(role, "assistant" | "model");
            let block = |(at, part): (usize, &Value)| Seen {
                what: json!([role, without_marks(part.clone())]),
                tokens: of_part(format, part) + if at == 0 { MESSAGE } else { 0 },
                marked: is_marked(part),
                asks,
                thinks: part["type"] == "thinking",
            };
            if parts.is_empty() {
                return vec![Seen {
                    what: message.clone(),
                    tokens: MESSAGE,
                    marked: false,
                    asks,
                    thinks: false,
                }];
            }
            parts.iter().enumerate().map(block).collect()
        }
    }
}

fn is_marked(part: &Value) -> bool {
    part["cache_control"].is_object() || part["prompt_cache_breakpoint"].is_object()
}

fn without_marks(mut value: Value) -> Value {
    match &mut value {
        Value::Array(list) => list.iter_mut().for_each(|it| *it = without_marks(it.take())),
        Value::Object(object) => {
            object.remove("cache_control");
            object.remove("prompt_cache_breakpoint");
        }
        _ => {}
    }
    value
}

fn openai(format: Format, message: &Value) -> i64 {
    if format == Format::OpenAiChat {
        let calls = message["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
        let calls = calls
            .iter()
            .map(|call| chars(&call["function"]["name"]) + chars(&call["function"]["arguments"]));
        return of_content(&message["content"]) + calls.sum::<i64>();
    }
    match message["type"].as_str() {
        Some("reasoning") => spelled(&message["summary"]) + chars(&message["encrypted_content"]),
        Some("function_call") => chars(&message["name"]) + chars(&message["arguments"]),
        Some("function_call_output") => of_content(&message["output"]),
        Some("web_search_call") => spelled(message),
        _ => of_content(&message["content"]),
    }
}

fn of_content(content: &Value) -> i64 {
    match content {
        Value::Array(blocks) => blocks.iter().map(|block| of_part(Format::Anthropic, block)).sum(),
        text => chars(text),
    }
}

fn of_part(format: Format, part: &Value) -> i64 {
    if format == Format::Gemini {
        let (response, call) = (&part["functionResponse"], &part["functionCall"]);
        return if part["inlineData"].is_object() {
            IMAGE
        } else if call.is_object() {
            chars(&call["name"]) + spelled(&call["args"])
        } else if response.is_object() {
            chars(&response["name"]) + spelled(&response["response"])
        } else {
            chars(&part["text"])
        };
    }
    match part["type"].as_str().unwrap() {
        "image" | "image_url" | "input_image" => IMAGE,
        "thinking" => chars(&part["thinking"]),
        "tool_use" => chars(&part["name"]) + spelled(&part["input"]),
        "tool_result" => of_content(&part["content"]),
        "text" | "input_text" | "output_text" => chars(&part["text"]),
        _ => spelled(part),
    }
}

fn chars(value: &Value) -> i64 {
    value.as_str().map_or(0, |text| text.chars().count() as i64)
}

/// As it is spelled, without white space.
fn spelled(value: &Value) -> i64 {
    if value.is_null() { 0 } else { value.to_string().chars().count() as i64 }
}
