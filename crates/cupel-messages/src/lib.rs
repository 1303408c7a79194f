//! Requests to language models, cut to a token budget: the same request, smaller, and valid.
//!
//! ```
//! use cupel_messages::{ModelMeter, Options, Request};
//!
//! let request = Request::read(
//!     r#"{"model": "claude-opus-5-5", "max_tokens": 500, "system": "Be brief.", "messages": [
//!         {"role": "user", "content": "Tell me about the moon."},
//!         {"role": "assistant", "content": "It is a quarter of a million miles away, and has no air."},
//!         {"role": "user", "content": "And about Mars?"}
//!     ]}"#,
//! )?;
//! let fitted = request.fit(30, &Options::new(), &ModelMeter::of(&request))?;
//! assert_eq!(fitted.messages.iter().filter(|message| message.sent > 0).count(), 1);
//! assert_eq!(fitted.basis.to_string(), "an estimate, 1.53 x o200k_base");
//! # Ok::<(), cupel_messages::Error>(())
//! ```
//!
//! # A map of the crate
//!
//! | you want to | look at |
//! |---|---|
//! | read a request, whoever's it is | [`Request`], [`Format`] |
//! | make one in Rust | [`Request::builder`] |
//! | cut it | [`Request::fit`], [`Options`] |
//! | add to it, turn by turn | [`Request::push`], with a [`CachedCounter`](cupel_tokens::CachedCounter) in the meter |
//! | cut it at several budgets, or hand its candidates to the engine | [`Request::prepare`], [`Prepared`] |
//! | say what became of every message | [`Fitted`], [`MessageReport`], [`Repair`] |
//! | keep a session: decide once, carry out again | [`Prepared::as_before`], [`Prepared::cut`], [`Standing`], [`Ending`] |
//! | know what a prompt cache sees, and mark it | [`Request::blocks`], [`Request::marked`] |
//! | know what it costs | [`Request::count`], [`ModelMeter`], [`Meter`] |
//! | know whether its provider would take it | [`validate()`] |
//!
//! Reports and problems are `serde::Serialize`, with keys in snake_case.
//!
//! # How it works
//!
//! A request is read as ranges of its own text. One file per provider says what a message is made of; the rules of
//! conversations are in one place for all of them. What is broken is mended first. Then messages become candidates for the
//! engine, those that belong together as one group, long answers with shorter forms; what the engine chooses is spliced
//! together from the text that came in.

#![cfg_attr(not(test), deny(clippy::unwrap_used))]

mod assemble;
mod body;
mod build;
mod cache;
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
mod standing;
pub mod validate;
mod wire;

pub use build::{Image, RequestBuilder};
pub use cache::{Block, fingerprint};
pub use error::{Error, Sign};
pub use format::{Format, UnknownFormat};
pub use grammar::ending::Ending;
pub use meter::{Estimate, MediaPart, Meter, Tokens};
pub use model::{Answer, Call, Hints, Media, Message, Part, PartKind, Role};
pub use model_meter::ModelMeter;
pub use options::{CurrentTurn, Dangling, Granularity, Options, Shorten};
pub use prepared::{Prepared, TOOL_CALL, default_policy};
pub use report::{Fitted, MessageReport, Outcome, Pin, Repair, RepairKind, SentMessage, Why};
pub use request::Request;
pub use standing::{Candidate, Choice, Sent, Standing};
pub use validate::{Problem, Rule, Severity, validate};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
