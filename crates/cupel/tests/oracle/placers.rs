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
        PlacerConfig::ReadingOrder => reading_order(items, documents(items)),
        PlacerConfig::ReadingOrderUShaped => {
            reading_order(items, both_ends(documents(items).into_iter()))
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
    both_ends(descending(&scores).into_iter())
}

/// The first first, the second last, and so on inwards.
fn both_ends<T>(best_first: impl Iterator<Item = T>) -> Vec<T> {
    let mut start = Vec::new();
    let mut end = Vec::new();
    for (rank, it) in best_first.enumerate() {
        if rank % 2 == 0 {
            start.push(it);
        } else {
            end.insert(0, it);
        }
    }
    start.extend(end);
    start
}

/// The parts of each document, best document first.
fn documents(items: &[Candidate]) -> Vec<Vec<usize>> {
    let mut documents: Vec<Vec<usize>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let is_its = |parts: &&mut Vec<usize>| {
            item.document.is_some() && items[parts[0]].document == item.document
        };
        match documents.iter_mut().find(is_its) {
            Some(parts) => parts.push(at),
            None => documents.push(vec![at]),
        }
    }
    let best = |parts: &Vec<usize>| {
        let scores: Vec<f64> = parts.iter().map(|&at| items[at].score).collect();
        scores[descending(&scores)[0]]
    };
    let scores: Vec<f64> = documents.iter().map(best).collect();
    descending(&scores).into_iter().map(|at| documents[at].clone()).collect()
}

/// The documents one after the other, each by position, parts without one last, ties in input order.
fn reading_order(items: &[Candidate], documents: Vec<Vec<usize>>) -> Vec<usize> {
    let read = |parts: Vec<usize>| {
        let in_order = stable_order(parts.len(), |a, b| {
            let (a, b) = (&items[parts[a]], &items[parts[b]]);
            match (a.position, b.position) {
                (Some(of_a), Some(of_b)) if of_a != of_b => of_a < of_b,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                _ => a.first < b.first,
            }
        });
        in_order.into_iter().map(|at| parts[at]).collect::<Vec<_>>()
    };
    documents.into_iter().flat_map(read).collect()
}
