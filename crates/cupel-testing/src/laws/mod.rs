//! What every scorer, slicer and placer promises, as checks for your own.
//!
//! The pipeline trusts its strategies. A scorer whose batch form disagrees with its single form, a
//! slicer that spends more than it has or a placer that loses an item gives windows that look fine
//! and are not. Each check here tries one strategy on one input:
//!
//! | check | laws |
//! |---|---|
//! | [`check_scorer`] | scoring a batch equals scoring each item; equal input, equal scores |
//! | [`check_slicer`] | a subset is chosen, within the budget, nothing from nothing; `select` agrees with `slice` and its order of trial with `select`; at most one form of a candidate; equal input, equal choice |
//! | [`check_placer`] | items are reordered and nothing else; `arrange` agrees with `place`; equal input, equal order |
//! | [`check_run`] | no unit is split; at most one form of an item |
//!
//! They return a [`BrokenLaw`]; [`assert_scorer`], [`assert_slicer`], [`assert_placer`] and [`assert_run`] panic
//! with it. One input proves little, so feed them many: with the `proptest` feature,
//! the `generate` module has the inputs that find trouble.
//!
//! ```
//! # #[cfg(feature = "proptest")] {
//! use cupel::{ContextItem, Scorer};
//! use cupel_testing::generate::items;
//! use cupel_testing::laws::check_scorer;
//! use proptest::prelude::*;
//!
//! /// Prefers short texts.
//! struct Brevity;
//!
//! impl Scorer for Brevity {
//!     fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
//!         1.0 / item.tokens().max(1) as f64
//!     }
//! }
//!
//! proptest!(|(items in items(20))| {
//!     check_scorer(&Brevity, &items)?;
//! });
//! # }
//! ```
//!
//! "Equal input" is more than the same input again: the items are also rebuilt from equal fields,
//! because a strategy that reads addresses or the order of a hash map gives itself away only then.
//! A strategy that reads a clock is a function of the time as well; check it with a clock that
//! stands still.

mod broken_law;
mod equal_input;
mod instances;
mod placer;
mod run;
mod scorer;
mod slicer;

pub use broken_law::{BrokenLaw, Law};
pub use placer::{assert_placer, check_placer};
pub use run::{assert_run, check_run};
pub use scorer::{assert_scorer, check_scorer};
pub use slicer::{BudgetCompliance, assert_slicer, check_slicer};
