//! The pipeline as the specification writes it: pseudocode turned into Rust line by line.
//!
//! Everything here is as slow and as plain as it can be: pairwise comparisons, insertion sorts, one
//! table cell after the other, 128-bit sums. It shares data types with the engine and nothing else,
//! so an agreement of the two says something. Items are positions throughout, because one
//! handle may be passed twice and is then two candidates. Groups and variants, which the specification does not
//! have, are read as `docs/spec-notes.md` decides.
//!
//! | here | stands for |
//! |---|---|
//! | [`score`] | any scorer, for one item |
//! | [`slice`] | any slicer |
//! | [`place`] | any placer |
//! | [`run`] | the six stages, with their report |
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "every test binary and the fuzzer include the whole oracle and use their own part of it"
)]

mod compare;
mod counts;
mod pipeline;
mod placers;
mod quotas;
mod scorers;
mod slicers;
mod stages;
mod units;

pub use compare::{
    Difference, STAGES, in_forms, overflow_matches, report_matches, same_items, same_score,
    stage_events_match,
};
pub use pipeline::{Exclusion, Outcome, run};
pub use placers::place;
pub use scorers::{score, score_of};
pub use slicers::{Shortfall, Sliced, slice};

use cupel::ScoredItem;

/// Whether score `a` ranks above score `b`. NaN ranks below every number, and the two zeros are one
/// score.
pub fn outranks(a: f64, b: f64) -> bool {
    if a.is_nan() {
        return false;
    }
    b.is_nan() || a > b
}

/// The positions `0..length` in the order of `precedes`; positions of which neither precedes the
/// other keep theirs.
pub fn stable_order(length: usize, precedes: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for position in 0..length {
        let mut slot = order.len();
        while slot > 0 && precedes(position, order[slot - 1]) {
            slot -= 1;
        }
        order.insert(slot, position);
    }
    order
}

/// Stage 4 on bare scores: the positions of `scores`, best first, ties in ascending position.
pub fn descending(scores: &[f64]) -> Vec<usize> {
    stable_order(scores.len(), |a, b| outranks(scores[a], scores[b]))
}

/// Stage 4 on scored items.
pub fn sort(scored: &[ScoredItem]) -> Vec<ScoredItem> {
    let scores: Vec<f64> = scored.iter().map(|entry| entry.score).collect();
    descending(&scores).into_iter().map(|position| scored[position].clone()).collect()
}

/// A sum as it is reported: exact where it fits, the nearest representable number where it does
/// not.
pub fn reported(tokens: i128) -> i64 {
    i64::try_from(tokens).unwrap_or(if tokens < 0 { i64::MIN } else { i64::MAX })
}
