//! The command `cupel`.

use pyo3::prelude::*;

use crate::given::texts;

/// Runs the command with these arguments, the first of which is its own name, and gives its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: &Bound<'_, PyAny>) -> PyResult<u8> {
    let arguments = texts(Some(arguments), "arguments")?;
    Ok(py.detach(|| cupel_cli::run(arguments)))
}
