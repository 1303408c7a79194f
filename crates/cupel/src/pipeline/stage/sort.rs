//! Stage 4: best score first.

use crate::{Candidate, ContextItem, Scratch, order};

/// The items not marked as repeated, best score first, ties in input order.
///
/// `repeated` is empty when nothing is.
pub(crate) fn sort<'a>(
    scoreable: &'a [ContextItem],
    scores: &[f64],
    repeated: Vec<bool>,
    scratch: &mut Scratch,
) -> Vec<Candidate<'a>> {
    let keys = scratch.keys(scoreable.len());
    let unique = (0..scoreable.len()).filter(|&at| !repeated.get(at).copied().unwrap_or(false));
    keys.extend(unique.map(|at| order::pack(u128::from(order::descending(scores[at])), at)));
    keys.sort_unstable();
    let sorted = keys.iter().map(|&key| {
        let at = order::position(key);
        Candidate::new(&scoreable[at], scores[at])
    });
    let sorted = sorted.collect();
    scratch.give_back_marks(repeated);
    sorted
}
