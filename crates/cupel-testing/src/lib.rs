#![doc = include_str!("../README.md")]
//!
//! # A map of the crate
//!
//! | you want to | take |
//! |---|---|
//! | assert something about a report | [`SelectionReportAssertions`] |
//! | notice any change of a report | [`snapshot`] |
//! | test a scorer, slicer or placer of your own | [`laws`] |
//! | generate inputs and strategies for property tests | `generate`, with the feature `proptest` |

#![deny(clippy::unwrap_used)]

mod assertions;
#[cfg(feature = "proptest")]
pub mod generate;
pub mod laws;
pub mod snapshot;

mod describe;
mod rank;

pub use assertions::{
    ReasonKind, SelectionReportAssertionChain, SelectionReportAssertionError,
    SelectionReportAssertions, SelectionReportChecks,
};
pub use snapshot::ReportSnapshot;
