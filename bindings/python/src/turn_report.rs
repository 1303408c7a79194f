//! What a turn of a session was.

use std::sync::Arc;

use cupel_cli::parts;
use cupel_session::{Action, Report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::given::from_json;
use crate::item::Candidates;
use crate::report::{message_row, unwritable};
use crate::turn::{ItemWindow, Of, Told};

/// What a turn of a session was.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct TurnReport {
    pub(crate) told: Arc<Told>,
}

#[pymethods]
impl TurnReport {
    /// Which turn, from 1.
    #[getter]
    fn turn(&self) -> u64 {
        self.told.report.turn
    }

    /// What was done: "extended", "cut", or "held" where a cut would have freed too little.
    #[getter]
    fn action(&self) -> &'static str {
        action(&self.told.report.action)
    }

    /// Of a cut: what was dropped and shortened, what that frees, what is written again, and after how many turns that pays.
    #[getter]
    fn cut<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.told.report.action {
            Action::Cut(cut) => as_dict(py, cut).map(Some),
            _ => Ok(None),
        }
    }

    /// How many blocks of the request before are the first of this one.
    #[getter]
    fn kept_blocks(&self) -> usize {
        self.told.report.prefix.kept_blocks
    }

    /// What these cost.
    #[getter]
    fn kept_tokens(&self) -> i64 {
        self.told.report.prefix.kept_tokens
    }

    /// How many blocks the request before had.
    #[getter]
    fn blocks_before(&self) -> usize {
        self.told.report.prefix.blocks_before
    }

    /// Where this request stops being the one before it, with "block", "message" and "cause"; nothing if it goes on from its end.
    #[getter]
    fn first_change<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.told.report.prefix.first_change.as_ref().map(|it| as_dict(py, it)).transpose()
    }

    /// Why the prefix changed, in words; nothing if it did not.
    #[getter]
    fn why(&self) -> Option<String> {
        self.told.report.prefix.first_change.as_ref().map(|it| it.cause.to_string())
    }

    /// Tokens read from the cache.
    #[getter]
    fn read(&self) -> i64 {
        self.told.report.costs.read
    }

    /// Tokens written to it.
    #[getter]
    fn written(&self) -> i64 {
        self.told.report.costs.written
    }

    /// Tokens that are neither.
    #[getter]
    fn plain(&self) -> i64 {
        self.told.report.costs.plain
    }

    /// What the request costs, in plain input tokens.
    #[getter]
    fn cost(&self) -> f64 {
        self.told.report.costs.cost()
    }

    /// What is sent, in tokens.
    #[getter]
    fn tokens(&self) -> i64 {
        self.told.report.tokens
    }

    /// What may be sent, at most.
    #[getter]
    fn budget(&self) -> i64 {
        self.told.report.budget
    }

    /// Above this something is cut.
    #[getter]
    fn high_water(&self) -> i64 {
        self.told.report.high_water
    }

    /// Down to this.
    #[getter]
    fn low_water(&self) -> i64 {
        self.told.report.low_water
    }

    /// Where breakpoints stand, by block of the request.
    #[getter]
    fn breakpoints(&self) -> Vec<usize> {
        self.told.report.breakpoints.clone()
    }

    /// What else somebody should know, in words.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.told.report.notes.iter().map(ToString::to_string).collect()
    }

    /// What the policy decided, if it was asked, among what was open to it.
    #[getter]
    fn selection<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let selection = match &self.told.of {
            Of::Request(fitted) => &fitted.selection,
            Of::Items { turn, .. } => &turn.selection,
        };
        selection.as_ref().map(|it| as_dict(py, it)).transpose()
    }

    /// A flat dict for every message or item that came, in its order: whether it is in, and what it costs.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = match &self.told.of {
            Of::Request(fitted) => fitted.messages.iter().map(|it| message_row(py, it)).collect(),
            Of::Items { candidates, turn } => item_rows(py, candidates, turn),
        };
        PyList::new(py, rows?)
    }

    /// All of it, as `cupel batch` has it under "turn".
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_dict(py, &self.told.report)
    }

    fn __repr__(&self) -> String {
        format!("TurnReport({})", summary(&self.told.report))
    }
}

fn action(action: &Action) -> &'static str {
    match action {
        Action::Extended => "extended",
        Action::Cut(_) => "cut",
        Action::Held { .. } => "held",
        _ => "unknown",
    }
}

/// A turn on one line.
pub(crate) fn summary(report: &Report) -> String {
    let (prefix, costs) = (&report.prefix, &report.costs);
    let mut told = format!("{}: {}", report.turn, action(&report.action));
    if let Some(change) = &prefix.first_change {
        told += &format!(", {} of {} blocks kept", prefix.kept_blocks, prefix.blocks_before);
        told += &format!(" ({})", change.cause.name());
    }
    let [tokens, budget, read] = [report.tokens, report.budget, costs.read].map(parts::grouped);
    told + &format!(
        ", {tokens} of {budget} tokens, {read} read from the cache, cost {}",
        costs.cost()
    )
}

fn as_dict<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(value).map_err(|error| unwritable(py, &error.to_string()))?;
    from_json(py, &json)
}

fn item_rows<'py>(
    py: Python<'py>,
    candidates: &Candidates,
    turn: &ItemWindow,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut placed = vec![None; candidates.items.len()];
    for (place, (at, tokens)) in turn.placed.iter().enumerate() {
        placed[*at] = Some((place, *tokens));
    }
    let row = |(index, item): (usize, &cupel::ContextItem)| {
        let row = PyDict::new(py);
        row.set_item("index", index)?;
        row.set_item("content", item.content())?;
        row.set_item("kind", item.kind().as_str())?;
        row.set_item("group", item.group())?;
        row.set_item("included", placed[index].is_some())?;
        row.set_item("place", placed[index].map(|(place, _)| place))?;
        row.set_item("tokens", item.tokens())?;
        row.set_item("sent_tokens", placed[index].map_or(0, |(_, tokens)| tokens))?;
        Ok(row)
    };
    candidates.items.iter().enumerate().map(row).collect()
}
