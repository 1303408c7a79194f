//! Arranging.

use cupel_conformance::engine::PlacerSpec;

use super::{Mistake, Plain, Row};

impl Plain {
    /// Places in the list, in final order.
    pub(super) fn arrange(self, placer: PlacerSpec, rows: &[Row<'_>]) -> Vec<usize> {
        match placer {
            PlacerSpec::Chronological => self.oldest_first(rows),
            PlacerSpec::UShaped => self.best_outside(rows),
            PlacerSpec::InputOrder => self.as_given(rows),
            PlacerSpec::ReadingOrder => self.as_read(rows, false),
            PlacerSpec::ReadingOrderUShaped => self.as_read(rows, true),
        }
    }

    fn as_read(self, rows: &[Row<'_>], u_shaped: bool) -> Vec<usize> {
        let mut documents: Vec<Vec<usize>> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let name = &row.item.spec.document;
            let is_its = |parts: &&mut Vec<usize>| {
                let same = rows[parts[0]].item.spec.document == *name;
                same && (name.is_some() || self.makes(Mistake::NoDocumentIsOne))
            };
            match documents.iter_mut().find(is_its) {
                Some(parts) => parts.push(at),
                None => documents.push(vec![at]),
            }
        }
        let best = |parts: &Vec<usize>| {
            let scores: Vec<f64> = parts.iter().map(|&at| rows[at].score).collect();
            match self.makes(Mistake::DocumentsByFirstPart) {
                true => scores[0],
                false => scores[self.ranked(&scores)[0]],
            }
        };
        let scores: Vec<f64> = documents.iter().map(best).collect();
        let mut order = self.ranked(&scores);
        if u_shaped {
            order = self.both_ends(order);
        }
        let mut placed = Vec::new();
        for document in order {
            let mut parts = documents[document].clone();
            parts.sort_by_key(|&at| {
                let item = rows[at].item;
                let position = item.spec.position;
                let has_none = position.is_none() != self.makes(Mistake::UnplacedPartsFirst);
                (has_none, position, item.position)
            });
            placed.extend(parts);
        }
        placed
    }

    fn as_given(self, rows: &[Row<'_>]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| match self.makes(Mistake::InputOrderKeepsPinnedFirst) {
            true => (!rows[at].item.spec.pinned, rows[at].item.position),
            false => (false, rows[at].item.position),
        });
        order
    }

    fn oldest_first(self, rows: &[Row<'_>]) -> Vec<usize> {
        let whole = self.makes(Mistake::PlacesInSeconds);
        let time = |at: usize| {
            let time = rows[at].item.spec.timestamp?;
            Some((time.timestamp(), if whole { 0 } else { time.timestamp_subsec_nanos() }))
        };
        let undated = |at: usize| time(at).is_none() != self.makes(Mistake::UndatedFirst);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&a, &b| {
            let by_time = undated(a).cmp(&undated(b)).then(time(a).cmp(&time(b)));
            if self.makes(Mistake::TimeTiesByScore) {
                return by_time.then(self.best_first(rows[a].score, rows[b].score));
            }
            by_time
        });
        order
    }

    fn best_outside(self, rows: &[Row<'_>]) -> Vec<usize> {
        let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
        let mut ranked = self.ranked(&scores);
        if self.makes(Mistake::EdgeTiesReversed) {
            ranked = (0..rows.len()).rev().collect();
            ranked.sort_by(|&a, &b| self.best_first(scores[a], scores[b]));
        }
        self.both_ends(ranked)
    }

    fn both_ends(self, ranked: Vec<usize>) -> Vec<usize> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (rank, at) in ranked.into_iter().enumerate() {
            if (rank % 2 == 0) != self.makes(Mistake::EdgesMirrored) {
                left.push(at);
            } else {
                right.insert(0, at);
            }
        }
        left.extend(right);
        left
    }
}
