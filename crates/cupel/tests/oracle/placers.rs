//! The placers, as positions in what they were given.

use cupel::ScoredItem;
use cupel_policy::PlacerConfig;

use super::units::{Candidate, candidates};
use super::{descending, stable_order};

/// The positions of `items` in placed order.
pub fn place(config: &PlacerConfig, items: &[ScoredItem]) -> Vec<usize> {
    place_candidates(config, &candidates(items))
}

/// The positions of `items` in placed order.
pub fn place_candidates(config: &PlacerConfig, items: &[Candidate]) -> Vec<usize> {
    match config {
        PlacerConfig::Chronological => chronological(items),
        PlacerConfig::UShaped => u_shaped(items),
        PlacerConfig::InputOrder => {
            stable_order(items.len(), |a, b| items[a].first < items[b].first)
        }
        other => panic!("the oracle knows no placer {other:?}"),
    }
}

fn chronological(items: &[Candidate]) -> Vec<usize> {
    stable_order(items.len(), |a, b| match (items[a].timestamp, items[b].timestamp) {
        (Some(a), Some(b)) => a < b,
        (Some(_), None) => true,
        (None, _) => false,
    })
}

fn u_shaped(items: &[Candidate]) -> Vec<usize> {
    let scores: Vec<f64> = items.iter().map(|entry| entry.score).collect();
    let mut start = Vec::new();
    let mut end = Vec::new();
    for (rank, position) in descending(&scores).into_iter().enumerate() {
        if rank % 2 == 0 {
            start.push(position);
        } else {
            end.insert(0, position);
        }
    }
    start.extend(end);
    start
}
