//! Requests of a batch that bring messages in place of items.

use cupel::{ContextBudget, Pipeline, Policy, Query};
use cupel_messages::{
    CurrentTurn, Dangling, Error, Format, Granularity, Options, Request, Shorten,
};
use cupel_policy::{
    Failure, INVALID_REQUEST, Loader, PolicyError, RequestId, Response, SessionTurn,
};
use cupel_session::{Error as SessionError, Report, Session, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::chat::{meter, read, room};
use super::detect::brings_messages;
use super::{report_json, schema};
use crate::tokens::Tokenizer;

/// How lines are answered.
#[derive(Debug, Clone)]
pub(crate) struct MessageResponder {
    pub(crate) loader: Loader,
    pub(crate) tokenizer: Option<Tokenizer>,
    pub(crate) timings: bool,
    /// What windows are to answer, in place of what users said last.
    pub(crate) query: Option<Query>,
}

/// A request to a model, or its messages, how much of it may stay, and how that is chosen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "MessagesLine",
    extend("oneOf" = [
        { "required": ["messages"] }, { "required": ["input"] }, { "required": ["contents"] }, { "required": ["request"] },
    ])
)]
pub(super) struct Line<'l> {
    /// What you call it; its response is called the same.
    #[serde(default)]
    #[schemars(with = "Option<RequestId>")]
    id: Option<Value>,
    /// A provider's messages.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::list", default)]
    messages: Option<&'l RawValue>,
    /// The same under OpenAI's other key.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::list", default)]
    input: Option<&'l RawValue>,
    /// The same under Google's key.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::list", default)]
    contents: Option<&'l RawValue>,
    /// A provider's whole request.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::request", default)]
    request: Option<&'l RawValue>,
    /// How much may stay; without a target, all that the output reserve leaves.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::budget")]
    budget: &'l RawValue,
    /// How it is chosen: the name of a preset, or a policy. The recent before the old unless given.
    #[serde(borrow)]
    #[schemars(schema_with = "schema::policy", default)]
    policy: Option<&'l RawValue>,
    /// Whose format it is; found out unless given.
    #[schemars(schema_with = "schema::provider", default)]
    provider: Option<String>,
    /// What to count tokens with: a vocabulary or a model, that of the request unless given.
    count: Option<String>,
    /// What the window is to answer; what was said last unless given.
    query: Option<Query>,
    /// How many of the first turns stay.
    #[serde(default)]
    keep_first: usize,
    /// How many of the last turns stay.
    #[serde(default)]
    keep_last: usize,
    /// Messages that say one of these stay.
    #[serde(default)]
    pin: Vec<String>,
    /// Whether long tool results and documents have shorter forms.
    #[serde(default = "yes")]
    shorten: bool,
    /// What is in or out as a whole.
    granularity: Option<Size>,
    /// What may go of the current turn: nothing, or tool rounds that are over.
    #[serde(default)]
    current_turn: Current,
    /// What becomes of a call that was never answered: it gets an answer that says so, or it goes.
    #[serde(default)]
    dangling: Unanswered,
    /// The state of a session, as the last response gave it, or {} to start one.
    #[schemars(schema_with = "schema::session", default)]
    session: Option<Value>,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Size {
    Turn,
    Unit,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
enum Current {
    #[default]
    Whole,
    Rounds,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Report>,
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
        let read: Line<'_> =
            serde_json::from_slice(line).map_err(|error| malformed(number, &error))?;
        let (key, raw) = read.list(number)?;
        let told = |error: Error| refusal(number, key, &error);
        let provider = read.provider.as_deref().map(str::parse::<Format>).transpose();
        let provider =
            provider.map_err(|error| invalid(format!("line {number}, provider: {error}")))?;
        let request = self::read(raw, provider).map_err(told)?;
        let (budget, policy) = self.budget_and_policy(number, &read)?;
        let mut options = read.options(policy);
        if let Some(query) = read.query.as_ref().or(self.query.as_ref()) {
            options = options.query(query.clone());
        }
        let (fitted, session) = self.fit(number, &read, &request, &budget, options, key)?;
        let (session, turn) = session.unzip();
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
            session,
            turn,
        };
        serde_json::to_string(&answer).map_err(|error| invalid(error.to_string()))
    }

    fn fit(
        &self,
        number: usize,
        line: &Line<'_>,
        request: &Request,
        budget: &ContextBudget,
        options: Options,
        key: &str,
    ) -> Result<(cupel_messages::Fitted, Option<(State, Report)>), Failure> {
        let named = line.count.as_deref().map(str::parse::<Tokenizer>).transpose();
        let named = named.map_err(|error| invalid(format!("line {number}, count: {error}")))?;
        let meter = meter(request, named.or(self.tokenizer));
        let Some(state) = line.session.clone() else {
            let fitted = request.fit(room(budget), &options, &meter);
            return Ok((fitted.map_err(|error| refusal(number, key, &error))?, None));
        };
        let told = |error: SessionError| match error {
            SessionError::Request(error) => refusal(number, key, &error),
            error => invalid(format!("line {number}, session: {error}")),
        };
        let state = State::from_value(state).map_err(told)?;
        let session = Session::resume(room(budget), state).map_err(told)?;
        let mut session = session.with_options(options);
        let turn = session.next(request, &meter).map_err(told)?;
        Ok((turn.request, Some((session.into_state(), turn.report))))
    }

    /// Both, read as for items: the same spellings, the same messages.
    fn budget_and_policy(
        &self,
        number: usize,
        line: &Line<'_>,
    ) -> Result<(ContextBudget, Option<Policy>), Failure> {
        let asked_for = line.policy.filter(|policy| policy.get() != "null");
        let policy = asked_for.map_or("\"chat\"", |policy| policy.get());
        let budget = line.budget.get();
        let request = format!("{{\"items\":[],\"budget\":{budget},\"policy\":{policy}}}");
        let request = self.loader.parse_request(&request);
        let request = request.map_err(|error| within(number, &error))?;
        let policy = self.loader.build(&request.policy.to_policy_file());
        let policy = policy.map_err(|error| refusal(number, "request", &Error::Engine(error)))?;
        Ok((request.budget, asked_for.map(|_| policy)))
    }
}

#[derive(Deserialize)]
struct Named {
    id: Option<RequestId>,
}

impl<'l> Line<'l> {
    /// The messages or the request, and the key they are under.
    fn list(&self, number: usize) -> Result<(&'static str, &'l str), Failure> {
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
                "line {number}: both {one:?} and {other:?} are given; a request has one of them"
            ))),
            (None, _) => Err(invalid(format!("line {number}: null is no list of messages"))),
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

/// A turn of a session over items.
pub(crate) fn item_turn(
    request: &cupel_policy::Request,
    pipeline: &Pipeline,
) -> Result<SessionTurn, Failure> {
    let told = |error: SessionError| match error {
        SessionError::Engine(error) => {
            let response = Response::from(error.clone());
            response.error().cloned().unwrap_or_else(|| invalid(error.to_string()))
        }
        error => invalid(format!("$.session: {error}")),
    };
    let state = State::from_value(request.session.clone().unwrap_or_default()).map_err(told)?;
    let session = Session::resume(request.budget.window_tokens(), state).map_err(told)?;
    let session = session.with_policy(pipeline.policy().clone());
    let mut session = session.in_context(pipeline.context().clone());
    let turn = session.next_items(&request.items).map_err(told)?;
    let written = |value: Result<Value, serde_json::Error>| {
        value.map_err(|error| invalid(format!("the session cannot be written: {error}")))
    };
    Ok(SessionTurn {
        items: turn.window,
        indices: turn.indices,
        report: turn.selection.unwrap_or_default(),
        session: written(serde_json::to_value(session.state()))?,
        turn: written(serde_json::to_value(&turn.report))?,
    })
}

fn invalid(message: String) -> Failure {
    Failure { code: INVALID_REQUEST.to_owned(), message }
}

/// What is wrong with a line, and where; and where a whole request belongs, for whoever wrote its
/// keys beside ours.
fn malformed(number: usize, error: &serde_json::Error) -> Failure {
    let told = error.to_string();
    let problem = told.split(" at line ").next().unwrap_or(&told);
    let is_own_key = problem.starts_with("unknown field");
    let hint = if is_own_key { "; a whole request goes under \"request\"" } else { "" };
    invalid(format!("line {number}, column {}: {problem}{hint}", error.column()))
}

fn within(number: usize, error: &PolicyError) -> Failure {
    let problems: Vec<_> = error
        .problems()
        .iter()
        .map(|problem| format!("line {number}: {}: {}", problem.path(), problem.kind()))
        .collect();
    Failure { code: error.code().to_owned(), message: problems.join("; ") }
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
