//! Requests of a batch that bring messages in place of items.

use cupel::{ContextBudget, Policy};
use cupel_messages::{
    CurrentTurn, Dangling, Error, Format, Granularity, Options, Request, Shorten,
};
use cupel_policy::{Failure, INVALID_REQUEST, Loader, PolicyError, Preset, RequestId, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::chat::{meter, read, room};
use super::detect::brings_messages;
use super::report_json;
use crate::tokens::Tokenizer;

/// How lines are answered.
#[derive(Debug, Clone)]
pub(crate) struct MessageResponder {
    pub(crate) loader: Loader,
    pub(crate) tokenizer: Option<Tokenizer>,
    pub(crate) timings: bool,
}

/// A line of the batch.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line<'l> {
    #[serde(default)]
    id: Option<Value>,
    #[serde(borrow)]
    messages: Option<&'l RawValue>,
    #[serde(borrow)]
    input: Option<&'l RawValue>,
    #[serde(borrow)]
    contents: Option<&'l RawValue>,
    /// A whole request.
    #[serde(borrow)]
    request: Option<&'l RawValue>,
    #[serde(borrow)]
    budget: &'l RawValue,
    #[serde(borrow)]
    policy: Option<&'l RawValue>,
    provider: Option<String>,
    count: Option<String>,
    #[serde(default)]
    keep_first: usize,
    #[serde(default)]
    keep_last: usize,
    #[serde(default)]
    pin: Vec<String>,
    #[serde(default = "yes")]
    shorten: bool,
    granularity: Option<Size>,
    #[serde(default)]
    current_turn: Current,
    #[serde(default)]
    dangling: Unanswered,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Size {
    Turn,
    Unit,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Current {
    #[default]
    Whole,
    Rounds,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Unanswered {
    #[default]
    Answer,
    Drop,
}

/// An answer: the request under the key it came in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<Box<RawValue>>,
    total_tokens: i64,
    report: Value,
}

impl MessageResponder {
    /// The answer to a line that brings messages, or why there is none; nothing for any other line.
    pub(crate) fn respond(&self, number: usize, line: &[u8]) -> Option<Result<String, Response>> {
        if !brings_messages(line) {
            return None;
        }
        Some(self.answer(number, line).map_err(|error| {
            let named = serde_json::from_slice::<Named>(line).ok();
            Response::Failed { id: named.and_then(|named| named.id), error }
        }))
    }

    fn answer(&self, number: usize, line: &[u8]) -> Result<String, Failure> {
        let read: Line<'_> = serde_json::from_slice(line)
            .map_err(|error| invalid(format!("line {number}: {}{}", error, hint(&error))))?;
        let (key, raw) = read.list()?;
        let told = |error: Error| refusal(number, key, &error);
        let provider = read.provider.as_deref().map(str::parse::<Format>).transpose();
        let provider =
            provider.map_err(|error| invalid(format!("line {number}, provider: {error}")))?;
        let request = self::read(raw, provider).map_err(told)?;
        let budget = self.loader.parse_budget(read.budget.get());
        let budget = budget.map_err(|error| within(number, "budget", &error))?;
        let options = read.options(self.policy(number, read.policy)?);
        let fitted = self.fit(number, &read, &request, &budget, &options, key)?;
        let text = RawValue::from_string(fitted.text.clone()).map_err(|error| {
            invalid(format!("line {number}: what was made of it is no JSON: {error}"))
        })?;
        let under = |own: &str| (own == key).then(|| text.clone());
        let answer = Answer {
            messages: under("messages"),
            input: under("input"),
            contents: under("contents"),
            request: under("request"),
            total_tokens: fitted.tokens.total(),
            report: report_json(&request, &fitted, &[], self.timings),
            id: read.id,
        };
        serde_json::to_string(&answer).map_err(|error| invalid(error.to_string()))
    }

    fn fit(
        &self,
        number: usize,
        line: &Line<'_>,
        request: &Request,
        budget: &ContextBudget,
        options: &Options,
        key: &str,
    ) -> Result<cupel_messages::Fitted, Failure> {
        let named = line.count.as_deref().map(str::parse::<Tokenizer>).transpose();
        let named = named.map_err(|error| invalid(format!("line {number}, count: {error}")))?;
        let meter = meter(request, named.or(self.tokenizer));
        let fitted = request.fit(room(budget), options, &meter);
        fitted.map_err(|error| refusal(number, key, &error))
    }

    /// A preset by name, a policy, or nothing.
    fn policy(&self, number: usize, policy: Option<&RawValue>) -> Result<Option<Policy>, Failure> {
        let Some(policy) = policy.filter(|policy| policy.get() != "null") else { return Ok(None) };
        if let Ok(name) = serde_json::from_str::<String>(policy.get()) {
            let preset = name.parse::<Preset>();
            let preset =
                preset.map_err(|error| invalid(format!("line {number}, policy: {error}")))?;
            return Ok(Some(preset.policy()));
        }
        let loaded = self.loader.load(policy.get());
        loaded.map(Some).map_err(|error| within(number, "policy", &error))
    }
}

#[derive(Deserialize)]
struct Named {
    id: Option<RequestId>,
}

impl<'l> Line<'l> {
    /// The messages or the request, and the key they are under.
    fn list(&self) -> Result<(&'static str, &'l str), Failure> {
        let lists = [
            ("messages", self.messages),
            ("input", self.input),
            ("contents", self.contents),
            ("request", self.request),
        ];
        let mut lists = lists.into_iter().filter_map(|(key, list)| Some((key, list?.get())));
        match (lists.next(), lists.next()) {
            (Some(list), None) => Ok(list),
            (Some((one, _)), Some((other, _))) => Err(invalid(format!(
                "both {one:?} and {other:?} are given; a request has one of them"
            ))),
            (None, _) => Err(invalid("\"messages\" is null; give a list of messages".to_owned())),
        }
    }

    fn options(&self, policy: Option<Policy>) -> Options {
        let mut options = Options::new()
            .keep_first(self.keep_first)
            .keep_last(self.keep_last)
            .shorten(self.shorten.then(Shorten::default))
            .current_turn(match self.current_turn {
                Current::Whole => CurrentTurn::Whole,
                Current::Rounds => CurrentTurn::Rounds,
            })
            .dangling(match self.dangling {
                Unanswered::Answer => Dangling::Answer,
                Unanswered::Drop => Dangling::Drop,
            });
        for text in &self.pin {
            options = options.pin(text);
        }
        if let Some(size) = self.granularity {
            options = options.granularity(match size {
                Size::Turn => Granularity::Turn,
                Size::Unit => Granularity::Unit,
            });
        }
        match policy {
            Some(policy) => options.policy(policy),
            None => options,
        }
    }
}

fn invalid(message: String) -> Failure {
    Failure { code: INVALID_REQUEST.to_owned(), message }
}

/// Where a whole request belongs, for whoever wrote its keys beside ours.
fn hint(error: &serde_json::Error) -> &'static str {
    let is_own_key = error.to_string().starts_with("unknown field");
    if is_own_key { "; a whole request goes under \"request\"" } else { "" }
}

fn within(number: usize, key: &str, error: &PolicyError) -> Failure {
    let problem = error.problems().first().map(ToString::to_string).unwrap_or_default();
    Failure { code: error.code().to_owned(), message: format!("line {number}, {key}: {problem}") }
}

fn refusal(number: usize, key: &str, error: &Error) -> Failure {
    if let Error::Engine(error) = error {
        let response = Response::from(error.clone());
        return response.error().cloned().unwrap_or_else(|| invalid(error.to_string()));
    }
    let code = match error {
        Error::BudgetTooSmall { .. } => "PinnedExceedsBudget",
        _ => INVALID_REQUEST,
    };
    // Paths begin where the list or the request does.
    let told = error.to_string();
    let told = match key {
        "request" => told.replace("$.", "$.request."),
        list => told.replace("$[", &format!("$.{list}[")),
    };
    Failure { code: code.to_owned(), message: format!("line {number}: {told}") }
}
