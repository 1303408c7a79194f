//! What a turn of a session sends.

use std::sync::Arc;

use cupel::SelectionReport;
use cupel_messages::{Fitted, Request};
use cupel_session::{ItemTurn, Report};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::asked::{self, Asked};
use crate::item::Candidates;
use crate::select;
use crate::turn_report::{TurnReport, summary};

/// What to send in a turn of a session, and what the turn was.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Turn {
    /// The messages to send, in the shape they came in; those that are as they were are the caller's own objects.
    #[pyo3(get)]
    messages: Option<Py<PyAny>>,
    /// The whole request to send, if one came in.
    #[pyo3(get)]
    request: Option<Py<PyAny>>,
    /// The window of a session over items: the caller's own objects, or shorter forms of them.
    #[pyo3(get)]
    items: Option<Py<PyList>>,
    told: Arc<Told>,
}

/// A turn, and what came in it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) report: Report,
    pub(crate) of: Of,
}

#[derive(Debug)]
pub(crate) enum Of {
    Request(Fitted),
    Items { candidates: Candidates, turn: ItemWindow },
}

#[derive(Debug)]
pub(crate) struct ItemWindow {
    /// Where each item of the window stood in what came, and what it costs there.
    pub(crate) placed: Vec<(usize, i64)>,
    pub(crate) selection: Option<SelectionReport>,
}

impl Turn {
    /// `marked` is the request to send, read, where breakpoints were set in it.
    pub(crate) fn of_request<'py>(
        py: Python<'py>,
        asked: &Asked<'py>,
        request: &Request,
        turn: cupel_session::Turn,
        marked: Option<&Request>,
    ) -> PyResult<Self> {
        let (fitted, report) = (turn.request, turn.report);
        let (messages, body) = match marked {
            None => {
                let messages = asked.messages(py, request, &asked::pieces(&fitted))?;
                let body = asked.body_with(request.format(), &messages)?;
                (messages, body)
            }
            Some(sent) => {
                let pieces = asked::marked_pieces(request, &fitted, sent);
                let messages = asked.messages(py, request, &pieces)?;
                let body = asked.body_as(py, request, sent, &messages)?;
                (messages, body)
            }
        };
        Ok(Self {
            messages: Some(messages.unbind()),
            request: body.map(|body| body.into_any().unbind()),
            items: None,
            told: Arc::new(Told { report, of: Of::Request(fitted) }),
        })
    }

    pub(crate) fn of_items<'py>(
        py: Python<'py>,
        given: &[Bound<'py, PyAny>],
        candidates: Candidates,
        turn: ItemTurn,
    ) -> PyResult<Self> {
        let window = PyList::empty(py);
        for (at, item) in turn.indices.iter().zip(&turn.window) {
            window.append(select::given_back(&given[*at], &candidates, *at, item)?)?;
        }
        let tokens = turn.window.iter().map(cupel::ContextItem::tokens);
        let placed = turn.indices.iter().copied().zip(tokens).collect();
        let of = Of::Items { candidates, turn: ItemWindow { placed, selection: turn.selection } };
        Ok(Self {
            messages: None,
            request: None,
            items: Some(window.unbind()),
            told: Arc::new(Told { report: turn.report, of }),
        })
    }
}

#[pymethods]
impl Turn {
    /// What the turn was: what was done, what became of the prefix, what it costs.
    #[getter]
    fn report(&self) -> TurnReport {
        TurnReport { told: Arc::clone(&self.told) }
    }

    /// What became of each message that came in, in its order: itself, another in its place, or `None`; nothing for items.
    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        match (&self.told.of, &self.messages) {
            (Of::Request(fitted), Some(messages)) => {
                asked::after(messages.bind(py), fitted).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How many tokens are sent.
    #[getter]
    fn tokens(&self) -> i64 {
        self.told.report.tokens
    }

    /// What to send as JSON text, byte for byte as `cupel batch` has it; nothing for items.
    fn to_json(&self) -> Option<&str> {
        match &self.told.of {
            Of::Request(fitted) => Some(&fitted.text),
            Of::Items { .. } => None,
        }
    }

    fn __repr__(&self) -> String {
        format!("Turn({})", summary(&self.told.report))
    }
}
