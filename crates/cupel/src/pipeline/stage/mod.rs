//! The six stages, one file each, none of which knows the others.

mod classify;
mod deduplicate;
mod place;
mod score;
mod slice;
mod sort;

pub(crate) use classify::{Classified, classify};
pub(crate) use deduplicate::{deduplicate, keep_duplicates};
pub(crate) use place::place;
pub(crate) use score::score;
pub(crate) use slice::slice;
pub(crate) use sort::sort;
