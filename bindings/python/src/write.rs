//! Python's objects as JSON text: read where they are, each text copied once, into the JSON.
//!
//! A fifth of the time of `json.dumps` and an encoding of its result, which would be two copies:
//! `bench/python/compare.py border`.

use std::fmt::Write;

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::raise;

/// Deeper than anything that is read on the other side; what contains itself ends here.
const MAX_DEPTH: usize = 200;

/// What cannot be written, and where: steps from the innermost outwards.
#[derive(Debug)]
struct Unwritable {
    kind: Kind,
    steps: Vec<String>,
}

#[derive(Debug)]
enum Kind {
    /// What is wrong, and what to do.
    Problem { value: String, problem: String, remedy: &'static str },
    /// What code of the caller's raised.
    Raised(PyErr),
}

impl From<PyErr> for Unwritable {
    fn from(error: PyErr) -> Self {
        Self { kind: Kind::Raised(error), steps: Vec::new() }
    }
}

type Written = Result<(), Unwritable>;

/// Which floats may be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Floats {
    /// Those that JSON has.
    Finite,
    /// NaN and the infinities as well, spelled as Python's `json` does: for readers that leave it to the engine to refuse them.
    All,
}

/// `value` as JSON, behind what `out` holds already. `name` is what messages call it.
pub(crate) fn write_json(
    value: &Bound<'_, PyAny>,
    name: &str,
    floats: Floats,
    out: &mut String,
) -> PyResult<()> {
    Writer { out, floats }.value(value, 0).map_err(|unwritable| {
        let path = unwritable.steps.iter().rev().fold(name.to_owned(), |path, step| path + step);
        match unwritable.kind {
            Kind::Raised(error) => error,
            Kind::Problem { value: found, problem, remedy } => {
                raise::wrong_value(value.py(), &path, &found, &problem, remedy)
            }
        }
    })
}

/// `value` as JSON of its own.
pub(crate) fn to_json(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let mut out = String::with_capacity(256);
    write_json(value, name, Floats::Finite, &mut out)?;
    Ok(out)
}

struct Writer<'o> {
    out: &'o mut String,
    floats: Floats,
}

impl Writer<'_> {
    fn value(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> Written {
        if depth > MAX_DEPTH {
            let problem = format!("is nested deeper than {MAX_DEPTH} levels");
            return refused("...", problem, "does it contain itself?");
        }
        // Exact types first, by pointer: nearly everything is one of these.
        if let Ok(text) = value.cast_exact::<PyString>() {
            self.text(text)
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            self.dict(dict, depth)
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            self.elements(list.iter(), depth)
        } else if value.is_none() {
            self.raw("null")
        } else if let Ok(flag) = value.cast_exact::<PyBool>() {
            self.raw(if flag.is_true() { "true" } else { "false" })
        } else if let Ok(number) = value.cast::<PyInt>() {
            self.integer(number)
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.float(number.value())
        } else {
            self.unusual(value, depth)
        }
    }

    fn unusual(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> Written {
        if let Ok(text) = value.cast::<PyString>() {
            return self.text(text);
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.dict(dict, depth);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return self.elements(list.iter(), depth);
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.elements(tuple.iter(), depth);
        }
        if let Some(dumped) = dumped(value)? {
            return self.value(&dumped, depth + 1);
        }
        if let Some(time) = time(value)? {
            return self.text(&time);
        }
        // Arrays and scalars of numpy, and tensors.
        let py = value.py();
        if !is_type(value) && value.hasattr(intern!(py, "tolist"))? {
            return self.value(&value.call_method0(intern!(py, "tolist"))?, depth + 1);
        }
        if let Ok(mapping) = value.cast::<PyMapping>() {
            let pairs = mapping.items()?;
            let dict = PyDict::from_sequence(pairs.as_any())?;
            return self.dict(&dict, depth);
        }
        let problem = "cannot be written as JSON".to_owned();
        let remedy = "give str, int, float, bool, None, lists, dicts, or objects with model_dump()";
        refused(type_name(value), problem, remedy)
    }

    fn raw(&mut self, text: &str) -> Written {
        self.out.push_str(text);
        Ok(())
    }

    fn text(&mut self, text: &Bound<'_, PyString>) -> Written {
        match text.to_str() {
            Ok(text) => {
                quote(text, self.out);
                Ok(())
            }
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => {
                let problem = "has half of a surrogate pair, which is no text".to_owned();
                refused("str", problem, "decode it again, or text.encode(errors='replace')")
            }
            Err(error) => Err(error.into()),
        }
    }

    fn integer(&mut self, number: &Bound<'_, PyInt>) -> Written {
        match number.extract::<i64>() {
            Ok(number) => _ = write!(self.out, "{number}"),
            // Python limits how many digits it writes.
            Err(_) => match number.as_any().call_method0(intern!(number.py(), "__repr__")) {
                Ok(digits) => self.out.push_str(&digits.to_string()),
                Err(_) => {
                    let problem = "has too many digits".to_owned();
                    return refused("int", problem, "give a smaller number");
                }
            },
        }
        Ok(())
    }

    fn float(&mut self, number: f64) -> Written {
        if !number.is_finite() {
            if self.floats == Floats::All {
                return self.raw(non_finite(number));
            }
            let problem = "is a number that JSON cannot write".to_owned();
            return refused(number.to_string(), problem, "give a finite number, or None");
        }
        // Shortest digits that read back as the same number.
        _ = write!(self.out, "{number:?}");
        Ok(())
    }

    fn elements<'py>(
        &mut self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: usize,
    ) -> Written {
        self.out.push('[');
        for (at, element) in elements.enumerate() {
            if at > 0 {
                self.out.push(',');
            }
            self.value(&element, depth + 1).map_err(|error| within(error, format!("[{at}]")))?;
        }
        self.out.push(']');
        Ok(())
    }

    fn dict(&mut self, dict: &Bound<'_, PyDict>, depth: usize) -> Written {
        self.out.push('{');
        // A snapshot: model_dump() of a value may be anybody's code, and change the dict.
        let has_own_code = dict.iter().any(|(_, value)| !is_plain(&value));
        if has_own_code {
            for (at, (key, value)) in dict.items().iter().filter_map(pair).enumerate() {
                self.entry(at, &key, &value, depth)?;
            }
        } else {
            for (at, (key, value)) in dict.iter().enumerate() {
                self.entry(at, &key, &value, depth)?;
            }
        }
        self.out.push('}');
        Ok(())
    }

    fn entry(
        &mut self,
        at: usize,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        depth: usize,
    ) -> Written {
        if at > 0 {
            self.out.push(',');
        }
        let Ok(name) = key.cast::<PyString>() else {
            let problem = "is a key that is no str".to_owned();
            return refused(type_name(key), problem, "make all keys of dicts str");
        };
        self.text(name)?;
        self.out.push(':');
        self.value(value, depth + 1).map_err(|error| within(error, format!(".{name}")))
    }
}

fn non_finite(number: f64) -> &'static str {
    match number {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}

/// Whether writing it runs no code of the caller's, for all that can be seen from outside.
fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_none()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBool>()
}

fn pair<'py>(item: Bound<'py, PyAny>) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    item.extract().ok()
}

/// What an object of an SDK says it is: `None` where its class has no `model_dump`.
///
/// Without what is `None`: SDKs fill in optional fields that providers do not take back.
pub(crate) fn dumped<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if is_type(value) || !value.hasattr(intern!(py, "model_dump"))? {
        return Ok(None);
    }
    let method = value.getattr(intern!(py, "model_dump"))?;
    let arguments = PyDict::new(py);
    arguments.set_item(intern!(py, "mode"), intern!(py, "json"))?;
    arguments.set_item(intern!(py, "by_alias"), true)?;
    arguments.set_item(intern!(py, "exclude_none"), true)?;
    let dumped = match method.call((), Some(&arguments)) {
        // Not pydantic's, but spelled like it.
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyTypeError>(py) => {
            method.call0()?
        }
        dumped => dumped?,
    };
    Ok(Some(dumped))
}

/// A `datetime` as RFC 3339.
fn time<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyString>>, Unwritable> {
    let py = value.py();
    let datetime = py.import(intern!(py, "datetime"))?.getattr(intern!(py, "datetime"))?;
    if !value.is_instance(&datetime)? {
        return Ok(None);
    }
    if value.call_method0(intern!(py, "utcoffset"))?.is_none() {
        let problem = "is a time without its zone".to_owned();
        refused(value.repr()?.to_string(), problem, "say which: .replace(tzinfo=timezone.utc)")?;
    }
    let text = value.call_method0(intern!(py, "isoformat"))?;
    Ok(Some(text.cast_into::<PyString>().map_err(PyErr::from)?))
}

fn is_type(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<pyo3::types::PyType>()
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

fn within(mut error: Unwritable, step: String) -> Unwritable {
    error.steps.push(step);
    error
}

fn refused(value: impl AsRef<str>, problem: String, remedy: &'static str) -> Written {
    let kind = Kind::Problem { value: value.as_ref().to_owned(), problem, remedy };
    Err(Unwritable { kind, steps: Vec::new() })
}

/// `text` in quotes, with what JSON does not take escaped.
pub(crate) fn quote(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (0, 0);
    while at < bytes.len() {
        // Nearly all text is plain, and 32 bytes are judged as quickly as one: vectorised, without a branch for each.
        if bytes.get(at..at + CHUNK).is_some_and(|chunk| !needs_escape(chunk)) {
            at += CHUNK;
            continue;
        }
        let end = bytes.len().min(at + CHUNK);
        for at in at..end {
            if needs_escape(&bytes[at..=at]) {
                out.push_str(&text[plain..at]);
                escape(bytes[at], out);
                plain = at + 1;
            }
        }
        at = end;
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

const CHUNK: usize = 32;

fn needs_escape(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .fold(false, |needs, &byte| needs | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
}

fn escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        0x08 => out.push_str("\\b"),
        0x0c => out.push_str("\\f"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        control => _ = write!(out, "\\u{control:04x}"),
    }
}

/// What becomes of an object on its way in: for `bench/python/compare.py`, which times it.
#[pyfunction]
#[pyo3(name = "_to_json")]
pub(crate) fn written(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    to_json(value, "value").map(|json| json.len())
}
