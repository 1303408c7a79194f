//! Would the provider take it?
//!
//! A judge of requests, written from the providers' rules alone: it shares no code with what selects and repairs, so
//! that one can be held against the other. Useful by itself for a request that a provider has refused.
//!
//! ```
//! use cupel_messages::{Request, Rule, validate};
//!
//! let request = Request::read(
//!     r#"[{"role": "user", "content": "What is the time?"},
//!         {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}]},
//!         {"role": "user", "content": "Never mind."}]"#,
//! )?;
//! let problems = validate(&request);
//! assert_eq!(problems[0].rule, Rule::CallWithoutAnswer);
//! assert_eq!(problems[0].path, "$[1].tool_calls[0]");
//! # Ok::<(), cupel_messages::Error>(())
//! ```

mod anthropic;
mod gemini;
mod openai_chat;
mod openai_responses;

use std::fmt;

use serde_json::Value;

use crate::{Format, Request};

/// A rule that a provider holds requests to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// There is at least one message.
    Empty,
    /// Every call is answered, where its answer must be.
    CallWithoutAnswer,
    /// Every answer has its call, where that must be.
    AnswerWithoutCall,
    /// A call has one answer.
    AnsweredTwice,
    /// Answers stand before anything else in their message.
    AnswersFirst,
    /// The conversation starts with the user.
    UserFirst,
    /// Roles alternate.
    RolesAlternate,
    /// Reasoning is followed by what the model emitted next.
    ReasoningAlone,
    /// What a tool of the provider's own returned stands in the message of its call.
    ServerToolSplit,
    /// System messages inside the conversation stand behind a user message.
    SystemPlace,
    /// A call stands right behind a user message or answers.
    CallPlace,
    /// The last message is not the model's, on models that do not continue one.
    AssistantLast,
    /// The first call of each step of the current turn carries its signature.
    Signature,
    /// At most four cache breakpoints.
    CacheBreakpoints,
    /// No more messages than the provider takes.
    TooManyMessages,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The provider refuses it.
    Invalid,
    /// Fine as a state of the conversation, but something must come before it can be sent.
    Unfinished,
}

/// Something a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The message.
    pub message: usize,
    /// Where exactly, as a JSON path.
    pub path: String,
    /// Which rule is broken.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in our words.
    pub text: String,
    /// What the provider says to it.
    pub provider_says: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, text, provider_says, .. } = self;
        write!(f, "{path}: {text}; the provider says: {provider_says}")
    }
}

/// What is wrong with a request, in the order of its messages; nothing if its provider would take it.
pub fn validate(request: &Request) -> Vec<Problem> {
    let Ok(root) = serde_json::from_str::<Value>(request.text()) else { return Vec::new() };
    let (body, list) = match root {
        Value::Array(list) => (Value::Null, list),
        mut body => {
            let key = match request.format() {
                Format::OpenAiChat | Format::Anthropic => "messages",
                Format::OpenAiResponses => "input",
                Format::Gemini => "contents",
            };
            // A string is one message of the user, about which there is no rule.
            let Value::Array(list) = body[key].take() else { return Vec::new() };
            (body, list)
        }
    };
    let mut judge = Judge { body: &body, list: &list, request, problems: Vec::new() };
    match request.format() {
        Format::OpenAiChat => openai_chat::judge(&mut judge),
        Format::OpenAiResponses => openai_responses::judge(&mut judge),
        Format::Anthropic => anthropic::judge(&mut judge),
        Format::Gemini => gemini::judge(&mut judge),
    }
    judge.problems.sort_by_key(|problem| problem.message);
    judge.problems
}

/// A request under judgement.
struct Judge<'a> {
    /// The request without its messages; null for a bare list.
    body: &'a Value,
    list: &'a [Value],
    request: &'a Request,
    problems: Vec<Problem>,
}

impl Judge<'_> {
    fn refuse(
        &mut self,
        message: usize,
        inside: &str,
        rule: Rule,
        text: impl Into<String>,
        says: impl Into<String>,
    ) {
        let path = format!("{}{inside}", self.request.path(message));
        let (text, provider_says) = (text.into(), says.into());
        self.problems.push(Problem {
            message,
            path,
            rule,
            severity: Severity::Invalid,
            text,
            provider_says,
        });
    }

    /// Refuses a list without messages.
    fn refuse_empty(&mut self, says: &str) {
        self.refuse(0, "", Rule::Empty, "there is no message", says);
        if let Some(last) = self.problems.last_mut() {
            last.path = self.request.list_path().to_owned();
        }
    }

    /// [`refuse`](Self::refuse), but for a state that only needs to be continued.
    fn remind(
        &mut self,
        message: usize,
        inside: &str,
        rule: Rule,
        text: impl Into<String>,
        says: impl Into<String>,
    ) {
        self.refuse(message, inside, rule, text, says);
        if let Some(last) = self.problems.last_mut() {
            last.severity = Severity::Unfinished;
        }
    }

    fn role(&self, message: usize) -> &str {
        self.list.get(message).and_then(|message| message["role"].as_str()).unwrap_or_default()
    }
}

/// The elements of an array; none of anything else.
fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
