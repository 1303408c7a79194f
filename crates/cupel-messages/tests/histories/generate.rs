//! Histories made from bytes, in the spelling of any provider.
//!
//! Bytes rather than a random source, so that property tests and fuzzing share one generator, and both can cut a
//! finding down.

use cupel_messages::Format;
use serde_json::{Value, json};

/// What is allowed to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// Nothing: the provider takes it.
    Sound,
    /// Calls without answers, answers without calls, roles that do not alternate.
    Broken,
}

/// Choices, read from bytes; zeros when these are used up.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % limit
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == odds - 1
    }

    fn is_done(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

#[derive(Debug, Clone)]
struct Called {
    id: String,
    tool: &'static str,
}

const WORDS: [&str; 6] = [
    "ok",
    "What does the log say?",
    "ありがとう",
    "",
    "a \"quoted\" line\nand another",
    "{\"rows\": [1, 2, 3]}",
];
const TOOLS: [&str; 3] = ["search", "read_file", "clock"];

/// A request for a provider. The same bytes give the same request.
pub(crate) fn request(format: Format, health: Health, bytes: &[u8]) -> String {
    let mut choices = Choices(bytes.iter());
    let mut writer = Writer { format, messages: Vec::new(), serial: 0 };
    let broken = health == Health::Broken;
    let model = model(format, choices.below(3));
    let whole_body = !choices.one_in(5);
    if format == Format::OpenAiChat && choices.one_in(2) {
        writer.messages.push(json!({"role": "system", "content": "Be brief."}));
    }
    if broken && choices.one_in(4) {
        writer.reply("I begin.", false);
    }
    loop {
        turn(&mut writer, &mut choices, broken);
        if choices.is_done() {
            break;
        }
    }
    let list = Value::Array(writer.messages);
    let body = match format {
        _ if !whole_body => list,
        Format::OpenAiChat => {
            json!({"model": model, "messages": list, "tools": [{"type": "function", "function": {"name": "search"}}]})
        }
        Format::OpenAiResponses => {
            json!({"model": model, "instructions": "Be brief.", "input": list})
        }
        Format::Anthropic => {
            json!({"model": model, "max_tokens": 64, "system": "Be brief.", "messages": list})
        }
        Format::Gemini => {
            json!({"model": model, "contents": list, "systemInstruction": {"parts": [{"text": "Be brief."}]}})
        }
    };
    // Some come with white space, which must survive.
    if bytes.len().is_multiple_of(2) { body.to_string() } else { format!("{body:#}") }
}

fn model(format: Format, at: usize) -> &'static str {
    match format {
        Format::OpenAiChat | Format::OpenAiResponses => "gpt-5",
        Format::Anthropic => ["claude-sonnet-4-5", "claude-opus-5-5", "claude-fable-5-2"][at],
        Format::Gemini => "gemini-2.5-flash",
    }
}

fn turn(writer: &mut Writer, choices: &mut Choices<'_>, broken: bool) {
    let words = words(choices);
    let image = choices.one_in(6);
    let hints = choices.one_in(7).then(|| match choices.below(3) {
        0 => json!({"pinned": true}),
        1 => json!({"priority": 3, "tags": ["a"]}),
        _ => json!({}),
    });
    writer.user(&words, image, hints);
    if broken && choices.one_in(5) {
        writer.user("And another thing.", false, None);
    }
    if broken && choices.one_in(5) {
        writer.answers(&[Called { id: "lost".to_owned(), tool: "search" }], "found nothing");
    }
    if choices.one_in(9) {
        writer.system();
    }
    for _ in 0..choices.below(4) {
        if broken && choices.one_in(5) {
            writer.reply("Let me look.", choices.one_in(2));
        }
        round(writer, choices, broken);
    }
    match choices.below(4) {
        0 => {}
        thought => writer.reply(&self::words(choices), thought == 3),
    }
    if !writer.last_is_models() && !choices.is_done() {
        // Between two user messages the model spoke.
        if !broken {
            writer.reply("Done.", false);
        }
    } else if broken && choices.one_in(5) {
        writer.reply("And I also say this.", false);
    }
    if broken && choices.one_in(9) {
        writer.system();
    }
}

fn round(writer: &mut Writer, choices: &mut Choices<'_>, broken: bool) {
    let count = 1 + choices.below(3);
    let calls: Vec<Called> = (0..count).map(|nth| writer.call(choices.below(4), nth)).collect();
    writer.calls(&calls, choices.one_in(3), choices.one_in(6));
    let mut answered = calls;
    if broken {
        answered.retain(|_| !choices.one_in(4));
    }
    if choices.one_in(3) {
        answered.reverse();
    }
    // A call at the very end may wait.
    if choices.is_done() && choices.below(2) == 1 {
        return;
    }
    let output = match choices.below(8) {
        7 => (0..200).map(|line| format!("line {line} of a long output\n")).collect(),
        6 => format!("[{}]", vec![r#"{"id": 1, "name": "a, b"}"#; 80].join(",")),
        at => WORDS[at.min(5)].to_owned(),
    };
    if broken && choices.one_in(4) {
        // One message for each answer.
        answered.iter().for_each(|call| writer.answers(std::slice::from_ref(call), &output));
    } else if !answered.is_empty() {
        writer.answers(&answered, &output);
    }
    if choices.one_in(6) {
        writer.words_beside_answers();
    }
    if broken && choices.one_in(8) {
        writer.lone_reasoning();
    }
}

fn words(choices: &mut Choices<'_>) -> String {
    let words = WORDS[choices.below(WORDS.len())];
    words.repeat(1 + choices.below(4) * choices.below(20))
}

/// Spells a history.
struct Writer {
    format: Format,
    messages: Vec<Value>,
    serial: usize,
}

impl Writer {
    /// A call whose id may have been used before.
    fn call(&mut self, choice: usize, nth: usize) -> Called {
        self.serial += 1;
        // Within one message ids differ; across messages they need not.
        let id = if choice == 0 { format!("again_{nth}") } else { format!("call_{}", self.serial) };
        Called { id, tool: TOOLS[choice % TOOLS.len()] }
    }

    fn last_is_models(&self) -> bool {
        self.messages.last().is_some_and(|last| {
            last["role"] == "assistant"
                || last["role"] == "model"
                || last["type"] == "function_call"
        })
    }

    fn user(&mut self, words: &str, image: bool, hints: Option<Value>) {
        let mut message = match self.format {
            Format::OpenAiChat if image => json!({"role": "user", "content": [
                {"type": "text", "text": words},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}),
            Format::OpenAiResponses if image => json!({"role": "user", "content": [
                {"type": "input_text", "text": words},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw0KGgo="}]}),
            Format::Anthropic if image => json!({"role": "user", "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
                {"type": "text", "text": words}]}),
            Format::Gemini => {
                let mut parts = vec![json!({"text": words})];
                if image {
                    parts.push(
                        json!({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}),
                    );
                }
                json!({"role": "user", "parts": parts})
            }
            _ => json!({"role": "user", "content": words, "x_unknown": {"n": 1.50}}),
        };
        if let Some(hints) = hints {
            message["cupel"] = hints;
        }
        self.messages.push(message);
    }

    /// Instructions inside the conversation, where there can be any.
    fn system(&mut self) {
        match self.format {
            Format::OpenAiChat | Format::OpenAiResponses => {
                self.messages.push(json!({"role": "developer", "content": "Answer in French."}));
            }
            Format::Anthropic => {
                self.messages.push(json!({"role": "system", "content": "Answer in French."}))
            }
            Format::Gemini => {}
        }
    }

    /// The user speaks in the message that brings the answers.
    fn words_beside_answers(&mut self) {
        let (Format::Anthropic, Some(last)) = (self.format, self.messages.last_mut()) else {
            return;
        };
        if let Some(results) =
            last["content"].as_array_mut().filter(|content| content[0]["type"] == "tool_result")
        {
            results.push(json!({"type": "text", "text": "And hurry up."}));
        }
    }

    fn lone_reasoning(&mut self) {
        if self.format == Format::OpenAiResponses {
            self.messages.push(reasoning());
            self.messages.push(json!({"role": "user", "content": "Stop thinking."}));
        }
    }

    fn reply(&mut self, words: &str, thought: bool) {
        match self.format {
            Format::OpenAiChat => {
                self.messages.push(json!({"role": "assistant", "content": words}))
            }
            Format::OpenAiResponses => {
                if thought {
                    self.messages.push(reasoning());
                }
                self.messages.push(json!({"type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
                    "content": [{"type": "output_text", "text": words, "annotations": []}]}));
            }
            Format::Anthropic => {
                let mut content = vec![json!({"type": "text", "text": words})];
                if thought {
                    content.insert(0, thinking());
                }
                self.messages.push(json!({"role": "assistant", "content": content}));
            }
            Format::Gemini => {
                self.messages.push(json!({"role": "model", "parts": [{"text": words}]}))
            }
        }
    }

    fn calls(&mut self, calls: &[Called], thought: bool, server_tool: bool) {
        match self.format {
            Format::OpenAiChat => {
                let calls = calls.iter().map(|call| {
                    json!({"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": "{\"q\":1}"}})
                });
                self.messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()}));
            }
            Format::OpenAiResponses => {
                if thought {
                    self.messages.push(reasoning());
                }
                if server_tool {
                    self.messages.push(
                        json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}}),
                    );
                }
                self.messages.extend(calls.iter().map(|call| {
                    json!({"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": "{\"q\":1}"})
                }));
            }
            Format::Anthropic => {
                let mut content = if thought { vec![thinking()] } else { Vec::new() };
                if server_tool {
                    content.push(json!({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}}));
                    content.push(json!({"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []}));
                }
                content.extend(calls.iter().map(|call| {
                    json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": {"q": 1}})
                }));
                self.messages.push(json!({"role": "assistant", "content": content}));
            }
            Format::Gemini => {
                // Ids or none at all; signatures on the first call.
                let with_ids = !server_tool;
                let parts = calls.iter().enumerate().map(|(at, call)| {
                    let mut function = json!({"name": call.tool, "args": {"q": 1}});
                    if with_ids {
                        function["id"] = json!(call.id);
                    }
                    let mut part = json!({"functionCall": function});
                    if thought && at == 0 {
                        part["thoughtSignature"] = json!("c2lnbmVk");
                    }
                    part
                });
                self.messages.push(json!({"role": "model", "parts": parts.collect::<Vec<_>>()}));
            }
        }
    }

    fn answers(&mut self, calls: &[Called], output: &str) {
        match self.format {
            Format::OpenAiChat => self.messages.extend(
                calls.iter().map(|call| json!({"role": "tool", "tool_call_id": call.id, "content": output})),
            ),
            Format::OpenAiResponses => self.messages.extend(
                calls.iter().map(|call| json!({"type": "function_call_output", "call_id": call.id, "output": output})),
            ),
            Format::Anthropic => {
                let results = calls.iter().enumerate().map(|(at, call)| match at {
                    1 => json!({"type": "tool_result", "tool_use_id": call.id, "content": [{"type": "text", "text": output}]}),
                    _ => json!({"type": "tool_result", "tool_use_id": call.id, "content": output}),
                });
                self.messages.push(json!({"role": "user", "content": results.collect::<Vec<_>>()}));
            }
            Format::Gemini => {
                let with_ids = self.messages.last().is_none_or(|last| last["parts"][0]["functionCall"]["id"].is_string());
                let parts = calls.iter().map(|call| {
                    let mut function = json!({"name": call.tool, "response": {"output": output}});
                    if with_ids {
                        function["id"] = json!(call.id);
                    }
                    json!({"functionResponse": function})
                });
                self.messages.push(json!({"role": "user", "parts": parts.collect::<Vec<_>>()}));
            }
        }
    }
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "The user wants to know something.", "signature": "sig"})
}

fn reasoning() -> Value {
    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"})
}
