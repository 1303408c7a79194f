//! Candidates that come one by one.

#[path = "../shorthand/mod.rs"]
mod shorthand;

mod naive;
mod properties;
mod rules;
