//! The workload in terms of this engine.

pub(crate) use cupel as engine;

use crate::{records, setup};

#[path = "../../crates/cupel/benches/workload/problem.rs"]
mod problem;

pub(crate) use problem::{Problem, pipeline};
