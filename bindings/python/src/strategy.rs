//! Strategies that are Python callables: called once per run, with all candidates at once.

use std::cell::RefCell;

use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, Placer, RunContext, ScoredItem, Scorer,
    Slicer,
};
use cupel_policy::Arguments;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::budget::Budget;
use crate::given::from_json;
use crate::item::Item;

thread_local! {
    /// What a callable raised while the engine worked, which knows nothing of exceptions.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Lets the engine work while other threads run Python, and raises what a callable of the caller's raised in it.
pub(crate) fn running<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let outer = RAISED.take();
    let result = py.detach(work);
    match RAISED.replace(outer) {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

/// What a run is, for whoever scores in it.
///
/// >>> from cupel_context import Policy, select
/// >>> def by_query(items, run):
/// ...     return [float(run.query in item.content) for item in items]
/// >>> policy = Policy({"scorers": [{"type": "byQuery", "weight": 1}]}, scorers={"byQuery": by_query})
/// >>> select(["about cats", "about dogs"], 3, policy, query="dogs").items
/// ['about dogs']
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Run {
    context: RunContext,
}

#[pymethods]
impl Run {
    /// What the window is to answer, if the run was told.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.context.query().map(cupel::Query::text)
    }

    /// When the run happens.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::item::datetime(py, self.context.now())
    }

    fn __repr__(&self) -> String {
        match self.query() {
            Some(query) => format!("Run(query={query:?})"),
            None => "Run()".to_owned(),
        }
    }
}

/// A candidate on its way through a run, with its score.
#[pyclass(frozen, get_all, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Scored {
    /// The item; of several that stay together, one that stands in for them.
    item: Py<Item>,
    /// Its relevance.
    score: f64,
}

#[pymethods]
impl Scored {
    /// What it costs.
    #[getter]
    fn tokens(&self) -> i64 {
        self.item.get().inner.tokens()
    }

    fn __repr__(&self) -> String {
        format!("Scored({}, score={})", self.item.get().described(), self.score)
    }
}

/// A callable, the name that policies call it by, and what they say beside it.
#[derive(Debug)]
struct Called {
    name: String,
    function: Py<PyAny>,
    arguments: String,
}

impl Called {
    fn maker(name: &str, function: Py<PyAny>) -> impl Fn(&Arguments) -> Self + Send + Sync + use<> {
        let name = name.to_owned();
        move |arguments| Self {
            name: name.clone(),
            function: Python::attach(|py| function.clone_ref(py)),
            arguments: serde_json::Value::Object(arguments.as_map().clone()).to_string(),
        }
    }

    /// What the callable makes of its arguments; what it raises is kept for [`running`] to raise.
    fn call<T>(
        &self,
        refuse: fn(String) -> CupelError,
        arguments: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Result<T, CupelError> {
        let called = Python::attach(|py| {
            let named = from_json(py, &self.arguments)?.cast_into::<PyDict>()?;
            let named = Some(&named).filter(|named| !named.is_empty());
            read(&self.function.bind(py).call(arguments(py)?, named)?)
        });
        called.map_err(|error| {
            let told = format!("{} raised {error}", self.name);
            RAISED.set(Some(error));
            refuse(told)
        })
    }

    /// Positions that the callable answers with.
    fn positions(
        &self,
        family: &'static str,
        refuse: fn(String) -> CupelError,
        candidates: &[ScoredItem],
        budget: Option<&ContextBudget>,
    ) -> Result<Vec<usize>, CupelError> {
        let positions = self.call(
            refuse,
            |py| {
                let scored = candidates.iter().map(|it| {
                    let item = Py::new(py, Item::from(it.item.clone()))?;
                    Bound::new(py, Scored { item, score: it.score })
                });
                let scored = PyList::new(py, scored.collect::<PyResult<Vec<_>>>()?)?.into_any();
                match budget {
                    Some(budget) => {
                        let budget = Bound::new(py, Budget { inner: budget.clone() })?.into_any();
                        PyTuple::new(py, [scored, budget])
                    }
                    None => PyTuple::new(py, [scored]),
                }
            },
            |answer| {
                answer.try_iter()?.map(|at| at?.extract::<i64>()).collect::<PyResult<Vec<_>>>()
            },
        )?;
        let in_range = |at: i64| usize::try_from(at).ok().filter(|at| *at < candidates.len());
        let named = positions.into_iter().map(|at| {
            in_range(at).ok_or_else(|| CupelError::ContractViolation {
                family,
                strategy: self.name.clone(),
                problem: format!("named position {at} of {} candidates", candidates.len()),
            })
        });
        named.collect()
    }
}

/// A scorer: `scorer(items, run, **arguments)` gives a number for each item.
#[derive(Debug)]
pub(crate) struct CalledScorer(Called);

impl CalledScorer {
    pub(crate) fn maker(
        name: &str,
        function: Py<PyAny>,
    ) -> impl Fn(&Arguments) -> Self + Send + Sync + use<> {
        let made = Called::maker(name, function);
        move |arguments| Self(made(arguments))
    }
}

impl Scorer for CalledScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        let at = all_items.iter().position(|it| it.is_same_instance(item));
        let scores = self.score_batch(all_items, &RunContext::default());
        at.zip(scores.ok()).map_or(f64::NAN, |(at, scores)| scores[at])
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        self.0.call(
            CupelError::ScorerConfig,
            |py| {
                let items = items.iter().map(|item| Bound::new(py, Item::from(item.clone())));
                let items = PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any();
                let run = Bound::new(py, Run { context: context.clone() })?.into_any();
                PyTuple::new(py, [items, run])
            },
            |answer| answer.try_iter()?.map(|score| score?.extract::<f64>()).collect(),
        )
    }

    fn name(&self) -> &str {
        &self.0.name
    }
}

/// A slicer: `slicer(candidates, budget, **arguments)` gives the positions of those it chooses.
#[derive(Debug)]
pub(crate) struct CalledSlicer(Called);

impl CalledSlicer {
    pub(crate) fn maker(
        name: &str,
        function: Py<PyAny>,
    ) -> impl Fn(&Arguments) -> Self + Send + Sync + use<> {
        let made = Called::maker(name, function);
        move |arguments| Self(made(arguments))
    }
}

impl Slicer for CalledSlicer {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        let chosen = self.0.positions("slicer", CupelError::SlicerConfig, sorted, Some(budget))?;
        Ok(chosen.into_iter().map(|at| sorted[at].item.clone()).collect())
    }

    fn name(&self) -> &str {
        &self.0.name
    }
}

/// A placer: `placer(candidates, **arguments)` gives all positions in their final order.
#[derive(Debug)]
pub(crate) struct CalledPlacer(Called);

impl CalledPlacer {
    pub(crate) fn maker(
        name: &str,
        function: Py<PyAny>,
    ) -> impl Fn(&Arguments) -> Self + Send + Sync + use<> {
        let made = Called::maker(name, function);
        move |arguments| Self(made(arguments))
    }

    fn order(&self, items: &[ScoredItem]) -> Result<Vec<usize>, CupelError> {
        self.0.positions("placer", CupelError::PipelineConfig, items, None)
    }
}

impl Placer for CalledPlacer {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        let order = self.order(items).unwrap_or_default();
        order.into_iter().map(|at| items[at].item.clone()).collect()
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let scored = |it: &Candidate<'_>| ScoredItem { item: it.item().clone(), score: it.score() };
        self.order(&items.iter().map(scored).collect::<Vec<_>>())
    }

    fn name(&self) -> &str {
        &self.0.name
    }
}
