//! Cupel for Python, the native half: Python's objects in, the crates' results out, nothing decided here.
//!
//! | you want to | look at |
//! |---|---|
//! | see how Python's objects become JSON | `write.rs` |
//! | see what is read of each argument | `given.rs` |
//! | see how errors become exceptions | `raise.rs` |
//! | cut a request | `fit.rs`, `outcome.rs` |
//! | select items | `select.rs`, `item.rs`, `policy.rs`, `strategy.rs` |
//! | tell why | `report.rs` |
//! | answer lines as `cupel batch` does | `respond.rs` |
//! | measure and replay as `cupel eval` and `cupel replay` do | `rows.rs` |
//! | pass tables | `table.rs`, `batches.rs`, `told.rs`, `columns.rs`, `arrow.rs` |
//!
//! What Python programs import is `python/cupel_context/`; the types of all of this are in `_native.pyi` there.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what Python sees is documented by docstrings, in which brackets are Python's"
)]

mod arrow;
mod batches;
mod budget;
mod columns;
mod command;
mod count;
mod fit;
mod given;
mod item;
mod outcome;
mod policy;
mod raise;
mod report;
mod respond;
mod rows;
mod select;
mod strategy;
mod table;
mod told;
mod write;

use pyo3::prelude::*;

/// What `cupel_context` is made of.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arrow::Table;
    #[pymodule_export]
    use super::batches::{Answers, respond_batches};
    #[pymodule_export]
    use super::budget::Budget;
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::count::{count_tokens, validate};
    #[pymodule_export]
    use super::fit::fit;
    #[pymodule_export]
    use super::item::Item;
    #[pymodule_export]
    use super::outcome::Fit;
    #[pymodule_export]
    use super::policy::{Policy, presets};
    #[pymodule_export]
    use super::report::Report;
    #[pymodule_export]
    use super::respond::respond;
    #[pymodule_export]
    use super::rows::RowCommand;
    #[pymodule_export]
    use super::select::{Selection, select};
    #[pymodule_export]
    use super::strategy::{Run, Scored};
    #[pymodule_export]
    use super::table::{TableSelection, select_table};
    #[pymodule_export]
    use super::write::written;
}
