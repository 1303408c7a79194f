//! Tables across the border by the Arrow C data interface: pointers in capsules, no copies.

#![expect(
    unsafe_code,
    reason = "the C data interface is made of raw pointers; only here are they looked at"
)]

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::raise;

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// What gives record batches one after the other.
pub(crate) type Reader = Box<dyn RecordBatchReader + Send>;

/// The record batches of anything that speaks the interface.
pub(crate) fn read(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Reader> {
    let py = given.py();
    let is_type = given.is_instance_of::<pyo3::types::PyType>();
    if !is_type && given.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let capsule = given.call_method0(intern!(py, "__arrow_c_stream__"))?;
        return stream(&capsule).map_err(|problem| broken(py, name, &problem));
    }
    if !is_type && given.hasattr(intern!(py, "__arrow_c_array__"))? {
        let capsules = given.call_method0(intern!(py, "__arrow_c_array__"))?;
        let batch = array(&capsules).map_err(|problem| broken(py, name, &problem))?;
        let schema = batch.schema();
        return Ok(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    }
    let expected = "a table that speaks Arrow: of pyarrow, polars, pandas or the like";
    Err(raise::wrong_type(given, name, expected))
}

/// All of it as one batch.
pub(crate) fn whole(py: Python<'_>, reader: Reader, name: &str) -> PyResult<RecordBatch> {
    let schema = reader.schema();
    let read = py.detach(|| {
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        concat_batches(&schema, &batches)
    });
    read.map_err(|error| broken(py, name, &error.to_string()))
}

fn broken(py: Python<'_>, name: &str, problem: &str) -> PyErr {
    raise::other(py, "InvalidInput", name, problem, "give a table that speaks Arrow")
}

fn stream(capsule: &Bound<'_, PyAny>) -> Result<Reader, String> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| "__arrow_c_stream__ gave no capsule")?;
    let pointer = capsule.pointer_checked(Some(STREAM)).map_err(|error| error.to_string())?;
    // SAFETY: a capsule of that name holds a valid stream until it is moved out, which this does.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.cast().as_ptr()) };
    Ok(Box::new(reader.map_err(|error| error.to_string())?))
}

fn array(capsules: &Bound<'_, PyAny>) -> Result<RecordBatch, String> {
    let told = "__arrow_c_array__ gave no pair of capsules";
    let pair = capsules.cast::<PyTuple>().map_err(|_| told)?;
    let capsule = |at: usize, name: &'static CStr| {
        let capsule = pair.get_item(at).map_err(|_| told.to_owned())?;
        let capsule = capsule.cast_into::<PyCapsule>().map_err(|_| told.to_owned())?;
        let pointer = capsule.pointer_checked(Some(name)).map_err(|error| error.to_string())?;
        Ok::<_, String>((capsule, pointer))
    };
    let (_schema, schema) = capsule(0, SCHEMA)?;
    let (_array, array) = capsule(1, ARRAY)?;
    // SAFETY: capsules of these names hold a valid schema, which is looked at while `_schema` keeps it, and a valid array,
    // which is moved out.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.cast().as_ptr());
        from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
    };
    let array = make_array(data.map_err(|error| error.to_string())?);
    match array.data_type() {
        DataType::Struct(_) => Ok(RecordBatch::from(array.as_struct())),
        other => Err(format!("an array of {other} is no table")),
    }
}

/// A table of results: give it to `pyarrow.table`, `polars.DataFrame`, `pandas.DataFrame.from_arrow` or whatever takes Arrow.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) batch: RecordBatch,
}

#[pymethods]
impl Table {
    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// How many rows it has.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The table as `pyarrow.Table`.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table as `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// The table as `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Its rows as a stream of the Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A schema is a wish; the interface lets a producer give what it has.
        let _ = requested_schema;
        let reader = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        exported(py, Box::new(reader))
    }

    /// The types of its columns.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        let schema = schema.map_err(|error| broken(py, "table", &error.to_string()))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows: {})", self.batch.num_rows(), self.column_names().join(", "))
    }
}

/// A reader as a capsule that others read from.
pub(crate) fn exported<'py>(py: Python<'py>, reader: Reader) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// Batches made of others as they are asked for.
pub(crate) struct Made<F> {
    pub(crate) from: Reader,
    pub(crate) schema: SchemaRef,
    pub(crate) make: F,
}

impl<F: FnMut(RecordBatch) -> Result<RecordBatch, ArrowError>> Iterator for Made<F> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.from.next()?.and_then(&mut self.make))
    }
}

impl<F: FnMut(RecordBatch) -> Result<RecordBatch, ArrowError>> RecordBatchReader for Made<F> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// A batch of these columns.
pub(crate) fn batch(
    columns: Vec<(&str, arrow_array::ArrayRef)>,
) -> Result<RecordBatch, ArrowError> {
    let field = |(name, array): &(&str, arrow_array::ArrayRef)| {
        arrow_schema::Field::new(*name, array.data_type().clone(), true)
    };
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect())
}
