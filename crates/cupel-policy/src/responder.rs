//! From request to response.

use std::fmt;
use std::sync::Arc;

use cupel::{
    ContextItem, CupelError, DiagnosticTraceCollector, Pipeline, Query, SelectionReport,
    TraceDetailLevel,
};

use crate::error::{ProblemKind, Problems};
use crate::json::Path;
use crate::policy::StoppedClock;
use crate::request::{Count, ReadRequest, RequestRules, id_in};
use crate::response::Selected;
use crate::{Failure, Loader, OwnKeys, PolicyError, Request, Response};

/// Answers requests.
///
/// No bytes make it panic: what is wrong with a request is said in its response. (A custom strategy
/// that panics is its own affair.)
///
/// ```
/// use cupel_policy::Responder;
///
/// let responder = Responder::new().timings(false);
/// let response = responder.respond(
///     br#"{
///         "items": [{ "content": "hello", "tokens": 2 }],
///         "budget": { "maxTokens": 100, "targetTokens": 80 },
///         "policy": "chat"
///     }"#,
/// );
/// assert_eq!(response.selected().map(|selected| selected.total_tokens), Some(2));
///
/// let response = responder.respond(b"{ \"items\": [] ");
/// assert_eq!(response.error().map(|error| error.code.as_str()), Some("InvalidRequest"));
/// ```
#[derive(Clone)]
pub struct Responder {
    loader: Loader,
    timings: bool,
    pass_through: bool,
    count: Option<Arc<Count>>,
    count_by: Option<String>,
    query: Option<Query>,
    sessions: Option<Arc<Sessions>>,
}

/// Answers a request that is a turn of a session.
type Sessions = dyn Fn(&Request, &Pipeline) -> Result<SessionTurn, Failure> + Send + Sync;

/// A turn of a session, by whoever keeps sessions.
#[derive(Debug, Clone)]
pub struct SessionTurn {
    /// The window, in its order.
    pub items: Vec<ContextItem>,
    /// Where each item of the window stood in the request.
    pub indices: Vec<usize>,
    /// What the policy decided, if it was asked.
    pub report: SelectionReport,
    /// The state for the next request.
    pub session: serde_json::Value,
    /// What the turn was.
    pub turn: serde_json::Value,
}

impl Responder {
    /// With the built-in strategies, the system's clock, and timings.
    pub fn new() -> Self {
        let loader = Loader::new();
        Self {
            loader,
            timings: true,
            pass_through: false,
            count: None,
            count_by: None,
            query: None,
            sessions: None,
        }
    }

    /// Who answers requests with a `session`. Without anybody, such a request is an error.
    pub fn sessions(
        mut self,
        sessions: impl Fn(&Request, &Pipeline) -> Result<SessionTurn, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.sessions = Some(Arc::new(sessions));
        self
    }

    /// How policies are loaded: custom strategies, another clock, leniency.
    pub fn loader(mut self, loader: Loader) -> Self {
        self.loader = loader;
        self
    }

    /// Whether reports say how long each stage took. Without, they say 0, and equal requests have
    /// equal responses.
    pub fn timings(mut self, timings: bool) -> Self {
        self.timings = timings;
        self
    }

    /// Whether keys of items that mean nothing here are kept and returned in the response instead of
    /// refused. The report tells of items without them.
    ///
    /// ```
    /// use cupel_policy::Responder;
    ///
    /// let request = br#"{
    ///     "id": 7,
    ///     "items": [{ "id": "a", "role": "user", "content": "hello", "tokens": 2 }],
    ///     "budget": { "maxTokens": 100 },
    ///     "policy": "chat"
    /// }"#;
    /// assert!(Responder::new().respond(request).error().is_some());
    /// let response = Responder::new().pass_through(true).respond(request).to_json();
    /// assert!(response.starts_with(
    ///     r#"{"id":7,"items":[{"content":"hello","tokens":2,"kind":"Message","id":"a","role":"user"}]"#
    /// ));
    /// ```
    pub fn pass_through(mut self, pass_through: bool) -> Self {
        self.pass_through = pass_through;
        self
    }

    /// Counts the tokens of items that do not say theirs, with the vocabulary or the model that the
    /// request calls `count`, or else with `default`. Where there is neither, every item must say
    /// its tokens.
    ///
    /// `count` is given the name and the contents, and gives a number for each, or says why not.
    pub fn count_with(
        mut self,
        default: Option<&str>,
        count: impl Fn(&str, &[&str]) -> Result<Vec<i64>, String> + Send + Sync + 'static,
    ) -> Self {
        self.count_by = default.map(str::to_owned);
        self.count = Some(Arc::new(count));
        self
    }

    /// What windows are to answer where a request does not say its `query`.
    pub fn query(mut self, default: impl Into<Query>) -> Self {
        self.query = Some(default.into());
        self
    }

    /// Answers a request.
    pub fn respond(&self, request: &[u8]) -> Response {
        self.respond_line(1, request)
    }

    /// Answers a request that stands on line `line` of a file, for messages that say so.
    pub fn respond_line(&self, line: usize, request: &[u8]) -> Response {
        let rules = RequestRules {
            pass_through: self.pass_through,
            count: self.count.as_deref(),
            count_by: self.count_by.as_deref(),
        };
        match text(request).and_then(|text| self.loader.parse_request_by(rules, text)) {
            Ok(ReadRequest { request, own_keys }) => self.respond_keeping(&request, &own_keys),
            Err(error) => Response::from(error.shift_lines(line)).called(id_in(request)),
        }
    }

    /// Answers a request that was read already.
    pub fn respond_to(&self, request: &Request) -> Response {
        self.respond_keeping(request, &[])
    }

    fn respond_keeping(&self, request: &Request, own_keys: &[OwnKeys]) -> Response {
        let answered = match &request.session {
            Some(_) => self.take_turn(request, own_keys),
            None => self.select(request, own_keys).map_err(Response::from),
        };
        match answered {
            Ok(selected) => Response::Selected(Box::new(selected)),
            Err(response) => response.called(request.id.clone()),
        }
    }

    /// A turn of the request's session.
    fn take_turn(&self, request: &Request, own_keys: &[OwnKeys]) -> Result<Selected, Response> {
        let Some(sessions) = &self.sessions else {
            let message = "\"session\" is given, but no sessions are kept here; leave it out";
            return Err(Response::invalid(message.to_owned()));
        };
        let pipeline = self.pipeline(request)?;
        let turn =
            sessions(request, &pipeline).map_err(|error| Response::Failed { id: None, error })?;
        let of = |at: &usize| own_keys.get(*at).cloned().unwrap_or_default();
        let own_keys = match own_keys.is_empty() {
            true => Vec::new(),
            false => turn.indices.iter().map(of).collect(),
        };
        let mut report = turn.report;
        if !self.timings {
            forget_timings(&mut report);
        }
        Ok(Selected {
            id: request.id.clone(),
            total_tokens: total_tokens(&turn.items),
            items: turn.items,
            own_keys,
            report,
            overflow: None,
            session: Some(turn.session),
            turn: Some(turn.turn),
        })
    }

    fn pipeline(&self, request: &Request) -> Result<Pipeline, CupelError> {
        let file = request.policy.to_policy_file();
        let policy = match request.now {
            Some(now) => self.loader.clone().clock(StoppedClock(now)).build(&file)?,
            None => self.loader.build(&file)?,
        };
        let mut context = request.context();
        if let (None, Some(query)) = (&request.query, &self.query) {
            context = context.with_query(query.clone());
        }
        Ok(Pipeline::from(policy).in_context(context))
    }

    fn select(&self, request: &Request, own_keys: &[OwnKeys]) -> Result<Selected, CupelError> {
        let pipeline = self.pipeline(request)?;
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let items = pipeline.run_traced(&request.items, &request.budget, &mut collector)?;
        let (mut report, overflow) = collector.into_parts();
        if !self.timings {
            forget_timings(&mut report);
        }
        let own_keys = of_window(&report, own_keys);
        let (id, total_tokens) = (request.id.clone(), total_tokens(&items));
        let (session, turn) = (None, None);
        Ok(Selected { id, total_tokens, items, own_keys, report, overflow, session, turn })
    }
}

/// What belongs to each item of a window, of what belongs to each candidate.
fn of_window(report: &SelectionReport, own_keys: &[OwnKeys]) -> Vec<OwnKeys> {
    if own_keys.is_empty() {
        return Vec::new();
    }
    let of = |index: Option<usize>| index.and_then(|index| own_keys.get(index)).cloned();
    report.included.iter().map(|it| of(it.index).unwrap_or_default()).collect()
}

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Responder")
            .field("loader", &self.loader)
            .field("timings", &self.timings)
            .field("pass_through", &self.pass_through)
            .field("counts", &self.count.is_some())
            .field("count_by", &self.count_by)
            .field("query", &self.query)
            .field("sessions", &self.sessions.is_some())
            .finish()
    }
}

impl Default for Responder {
    fn default() -> Self {
        Self::new()
    }
}

/// Answers a request with the built-in strategies, the system's clock, and timings.
pub fn respond(request: &[u8]) -> Response {
    Responder::new().respond(request)
}

fn text(bytes: &[u8]) -> Result<&str, PolicyError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (readable, _) = bytes.split_at(error.valid_up_to());
        let mut problems = Problems::default();
        let message = "this byte is not UTF-8".to_owned();
        problems.add(readable.len(), &Path::ROOT, ProblemKind::Syntax { message, ended: false });
        problems.into_error(std::str::from_utf8(readable).unwrap_or_default())
    })
}

fn forget_timings(report: &mut SelectionReport) {
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
}

/// The exact sum, clamped at the ends of the range.
fn total_tokens(items: &[ContextItem]) -> i64 {
    let exact: i128 = items.iter().map(|item| i128::from(item.tokens())).sum();
    i64::try_from(exact).unwrap_or(if exact < 0 { i64::MIN } else { i64::MAX })
}
