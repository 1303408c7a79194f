//! Items as the rows of a table.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take_record_batch;
use cupel::{ContextItem, ContextKind, ContextSource, CupelError, IncludedItem, ItemVariant};
use cupel_tokens::{Counter, Tokenizer};
use pyo3::prelude::*;

use crate::arrow::{self, Table};
use crate::columns::{Column, Misfit, floats, texts};
use crate::given::Given;
use crate::item::{Candidates, USUAL};
use crate::raise;
use crate::report::Report;
use crate::select::{Chosen, Start};

/// A window of rows, and why.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct TableSelection {
    /// The chosen rows with all their columns, in the order of the window.
    #[pyo3(get)]
    window: Py<Table>,
    /// What was decided about every row, in the order of the input.
    #[pyo3(get)]
    decisions: Py<Table>,
    chosen: Arc<Chosen>,
}

#[pymethods]
impl TableSelection {
    /// What was decided about every row, and why.
    #[getter]
    fn report(&self) -> Report {
        Report::of_items(Arc::clone(&self.chosen))
    }

    /// The sum of the window's tokens.
    #[getter]
    fn tokens(&self) -> i64 {
        self.chosen.tokens()
    }

    /// Where each row of the window stands in the input.
    #[getter]
    fn positions(&self) -> Vec<usize> {
        self.chosen.report.included.iter().filter_map(|it| it.index).collect()
    }

    fn __len__(&self) -> usize {
        self.chosen.report.included.len()
    }

    fn __repr__(&self) -> String {
        format!("TableSelection({})", self.report().summary())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.report().html(py)
    }
}

/// Selects from the rows of a table what fits a budget, without JSON in between.
///
/// The table is anything that speaks the Arrow C data interface: of pyarrow, polars, pandas and others. Columns are named as
/// the keys of items are, "content" is the only one that must be there, and columns of your own come along.
#[pyfunction]
#[pyo3(signature = (table, budget, policy=None, *, query=None, model=None, output_reserve=None, now=None))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn select_table<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    policy: Given<'_, 'py>,
    query: Given<'_, 'py>,
    model: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    now: Given<'_, 'py>,
) -> PyResult<TableSelection> {
    let start = Start::read(py, budget, policy, query, model, output_reserve, now)?;
    let batch = arrow::whole(py, arrow::read(table, "table")?, "table")?;
    let items = py.detach(|| items(&batch, start.tokenizer.unwrap_or(USUAL)));
    let items = items.map_err(|misfit| told(py, &misfit))?;
    let chosen = start.select(py, Candidates::of(items))?;
    let tables = window(&batch, &chosen).and_then(|it| Ok((it, decisions(&chosen)?)));
    let (window, decisions) = tables.map_err(|error| {
        raise::other(py, "EngineError", "table", &error.to_string(), "give other columns")
    })?;
    Ok(TableSelection {
        window: Py::new(py, Table { batch: window })?,
        decisions: Py::new(py, Table { batch: decisions })?,
        chosen: Arc::new(chosen),
    })
}

fn told(py: Python<'_>, misfit: &Misfit) -> PyErr {
    let path = match misfit.row {
        Some(row) => format!("table[{:?}][{row}]", misfit.column),
        None => format!("table[{:?}]", misfit.column),
    };
    raise::other(py, "InvalidInput", &path, &misfit.problem, "mend that column, or leave it out")
}

/// A column if it is there, read.
fn read<'b, T>(
    batch: &'b RecordBatch,
    name: &str,
    read: impl FnOnce(&Column<'b>) -> Result<Vec<Option<T>>, Misfit>,
) -> Result<Vec<Option<T>>, Misfit> {
    match Column::of(batch, name) {
        Some(column) => read(&column),
        None => Ok((0..batch.num_rows()).map(|_| None).collect()),
    }
}

/// The rows as items; those without a count are counted.
fn items(batch: &RecordBatch, tokenizer: Tokenizer) -> Result<Vec<ContextItem>, Misfit> {
    let missing = |problem: &str| Misfit {
        column: "content".to_owned(),
        row: None,
        problem: problem.to_owned(),
    };
    let column = Column::of(batch, "content").ok_or_else(|| missing("there is no such column"))?;
    let contents = column.texts()?;
    let tokens = read(batch, "tokens", Column::integers)?;
    let kinds = read(batch, "kind", Column::texts)?;
    let sources = read(batch, "source", Column::texts)?;
    let priorities = read(batch, "priority", Column::integers)?;
    let mut tags = read(batch, "tags", Column::lists)?;
    let mut metadata = read(batch, "metadata", Column::maps)?;
    let times = read(batch, "timestamp", Column::times)?;
    let hints = read(batch, "future_relevance_hint", Column::floats)?;
    let pinned = read(batch, "pinned", Column::flags)?;
    let originals = read(batch, "original_tokens", Column::integers)?;
    let groups = read(batch, "group", Column::texts)?;
    let documents = read(batch, "document", Column::texts)?;
    let positions = read(batch, "position", Column::integers)?;
    let similarities = read(batch, "similarity", Column::floats)?;
    let mut vectors = read(batch, "vector", Column::lists)?;
    let mut variants = read(batch, "variants", Column::lists)?;

    let item = |row: usize| {
        let at = |name: &str, problem: String| {
            let column = name.to_owned();
            Misfit { column, row: Some(row), problem }
        };
        let refused = |name: &'static str| move |error: CupelError| at(name, error.to_string());
        let content = contents[row].ok_or_else(|| at("content", "is null".to_owned()))?;
        let count = tokens[row].unwrap_or_else(|| tokenizer.count(content));
        let mut item = ContextItem::builder(content, count).pinned(pinned[row].unwrap_or(false));
        if let Some(kind) = kinds[row] {
            item = item.kind(ContextKind::new(kind).map_err(refused("kind"))?);
        }
        if let Some(source) = sources[row] {
            item = item.source(ContextSource::new(source).map_err(refused("source"))?);
        }
        if let Some(priority) = priorities[row] {
            item = item.priority(priority);
        }
        if let Some(list) = tags[row].take() {
            let list =
                texts(&list).ok_or_else(|| at("tags", "expected lists of text".to_owned()))?;
            item = item.tags(list.into_iter().flatten().map(str::to_owned));
        }
        if let Some(entries) = metadata[row].take() {
            item = item.metadata(entries);
        }
        if let Some(time) = times[row] {
            item = item.timestamp(time);
        }
        if let Some(hint) = hints[row] {
            item = item.future_relevance_hint(hint);
        }
        if let Some(tokens) = originals[row] {
            item = item.original_tokens(tokens);
        }
        if let Some(group) = groups[row] {
            item = item.group(group);
        }
        if let Some(document) = documents[row] {
            item = item.document(document);
        }
        if let Some(position) = positions[row] {
            item = item.position(position);
        }
        if let Some(similarity) = similarities[row] {
            item = item.similarity(similarity);
        }
        if let Some(vector) = vectors[row].take() {
            let numbers = floats(&vector).and_then(|it| it.into_iter().collect::<Option<Vec<_>>>());
            let numbers =
                numbers.ok_or_else(|| at("vector", "expected lists of numbers".to_owned()))?;
            item = item.vector(numbers.into_iter().map(|it| it as f32).collect::<Vec<_>>());
        }
        if let Some(forms) = variants[row].take() {
            let forms = self::variants(&forms, tokenizer).ok_or_else(|| {
                at("variants", "expected lists of structs with content and tokens".to_owned())
            })?;
            item = item.variants(forms);
        }
        item.build().map_err(|error| at("content", error.to_string()))
    };
    (0..batch.num_rows()).map(item).collect()
}

fn variants(forms: &ArrayRef, tokenizer: Tokenizer) -> Option<Vec<ItemVariant>> {
    let forms = forms.as_struct_opt()?;
    let forms = RecordBatch::from(forms);
    let contents = Column::of(&forms, "content")?.texts().ok()?;
    let tokens = read(&forms, "tokens", Column::integers).ok()?;
    let form = |(content, tokens): (Option<&str>, Option<i64>)| {
        let content = content?;
        Some(ItemVariant::new(content, tokens.unwrap_or_else(|| tokenizer.count(content))))
    };
    contents.into_iter().zip(tokens).map(form).collect()
}

/// The chosen rows; those in a shorter form with its content and tokens.
fn window(batch: &RecordBatch, chosen: &Chosen) -> Result<RecordBatch, ArrowError> {
    let included = &chosen.report.included;
    let rows = included.iter().map(|it| it.index.unwrap_or(0) as u64);
    let taken = take_record_batch(batch, &UInt64Array::from_iter_values(rows))?;
    if included.iter().all(|it| it.shortened.is_none()) {
        return Ok(taken);
    }
    let schema = taken.schema();
    let columns = schema.fields().iter().zip(taken.columns());
    let columns = columns.map(|(field, column)| match field.name().as_str() {
        "content" => contents(included, column),
        "tokens" => tokens(included, column),
        _ => Arc::clone(column),
    });
    RecordBatch::try_new(Arc::clone(&schema), columns.collect())
}

fn contents(included: &[IncludedItem], like: &ArrayRef) -> ArrayRef {
    let contents = included.iter().map(|it| it.item.content());
    match like.data_type() {
        DataType::Utf8 => Arc::new(StringArray::from_iter_values(contents)),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from_iter_values(contents)),
        DataType::Utf8View => Arc::new(StringViewArray::from_iter_values(contents)),
        // A dictionary has no room for other texts; `decisions` says which form is meant.
        _ => Arc::clone(like),
    }
}

fn tokens(included: &[IncludedItem], like: &ArrayRef) -> ArrayRef {
    match like.data_type() {
        DataType::Int64 => {
            let tokens = included.iter().map(|it| it.item.tokens());
            Arc::new(Int64Array::from_iter_values(tokens))
        }
        DataType::Float64 => {
            let tokens = included.iter().map(|it| it.item.tokens() as f64);
            Arc::new(Float64Array::from_iter_values(tokens))
        }
        _ => Arc::clone(like),
    }
}

/// What was decided about every row.
fn decisions(chosen: &Chosen) -> Result<RecordBatch, ArrowError> {
    #[derive(Clone, Default)]
    struct Decision {
        place: Option<i64>,
        reason: &'static str,
        why: String,
        score: f64,
        sent_tokens: i64,
        form: Option<i64>,
    }
    let items = &chosen.candidates.items;
    let mut rows = vec![Decision::default(); items.len()];
    for (place, it) in chosen.report.included.iter().enumerate() {
        let Some(row) = it.index.and_then(|index| rows.get_mut(index)) else { continue };
        *row = Decision {
            place: Some(place as i64),
            reason: it.reason.name(),
            why: it.reason.to_string(),
            score: it.score,
            sent_tokens: it.item.tokens(),
            form: it.shortened.map(|shortened| shortened.form as i64),
        };
    }
    for it in &chosen.report.excluded {
        let Some(row) = it.index.and_then(|index| rows.get_mut(index)) else { continue };
        let (reason, why) = (it.reason.name(), it.reason.to_string());
        *row = Decision { reason, why, score: it.score, ..Decision::default() };
    }
    arrow::batch(vec![
        ("index", Arc::new(Int64Array::from_iter_values(0..rows.len() as i64)) as ArrayRef),
        (
            "included",
            Arc::new(rows.iter().map(|it| Some(it.place.is_some())).collect::<BooleanArray>()),
        ),
        ("place", Arc::new(rows.iter().map(|it| it.place).collect::<Int64Array>())),
        ("reason", Arc::new(StringArray::from_iter_values(rows.iter().map(|it| it.reason)))),
        ("why", Arc::new(StringArray::from_iter_values(rows.iter().map(|it| &it.why)))),
        ("score", Arc::new(Float64Array::from_iter_values(rows.iter().map(|it| it.score)))),
        ("tokens", Arc::new(Int64Array::from_iter_values(items.iter().map(ContextItem::tokens)))),
        (
            "sent_tokens",
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|it| it.sent_tokens))),
        ),
        ("form", Arc::new(rows.iter().map(|it| it.form).collect::<Int64Array>())),
    ])
}
