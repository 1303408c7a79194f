//! The workload in terms of the published crate.

pub(crate) use published as engine;

use crate::{records, setup};

#[path = "../../crates/cupel/benches/workload/problem.rs"]
mod problem;

pub(crate) use problem::{Problem, pipeline};
