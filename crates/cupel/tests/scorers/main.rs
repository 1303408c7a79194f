//! The eleven scorers, rule by rule.
//!
//! Wherever a test asks for the scores of a list, it asks both one by one and for all at once, and
//! the two answers must agree to the bit.

mod breakdown;
mod composite;
mod contract;
mod decay;
mod decay_curves;
mod frequency;
mod kind;
mod metadata_key;
mod metadata_trust;
mod priority;
mod recency;
mod reflexive;
mod scaled;
#[path = "../shorthand/mod.rs"]
mod shorthand;
mod tag;
