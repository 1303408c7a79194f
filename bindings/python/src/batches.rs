//! Requests in a column, answers in columns.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use cupel_cli::Responders;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::prelude::*;

use crate::arrow::{self, Made, Reader};
use crate::columns::texts;
use crate::given::{Given, optional_text};
use crate::raise;
use crate::respond::responders;
use crate::told::{Decisions, Element, OfItem, OfMessage, Told};

/// Answers as record batches, made as they are read: give it to `pyarrow.RecordBatchReader.from_stream` or whatever takes
/// Arrow. It can be read once.
#[pyclass(frozen, module = "cupel_context")]
pub(crate) struct Answers {
    reader: Mutex<Option<Reader>>,
}

#[pymethods]
impl Answers {
    /// The answers as a stream of the Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        match reader {
            Some(reader) => arrow::exported(py, reader),
            None => {
                let remedy = "ask respond_batches again";
                Err(raise::other(py, "InvalidInput", "answers", "they were read already", remedy))
            }
        }
    }

    fn __repr__(&self) -> &'static str {
        "Answers()"
    }
}

/// Answers a column of requests, each as `cupel batch` answers a line, on all cores.
///
/// The requests are texts or bytes in the column of that name, or in the only one there is. The answers have the columns
/// "response" (the line as a whole), "total_tokens", "window" (a list of structs), "report" (one, too) and "error" (a struct,
/// or null).
#[pyfunction]
#[pyo3(signature = (requests, *, column=None, model=None, query=None, timings=None, lenient=None))]
pub(crate) fn respond_batches<'py>(
    requests: &Bound<'py, PyAny>,
    column: Given<'_, 'py>,
    model: Given<'_, 'py>,
    query: Given<'_, 'py>,
    timings: Given<'_, 'py>,
    lenient: Given<'_, 'py>,
) -> PyResult<Answers> {
    let py = requests.py();
    let responders = responders(model, query, timings, lenient)?;
    let named = optional_text(column, "column")?;
    let from = arrow::read(requests, "requests")?;
    let at = position(&from.schema(), named.as_deref()).map_err(|problem| {
        raise::other(py, "InvalidInput", "column", &problem, "give column=\"...\"")
    })?;
    let mut line = 0;
    let make = move |batch: RecordBatch| {
        let first = line + 1;
        line += batch.num_rows();
        answered(&responders, batch.column(at), first)
    };
    let made = Made { from, schema: schema(), make };
    Ok(Answers { reader: Mutex::new(Some(Box::new(made))) })
}

/// Where the requests are.
fn position(schema: &Schema, named: Option<&str>) -> Result<usize, String> {
    let names =
        || schema.fields().iter().map(|it| it.name().as_str()).collect::<Vec<_>>().join(", ");
    let at = match named {
        Some(name) => schema.index_of(name).ok(),
        None if schema.fields().len() == 1 => Some(0),
        None => schema.index_of("request").ok(),
    };
    let told = || format!("{:?} is none of the columns: {}", named.unwrap_or("request"), names());
    let at = at.ok_or_else(told)?;
    let kind = schema.field(at).data_type();
    let is_text = match kind {
        DataType::Dictionary(_, values) => matches!(**values, DataType::Utf8 | DataType::LargeUtf8),
        kind => matches!(
            kind,
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
        ),
    };
    if is_text { Ok(at) } else { Err(format!("{kind} is neither text nor bytes")) }
}

fn bytes(array: &ArrayRef) -> Vec<Option<&[u8]>> {
    match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        _ => {
            let texts = texts(array).unwrap_or_default();
            texts.into_iter().map(|text| text.map(str::as_bytes)).collect()
        }
    }
}

fn answered(
    responders: &Responders,
    requests: &ArrayRef,
    first: usize,
) -> Result<RecordBatch, ArrowError> {
    let requests = bytes(requests);
    let answer = |(at, request): (usize, &Option<&[u8]>)| {
        responders.respond(first + at, request.unwrap_or_default()).0
    };
    let answers: Vec<String> = requests.par_iter().enumerate().map(answer).collect();
    let mut columns = Columns::new();
    // What we wrote ourselves can be read; if not, that is told, and no null stands for an answer.
    let added = answers.iter().try_for_each(|answer| columns.add(answer));
    added.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
    columns.finish()
}

fn window_fields() -> Fields {
    vec![
        Field::new("content", DataType::Utf8, true),
        Field::new("tokens", DataType::Int64, true),
        Field::new("json", DataType::Utf8, true),
    ]
    .into()
}

fn report_fields() -> Fields {
    vec![
        Field::new("content", DataType::Utf8, true),
        Field::new("included", DataType::Boolean, true),
        Field::new("reason", DataType::Utf8, true),
        Field::new("score", DataType::Float64, true),
        Field::new("tokens", DataType::Int64, true),
    ]
    .into()
}

fn error_fields() -> Fields {
    vec![Field::new("code", DataType::Utf8, true), Field::new("message", DataType::Utf8, true)]
        .into()
}

fn list_of(fields: Fields) -> DataType {
    DataType::List(Arc::new(Field::new("item", DataType::Struct(fields), true)))
}

fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("response", DataType::Utf8, true),
        Field::new("total_tokens", DataType::Int64, true),
        Field::new("window", list_of(window_fields()), true),
        Field::new("report", list_of(report_fields()), true),
        Field::new("error", DataType::Struct(error_fields()), true),
    ]))
}

/// The columns of answers as they grow.
struct Columns {
    response: StringBuilder,
    total_tokens: Int64Builder,
    window: ListBuilder<StructBuilder>,
    report: ListBuilder<StructBuilder>,
    error: StructBuilder,
}

impl Columns {
    fn new() -> Self {
        let structs = |fields: Fields| StructBuilder::from_fields(fields, 0);
        Self {
            response: StringBuilder::new(),
            total_tokens: Int64Builder::new(),
            window: ListBuilder::new(structs(window_fields())),
            report: ListBuilder::new(structs(report_fields())),
            error: structs(error_fields()),
        }
    }

    fn add(&mut self, answer: &str) -> serde_json::Result<()> {
        let told = Told::read(answer)?;
        self.response.append_value(answer);
        self.total_tokens.append_option(told.total_tokens);
        let is_answered = told.error.is_none();
        texts_of(&mut self.error, 0, told.error.as_ref().map(|error| &*error.code));
        texts_of(&mut self.error, 1, told.error.as_ref().map(|error| &*error.message));
        self.error.append(!is_answered);
        self.add_report(&told.report);
        self.report.append(is_answered);
        for spelled in told.window()? {
            let element = Element::read(spelled);
            let row = self.window.values();
            texts_of(row, 0, element.content().as_deref());
            integers_of(row, 1, element.tokens);
            texts_of(row, 2, Some(spelled.get()));
            row.append(true);
        }
        self.window.append(is_answered);
        Ok(())
    }

    fn add_report(&mut self, report: &Decisions<'_>) {
        for (entries, included) in [(&report.included, true), (&report.excluded, false)] {
            for OfItem { item, reason, score } in entries {
                let (content, tokens) = (Some(&*item.content), Some(item.tokens));
                self.add_decision(content, included, Some(&reason.reason), *score, tokens);
            }
        }
        for OfMessage { included, reason, score, tokens } in &report.messages {
            self.add_decision(None, *included, reason.as_deref(), *score, *tokens);
        }
    }

    fn add_decision(
        &mut self,
        content: Option<&str>,
        included: bool,
        reason: Option<&str>,
        score: Option<f64>,
        tokens: Option<i64>,
    ) {
        let row = self.report.values();
        texts_of(row, 0, content);
        if let Some(flags) = row.field_builder::<BooleanBuilder>(1) {
            flags.append_value(included);
        }
        texts_of(row, 2, reason);
        if let Some(scores) = row.field_builder::<Float64Builder>(3) {
            scores.append_option(score);
        }
        integers_of(row, 4, tokens);
        row.append(true);
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(
            schema(),
            vec![
                Arc::new(self.response.finish()),
                Arc::new(self.total_tokens.finish()),
                Arc::new(self.window.finish()),
                Arc::new(self.report.finish()),
                Arc::new(self.error.finish()),
            ],
        )
    }
}

fn texts_of(row: &mut StructBuilder, at: usize, text: Option<&str>) {
    if let Some(texts) = row.field_builder::<StringBuilder>(at) {
        texts.append_option(text);
    }
}

fn integers_of(row: &mut StructBuilder, at: usize, number: Option<i64>) {
    if let Some(numbers) = row.field_builder::<Int64Builder>(at) {
        numbers.append_option(number);
    }
}
