//! From request to response.

use cupel::{
    ContextItem, CupelError, DiagnosticTraceCollector, Pipeline, SelectionReport, TraceDetailLevel,
};

use crate::error::{ProblemKind, Problems};
use crate::json::Path;
use crate::response::Selected;
use crate::{Loader, PolicyError, Request, Response};

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
#[derive(Debug, Clone)]
pub struct Responder {
    loader: Loader,
    timings: bool,
}

impl Responder {
    /// With the built-in strategies, the system's clock, and timings.
    pub fn new() -> Self {
        Self { loader: Loader::new(), timings: true }
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

    /// Answers a request.
    pub fn respond(&self, request: &[u8]) -> Response {
        self.respond_line(1, request)
    }

    /// Answers a request that stands on line `line` of a file, for messages that say so.
    pub fn respond_line(&self, line: usize, request: &[u8]) -> Response {
        match text(request).and_then(|text| self.loader.parse_request(text)) {
            Ok(request) => self.respond_to(&request),
            Err(error) => error.shift_lines(line).into(),
        }
    }

    /// Answers a request that was read already.
    pub fn respond_to(&self, request: &Request) -> Response {
        match self.select(request) {
            Ok(selected) => Response::Selected(Box::new(selected)),
            Err(error) => error.into(),
        }
    }

    fn select(&self, request: &Request) -> Result<Selected, CupelError> {
        let policy = self.loader.build(&request.policy.to_policy_file())?;
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let items =
            Pipeline::from(policy).run_traced(&request.items, &request.budget, &mut collector)?;
        let (mut report, overflow) = collector.into_parts();
        if !self.timings {
            forget_timings(&mut report);
        }
        Ok(Selected { total_tokens: total_tokens(&items), items, report, overflow })
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
