//! The six stages, one file each, none of which knows the others.

mod classify;
mod deduplicate;
mod place;
mod score;
mod slice;
mod sort;

pub(crate) use deduplicate::Contents;
pub(crate) use slice::{Taken, chosen};
