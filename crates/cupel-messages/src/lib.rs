//! Requests to language models, cut to a token budget.

#![cfg_attr(not(test), deny(clippy::unwrap_used))]

mod assemble;
mod body;
mod error;
mod fit;
mod format;
mod grammar;
mod json;
mod meter;
mod model;
mod model_meter;
mod options;
mod pins;
mod prepared;
mod provider;
mod report;
mod request;
mod shorten;
pub mod validate;

pub use error::{Error, Sign};
pub use format::{Format, UnknownFormat};
pub use meter::{Estimate, MediaPart, Meter, Tokens};
pub use model::{Answer, Call, Hints, Media, Message, Part, PartKind, Role};
pub use model_meter::ModelMeter;
pub use options::{CurrentTurn, Dangling, Granularity, Options, Shorten};
pub use prepared::{Prepared, TOOL_CALL, default_policy};
pub use report::{Fitted, MessageReport, Outcome, Pin, Repair, RepairKind, Why};
pub use request::Request;
pub use validate::{Problem, Rule, Severity, validate};
