//! Cupel policies as files.

#![deny(clippy::unwrap_used)]

pub mod preset;
pub mod schema;

mod error;
mod json;
mod loader;
mod policy;
mod read;
mod registry;
mod request;
mod responder;
mod response;
mod time;

pub use error::{INVALID_REQUEST, MAX_PROBLEMS, PolicyError, Problem, ProblemKind};
pub use json::MAX_DEPTH;
pub use loader::{Loader, Parsed};
pub use policy::{
    CountQuota, CurveConfig, CustomConfig, MAX_STEP_WINDOWS, PlacerConfig, PolicyFile, Quota,
    ScorerConfig, SlicerConfig, StepWindow, TagComparison, WeightedScorer,
};
pub use preset::{Preset, UnknownPreset};
pub use registry::{Arguments, ConstructorError, NameTaken, Registry};
pub use request::{PolicySource, Request};
pub use responder::{Responder, respond};
pub use response::{Failure, Response, Selected};
