//! Checks implementations of Cupel against its conformance vectors.
//!
//! Three pieces, kept apart: the vectors (`conformance/`, TOML without code), this runner (which knows
//! no implementation), and an adapter for each implementation.
//!
//! ```
//! use cupel_conformance::native::Native;
//!
//! let summary = cupel_conformance::run(&mut Native, cupel_conformance::built_in(), |checked| {
//!     // one call for each vector, with what differs if it failed
//!     let _ = checked;
//! });
//! assert_eq!((summary.failed, summary.skipped), (0, 0));
//! ```
//!
//! # A map of the crate
//!
//! | module | answers |
//! |---|---|
//! | [`suite`] | where do vectors come from? |
//! | [`vector`] | what does a vector say? |
//! | [`engine`] | what must an implementation be able to do? |
//! | [`native`] | how does our own engine do it? |
//! | [`external`] | how does a program in any other language do it? |
//! | [`runner`] | how did it go? |
//! | [`render`] | how is that shown? |

#![deny(clippy::unwrap_used)]

pub mod engine;
pub mod external;
pub mod native;
pub mod render;
pub mod runner;
pub mod suite;
pub mod vector;

mod compare;

pub use compare::Difference;
pub use runner::{Checked, Failure, LevelSummary, Summary, Verdict, check, run, run_one};
pub use suite::{Level, Source, built_in, in_folder};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
