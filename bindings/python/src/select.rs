//! Items selected for a window.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use cupel::{
    ContextBudget, ContextItem, DiagnosticTraceCollector, OverflowEvent, Pipeline, Query,
    RunContext, SelectionReport, TraceDetailLevel,
};
use cupel_cli::parts;
use cupel_policy::PolicyFile;
use cupel_tokens::Tokenizer;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::given::{self, Given};
use crate::item::{Candidates, Item};
use crate::policy::Loaded;
use crate::report::Report;
use crate::write::to_json;
use crate::{budget, raise, strategy, trace};

/// A window, and all that it takes to tell why.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) candidates: Candidates,
    pub(crate) budget: ContextBudget,
    pub(crate) pipeline: Pipeline,
    pub(crate) label: String,
    pub(crate) policy: PolicyFile,
    pub(crate) tokenizer: Option<Tokenizer>,
    pub(crate) report: SelectionReport,
    pub(crate) overflow: Option<OverflowEvent>,
}

impl Chosen {
    /// The sum of the window's tokens.
    pub(crate) fn tokens(&self) -> i64 {
        let tokens = self.report.included.iter().map(|it| it.item.tokens());
        tokens.fold(0, i64::saturating_add)
    }
}

/// A window: the chosen items in their order, and why.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Selection {
    /// The window, in its order: the caller's own objects, or shorter forms of them.
    #[pyo3(get)]
    items: Py<PyList>,
    chosen: Arc<Chosen>,
}

#[pymethods]
impl Selection {
    /// What was decided about every candidate, and why.
    #[getter]
    fn report(&self) -> Report {
        Report::of_items(Arc::clone(&self.chosen))
    }

    /// The sum of the window's tokens.
    #[getter]
    fn tokens(&self) -> i64 {
        self.chosen.tokens()
    }

    /// Where each item of the window stands among the candidates.
    #[getter]
    fn positions(&self) -> Vec<usize> {
        self.chosen.report.included.iter().filter_map(|it| it.index).collect()
    }

    /// By how many tokens the window is too large, where the policy lets that pass.
    #[getter]
    fn overflow(&self) -> Option<i64> {
        self.chosen.overflow.as_ref().map(|overflow| overflow.tokens_over_budget)
    }

    /// Every step of the run, which is made once more for it: "events" of stages and items, "stages" with what entered and left
    /// each of them and the positions of what it left out, and "overflow", if the policy let one pass.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        trace::told(py, &self.chosen)
    }

    fn __len__(&self) -> usize {
        self.chosen.report.included.len()
    }

    fn __repr__(&self) -> String {
        format!("Selection({})", self.report().summary())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.report().html(py)
    }
}

/// Selects from items what fits a budget.
///
/// Items are dicts with at least "content", or `Item`s, or plain texts; what is chosen is given back as it came. Those without
/// "tokens" are counted, for `model` or with the vocabulary o200k_base. Unless a policy is given it is "answer" where there
/// is a query and "chat" where there is none.
///
/// >>> from cupel_context import select
/// >>> passages = [
/// ...     {"id": 1, "content": "The library opens at nine."},
/// ...     {"id": 2, "content": "Rooms are booked at the desk."},
/// ...     {"id": 3, "content": "Coffee is not allowed in the reading room."},
/// ... ]
/// >>> window = select(passages, 8, query="When does the library open?")
/// >>> window.items
/// [{'id': 1, 'content': 'The library opens at nine.'}]
/// >>> window.items[0] is passages[0]
/// True
#[pyfunction]
#[pyo3(signature = (items, budget, policy=None, *, query=None, model=None, output_reserve=None, now=None))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn select<'py>(
    py: Python<'py>,
    items: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    policy: Given<'_, 'py>,
    query: Given<'_, 'py>,
    model: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<Selection> {
    let start = Start::read(py, budget, policy, query, model, output_reserve, now)?;
    let given = listed(items)?;
    let candidates = candidates(py, &given, start.tokenizer)?;
    let chosen = start.select(py, candidates)?;
    let window = PyList::empty(py);
    for included in &chosen.report.included {
        let Some(at) = included.index else { continue };
        window.append(given_back(&given[at], &chosen.candidates, at, &included.item)?)?;
    }
    Ok(Selection { items: window.unbind(), chosen: Arc::new(chosen) })
}

/// What a run is besides its candidates.
pub(crate) struct Start {
    pub(crate) budget: ContextBudget,
    /// What items are counted with that do not say their tokens, if somebody said.
    pub(crate) tokenizer: Option<Tokenizer>,
    pub(crate) setting: Setting,
}

impl Start {
    pub(crate) fn read(
        py: Python<'_>,
        budget: &Bound<'_, PyAny>,
        policy: Given<'_, '_>,
        query: Given<'_, '_>,
        model: Given<'_, '_>,
        output_reserve: Given<'_, '_>,
        now: Given<'_, '_>,
    ) -> PyResult<Self> {
        let budget = budget::read(budget, output_reserve)?;
        let tokenizer = given::tokenizer(model, "model")?;
        let policy = Loaded::optional(policy)?;
        let setting = Setting::new(py, policy, self::query(query)?, self::now(now)?)?;
        Ok(Self { budget, tokenizer, setting })
    }

    pub(crate) fn select(self, py: Python<'_>, candidates: Candidates) -> PyResult<Chosen> {
        let Self { budget, tokenizer, setting } = self;
        let Setting { label, file: policy, pipeline } = setting;
        let run = strategy::running(py, || {
            let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
            pipeline.run_traced(&candidates.items, &budget, &mut collector)?;
            Ok(collector.into_parts())
        })?;
        let (mut report, overflow) = run.map_err(|error| raise::engine(py, &error))?;
        // Equal input, equal report.
        report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
        Ok(Chosen { candidates, budget, pipeline, label, policy, tokenizer, report, overflow })
    }
}

/// How items are chosen.
pub(crate) struct Setting {
    pub(crate) label: String,
    pub(crate) file: PolicyFile,
    pub(crate) pipeline: Pipeline,
}

impl Setting {
    pub(crate) fn new(
        py: Python<'_>,
        policy: Option<Arc<Loaded>>,
        query: Option<Query>,
        now: Option<DateTime<Utc>>,
    ) -> PyResult<Self> {
        let usual = if query.is_some() { "answer" } else { "chat" };
        let policy = match policy {
            Some(policy) => policy,
            None => Loaded::read(PyString::new(py, usual).as_any())?,
        };
        let mut context = now.map_or_else(RunContext::new, RunContext::at);
        if let Some(query) = query {
            context = context.with_query(query);
        }
        let pipeline = Pipeline::from(policy.build_at(py, now)?).in_context(context);
        Ok(Self { label: policy.label.clone(), file: policy.file.clone(), pipeline })
    }
}

/// Candidates, read; of keys that look like a slip of the pen, a warning.
pub(crate) fn candidates(
    py: Python<'_>,
    given: &[Bound<'_, PyAny>],
    tokenizer: Option<Tokenizer>,
) -> PyResult<Candidates> {
    let (candidates, slips) = Candidates::read(given, tokenizer)?;
    for slip in slips {
        let message = std::ffi::CString::new(slip.replace('\0', "")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(candidates)
}

pub(crate) fn listed<'py>(items: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let expected = "a list of items";
    if items.is_instance_of::<PyString>() || items.is_instance_of::<pyo3::types::PyMapping>() {
        return Err(raise::wrong_type(items, "items", expected));
    }
    match items.try_iter() {
        Ok(items) => items.collect(),
        Err(_) => Err(raise::wrong_type(items, "items", expected)),
    }
}

/// A query: a text, or one with an embedding.
pub(crate) fn query(query: Given<'_, '_>) -> PyResult<Option<Query>> {
    let Some(query) = given::present(query) else { return Ok(None) };
    if query.is_instance_of::<PyString>() {
        return Ok(Some(Query::new(given::text(query, "query")?)));
    }
    let read = serde_json::from_str::<Query>(&to_json(query, "query")?);
    read.map(Some).map_err(|error| {
        let remedy = "give a str, or {\"text\": str, \"vector\": list of float}";
        raise::other(query.py(), "InvalidInput", "query", &error.to_string(), remedy)
    })
}

/// A time: a `datetime` with its zone, or RFC 3339.
pub(crate) fn now(now: Given<'_, '_>) -> PyResult<Option<DateTime<Utc>>> {
    let Some(now) = given::present(now) else { return Ok(None) };
    let written = to_json(now, "now")?;
    let text = written.trim_matches('"');
    let time = DateTime::parse_from_rfc3339(text);
    time.map(|time| Some(time.to_utc())).map_err(|error| {
        let remedy = "give a datetime with its zone, or a str such as 2025-01-01T12:00:00Z";
        raise::other(now.py(), "InvalidInput", "now", &format!("{text}: {error}"), remedy)
    })
}

/// The caller's own object; of one that is in a shorter form, the same with that in place of the whole.
pub(crate) fn given_back<'py>(
    own: &Bound<'py, PyAny>,
    candidates: &Candidates,
    at: usize,
    item: &ContextItem,
) -> PyResult<Bound<'py, PyAny>> {
    if item.is_same_instance(&candidates.items[at]) {
        return Ok(own.clone());
    }
    let py = own.py();
    match candidates.written(at) {
        Some(written) => given::from_json(py, &parts::in_form(written, item)),
        None => Ok(Bound::new(py, Item::from(item.clone()))?.into_any()),
    }
}
