//! Testing with Cupel: plain-data strategies and generators for property tests.

#[cfg(feature = "proptest")]
pub mod generate;
pub mod spec;
