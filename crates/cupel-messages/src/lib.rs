//! Requests to language models, cut to a token budget.

#![cfg_attr(not(test), deny(clippy::unwrap_used))]

mod error;
mod format;
mod json;
mod model;
mod options;
mod provider;
mod request;
mod tokens;
pub mod validate;

pub use error::{Error, Sign};
pub use format::{Format, UnknownFormat};
pub use model::{Answer, Call, Hints, Media, Message, Part, PartKind, Role};
pub use options::Granularity;
pub use request::Request;
pub use tokens::{Counter, Estimate, MediaPart, Tokens};
pub use validate::{Problem, Rule, Severity, validate};
