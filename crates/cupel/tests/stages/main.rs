//! What the specification says of the pipeline and its six stages, one behaviour per test.

mod broken_placers;
mod broken_scorers;
mod broken_slicers;
mod classify;
mod deduplicate;
mod effective_budget;
mod overflow;
mod pipeline;
mod place;
mod score;
mod slice;
mod slice_reasons;
mod sort;
mod units;
mod variants;

#[path = "../fixtures/mod.rs"]
mod fixtures;
