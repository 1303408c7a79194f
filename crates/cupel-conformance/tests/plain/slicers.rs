//! Choosing by density and by knapsack.

use cupel_conformance::engine::*;

use super::{Mistake, Plain, Problem, Row, problem};

/// A choice. Rows are named by their place in the list given.
#[derive(Debug, Default)]
pub(super) struct Sliced {
    pub(super) kept: Vec<usize>,
    pub(super) capped: Vec<Capped>,
    pub(super) shortfalls: Vec<Shortfall>,
}

/// A row that a count cap removed.
#[derive(Debug)]
pub(super) struct Capped {
    pub(super) row: usize,
    pub(super) cap: i64,
    pub(super) count: i64,
}

impl Plain {
    pub(super) fn choose(
        self,
        slicer: &SlicerSpec,
        rows: &[Row<'_>],
        max: i64,
        target: i64,
    ) -> Result<Sliced, Problem> {
        let counts = matches!(
            slicer,
            SlicerSpec::CountQuota { .. } | SlicerSpec::CountConstrainedKnapsack { .. }
        );
        let goes_on = match slicer {
            SlicerSpec::Quota { .. } => false,
            _ if counts => self.makes(Mistake::ScarcityBeforeTheBudget),
            _ => self.makes(Mistake::ZeroTargetTakesFreeItems) && !rows.is_empty(),
        };
        if (rows.is_empty() || target <= 0) && !goes_on {
            return Ok(Sliced::default());
        }
        match slicer {
            SlicerSpec::Greedy => Ok(keeping(self.greedy(rows, target))),
            SlicerSpec::Rank { size_exponent, size_floor } => {
                Ok(keeping(self.by_rank(rows, target, *size_exponent, *size_floor)))
            }
            SlicerSpec::Knapsack { bucket_size } => {
                Ok(keeping(self.knapsack(rows, target, *bucket_size)?))
            }
            SlicerSpec::Quota { quotas, inner } => self.quota(quotas, inner, rows, target),
            SlicerSpec::CountQuota { .. } | SlicerSpec::CountConstrainedKnapsack { .. } => {
                self.count(slicer, rows, max, target)
            }
        }
    }

    fn greedy(self, rows: &[Row<'_>], target: i64) -> Vec<usize> {
        let density = |row: &Row<'_>| match row.tokens() {
            0 => f64::MAX,
            _ if self.makes(Mistake::GreedyByScore) => row.score,
            tokens => row.score / tokens as f64,
        };
        let densities: Vec<f64> = rows.iter().map(density).collect();
        let mut order = self.ranked(&densities);
        if self.makes(Mistake::DensityTiesReversed) {
            order = (0..rows.len()).rev().collect();
            order.sort_by(|&a, &b| self.best_first(densities[a], densities[b]));
        }
        let (mut kept, mut remaining) = (Vec::new(), target);
        for at in order {
            let tokens = rows[at].tokens();
            let strictly = self.makes(Mistake::GreedyNeedsRoomToSpare) && tokens == remaining;
            if tokens == 0 {
                if !self.makes(Mistake::FreeItemsDropped) {
                    kept.push(at);
                }
            } else if tokens <= remaining && !strictly {
                kept.push(at);
                remaining -= tokens;
            } else if self.makes(Mistake::GreedyStops) {
                break;
            }
        }
        kept
    }

    /// By score / max(tokens, floor)^exponent, each if it fits.
    fn by_rank(self, rows: &[Row<'_>], target: i64, exponent: f64, floor: i64) -> Vec<usize> {
        let floor = if self.makes(Mistake::RankForgetsTheFloor) { 0 } else { floor };
        let key = |row: &Row<'_>| match row.tokens().max(floor) {
            0 if exponent > 0.0 => f64::MAX,
            size => row.score / (size as f64).powf(exponent),
        };
        let keys: Vec<f64> = rows.iter().map(key).collect();
        let (mut kept, mut remaining) = (Vec::new(), target);
        for at in self.ranked(&keys) {
            if rows[at].tokens() <= remaining {
                kept.push(at);
                remaining -= rows[at].tokens();
            } else if self.makes(Mistake::RankStops) {
                break;
            }
        }
        kept
    }

    fn knapsack(
        self,
        rows: &[Row<'_>],
        target: i64,
        bucket_size: i64,
    ) -> Result<Vec<usize>, Problem> {
        let with = |free: bool| (0..rows.len()).filter(move |&at| (rows[at].tokens() == 0) == free);
        let mut kept: Vec<usize> = with(true).collect();
        if self.makes(Mistake::FreeItemsDropped) {
            kept.clear();
        }
        let costing: Vec<usize> = with(false).collect();
        let capacity = if self.makes(Mistake::CapacityRoundsUp) {
            ceiling(target, bucket_size)
        } else {
            i128::from(target / bucket_size)
        };
        if costing.is_empty() || capacity == 0 {
            return Ok(kept);
        }
        let counted =
            if self.makes(Mistake::TableCountsFreeItems) { rows.len() } else { costing.len() };
        let cells = counted as i128 * capacity;
        let most = 50_000_000 - i128::from(self.makes(Mistake::TableLimitExclusive));
        if cells > most {
            return Err(problem("TableTooLarge", "use larger buckets")
                .with("candidates", counted as i128)
                .with("capacity", capacity)
                .with("cells", cells));
        }
        let weight = |&at: &usize| {
            if self.makes(Mistake::WeightsRoundDown) {
                i128::from(rows[at].tokens() / bucket_size)
            } else {
                ceiling(rows[at].tokens(), bucket_size)
            }
        };
        let weights: Vec<i128> = costing.iter().map(weight).collect();
        let scale = if self.makes(Mistake::KnapsackExactScores) { 1e12 } else { 1e4 };
        let value = |&at: &usize| i128::from((rows[at].score * scale).floor().max(0.0) as i64);
        let values: Vec<i128> = costing.iter().map(value).collect();
        kept.extend(self.pack(&weights, &values, capacity).into_iter().map(|at| costing[at]));
        Ok(kept)
    }

    fn pack(self, weights: &[i128], values: &[i128], capacity: i128) -> Vec<usize> {
        // With room for everything that fits at all, more room changes nothing.
        let useful: i128 = weights.iter().filter(|weight| **weight <= capacity).sum();
        let capacity = capacity.min(useful.max(1)) as usize;
        let mut best = vec![0; capacity + 1];
        let mut keep = vec![vec![false; capacity + 1]; weights.len()];
        for (at, (&weight, &value)) in weights.iter().zip(values).enumerate() {
            let Some(weight) = usize::try_from(weight).ok().filter(|it| *it <= capacity) else {
                continue;
            };
            for room in (weight..=capacity).rev() {
                let with = best[room - weight] + value;
                if with > best[room]
                    || (self.makes(Mistake::KnapsackTakesTies) && with == best[room])
                {
                    best[room] = with;
                    keep[at][room] = true;
                }
            }
        }
        let (mut packed, mut room) = (Vec::new(), capacity);
        for at in (0..weights.len()).rev() {
            if keep[at][room] {
                packed.push(at);
                room -= weights[at] as usize;
            }
        }
        packed
    }
}

fn keeping(kept: Vec<usize>) -> Sliced {
    Sliced { kept, ..Sliced::default() }
}

fn ceiling(tokens: i64, bucket_size: i64) -> i128 {
    (i128::from(tokens) + i128::from(bucket_size) - 1) / i128::from(bucket_size)
}
