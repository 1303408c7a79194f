//! The commands `eval` and `replay`, row by row.

use cupel_cli::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::given::{text, texts};
use crate::raise;

/// `cupel eval` or `cupel replay` with these arguments, the first of which is "eval" or "replay": asked once, answering for each of
/// many rows.
#[pyclass(frozen, module = "cupel_context")]
pub(crate) struct RowCommand {
    inner: cupel_cli::RowCommand,
}

#[pymethods]
impl RowCommand {
    #[new]
    fn new(py: Python<'_>, arguments: &Bound<'_, PyAny>) -> PyResult<Self> {
        let arguments = texts(Some(arguments), "arguments")?;
        let inner = cupel_cli::RowCommand::new(arguments).map_err(|it| refused(py, &it))?;
        Ok(Self { inner })
    }

    /// What the command says of a row with `--json`.
    fn answer<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyString>> {
        let row = text(row, "row")?;
        let answer = py.detach(|| self.inner.answer(row)).map_err(|it| refused(py, &it))?;
        Ok(PyString::new(py, &answer))
    }

    fn __repr__(&self) -> &'static str {
        "RowCommand()"
    }
}

fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    raise::command(py, refusal.code, &refusal.message)
}
