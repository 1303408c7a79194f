//! Arguments of a call as text, for adapters whose frameworks hold them as dicts.

use std::fmt::Write;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};

use crate::write::quote;

/// Deeper than anybody calls a tool with.
const MAX_DEPTH: usize = 50;

/// What `json.dumps(value, ensure_ascii=False)` says, in a tenth of its time; `None` where the value has anything but texts,
/// whole numbers, flags, and lists and dicts of these.
#[pyfunction]
#[pyo3(name = "_dumps")]
pub(crate) fn dumps(value: &Bound<'_, PyAny>) -> Option<String> {
    let mut out = String::with_capacity(128);
    spell(value, 0, &mut out)?;
    Some(out)
}

fn spell(value: &Bound<'_, PyAny>, depth: usize, out: &mut String) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Ok(text) = value.cast_exact::<PyString>() {
        quote(text.to_str().ok()?, out);
    } else if let Ok(dict) = value.cast_exact::<PyDict>() {
        out.push('{');
        for (at, (key, value)) in dict.iter().enumerate() {
            separate(at, out);
            quote(key.cast_exact::<PyString>().ok()?.to_str().ok()?, out);
            out.push_str(": ");
            spell(&value, depth + 1, out)?;
        }
        out.push('}');
    } else if let Ok(list) = value.cast_exact::<PyList>() {
        out.push('[');
        for (at, element) in list.iter().enumerate() {
            separate(at, out);
            spell(&element, depth + 1, out)?;
        }
        out.push(']');
    } else if value.is_none() {
        out.push_str("null");
    } else if let Ok(flag) = value.cast_exact::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
    } else {
        let number = value.cast_exact::<PyInt>().ok()?.extract::<i64>().ok()?;
        write!(out, "{number}").ok()?;
    }
    Some(())
}

fn separate(at: usize, out: &mut String) {
    if at > 0 {
        out.push_str(", ");
    }
}
