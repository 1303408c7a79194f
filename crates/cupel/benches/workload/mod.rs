//! What is measured: the pipelines by letter, the strategies by name, and many candidates for them.
//!
//! [`records`] and [`setup`] know no engine. `problem.rs` is written against the public names of
//! whatever its parent calls `engine`; here that is this crate, and the side-by-side comparison in
//! `bench/` compiles the same file once more against another.
#![allow(dead_code, reason = "every bench includes all of it and uses its own part")]

use cupel as engine;

pub(crate) mod cases;
mod problem;
pub(crate) mod records;
pub(crate) mod setup;
mod strategies;
pub(crate) mod subjects;

pub(crate) use problem::{Problem, pipeline};
