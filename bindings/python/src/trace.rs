//! Every step of a run.

use cupel::{
    ContextBudget, ContextItem, DiagnosticTraceCollector, Interests, OverflowEvent,
    SelectionReport, StageTraceSnapshot, TraceCollector, TraceDetailLevel, TraceEvent,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::budget::Budget;
use crate::select::Chosen;
use crate::{raise, strategy};

/// Keeps what the recording collector does not: what entered and left each stage.
#[derive(Default)]
struct Stages(Vec<StageTraceSnapshot>);

impl TraceCollector for Stages {
    fn is_enabled(&self) -> bool {
        true
    }

    fn interests(&self) -> Interests {
        Interests::EVERYTHING
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn on_pipeline_completed(
        &mut self,
        _report: &SelectionReport,
        _budget: &ContextBudget,
        stages: &[StageTraceSnapshot],
    ) {
        self.0 = stages.to_vec();
    }
}

/// The run again, with everything recorded.
pub(crate) fn told<'py>(py: Python<'py>, chosen: &Chosen) -> PyResult<Bound<'py, PyAny>> {
    let items = &chosen.candidates.items;
    let ran = strategy::running(py, || {
        let recorded = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
        let mut collector = (recorded, Stages::default());
        chosen.pipeline.run_traced(items, &chosen.budget, &mut collector)?;
        let (recorded, stages) = collector;
        let (report, overflow) = recorded.into_parts();
        Ok((report.events, stages.0, overflow))
    })?;
    let (events, stages, overflow) = ran.map_err(|error| raise::engine(py, &error))?;
    let trace = PyDict::new(py);
    trace.set_item("events", each(py, &events, |it| event(py, it))?)?;
    trace.set_item("stages", each(py, &stages, |it| stage(py, items, it))?)?;
    trace.set_item("overflow", overflow.map(|it| self::overflow(py, items, &it)).transpose()?)?;
    Ok(trace.into_any())
}

fn each<'py, T>(
    py: Python<'py>,
    all: &[T],
    told: impl FnMut(&T) -> PyResult<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, all.iter().map(told).collect::<PyResult<Vec<_>>>()?)
}

fn event<'py>(py: Python<'py>, event: &TraceEvent) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("stage", event.stage.name())?;
    told.set_item("item_count", event.item_count)?;
    // What is decided about an item is told in words, and only that.
    told.set_item("message", event.message.as_deref())?;
    Ok(told)
}

fn stage<'py>(
    py: Python<'py>,
    items: &[ContextItem],
    stage: &StageTraceSnapshot,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("stage", stage.stage.name())?;
    told.set_item("item_count_in", stage.item_count_in)?;
    told.set_item("item_count_out", stage.item_count_out)?;
    told.set_item("excluded", positions(items, stage.excluded.iter().map(|it| &it.item)))?;
    Ok(told)
}

fn overflow<'py>(
    py: Python<'py>,
    items: &[ContextItem],
    overflow: &OverflowEvent,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("tokens_over_budget", overflow.tokens_over_budget)?;
    told.set_item("positions", positions(items, &overflow.overflowing_items))?;
    told.set_item("budget", Bound::new(py, Budget { inner: overflow.budget.clone() })?)?;
    Ok(told)
}

/// Where items stand among the candidates, by instance.
fn positions<'i>(
    candidates: &[ContextItem],
    items: impl IntoIterator<Item = &'i ContextItem>,
) -> Vec<usize> {
    let of =
        |item: &ContextItem| candidates.iter().position(|it| it.is_same_instance(item.whole()));
    items.into_iter().filter_map(of).collect()
}
