//! How many tokens is it, and would its provider take it?

use cupel_cli::parts;
use cupel_messages::{Meter, Problem as Refused};
use cupel_tokens::{Counter, Tokenizer, Vocabulary};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::asked::Asked;
use crate::given::{self, Given};

/// How many tokens a text, a list of messages or a whole request is, for a model or by a vocabulary.
///
/// >>> from cupel_context import count_tokens
/// >>> count_tokens("hello world", model="gpt-5")
/// 2
/// >>> count_tokens([{"role": "user", "content": "hello world"}], model="gpt-5")
/// 8
#[pyfunction]
#[pyo3(signature = (text_or_messages, *, model=None, provider=None))]
pub(crate) fn count_tokens(
    py: Python<'_>,
    text_or_messages: &Bound<'_, PyAny>,
    model: Given<'_, '_>,
    provider: Given<'_, '_>,
) -> PyResult<i64> {
    let tokenizer = given::tokenizer(model, "model")?;
    if let Ok(text) = text_or_messages.cast::<PyString>() {
        let tokenizer = tokenizer.unwrap_or(Tokenizer::Vocabulary(Vocabulary::O200kBase));
        given::text(text_or_messages, "text")?;
        let text = text.to_str()?;
        return Ok(py.detach(|| tokenizer.count(text)));
    }
    let asked = Asked::read(text_or_messages)?;
    let request = asked.parse(py, given::provider(provider)?)?;
    Ok(py.detach(|| {
        let meter: &dyn Meter = &parts::meter(&request, tokenizer);
        request.count(meter).total()
    }))
}

/// What the provider of a request, or of a list of messages, would refuse; nothing if it would take it.
///
/// >>> from cupel_context import validate
/// >>> problems = validate([{"role": "tool", "tool_call_id": "c1", "content": "12:00"}])
/// >>> problems[0].rule
/// 'AnswerWithoutCall'
#[pyfunction]
#[pyo3(signature = (request, *, provider=None))]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyAny>,
    provider: Given<'_, 'py>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let request = Asked::read(request)?.parse(py, given::provider(provider)?)?;
    let problems = py.detach(|| cupel_messages::validate(&request));
    problems.iter().map(|problem| told(py, problem)).collect()
}

fn told<'py>(py: Python<'py>, problem: &Refused) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("message", problem.message)?;
    fields.set_item("path", &problem.path)?;
    fields.set_item("rule", problem.rule.name())?;
    fields.set_item("severity", problem.severity.name())?;
    fields.set_item("text", &problem.text)?;
    fields.set_item("provider_says", &problem.provider_says)?;
    py.import("cupel_context._problem")?.getattr("Problem")?.call((), Some(&fields))
}
