//! Cupel for Python, the native half: Python's objects in, the crates' results out, nothing decided here.
//!
//! | you want to | look at |
//! |---|---|
//! | see how Python's objects become JSON | `write.rs` |
//! | spell the arguments of calls for adapters | `arguments.rs` |
//! | see what is read of each argument | `given.rs` |
//! | see how errors become exceptions | `raise.rs` |
//! | cut a request | `asked.rs`, `cutting.rs`, `fit.rs`, `outcome.rs` |
//! | select items | `select.rs`, `item.rs`, `policy.rs`, `strategy.rs` |
//! | ask what other budgets and policies would have done | `simulation.rs` |
//! | use one strategy by itself | `stages.rs` |
//! | keep a conversation over many turns | `session.rs`, `turn.rs`, `turn_report.rs` |
//! | tell why | `report.rs`, `trace.rs` |
//! | answer lines as `cupel batch` does | `respond.rs` |
//! | measure and replay as `cupel eval` and `cupel replay` do | `rows.rs` |
//! | pass tables | `table.rs`, `batches.rs`, `told.rs`, `columns.rs`, `arrow.rs` |
//!
//! What Python programs import is `python/cupel_context/`; the types of all of this are in `_native.pyi` there.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what Python sees is documented by docstrings, in which brackets are Python's"
)]

mod arguments;
mod arrow;
mod asked;
mod batches;
mod budget;
mod columns;
mod command;
mod count;
mod cutting;
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
mod session;
mod simulation;
mod stages;
mod strategy;
mod table;
mod told;
mod trace;
mod turn;
mod turn_report;
mod write;

use pyo3::prelude::*;

/// A call makes and gives back some ten small allocations for each message: `bench/python/compare.py peers`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What `cupel_context` is made of.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arguments::dumps;
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
    use super::session::Session;
    #[pymodule_export]
    use super::simulation::{Comparison, compare, marginal_items, min_budget};
    #[pymodule_export]
    use super::strategy::{Run, Scored};
    #[pymodule_export]
    use super::table::{TableSelection, select_table};
    #[pymodule_export]
    use super::turn::Turn;
    #[pymodule_export]
    use super::turn_report::TurnReport;
    #[pymodule_export]
    use super::write::written;
}
