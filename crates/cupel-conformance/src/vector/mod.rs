//! The vector format: one TOML file, one question with its answer.
//!
//! `conformance/FORMAT.md` documents the format. The tables of a file are serde types, private to this
//! module; reading turns them into a task for an [engine](crate::engine) and what is expected of it,
//! with all defaults filled in.
//!
//! ```
//! use cupel_conformance::vector::Vector;
//!
//! let read = Vector::parse(r#"
//!     [test]
//!     name = "Greedy: an item as large as the target fits"
//!     stage = "slicing"
//!     slicer = "greedy"
//!     author = "me"
//!
//!     [budget]
//!     target_tokens = 100
//!
//!     [[scored_items]]
//!     content = "exact"
//!     tokens = 100
//!     score = 0.1
//!
//!     [expected]
//!     selected_contents = ["exact"]
//! "#)?;
//! assert_eq!(read.unknown_fields, ["test.author"]);
//!
//! let error = Vector::parse("[test]\nname = 7").unwrap_err();
//! assert_eq!((error.line, error.column), (2, 8));
//! # Ok::<(), cupel_conformance::vector::ParseError>(())
//! ```

mod case;
mod error;
mod expect;
mod file;
mod item;
mod pipeline;
mod scorer;
mod time;

pub use error::ParseError;
pub use expect::{
    ExpectedDiagnostics, ExpectedDiff, ExpectedError, ExpectedEvent, ExpectedExcluded,
    ExpectedIncluded, ExpectedMarginal, ExpectedMinBudget, ExpectedOrder, ExpectedOverflow,
    ExpectedScore, ExpectedSelection, ExpectedSensitivity, ExpectedSnapshot, ExpectedSummary,
    ExpectedVariant, ItemRef,
};

use crate::engine::{
    MarginalItemsTask, MinBudgetTask, PlaceTask, RunTask, ScoreTask, SensitivityTask, SliceTask,
};

/// One question with its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// What it is called.
    pub name: String,
    /// The question, and the answer if it is not an error.
    pub case: Case,
    /// The answer if it is an error.
    pub error: Option<ExpectedError>,
    /// How close scores must be.
    pub score_epsilon: f64,
}

/// A task together with what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Case {
    /// Score items.
    Scoring(ScoreTask, Vec<ExpectedScore>),
    /// Choose items.
    Slicing(SliceTask, ExpectedSelection),
    /// Arrange items.
    Placing(PlaceTask, ExpectedOrder),
    /// Run a pipeline. Without a list the output is not compared.
    Pipeline(RunTask, Option<Vec<ItemRef>>, ExpectedDiagnostics),
    /// Find the items that a smaller budget loses.
    MarginalItems(MarginalItemsTask, ExpectedMarginal),
    /// Find the smallest budget for an item.
    MinBudget(MinBudgetTask, ExpectedMinBudget),
    /// Compare pipelines.
    Sensitivity(SensitivityTask, ExpectedSensitivity),
}

impl Case {
    /// The stage the vector is about, as `test.stage` has it.
    pub fn stage(&self) -> &'static str {
        match self {
            Self::Scoring(..) => "scoring",
            Self::Slicing(..) => "slicing",
            Self::Placing(..) => "placing",
            Self::Pipeline(..) => "pipeline",
            Self::MarginalItems(..) | Self::MinBudget(..) | Self::Sensitivity(..) => "simulation",
        }
    }
}

/// A vector, and what in its file was not understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The vector.
    pub vector: Vector,
    /// Fields that are not part of the format, by their path.
    pub unknown_fields: Vec<String>,
}

impl Vector {
    /// Reads a vector from the text of its file.
    pub fn parse(text: &str) -> Result<Read, ParseError> {
        file::read(text).map_err(|problem| problem.locate(text))
    }
}
