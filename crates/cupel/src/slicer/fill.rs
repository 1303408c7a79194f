//! Taking candidates in an order, each if it fits.

use super::{Selection, Shortening};
use crate::Candidate;

/// What is taken of candidates that are tried in `order`, each in the richest form that fits in what is left of
/// the `target`. A target of 0 takes nothing, not even what costs nothing.
pub(crate) fn fill(
    order: impl ExactSizeIterator<Item = usize>,
    candidates: &[Candidate<'_>],
    target: i64,
) -> Selection {
    let mut selection = Selection::nothing();
    if target <= 0 {
        return selection;
    }
    selection.kept.reserve_exact(order.len());
    let mut left = target;
    for at in order {
        let candidate = &candidates[at];
        if candidate.tokens() <= left {
            // Negative counts never reach a slicer through the pipeline; by hand they may.
            left = left.saturating_sub(candidate.tokens());
            selection.kept.push(at);
            continue;
        }
        let forms = candidate.forms();
        if let Some(shorter) = forms.iter().position(|form| form.tokens <= left) {
            left -= forms[shorter].tokens;
            selection.shortened.push(Shortening::new(at, shorter + 1));
            selection.kept.push(at);
        }
    }
    selection
}

/// Adds candidates that are not chosen and have shorter forms, in their order, each in the richest shorter form that fits
/// in what is left of the `target`.
pub(super) fn add_shortened(selection: &mut Selection, candidates: &[Candidate<'_>], target: i64) {
    if target <= 0 || candidates.iter().all(|it| !it.has_forms()) {
        return;
    }
    let mut is_kept = vec![false; candidates.len()];
    selection.kept.iter().for_each(|at| is_kept[*at] = true);
    let mut left = i128::from(target) - selection.kept_tokens(candidates);
    for (at, candidate) in candidates.iter().enumerate().filter(|(at, _)| !is_kept[*at]) {
        let fitting = candidate.forms().iter().position(|form| i128::from(form.tokens) <= left);
        if let Some(shorter) = fitting {
            selection.keep(at, shorter + 1);
            left -= i128::from(candidate.forms()[shorter].tokens);
        }
    }
}
