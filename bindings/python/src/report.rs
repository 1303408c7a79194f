//! Why every message or item is in or out.

use std::sync::Arc;

use cupel_cli::parts;
use cupel_messages::{MessageReport, Outcome};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::fit::Cut;
use crate::given::from_json;
use crate::raise;
use crate::select::Chosen;
use crate::strategy;

/// Why every message or item is in or out.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Report {
    of: Of,
}

#[derive(Debug)]
enum Of {
    Request(Arc<Cut>),
    Items(Arc<Chosen>),
}

impl Report {
    pub(crate) fn of_request(cut: Arc<Cut>) -> Self {
        Self { of: Of::Request(cut) }
    }

    pub(crate) fn of_items(chosen: Arc<Chosen>) -> Self {
        Self { of: Of::Items(chosen) }
    }

    /// What happened, on one line.
    pub(crate) fn summary(&self) -> String {
        match &self.of {
            Of::Request(cut) => summary(cut),
            Of::Items(chosen) => format!(
                "kept {} of {} items, {} of {} tokens",
                chosen.report.included.len(),
                chosen.report.total_candidates,
                chosen.tokens(),
                chosen.budget.window_tokens(),
            ),
        }
    }
}

/// What became of a request, on one line.
pub(crate) fn summary(cut: &Cut) -> String {
    parts::summary(&cut.fitted)
}

#[pymethods]
impl Report {
    /// All of it as dicts and lists, with keys in snake_case.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = match &self.of {
            Of::Request(cut) => serde_json::to_string(&cut.fitted),
            Of::Items(chosen) => serde_json::to_string(&chosen.report),
        };
        let told = from_json(py, &json.map_err(|error| unwritable(py, &error.to_string()))?)?;
        if let Of::Items(chosen) = &self.of {
            let report = &chosen.report;
            numbered(&told.get_item("included")?, report.included.iter().map(|it| it.index))?;
            numbered(&told.get_item("excluded")?, report.excluded.iter().map(|it| it.index))?;
        }
        Ok(told)
    }

    /// A flat dict for every message or item, in the order of the input: what `pandas.DataFrame` and `polars.DataFrame` take.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = match &self.of {
            Of::Request(cut) => cut
                .fitted
                .messages
                .iter()
                .map(|it| message_row(py, it))
                .collect::<PyResult<Vec<_>>>(),
            Of::Items(chosen) => item_rows(py, chosen),
        };
        PyList::new(py, rows?)
    }

    /// The rows of what is in.
    #[getter]
    fn included<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows_that(py, true)
    }

    /// The rows of what is out.
    #[getter]
    fn excluded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows_that(py, false)
    }

    /// The page of `cupel explain --html`: one file, complete in itself.
    pub(crate) fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        let page = match &self.of {
            Of::Request(cut) => strategy::running(py, || {
                let policy = cut.policy.as_deref();
                let (options, budget) = (&cut.options, &cut.budget);
                parts::request_page("request", policy, &cut.request, cut.tokenizer, options, budget)
            })?,
            Of::Items(chosen) => {
                let lines = chosen.candidates.to_lines();
                let lines = lines.map_err(|error| unwritable(py, &error.to_string()))?;
                let tokenizer = chosen.tokenizer.unwrap_or(crate::item::USUAL);
                strategy::running(py, || {
                    let Chosen { label, policy, pipeline, budget, .. } = &**chosen;
                    parts::items_page("items", label, policy, pipeline, lines, tokenizer, budget)
                })?
            }
        };
        page.map_err(|problem| unwritable(py, &problem))
    }

    fn __repr__(&self) -> String {
        format!("Report({})", self.summary())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.html(py)
    }
}

impl Report {
    /// The page in a frame: its styles and its script are its own affair.
    pub(crate) fn html(&self, py: Python<'_>) -> PyResult<String> {
        let page = self.to_html(py)?.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!(
            "<iframe srcdoc=\"{page}\" sandbox=\"allow-scripts\" width=\"100%\" height=\"640\" style=\"border:0\" \
             title=\"Cupel: why each is in or out\"></iframe>"
        ))
    }

    fn rows_that<'py>(&self, py: Python<'py>, included: bool) -> PyResult<Bound<'py, PyList>> {
        let kept = PyList::empty(py);
        for row in self.rows(py)?.iter() {
            if row.get_item("included")?.is_truthy()? == included {
                kept.append(row)?;
            }
        }
        Ok(kept)
    }
}

/// Says of each entry where its item stands in the input.
fn numbered(
    entries: &Bound<'_, PyAny>,
    positions: impl Iterator<Item = Option<usize>>,
) -> PyResult<()> {
    for (entry, position) in entries.try_iter()?.zip(positions) {
        entry?.set_item("index", position)?;
    }
    Ok(())
}

pub(crate) fn unwritable(py: Python<'_>, problem: &str) -> PyErr {
    raise::other(py, "EngineError", "report", problem, "look at report.rows() instead")
}

pub(crate) fn message_row<'py>(
    py: Python<'py>,
    it: &MessageReport,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let form = match it.outcome {
        Outcome::Shortened { form, .. } => Some(form),
        _ => None,
    };
    row.set_item("index", it.index)?;
    row.set_item("path", &it.path)?;
    row.set_item("role", it.role.to_string())?;
    row.set_item("turn", it.turn)?;
    row.set_item("unit", it.unit)?;
    let included = matches!(it.outcome, Outcome::Kept | Outcome::Shortened { .. });
    row.set_item("included", included)?;
    row.set_item("outcome", it.outcome.name())?;
    row.set_item("reason", it.why.name())?;
    row.set_item("why", it.why.to_string())?;
    row.set_item("score", it.score)?;
    row.set_item("tokens", it.tokens)?;
    row.set_item("sent_tokens", it.sent)?;
    row.set_item("form", form)?;
    row.set_item("edited", it.edited)?;
    Ok(row)
}

fn item_rows<'py>(py: Python<'py>, chosen: &Chosen) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut rows = Vec::with_capacity(chosen.report.total_candidates);
    let mut add = |index: Option<usize>, fields: ItemRow<'_>| -> PyResult<()> {
        let index = index.unwrap_or(usize::MAX);
        let Some(item) = chosen.candidates.items.get(index) else { return Ok(()) };
        let row = PyDict::new(py);
        row.set_item("index", index)?;
        row.set_item("content", item.content())?;
        row.set_item("kind", item.kind().as_str())?;
        row.set_item("source", item.source().as_str())?;
        row.set_item("group", item.group())?;
        row.set_item("included", fields.place.is_some())?;
        row.set_item("place", fields.place)?;
        row.set_item("reason", fields.reason)?;
        row.set_item("why", fields.why)?;
        row.set_item("score", fields.score)?;
        row.set_item("tokens", item.tokens())?;
        row.set_item("sent_tokens", fields.sent_tokens)?;
        row.set_item("form", fields.form)?;
        rows.push((index, row));
        Ok(())
    };
    for (place, it) in chosen.report.included.iter().enumerate() {
        let why = it.reason.to_string();
        let form = it.shortened.map(|shortened| shortened.form);
        let (reason, sent_tokens) = (it.reason.name(), it.item.tokens());
        let row = ItemRow { place: Some(place), reason, why, score: it.score, sent_tokens, form };
        add(it.index, row)?;
    }
    for it in &chosen.report.excluded {
        let (reason, why) = (it.reason.name(), it.reason.to_string());
        let row = ItemRow { place: None, reason, why, score: it.score, sent_tokens: 0, form: None };
        add(it.index, row)?;
    }
    rows.sort_by_key(|(index, _)| *index);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

struct ItemRow<'r> {
    /// Where in the window it stands.
    place: Option<usize>,
    reason: &'r str,
    why: String,
    score: f64,
    sent_tokens: i64,
    form: Option<usize>,
}
