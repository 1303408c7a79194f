//! The placers, as positions in what they were given.

use cupel::ScoredItem;
use cupel_policy::PlacerConfig;

use super::descending;
use super::stable_order;

/// The positions of `items`, which stood at these indices of the input, in placed order.
pub fn place(config: &PlacerConfig, items: &[ScoredItem], indices: &[usize]) -> Vec<usize> {
    match config {
        PlacerConfig::Chronological => chronological(items),
        PlacerConfig::UShaped => u_shaped(items),
        PlacerConfig::InputOrder => stable_order(items.len(), |a, b| indices[a] < indices[b]),
        other => panic!("the oracle knows no placer {other:?}"),
    }
}

fn chronological(items: &[ScoredItem]) -> Vec<usize> {
    stable_order(items.len(), |a, b| match (items[a].item.timestamp(), items[b].item.timestamp()) {
        (Some(a), Some(b)) => a < b,
        (Some(_), None) => true,
        (None, _) => false,
    })
}

fn u_shaped(items: &[ScoredItem]) -> Vec<usize> {
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
