//! What other budgets and other policies would have done.

use std::sync::Arc;

use cupel::{ContextItem, ItemStatus, Pipeline, PolicySensitivityReport};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyMapping};

use crate::given::{self, Given};
use crate::item::Candidates;
use crate::policy::Loaded;
use crate::select::{self, Setting, Start};
use crate::{budget, raise, strategy};

/// The items that a budget smaller by `slack` tokens would lose, in the order of the window: what is in, but only just.
///
/// >>> from cupel_context import marginal_items
/// >>> marginal_items(["The library opens at nine.", "Rooms are booked at the desk."], 14, 6)
/// ['Rooms are booked at the desk.']
#[pyfunction]
#[pyo3(signature = (items, budget, slack, policy=None, *, query=None, model=None, output_reserve=None, now=None))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn marginal_items<'py>(
    py: Python<'py>,
    items: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    slack: &Bound<'py, PyAny>,
    policy: Given<'_, 'py>,
    query: Given<'_, 'py>,
    model: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let Start { budget, tokenizer, setting } =
        Start::read(py, budget, policy, query, model, output_reserve, now)?;
    let slack = given::whole(slack, "slack")?;
    let own = select::listed(items)?;
    let items = select::candidates(py, &own, tokenizer)?.items;
    let lost =
        strategy::running(py, || setting.pipeline.get_marginal_changes(&items, &budget, slack))?;
    let lost = lost.map_err(|error| raise::engine(py, &error))?.into_iter();
    let lost = lost.filter(|change| change.after.is_none());
    PyList::new(py, lost.map(|change| &own[change.index]))
}

/// The smallest budget at which `item` is in the window, in whatever form; nothing if it is at none up to `ceiling`.
///
/// `item` is one of the items, or its position. `budget` says what is reserved, and is the ceiling unless another is given.
///
/// >>> from cupel_context import min_budget
/// >>> passages = ["The library opens at nine.", "Rooms are booked at the desk."]
/// >>> min_budget(passages, 100, 0)
/// 6
/// >>> min_budget(passages, 100, passages[1])
/// 13
#[pyfunction]
#[pyo3(signature = (
    items, budget, item, policy=None, *, ceiling=None, query=None, model=None, output_reserve=None, now=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn min_budget<'py>(
    py: Python<'py>,
    items: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    item: &Bound<'py, PyAny>,
    policy: Given<'_, 'py>,
    ceiling: Given<'_, 'py>,
    query: Given<'_, 'py>,
    model: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<Option<i64>> {
    let Start { budget, tokenizer, setting } =
        Start::read(py, budget, policy, query, model, output_reserve, now)?;
    let ceiling = given::present(ceiling).map(|it| budget::size(it, "ceiling")).transpose()?;
    let ceiling = ceiling.unwrap_or(budget.max_tokens());
    let own = select::listed(items)?;
    let items = select::candidates(py, &own, tokenizer)?.items;
    let target = match position(&own, item)? {
        Some(position) => items[position].clone(),
        // Not one of them, which the engine says best.
        None => first(Candidates::read(std::slice::from_ref(item), tokenizer)?.0.items, item)?,
    };
    let found = strategy::running(py, || {
        setting.pipeline.find_min_budget_for(&items, &budget, &target, ceiling)
    })?;
    found.map_err(|error| raise::engine(py, &error))
}

/// Where an item stands that is named by its position, or is one of them.
fn position(own: &[Bound<'_, PyAny>], item: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if !item.is_instance_of::<PyInt>() {
        return Ok(own.iter().position(|it| it.is(item)));
    }
    let at = given::count(Some(item), "item")?;
    if at < own.len() {
        return Ok(Some(at));
    }
    let problem = format!("is no position among {} items", own.len());
    let remedy = "give the position of one, or the item itself";
    Err(raise::wrong_value(item.py(), "item", &at.to_string(), &problem, remedy))
}

fn first(items: Vec<ContextItem>, given: &Bound<'_, PyAny>) -> PyResult<ContextItem> {
    items.into_iter().next().ok_or_else(|| raise::wrong_type(given, "item", "one of the items"))
}

/// The same candidates under several policies.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The window of each policy, by its label: the caller's own objects.
    #[pyo3(get)]
    windows: Py<PyDict>,
    report: PolicySensitivityReport,
}

#[pymethods]
impl Comparison {
    /// Where each item of each window stands among the candidates, by label.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let positions = PyDict::new(py);
        for (label, report) in &self.report.variants {
            let of_window = report.included.iter().filter_map(|it| it.index);
            positions.set_item(label, of_window.collect::<Vec<_>>())?;
        }
        Ok(positions)
    }

    /// A flat dict for each content on which they disagree: "content", and by label whether it is in.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for diff in &self.report.diffs {
            let row = PyDict::new(py);
            for (label, status) in &diff.statuses {
                row.set_item(label, *status == ItemStatus::Included)?;
            }
            row.set_item("content", &diff.content)?;
            rows.append(row)?;
        }
        Ok(rows)
    }

    fn __repr__(&self) -> String {
        let labels: Vec<_> = self.report.variants.iter().map(|(label, _)| label.as_str()).collect();
        format!("Comparison({}: {} contents differ)", labels.join(", "), self.report.diffs.len())
    }
}

/// What each of several policies selects from the same items, and where they disagree.
///
/// >>> from cupel_context import compare
/// >>> notes = [
/// ...     {"content": "minutes", "tokens": 4, "priority": 9},
/// ...     {"content": "gossip", "tokens": 4, "priority": 1, "timestamp": "2025-01-01T00:00:00Z"},
/// ... ]
/// >>> policies = {name: {"scorers": [{"type": name, "weight": 1}]} for name in ("recency", "priority")}
/// >>> compared = compare(notes, 4, policies)
/// >>> compared.positions
/// {'recency': [1], 'priority': [0]}
/// >>> compared.rows()[0]
/// {'recency': False, 'priority': True, 'content': 'minutes'}
#[pyfunction]
#[pyo3(signature = (items, budget, policies, *, query=None, model=None, output_reserve=None, now=None))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    items: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    policies: &Bound<'py, PyAny>,
    query: Given<'_, 'py>,
    model: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<Comparison> {
    let budget = budget::read(budget, output_reserve)?;
    let tokenizer = given::tokenizer(model, "model")?;
    let (query, now) = (select::query(query)?, select::now(now)?);
    let Ok(labelled) = policies.cast::<PyMapping>() else {
        return Err(raise::wrong_type(policies, "policies", "a dict of labels and policies"));
    };
    let mut pipelines: Vec<(String, Pipeline)> = Vec::new();
    for pair in labelled.items()?.iter() {
        let (label, policy): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let policy: Arc<Loaded> = Loaded::read(&policy)?;
        let setting = Setting::new(py, Some(policy), query.clone(), now)?;
        pipelines.push((given::text(&label, "policies")?, setting.pipeline));
    }
    let own = select::listed(items)?;
    let candidates = select::candidates(py, &own, tokenizer)?;
    let report = strategy::running(py, || {
        let named: Vec<_> = pipelines.iter().map(|(label, it)| (label.as_str(), it)).collect();
        cupel::policy_sensitivity_from_pipelines(&candidates.items, &budget, &named)
    })?;
    let report = report.map_err(|error| raise::engine(py, &error))?;
    let windows = PyDict::new(py);
    for (label, variant) in &report.variants {
        let window = PyList::empty(py);
        for it in &variant.included {
            let Some(at) = it.index else { continue };
            window.append(select::given_back(&own[at], &candidates, at, &it.item)?)?;
        }
        windows.set_item(label, window)?;
    }
    Ok(Comparison { windows: windows.unbind(), report })
}
