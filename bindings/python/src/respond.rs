//! Lines of a batch, one at a time.

use cupel_cli::Responders;
use cupel_policy::Loader;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::given::{self, Given, flag, optional_text, tokenizer};
use crate::raise;
use crate::write::to_json;

/// Answers a request as `cupel batch` answers a line: a str with a str, bytes with bytes, a dict with a dict.
///
/// What is wrong with a request is said in its answer, under "error".
///
/// >>> from cupel_context import respond
/// >>> answer = respond({"items": [{"content": "hello", "tokens": 2}], "budget": {"maxTokens": 9}, "policy": "chat"})
/// >>> answer["totalTokens"]
/// 2
/// >>> respond('{"items": 3}')[:31]
/// '{"error":{"code":"InvalidReques'
#[pyfunction]
#[pyo3(signature = (request, *, model=None, query=None, timings=None, lenient=None, line=None))]
pub(crate) fn respond<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyAny>,
    model: Given<'_, 'py>,
    query: Given<'_, 'py>,
    timings: Given<'_, 'py>,
    lenient: Given<'_, 'py>,
    line: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let responders = responders(model, query, timings, lenient)?;
    let line = match given::count(line, "line")? {
        0 => 1,
        line => line,
    };
    if let Ok(bytes) = request.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        let answer = py.detach(|| responders.respond(line, bytes).0);
        return Ok(PyBytes::new(py, answer.as_bytes()).into_any());
    }
    if request.is_instance_of::<PyString>() {
        let text = given::text(request, "request")?;
        let answer = py.detach(|| responders.respond(line, text.as_bytes()).0);
        return Ok(PyString::new(py, &answer).into_any());
    }
    let is_object = request.cast::<pyo3::types::PyMapping>().is_ok()
        || request.hasattr(pyo3::intern!(py, "model_dump"))?;
    if !is_object {
        return Err(raise::wrong_type(request, "request", "a dict, a str or bytes"));
    }
    let text = to_json(request, "request")?;
    let answer = py.detach(|| responders.respond(line, text.as_bytes()).0);
    given::from_json(py, &answer)
}

/// Who answers, as the arguments say.
pub(crate) fn responders(
    model: Given<'_, '_>,
    query: Given<'_, '_>,
    timings: Given<'_, '_>,
    lenient: Given<'_, '_>,
) -> PyResult<Responders> {
    let loader = Loader::new().lenient(flag(lenient, "lenient", false)?);
    let query = optional_text(query, "query")?;
    let timings = flag(timings, "timings", false)?;
    Ok(Responders::new(loader, tokenizer(model, "model")?, timings, query.as_deref()))
}
