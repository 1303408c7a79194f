//! The oldest first: what sliding windows drop.

use cupel_messages::{Prepared, Standing};

/// Of the first `out` candidates, tool rounds that may go are out, and what was said once everything of its turn is.
pub(super) fn aged(prepared: &Prepared<'_>, out: usize) -> Vec<Standing> {
    let len = prepared.len();
    let candidates: Vec<_> = (0..len).filter_map(|at| prepared.candidate(at)).collect();
    // Of each unit and of each turn that needs its user message: where it ends.
    let mut unit_end = vec![0; len];
    let mut turn_end = vec![0; len + 1];
    for (at, candidate) in candidates.iter().enumerate() {
        unit_end[candidate.unit] = at;
        turn_end[candidate.turn] = at;
    }
    let mut stays = vec![false; len];
    candidates.iter().for_each(|it| stays[it.group] |= it.pin.is_some());
    let is_round = |at: usize| unit_end[candidates[at].unit] > candidates[at].unit;
    let gone = |at: usize| {
        let candidate = &candidates[at];
        let end = if prepared.needs_its_turn() && !is_round(at) {
            turn_end[candidate.turn]
        } else {
            unit_end[candidate.unit]
        };
        end < out && candidate.pin.is_none() && !stays[candidate.group]
    };
    (0..len).map(|at| if gone(at) { Standing::Out } else { Standing::WHOLE }).collect()
}
