//! Arguments as Python gives them, each refused by name where it is not what it should be.

use cupel_messages::Format;
use cupel_tokens::Tokenizer;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::raise;

/// An argument that may be left out.
pub(crate) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// `None` is the same as leaving an argument out.
pub(crate) fn present<'a, 'py>(given: Given<'a, 'py>) -> Given<'a, 'py> {
    given.filter(|value| !value.is_none())
}

/// A text.
pub(crate) fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| raise::wrong_type(value, name, "str"))?;
    match text.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => {
            let problem = "has half of a surrogate pair, which is no text";
            Err(raise::wrong_value(value.py(), name, "str", problem, "decode it again"))
        }
    }
}

/// A text that may be left out.
pub(crate) fn optional_text(given: Given<'_, '_>, name: &str) -> PyResult<Option<String>> {
    present(given).map(|value| text(value, name)).transpose()
}

/// A whole number.
pub(crate) fn whole(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    let is_number = value.cast::<PyInt>().is_ok() && !value.is_instance_of::<PyBool>();
    if !is_number {
        return Err(raise::wrong_type(value, name, "int"));
    }
    value.extract::<i64>().map_err(|_| {
        let (problem, remedy) = ("does not fit into 64 bits", "give a smaller number");
        raise::wrong_value(value.py(), name, "int", problem, remedy)
    })
}

/// A number of things.
pub(crate) fn count(given: Given<'_, '_>, name: &str) -> PyResult<usize> {
    let Some(value) = present(given) else { return Ok(0) };
    let number = whole(value, name)?;
    usize::try_from(number).map_err(|_| {
        let problem = "is less than nothing";
        raise::wrong_value(value.py(), name, &number.to_string(), problem, "give 0 or more")
    })
}

/// Yes or no.
pub(crate) fn flag(given: Given<'_, '_>, name: &str, unless_given: bool) -> PyResult<bool> {
    match present(given) {
        None => Ok(unless_given),
        Some(value) => match value.cast::<PyBool>() {
            Ok(flag) => Ok(flag.is_true()),
            Err(_) => Err(raise::wrong_type(value, name, "bool")),
        },
    }
}

/// One text, or several.
pub(crate) fn texts(given: Given<'_, '_>, name: &str) -> PyResult<Vec<String>> {
    let Some(value) = present(given) else { return Ok(Vec::new()) };
    if value.is_instance_of::<PyString>() {
        return Ok(vec![text(value, name)?]);
    }
    let Ok(elements) = value.try_iter() else {
        return Err(raise::wrong_type(value, name, "str or a list of str"));
    };
    elements.enumerate().map(|(at, each)| text(&each?, &format!("{name}[{at}]"))).collect()
}

/// One of a few words.
pub(crate) fn choice<T: Copy>(
    given: Given<'_, '_>,
    name: &str,
    choices: &[(&str, T)],
) -> PyResult<Option<T>> {
    let Some(value) = present(given) else { return Ok(None) };
    let words: Vec<_> = choices.iter().map(|(word, _)| format!("{word:?}")).collect();
    let said = text(value, name)?;
    match choices.iter().find(|(word, _)| *word == said) {
        Some((_, meant)) => Ok(Some(*meant)),
        None => {
            let remedy = format!("give one of {}", words.join(", "));
            let problem = "is none of the choices";
            Err(raise::wrong_value(value.py(), name, &format!("{said:?}"), problem, &remedy))
        }
    }
}

/// What tokens are counted with: a model or a vocabulary.
pub(crate) fn tokenizer(given: Given<'_, '_>, name: &str) -> PyResult<Option<Tokenizer>> {
    let Some(value) = present(given) else { return Ok(None) };
    let said = text(value, name)?;
    let tokenizer = Tokenizer::by_name(&said);
    tokenizer.map(Some).map_err(|error| raise::unknown_model(value.py(), name, &error))
}

/// Whose format a request is in.
pub(crate) fn provider(given: Given<'_, '_>) -> PyResult<Option<Format>> {
    let Some(value) = present(given) else { return Ok(None) };
    let said = text(value, "provider")?;
    said.parse::<Format>().map(Some).map_err(|error| {
        let remedy = "leave it out, or give one of those names";
        raise::other(value.py(), "InvalidInput", "provider", &error.to_string(), remedy)
    })
}

/// Python's own reader of JSON, whose whole numbers have all their digits.
pub(crate) fn from_json<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(pyo3::intern!(py, "json"))?.call_method1(pyo3::intern!(py, "loads"), (json,))
}
