//! What a request became.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::asked;
use crate::fit::Cut;
use crate::report::Report;

/// Messages, or a request, that fit their budget.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Fit {
    /// What to send, in the shape it came in; messages that are as they were are the caller's own objects.
    #[pyo3(get)]
    pub(crate) messages: Py<PyAny>,
    /// The whole request to send, if one came in.
    #[pyo3(get)]
    pub(crate) request: Option<Py<PyAny>>,
    pub(crate) cut: Arc<Cut>,
}

#[pymethods]
impl Fit {
    /// What became of every message, and why.
    #[getter]
    fn report(&self) -> Report {
        Report::of_request(Arc::clone(&self.cut))
    }

    /// How many tokens it is now: messages, system instructions, tools and all.
    #[getter]
    fn tokens(&self) -> i64 {
        self.cut.fitted.tokens.total()
    }

    /// Whether it came out as it went in.
    #[getter]
    fn unchanged(&self) -> bool {
        self.cut.fitted.is_unchanged()
    }

    /// What became of each message that came in, in its order: itself, a shorter or mended one, or `None`.
    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        asked::after(self.messages.bind(py), &self.cut.fitted)
    }

    fn __repr__(&self) -> String {
        format!("Fit({})", crate::report::summary(&self.cut))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.report().html(py)
    }
}
