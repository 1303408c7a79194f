//! The strategies of a policy, each by itself.

use cupel::{Candidate, RunContext, ScoredItem};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::given::Given;
use crate::item::Candidates;
use crate::policy::Loaded;
use crate::{budget, raise, select, strategy};

/// A score for each item, among all of them or `against` others.
pub(crate) fn score<'py>(
    py: Python<'py>,
    policy: &Loaded,
    items: &Bound<'py, PyAny>,
    against: Option<&Bound<'py, PyAny>>,
    query: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<Vec<f64>> {
    let (query, now) = (select::query(query)?, select::now(now)?);
    let mut context = now.map_or_else(RunContext::new, RunContext::at);
    if let Some(query) = query {
        context = context.with_query(query);
    }
    let policy = policy.build_at(py, now)?;
    let items = read(py, items)?.items;
    let against = against.map(|it| read(py, it)).transpose()?;
    let scores = strategy::running(py, || match &against {
        None => policy.scorer().score_batch(&items, &context),
        Some(others) => {
            let scorer = policy.scorer();
            Ok(items.iter().map(|item| scorer.score(item, &others.items)).collect())
        }
    })?;
    scores.map_err(|error| raise::engine(py, &error))
}

/// What the slicer makes of items that have their scores.
pub(crate) fn slice<'py>(
    py: Python<'py>,
    policy: &Loaded,
    items: &Bound<'py, PyAny>,
    scores: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let budget = budget::read(budget, None)?;
    let scored = scored(py, items, scores)?;
    let policy = policy.build(py)?;
    let context = RunContext::default().with_reasons(true);
    let selection = strategy::running(py, || {
        policy.slicer().select(&Candidate::all_of(&scored), &budget, &context)
    })?;
    let selection = selection.map_err(|error| raise::engine(py, &error))?;
    let refused = PyDict::new(py);
    for refusal in &selection.refused {
        refused.set_item(refusal.position, refusal.reason.to_string())?;
    }
    let shortfalls = PyList::empty(py);
    for shortfall in &selection.shortfalls {
        let told = PyDict::new(py);
        told.set_item("kind", &shortfall.kind)?;
        told.set_item("required_count", shortfall.required_count)?;
        told.set_item("satisfied_count", shortfall.satisfied_count)?;
        shortfalls.append(told)?;
    }
    let told = PyDict::new(py);
    told.set_item("kept", selection.kept)?;
    told.set_item("refused", refused)?;
    told.set_item("shortfalls", shortfalls)?;
    Ok(told)
}

/// All positions in their final order, of items that have their scores.
pub(crate) fn place<'py>(
    py: Python<'py>,
    policy: &Loaded,
    items: &Bound<'py, PyAny>,
    scores: &Bound<'py, PyAny>,
) -> PyResult<Vec<usize>> {
    let scored = scored(py, items, scores)?;
    let policy = policy.build(py)?;
    let context = RunContext::default();
    let order =
        strategy::running(py, || policy.placer().arrange(&Candidate::all_of(&scored), &context))?;
    order.map_err(|error| raise::engine(py, &error))
}

fn read<'py>(py: Python<'py>, items: &Bound<'py, PyAny>) -> PyResult<Candidates> {
    select::candidates(py, &select::listed(items)?, None)
}

fn scored<'py>(
    py: Python<'py>,
    items: &Bound<'py, PyAny>,
    scores: &Bound<'py, PyAny>,
) -> PyResult<Vec<ScoredItem>> {
    let items = read(py, items)?.items;
    let expected = "a number for each item";
    let scores = scores.extract::<Vec<f64>>().ok().filter(|scores| scores.len() == items.len());
    let Some(numbers) = scores else {
        let problem = format!("is not {expected}, of which there are {}", items.len());
        return Err(raise::wrong_value(py, "scores", "a list", &problem, "give one score each"));
    };
    Ok(items.into_iter().zip(numbers).map(|(item, score)| ScoredItem { item, score }).collect())
}
