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
        }
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
