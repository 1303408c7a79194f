//! How much may be selected.

use cupel::{ContextBudget, ContextKind};
use cupel_cli::parts;
use cupel_policy::Loader;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyMapping, PyString};

use crate::given::{self, Given};
use crate::raise;
use crate::write::to_json;

/// How much may be selected.
///
/// >>> from cupel_context import Budget
/// >>> Budget("8k", output_reserve=1_000)
/// Budget(8000, output_reserve=1000)
#[pyclass(frozen, module = "cupel_context", eq)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Budget {
    pub(crate) inner: ContextBudget,
}

#[pymethods]
impl Budget {
    #[new]
    #[pyo3(signature = (max_tokens, *, target_tokens=None, output_reserve=None, reserved_slots=None, safety_margin_percent=None))]
    fn new(
        max_tokens: &Bound<'_, PyAny>,
        target_tokens: Given<'_, '_>,
        output_reserve: Given<'_, '_>,
        reserved_slots: Given<'_, '_>,
        safety_margin_percent: Given<'_, '_>,
    ) -> PyResult<Self> {
        let py = max_tokens.py();
        let mut budget = ContextBudget::builder(size(max_tokens, "max_tokens")?);
        if let Some(tokens) = given::present(target_tokens) {
            budget = budget.target_tokens(size(tokens, "target_tokens")?);
        }
        if let Some(tokens) = given::present(output_reserve) {
            budget = budget.output_reserve(size(tokens, "output_reserve")?);
        }
        if let Some(slots) = given::present(reserved_slots) {
            let Ok(slots) = slots.cast::<PyMapping>() else {
                return Err(raise::wrong_type(
                    slots,
                    "reserved_slots",
                    "a dict of kinds and tokens",
                ));
            };
            for slot in slots.items()?.iter() {
                let (kind, tokens): (Bound<'_, PyAny>, Bound<'_, PyAny>) = slot.extract()?;
                let kind = given::text(&kind, "reserved_slots")?;
                let tokens = size(&tokens, &format!("reserved_slots[{kind:?}]"))?;
                let kind = ContextKind::new(kind).map_err(|error| raise::engine(py, &error))?;
                budget = budget.reserve(kind, tokens);
            }
        }
        if let Some(percent) = given::present(safety_margin_percent) {
            let number = percent.extract::<f64>();
            let expected = "a percentage, such as 10";
            let number = number
                .map_err(|_| raise::wrong_type(percent, "safety_margin_percent", expected))?;
            budget = budget.safety_margin_percent(number);
        }
        let inner = budget.build().map_err(|error| raise::engine(py, &error))?;
        Ok(Self { inner })
    }

    /// The model's context window: a hard ceiling.
    #[getter]
    fn max_tokens(&self) -> i64 {
        self.inner.max_tokens()
    }

    /// What to aim for.
    #[getter]
    fn target_tokens(&self) -> i64 {
        self.inner.target_tokens()
    }

    /// Tokens kept free for the model's answer.
    #[getter]
    fn output_reserve(&self) -> i64 {
        self.inner.output_reserve()
    }

    /// Tokens kept free for items that come later, by kind.
    #[getter]
    fn reserved_slots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut slots: Vec<_> = self.inner.reserved_slots().iter().collect();
        slots.sort_unstable_by_key(|(kind, _)| kind.as_str());
        let dict = PyDict::new(py);
        for (kind, tokens) in slots {
            dict.set_item(kind.as_str(), tokens)?;
        }
        Ok(dict)
    }

    /// Percentage by which selections stay below the budget, for counts that are not exact.
    #[getter]
    fn safety_margin_percent(&self) -> f64 {
        self.inner.estimation_safety_margin_percent()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let it = &self.inner;
        let mut told = format!("Budget({}", it.max_tokens());
        if it.target_tokens() != it.max_tokens() - it.output_reserve() {
            told += &format!(", target_tokens={}", it.target_tokens());
        }
        if it.output_reserve() != 0 {
            told += &format!(", output_reserve={}", it.output_reserve());
        }
        if !it.reserved_slots().is_empty() {
            told += &format!(", reserved_slots={}", self.reserved_slots(py)?.repr()?);
        }
        if it.estimation_safety_margin_percent() != 0.0 {
            told += &format!(", safety_margin_percent={}", self.safety_margin_percent());
        }
        Ok(told + ")")
    }
}

/// A number of tokens, or how people write one.
pub(crate) fn size(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    let is_number = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
    if is_number {
        return given::whole(value, name);
    }
    if !value.is_instance_of::<PyString>() {
        return Err(raise::wrong_type(value, name, "a number of tokens, such as 8000 or \"8k\""));
    }
    let said = given::text(value, name)?;
    parts::tokens(&said).map_err(|remedy| {
        let problem = "is no number of tokens";
        raise::wrong_value(value.py(), name, &format!("{said:?}"), problem, &remedy)
    })
}

/// A budget as it may be given: a number, `"8k"`, a [`Budget`], or a dict as in a request.
pub(crate) fn read(
    value: &Bound<'_, PyAny>,
    output_reserve: Given<'_, '_>,
) -> PyResult<ContextBudget> {
    let py = value.py();
    let reserve =
        given::present(output_reserve).map(|it| size(it, "output_reserve")).transpose()?;
    let reserve = reserve.filter(|tokens| *tokens != 0);
    let said_twice = || {
        let problem = "is said beside a budget that says its own";
        let remedy = "say it in the budget alone";
        Err(raise::other(py, "InvalidInput", "output_reserve", problem, remedy))
    };
    if let Ok(budget) = value.cast::<Budget>() {
        return match reserve {
            None => Ok(budget.get().inner.clone()),
            Some(_) => said_twice(),
        };
    }
    if value.cast::<PyMapping>().is_ok() {
        if reserve.is_some() {
            return said_twice();
        }
        // Read by the rules of requests, which need no target.
        let budget = to_json(value, "budget")?;
        let request = format!("{{\"items\":[],\"budget\":{budget},\"policy\":\"chat\"}}");
        let request = Loader::new().parse_request(&request);
        return match request {
            Ok(request) => Ok(request.budget),
            Err(error) => Err(raise::policy(py, "InvalidInput", "", &error)),
        };
    }
    let budget = ContextBudget::builder(size(value, "budget")?);
    let budget = budget.output_reserve(reserve.unwrap_or(0)).build();
    budget.map_err(|error| raise::engine(py, &error))
}
