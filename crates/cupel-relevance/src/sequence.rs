//! Which items are parts of one text, and how far apart?

use std::collections::HashMap;
use std::ops::Range;

use cupel::ContextItem;

/// Items in reading order: those of one document next to each other, and by their position there.
pub(crate) struct Sequence {
    /// Where in the list of items the one at a place of the sequence is.
    pub(crate) items: Vec<u32>,
    /// The places of each document; an item without one is a document of its own.
    pub(crate) documents: Vec<Range<usize>>,
    /// How many tokens lie between the middle of the item at a place and that of the one before, if they are neighbours.
    distances: Vec<Option<f64>>,
}

impl Sequence {
    pub(crate) fn of(items: &[ContextItem]) -> Self {
        if items.iter().all(|item| item.document().is_none()) {
            let documents = (0..items.len()).map(|at| at..at + 1).collect();
            let items = (0..items.len() as u32).collect::<Vec<_>>();
            return Self { distances: vec![None; items.len()], items, documents };
        }
        let mut numbers = HashMap::<&str, usize, foldhash::fast::RandomState>::default();
        let mut documents: Vec<Vec<u32>> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let new = documents.len();
            let number = match item.document() {
                Some(document) => *numbers.entry(document).or_insert(new),
                None => new,
            };
            if number == new {
                documents.push(Vec::new());
            }
            documents[number].push(at as u32);
        }
        let mut sequence = Self {
            items: Vec::with_capacity(items.len()),
            documents: Vec::with_capacity(documents.len()),
            distances: Vec::with_capacity(items.len()),
        };
        for mut parts in documents {
            // Those that do not say where they stand come last, and are nobody's neighbours.
            let key = |at: &u32| {
                let position = items[*at as usize].position();
                (position.is_none(), position)
            };
            parts.sort_by_key(key);
            sequence.push(parts, items);
        }
        sequence
    }

    fn push(&mut self, parts: Vec<u32>, items: &[ContextItem]) {
        let start = self.items.len();
        let tokens = |at: u32| items[at as usize].tokens().max(0) as f64;
        for (number, part) in parts.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| parts[before]);
            let is_placed = items[*part as usize].position().is_some();
            let distance =
                before.filter(|_| is_placed).map(|it| (tokens(it) + tokens(*part)) / 2.0);
            self.distances.push(distance);
        }
        self.items.extend(parts);
        self.documents.push(start..self.items.len());
    }

    /// What is left, after the way from the place before, of what decays by e over `decay` tokens; nothing where there is
    /// no neighbour before.
    pub(crate) fn carries(&self, decay: f64) -> Vec<f64> {
        let carry = |distance: &Option<f64>| match distance {
            // Not the standard library's exponential, which is the platform's.
            Some(tokens) if decay > 0.0 => libm::exp(-tokens / decay),
            _ => 0.0,
        };
        self.distances.iter().map(carry).collect()
    }
}

/// The sum around each place of the `values` at the places of one document, decaying with the distance in both directions.
///
/// `carries` are what [`Sequence::carries`] gives for these places.
pub(crate) fn spread(values: &[f64], carries: &[f64], sums: &mut Vec<f64>) {
    sums.clear();
    let mut from_before = 0.0;
    for (value, carry) in values.iter().zip(carries) {
        from_before = value + from_before * carry;
        sums.push(from_before);
    }
    let mut from_behind = 0.0;
    for (at, sum) in sums.iter_mut().enumerate().rev() {
        *sum += from_behind;
        from_behind = (from_behind + values[at]) * carries[at];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(document: &str, position: i64, tokens: i64) -> ContextItem {
        let part = ContextItem::builder("text", tokens).document(document).position(position);
        part.build().expect("a valid item")
    }

    #[test]
    fn parts_of_a_document_are_in_order_of_their_positions() {
        let alone = ContextItem::builder("text", 1).build().expect("a valid item");
        let items = [part("b", 2, 10), part("a", 5, 10), alone, part("b", 1, 30)];
        let sequence = Sequence::of(&items);
        assert_eq!(sequence.items, [3, 0, 1, 2]);
        assert_eq!(sequence.documents, [0..2, 2..3, 3..4]);
        assert_eq!(sequence.distances, [None, Some(20.0), None, None]);
    }

    #[test]
    fn what_is_spread_decays_with_the_distance_in_both_directions() {
        let items = [part("a", 0, 100), part("a", 1, 100), part("a", 2, 300)];
        let carries = Sequence::of(&items).carries(100.0);
        let mut sums = Vec::new();
        spread(&[1.0, 0.0, 2.0], &carries, &mut sums);
        let e = |tokens: f64| (-tokens / 100.0).exp();
        let expected = [1.0 + 2.0 * e(300.0), e(100.0) + 2.0 * e(200.0), 2.0 + e(300.0)];
        for (sum, expected) in sums.iter().zip(expected) {
            assert!((sum - expected).abs() < 1e-12, "{sum} instead of {expected}");
        }
    }
}
