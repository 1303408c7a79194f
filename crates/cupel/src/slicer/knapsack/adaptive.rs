//! Buckets that follow the budget.

use crate::Candidate;
use crate::error::MAX_TABLE_CELLS;
use crate::model::clamp_tokens;
use crate::slicer::greedy::density_key;
use crate::slicer::{Selection, fill};
use crate::sort_keys::sorted_positions;

/// Finer ones change little where items are small beside the budget, and cost as much more.
const MAX_BUCKETS: u64 = 1_000;

/// The smallest bucket size that needs no more buckets than there may be for a table of so many rows, and how many
/// it needs.
pub(super) fn buckets(rows: usize, target: i64) -> (i64, usize) {
    let cells = MAX_TABLE_CELLS.checked_div(rows as u64).unwrap_or(MAX_BUCKETS);
    let limit = cells.clamp(1, MAX_BUCKETS) as i64;
    let bucket_size = (target - 1) / limit + 1;
    (bucket_size, (target / bucket_size) as usize)
}

/// `packed`, and what still fits beside it, best score per token first.
pub(super) fn filled_up(packed: Selection, candidates: &[Candidate<'_>], target: i64) -> Selection {
    let mut is_packed = vec![false; candidates.len()];
    packed.kept.iter().for_each(|at| is_packed[*at] = true);
    // A packing is within the target.
    let left = clamp_tokens(i128::from(target) - packed.kept_tokens(candidates));
    // Rarely more than a few, and only those need be sorted.
    let fitting: Vec<usize> = (0..candidates.len())
        .filter(|&at| !is_packed[at] && candidates[at].richest_within(left).is_some())
        .collect();
    let order = sorted_positions(fitting.len(), |at| density_key(&candidates[fitting[at]]));
    let more = fill(order.map(|at| fitting[at]), candidates, left);
    let mut filled = packed;
    filled.kept.extend(more.kept);
    filled.shortened.extend(more.shortened);
    filled
}
