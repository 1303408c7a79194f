//! Columns of a table, whatever width their producer gave them.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, Utc};

/// A column that is not what it should be, or a value in one.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub(crate) column: String,
    /// The row, if it is not the column as a whole.
    pub(crate) row: Option<usize>,
    pub(crate) problem: String,
}

/// Texts by texts.
type Entries = Vec<(String, String)>;

/// A column by its name.
#[derive(Debug, Clone)]
pub(crate) struct Column<'b> {
    name: String,
    array: &'b ArrayRef,
}

impl<'b> Column<'b> {
    /// The column of that name, in snake_case or camelCase; nothing if there is none, or nothing but nulls in it.
    pub(crate) fn of(batch: &'b RecordBatch, name: &str) -> Option<Self> {
        let camel = camel_case(name);
        let array = batch.column_by_name(name).or_else(|| batch.column_by_name(&camel))?;
        let is_there = *array.data_type() != DataType::Null;
        is_there.then(|| Self { name: name.to_owned(), array })
    }

    pub(crate) fn misfit(
        &self,
        row: impl Into<Option<usize>>,
        problem: impl Into<String>,
    ) -> Misfit {
        Misfit { column: self.name.clone(), row: row.into(), problem: problem.into() }
    }

    fn unlike(&self, expected: &str) -> Misfit {
        self.misfit(None, format!("expected {expected}, found {}", self.array.data_type()))
    }

    /// Texts, borrowed from the table.
    pub(crate) fn texts(&self) -> Result<Vec<Option<&'b str>>, Misfit> {
        texts(self.array).ok_or_else(|| self.unlike("text"))
    }

    /// Whole numbers.
    pub(crate) fn integers(&self) -> Result<Vec<Option<i64>>, Misfit> {
        integers(self.array).ok_or_else(|| self.unlike("whole numbers of at most 64 bits"))
    }

    /// Numbers.
    pub(crate) fn floats(&self) -> Result<Vec<Option<f64>>, Misfit> {
        floats(self.array).ok_or_else(|| self.unlike("numbers"))
    }

    /// Yes or no.
    pub(crate) fn flags(&self) -> Result<Vec<Option<bool>>, Misfit> {
        let flags = self.array.as_boolean_opt().ok_or_else(|| self.unlike("true or false"))?;
        Ok(flags.iter().collect())
    }

    /// Lists, each as an array of its own.
    pub(crate) fn lists(&self) -> Result<Vec<Option<ArrayRef>>, Misfit> {
        let array = self.array;
        if let Some(lists) = array.as_list_opt::<i32>() {
            return Ok(lists.iter().collect());
        }
        if let Some(lists) = array.as_list_opt::<i64>() {
            return Ok(lists.iter().collect());
        }
        match array.as_fixed_size_list_opt() {
            Some(lists) => Ok(lists.iter().collect()),
            None => Err(self.unlike("lists")),
        }
    }

    /// Texts by texts.
    pub(crate) fn maps(&self) -> Result<Vec<Option<Entries>>, Misfit> {
        let Some(maps) = self.array.as_map_opt() else {
            return Err(self.unlike("maps of text to text"));
        };
        (0..maps.len())
            .map(|row| {
                if maps.is_null(row) {
                    return Ok(None);
                }
                let entries = maps.value(row);
                let (keys, values) = (texts(entries.column(0)), texts(entries.column(1)));
                let pairs = keys.zip(values).ok_or_else(|| self.unlike("maps of text to text"))?;
                let pairs = pairs.0.into_iter().zip(pairs.1);
                Ok(Some(pairs.filter_map(|(k, v)| Some((k?.to_owned(), v?.to_owned()))).collect()))
            })
            .collect()
    }

    /// Instants: with a zone, or as RFC 3339.
    pub(crate) fn times(&self) -> Result<Vec<Option<DateTime<Utc>>>, Misfit> {
        if let DataType::Timestamp(unit, zone) = self.array.data_type() {
            if zone.is_none() {
                let remedy =
                    "times without their zone; say it, with .dt.tz_localize(\"UTC\") or the like";
                return Err(self.misfit(None, remedy));
            }
            let times = instants(self.array, *unit);
            return times
                .into_iter()
                .enumerate()
                .map(|(row, time)| match time {
                    Some(None) => Err(self.misfit(row, "a time that cannot be represented")),
                    Some(some) => Ok(some),
                    None => Ok(None),
                })
                .collect();
        }
        let texts =
            texts(self.array).ok_or_else(|| self.unlike("times with their zone, or RFC 3339"))?;
        let read = |(row, text): (usize, Option<&str>)| match text {
            None => Ok(None),
            Some(text) => match DateTime::parse_from_rfc3339(text) {
                Ok(time) => Ok(Some(time.to_utc())),
                Err(error) => Err(self.misfit(row, format!("{text:?} is no time: {error}"))),
            },
        };
        texts.into_iter().enumerate().map(read).collect()
    }
}

fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    let mut upper = false;
    for char in name.chars() {
        match char {
            '_' => upper = true,
            char if upper => {
                camel.push(char.to_ascii_uppercase());
                upper = false;
            }
            char => camel.push(char),
        }
    }
    camel
}

/// Texts of any of Arrow's kinds.
pub(crate) fn texts(array: &ArrayRef) -> Option<Vec<Option<&str>>> {
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().iter().collect()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().iter().collect()),
        DataType::Utf8View => Some(array.as_string_view().iter().collect()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = texts(dictionary.values())?;
            let keys = dictionary.normalized_keys();
            let value = |(row, key): (usize, usize)| {
                if dictionary.is_null(row) { None } else { values.get(key).copied().flatten() }
            };
            Some(keys.into_iter().enumerate().map(value).collect())
        }
        _ => None,
    }
}

macro_rules! each {
    ($array:expr, $kind:ty, $convert:expr) => {
        $array.as_primitive::<$kind>().iter().map(|it| it.map($convert)).collect()
    };
}

/// Whole numbers of any width.
fn integers(array: &ArrayRef) -> Option<Vec<Option<i64>>> {
    Some(match array.data_type() {
        DataType::Int8 => each!(array, Int8Type, i64::from),
        DataType::Int16 => each!(array, Int16Type, i64::from),
        DataType::Int32 => each!(array, Int32Type, i64::from),
        DataType::Int64 => array.as_primitive::<Int64Type>().iter().collect(),
        DataType::UInt8 => each!(array, UInt8Type, i64::from),
        DataType::UInt16 => each!(array, UInt16Type, i64::from),
        DataType::UInt32 => each!(array, UInt32Type, i64::from),
        DataType::UInt64 => {
            let numbers = array.as_primitive::<UInt64Type>().iter();
            let read = |it: Option<u64>| it.map(i64::try_from).transpose();
            numbers.map(read).collect::<Result<_, _>>().ok()?
        }
        // What pandas makes of whole numbers with gaps.
        DataType::Float64 => {
            let numbers = array.as_primitive::<Float64Type>().iter();
            let whole = |it: f64| {
                let fits = it.fract() == 0.0 && it.abs() < 9_007_199_254_740_992.0;
                fits.then_some(it as i64)
            };
            let read = |it: Option<f64>| match it {
                None => Some(None),
                Some(number) if number.is_nan() => Some(None),
                Some(number) => whole(number).map(Some),
            };
            numbers.map(read).collect::<Option<_>>()?
        }
        _ => return None,
    })
}

/// Numbers of any width.
pub(crate) fn floats(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(match array.data_type() {
        DataType::Float32 => each!(array, Float32Type, f64::from),
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().collect(),
        _ => {
            let integers = integers(array)?;
            integers.into_iter().map(|it| it.map(|it| it as f64)).collect()
        }
    })
}

fn instants(array: &ArrayRef, unit: TimeUnit) -> Vec<Option<Option<DateTime<Utc>>>> {
    match unit {
        TimeUnit::Second => {
            each!(array, TimestampSecondType, |it| DateTime::from_timestamp(it, 0))
        }
        TimeUnit::Millisecond => {
            each!(array, TimestampMillisecondType, DateTime::from_timestamp_millis)
        }
        TimeUnit::Microsecond => {
            each!(array, TimestampMicrosecondType, DateTime::from_timestamp_micros)
        }
        TimeUnit::Nanosecond => {
            each!(array, TimestampNanosecondType, |it| Some(DateTime::from_timestamp_nanos(it)))
        }
    }
}
