//! Turns of sessions: what they read from the cache, wrote to it, and why a prefix broke.

use cupel_session::{Action, Report};
use opentelemetry::metrics::{Counter, Histogram, Meter};
use opentelemetry::{KeyValue, global};

use crate::scope;

const TURN: &str = "cupel.session.turn";
const ACTION: &str = "cupel.session.action";
const TOKENS: &str = "cupel.session.tokens";
const TOKENS_READ: &str = "cupel.session.tokens_read";
const TOKENS_WRITTEN: &str = "cupel.session.tokens_written";
const TOKENS_PLAIN: &str = "cupel.session.tokens_plain";
const COST: &str = "cupel.session.cost";
const PREFIX_TOKENS: &str = "cupel.session.prefix.tokens";
const PREFIX_CAUSE: &str = "cupel.session.prefix.cause";
const PREFIX_BLOCK: &str = "cupel.session.prefix.first_changed_block";
const CUT_FREED: &str = "cupel.session.cut.tokens_freed";
const CUT_REWRITTEN: &str = "cupel.session.cut.tokens_rewritten";
const CUT_PAYBACK: &str = "cupel.session.cut.payback_turns";

const TOKENS_SENT: &str = "cupel.session.tokens_sent";
const CACHE: &str = "cupel.cache";
const TURNS: &str = "cupel.session.turns";
const BREAKS: &str = "cupel.session.prefix.breaks";

fn action(report: &Report) -> &'static str {
    match report.action {
        Action::Cut(_) => "cut",
        Action::Held { .. } => "held",
        _ => "extended",
    }
}

/// A turn as attributes, for the span of the request that it was for.
///
/// ```
/// use cupel_messages::{Estimate, Request};
/// use cupel_session::Session;
///
/// let request = Request::read(r#"[{"role": "user", "content": "hi"}]"#)?;
/// let turn = Session::new(1_000).next(&request, &Estimate)?;
/// let attributes = cupel_otel::session_attributes(&turn.report);
/// assert!(attributes.iter().any(|it| it.key.as_str() == "cupel.session.tokens_read"));
/// # Ok::<(), cupel_session::Error>(())
/// ```
pub fn session_attributes(report: &Report) -> Vec<KeyValue> {
    let costs = &report.costs;
    let mut attributes = vec![
        KeyValue::new(TURN, i64::try_from(report.turn).unwrap_or(i64::MAX)),
        KeyValue::new(ACTION, action(report)),
        KeyValue::new(TOKENS, report.tokens),
        KeyValue::new(TOKENS_READ, costs.read),
        KeyValue::new(TOKENS_WRITTEN, costs.written),
        KeyValue::new(TOKENS_PLAIN, costs.plain),
        KeyValue::new(COST, costs.cost()),
        KeyValue::new(PREFIX_TOKENS, report.prefix.kept_tokens),
    ];
    if let Some(change) = &report.prefix.first_change {
        attributes.push(KeyValue::new(PREFIX_CAUSE, change.cause.name()));
        attributes
            .push(KeyValue::new(PREFIX_BLOCK, i64::try_from(change.block).unwrap_or(i64::MAX)));
    }
    if let Action::Cut(cut) = &report.action {
        attributes.push(KeyValue::new(CUT_FREED, cut.freed));
        attributes.push(KeyValue::new(CUT_REWRITTEN, cut.rewritten));
        attributes.extend(cut.payback_turns.map(|turns| KeyValue::new(CUT_PAYBACK, turns)));
    }
    attributes
}

/// Measures turns: tokens read, written and plain, what they cost, cuts, and why prefixes broke.
///
/// Make one, keep it, and clone it: clones share the instruments.
#[derive(Debug, Clone)]
pub struct CupelOtelSessionMetrics {
    tokens: Counter<u64>,
    cost: Histogram<f64>,
    turns: Counter<u64>,
    breaks: Counter<u64>,
}

impl CupelOtelSessionMetrics {
    /// Reports to the meter provider that is global now.
    pub fn new() -> Self {
        Self::with_meter(&global::meter_with_scope(scope()))
    }

    /// Reports to `meter`.
    pub fn with_meter(meter: &Meter) -> Self {
        Self {
            tokens: meter
                .u64_counter(TOKENS_SENT)
                .with_unit("{token}")
                .with_description("Tokens sent, by what the prompt cache makes of them")
                .build(),
            cost: meter
                .f64_histogram(COST)
                .with_unit("{token}")
                .with_description("What a turn costs, in plain input tokens")
                .build(),
            turns: meter
                .u64_counter(TURNS)
                .with_unit("{turn}")
                .with_description("Turns, by what was done")
                .build(),
            breaks: meter
                .u64_counter(BREAKS)
                .with_unit("{break}")
                .with_description("Turns whose prefix was not that of the turn before, by cause")
                .build(),
        }
    }

    /// Measures a turn.
    pub fn record(&self, report: &Report) {
        let costs = &report.costs;
        for (tokens, cache) in
            [(costs.read, "read"), (costs.written, "written"), (costs.plain, "plain")]
        {
            self.tokens.add(u64::try_from(tokens).unwrap_or(0), &[KeyValue::new(CACHE, cache)]);
        }
        self.cost.record(costs.cost(), &[]);
        self.turns.add(1, &[KeyValue::new(ACTION, action(report))]);
        if let Some(change) = &report.prefix.first_change {
            self.breaks.add(1, &[KeyValue::new(PREFIX_CAUSE, change.cause.name())]);
        }
    }
}

impl Default for CupelOtelSessionMetrics {
    fn default() -> Self {
        Self::new()
    }
}
