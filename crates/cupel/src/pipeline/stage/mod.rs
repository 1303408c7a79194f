//! The six stages, one file each, none of which knows the others.

mod choose;
mod classify;
mod deduplicate;
mod place;
mod score;
mod slice;
mod sort;

pub(crate) use classify::Classified;
pub(crate) use slice::{effective_budget, retain};
