//! Candidates, one by one and many.

use chrono::{DateTime, Utc};
use cupel::{ContextItem, ItemVariant};
use cupel_policy::{ItemReader, Items};
use cupel_tokens::{Counter, Tokenizer, Vocabulary};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::given::{self, Given, from_json};
use crate::raise;
use crate::write::{Floats, quote, write_json};

/// A candidate: what it says, what it costs, and what there is to judge it by.
///
/// Making one reads everything once; selecting from the same items again copies nothing. Where `tokens` is left out, they are
/// counted, for `model` or with the vocabulary o200k_base.
///
/// >>> from cupel_context import Item
/// >>> Item("You are a careful assistant.", kind="SystemPrompt", pinned=True)
/// Item('You are a careful assistant.', tokens=6, kind='SystemPrompt', pinned=True)
#[pyclass(frozen, module = "cupel_context", eq)]
#[derive(Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) inner: ContextItem,
}

impl From<ContextItem> for Item {
    fn from(inner: ContextItem) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Item {
    #[new]
    #[pyo3(signature = (content, tokens=None, *, model=None, **fields))]
    fn new(
        content: &Bound<'_, PyAny>,
        tokens: Given<'_, '_>,
        model: Given<'_, '_>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = content.py();
        let object = fields.map_or_else(|| Ok(PyDict::new(py)), |fields| fields.copy())?;
        object.set_item(intern!(py, "content"), content)?;
        if let Some(tokens) = given::present(tokens) {
            object.set_item(intern!(py, "tokens"), tokens)?;
        }
        let mut line = String::new();
        write_json(object.as_any(), "item", Floats::All, &mut line)?;
        let tokenizer = given::tokenizer(model, "model")?.unwrap_or(USUAL);
        let count = |contents: &[&str]| contents.iter().map(|it| tokenizer.count(it)).collect();
        let read = ItemReader::new().take_non_finite().count_with(&count).read_lines(&line);
        let read = read.map_err(|error| raise::policy(py, "InvalidInput", "item", &error))?;
        match read.items.into_iter().next() {
            Some(item) => Ok(item.into()),
            None => Err(raise::other(py, "InvalidInput", "item", "nothing", "give its content")),
        }
    }

    /// What it says.
    #[getter]
    fn content(&self) -> &str {
        self.inner.content()
    }

    /// What it costs.
    #[getter]
    fn tokens(&self) -> i64 {
        self.inner.tokens()
    }

    /// What kind of material it is.
    #[getter]
    fn kind(&self) -> &str {
        self.inner.kind().as_str()
    }

    /// Where it comes from.
    #[getter]
    fn source(&self) -> &str {
        self.inner.source().as_str()
    }

    /// How important it is said to be.
    #[getter]
    fn priority(&self) -> Option<i64> {
        self.inner.priority()
    }

    /// What it is about.
    #[getter]
    fn tags(&self) -> Vec<&str> {
        self.inner.tags().iter().map(String::as_str).collect()
    }

    /// What else is known of it.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut entries: Vec<_> = self.inner.metadata().iter().collect();
        entries.sort_unstable();
        let metadata = PyDict::new(py);
        for (key, value) in entries {
            metadata.set_item(key, value)?;
        }
        Ok(metadata)
    }

    /// When it was said, in UTC.
    #[getter]
    fn timestamp<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.inner.timestamp().map(|time| datetime(py, time)).transpose()
    }

    /// How relevant its retriever says it is.
    #[getter]
    fn future_relevance_hint(&self) -> Option<f64> {
        self.inner.future_relevance_hint()
    }

    /// Whether it is in whatever its score.
    #[getter]
    fn pinned(&self) -> bool {
        self.inner.pinned()
    }

    /// What it cost before it was shortened.
    #[getter]
    fn original_tokens(&self) -> Option<i64> {
        self.inner.original_tokens()
    }

    /// What it stays together with.
    #[getter]
    fn group(&self) -> Option<&str> {
        self.inner.group()
    }

    /// Its shorter forms: content and tokens of each.
    #[getter]
    fn variants(&self) -> Vec<(&str, i64)> {
        let told = |variant: &'_ ItemVariant| variant.tokens();
        self.inner.variants().iter().map(|it| (it.content(), told(it))).collect()
    }

    /// Which text it is a part of.
    #[getter]
    fn document(&self) -> Option<&str> {
        self.inner.document()
    }

    /// Where in that text it stands.
    #[getter]
    fn position(&self) -> Option<i64> {
        self.inner.position()
    }

    /// How close it is to the query.
    #[getter]
    fn similarity(&self) -> Option<f64> {
        self.inner.similarity()
    }

    /// Its embedding.
    #[getter]
    fn vector(&self) -> Vec<f32> {
        self.inner.vector().to_vec()
    }

    /// The item as a dict, as files and requests say it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.to_json(py)?)
    }

    fn __repr__(&self) -> String {
        self.described()
    }
}

impl Item {
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&self.inner).map_err(|error| {
            let remedy = "give values that JSON can write";
            raise::other(py, "InvalidInput", "item", &error.to_string(), remedy)
        })
    }

    /// What `repr` says.
    pub(crate) fn described(&self) -> String {
        const MOST: usize = 60;
        let content = self.inner.content();
        let end = content.floor_char_boundary(MOST);
        let clipped = if end < content.len() { "..." } else { "" };
        let quoted = Python::attach(|py| {
            let shown = PyString::new(py, &format!("{}{clipped}", &content[..end]));
            shown.repr().map_or_else(|_| String::new(), |repr| repr.to_string())
        });
        let mut told = format!("Item({quoted}, tokens={}", self.inner.tokens());
        if self.inner.kind().as_str() != "Message" {
            told += &format!(", kind='{}'", self.inner.kind());
        }
        if let Some(group) = self.inner.group() {
            told += &format!(", group='{group}'");
        }
        if self.inner.pinned() {
            told += ", pinned=True";
        }
        told + ")"
    }
}

/// What counts where nobody says.
pub(crate) const USUAL: Tokenizer = Tokenizer::Vocabulary(Vocabulary::O200kBase);

/// An instant as Python has them, in UTC.
pub(crate) fn datetime<'py>(py: Python<'py>, time: DateTime<Utc>) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import(intern!(py, "datetime"))?.getattr(intern!(py, "datetime"))?;
    // Written as Python 3.10 reads it: microseconds, and no Z.
    let text = time.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string();
    class.call_method1(intern!(py, "fromisoformat"), (text,))
}

/// Candidates as they were given, and as they were read.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) items: Vec<ContextItem>,
    /// The JSON of those that were no [`Item`]s, one to a line.
    text: String,
    /// Where in that text each stands.
    lines: Vec<Option<std::ops::Range<usize>>>,
}

impl Candidates {
    /// Items that were never JSON.
    pub(crate) fn of(items: Vec<ContextItem>) -> Self {
        let lines = vec![None; items.len()];
        Self { items, lines, ..Self::default() }
    }

    /// Reads [`Item`]s, dicts, objects with `model_dump`, and texts; those without a count are counted.
    pub(crate) fn read(
        given: &[Bound<'_, PyAny>],
        tokenizer: Option<Tokenizer>,
    ) -> PyResult<(Self, Vec<String>)> {
        let mut candidates = Self::default();
        let mut positions = Vec::new();
        for (at, item) in given.iter().enumerate() {
            if item.is_instance_of::<Item>() {
                continue;
            }
            match item.cast::<PyString>() {
                Ok(_) => {
                    candidates.text.push_str("{\"content\":");
                    quote(&given::text(item, &format!("items[{at}]"))?, &mut candidates.text);
                    candidates.text.push('}');
                }
                Err(_) => {
                    let start = candidates.text.len();
                    let name = format!("items[{at}]");
                    write_json(item, &name, Floats::Finite, &mut candidates.text)?;
                    if !candidates.text[start..].starts_with('{') {
                        let expected = "a dict, a str, an Item, or an object with model_dump()";
                        return Err(raise::wrong_type(item, &name, expected));
                    }
                }
            }
            candidates.text.push('\n');
            positions.push(at);
        }
        let Some(first) = given.first() else { return Ok((candidates, Vec::new())) };
        let (py, text) = (first.py(), &candidates.text);
        let tokenizer = tokenizer.unwrap_or(USUAL);
        let read = py.detach(|| {
            let count = |contents: &[&str]| contents.iter().map(|it| tokenizer.count(it)).collect();
            ItemReader::new().keep_unknown_keys().count_with(&count).read_lines(text)
        });
        let place = |line: usize, path: &str| {
            let at = positions.get(line - 1).copied().unwrap_or(0);
            format!("items[{at}]{}", path.strip_prefix('$').unwrap_or(path))
        };
        let read = read.map_err(|error| raise::items(py, &error, place))?;
        let slips = read.slips.iter().map(|slip| {
            let problem = &slip.problem;
            format!("{}: {}", place(problem.line(), problem.path()), problem.kind())
        });
        let slips = slips.collect();
        candidates.fill(given, read);
        Ok((candidates, slips))
    }

    fn fill(&mut self, given: &[Bound<'_, PyAny>], read: Items) {
        let mut read = read.items.into_iter().zip(read.objects);
        for item in given {
            match item.cast::<Item>() {
                Ok(item) => {
                    self.items.push(item.get().inner.clone());
                    self.lines.push(None);
                }
                Err(_) => {
                    let Some((item, line)) = read.next() else { return };
                    self.items.push(item);
                    self.lines.push(Some(line));
                }
            }
        }
    }

    /// What the caller wrote for the item at `position`, if that was JSON.
    pub(crate) fn written(&self, position: usize) -> Option<&str> {
        Some(&self.text[self.lines.get(position)?.clone()?])
    }

    /// All of them, a JSON object to a line.
    pub(crate) fn to_lines(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        for (at, item) in self.items.iter().enumerate() {
            match self.written(at) {
                Some(written) => text.push_str(written),
                None => text.push_str(&serde_json::to_string(item)?),
            }
            text.push('\n');
        }
        Ok(text)
    }
}
