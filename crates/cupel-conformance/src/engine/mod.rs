//! What an implementation of Cupel must be able to do to be checked.
//!
//! An [`Engine`] gets a task as plain data, builds its own items, budget and strategies from it, and
//! answers as plain data. No type of any implementation appears here, so any fits. The same types,
//! written as JSON, are the protocol for programs in other languages (see [`external`](crate::external)).
//!
//! An implementation usually has several ways to do one thing: a plain run, a traced one, a dry run;
//! scores one by one or in a batch. It answers once for each of its ways, by a name of its own
//! choosing, and all answers are compared.
//!
//! ```
//! use cupel_conformance::engine::{Answer, Engine, PlaceTask, Placed, Reply};
//!
//! /// Knows placing only, and gets even that wrong.
//! struct Backwards;
//!
//! impl Engine for Backwards {
//!     fn name(&self) -> String {
//!         "backwards".to_owned()
//!     }
//!
//!     fn place(&mut self, task: &PlaceTask) -> Reply<Placed> {
//!         let order = (0..task.items.len()).rev().collect();
//!         Ok(vec![Answer::new("place", Ok(Placed { order }))])
//!     }
//! }
//!
//! let summary = cupel_conformance::run(&mut Backwards, cupel_conformance::built_in(), |_| {});
//! assert!(summary.failed > 0);
//! assert!(summary.skipped > summary.failed); // all that is not placing
//! ```

mod name;
mod number;
mod outcome;
mod strategy;
mod task;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use name::names;
pub use outcome::{
    Diff, Event, Events, Excluded, Included, Marginal, MinBudget, Overflow, Placed, Ran,
    ReasonDetails, Report, Scores, Selected, Sensitivity, Shortfall, Snapshot, VariantStatus,
    VariantWindow,
};
pub use strategy::{
    CountEntry, CurveSpec, KindWeight, OverflowStrategy, PipelineSpec, PlacerSpec, QuotaSpec,
    Scarcity, ScorerSpec, SlicerSpec, StepWindow, TagComparison, TagWeight, WeightedScorer,
};
pub use task::{
    BudgetSpec, DetailLevel, Entry, FormSpec, ItemSpec, MarginalItemsTask, MinBudgetTask,
    PlaceTask, ReservedSlot, RunTask, ScoreTask, SensitivityTask, SliceTask, Variant,
    first_position, item_at,
};

/// An implementation under test. What it does not implement is skipped.
pub trait Engine {
    /// What to call it in reports.
    fn name(&self) -> String;

    /// Scores items.
    fn score(&mut self, _task: &ScoreTask) -> Reply<Scores> {
        not_supported("scoring on its own")
    }

    /// Chooses from scored items.
    fn slice(&mut self, _task: &SliceTask) -> Reply<Selected> {
        not_supported("slicing on its own")
    }

    /// Arranges scored items.
    fn place(&mut self, _task: &PlaceTask) -> Reply<Placed> {
        not_supported("placing on its own")
    }

    /// Runs a pipeline.
    fn run(&mut self, _task: &RunTask) -> Reply<Ran> {
        not_supported("running a pipeline")
    }

    /// Finds the items that a smaller budget would lose.
    fn marginal_items(&mut self, _task: &MarginalItemsTask) -> Reply<Marginal> {
        not_supported("marginal items")
    }

    /// Finds the smallest budget that includes an item.
    fn find_min_budget(&mut self, _task: &MinBudgetTask) -> Reply<MinBudget> {
        not_supported("minimum budgets")
    }

    /// Compares pipelines.
    fn sensitivity(&mut self, _task: &SensitivityTask) -> Reply<Sensitivity> {
        not_supported("sensitivity")
    }
}

/// One answer for each path the task fits, or why there is none.
pub type Reply<T> = Result<Vec<Answer<T>>, Unanswered>;

fn not_supported<T>(what: &str) -> Reply<T> {
    Err(Unanswered::NotSupported(format!("the engine does not support {what}")))
}

/// What one path of an engine made of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// What the engine calls this path.
    pub path: String,
    /// The result, or the engine's refusal, which may be what is expected.
    pub outcome: Result<T, Refusal>,
}

impl<T> Answer<T> {
    /// An answer from its parts.
    pub fn new(path: impl Into<String>, outcome: Result<T, Refusal>) -> Self {
        Self { path: path.into(), outcome }
    }
}

/// Why there is no answer at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// The engine has no such feature; the vector is skipped.
    NotSupported(String),
    /// The engine broke down; the vector fails.
    Broken(String),
}

/// An error of the engine's own, in the vectors' terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// When it happened.
    pub phase: Phase,
    /// The error's name, such as `InvalidBudget`.
    pub variant: String,
    /// The text it carries, without anything that is put before it for display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The numbers it carries, by the names vectors use, such as `pinned_tokens`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, i64>,
}

names! {
    /// When an engine refuses.
    pub Phase, "phase" {
        /// While items, the budget or a strategy are built.
        Construction = "construction",
        /// While running.
        Run = "run",
    }
}
