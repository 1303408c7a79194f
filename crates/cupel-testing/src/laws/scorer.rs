//! What a scorer promises.

use cupel::{ContextItem, RunContext, Scorer};

use super::equal_input::rebuilt_items;
use super::{BrokenLaw, Law};
use crate::describe;
use crate::rank::same_score;

/// Checks a scorer on these items: [`BatchEqualsSingle`](Law::BatchEqualsSingle) and
/// [`Deterministic`](Law::Deterministic).
///
/// # Errors
/// The first law that does not hold.
pub fn check_scorer<S: Scorer + ?Sized>(
    scorer: &S,
    items: &[ContextItem],
) -> Result<(), BrokenLaw> {
    let broken = |law, finding| Err(BrokenLaw::new(scorer.name(), law, finding));

    let context = RunContext::default();
    let batch = match scorer.score_batch(items, &context) {
        Ok(batch) => batch,
        Err(error) => {
            let finding = format!("refused to score a batch: {error}");
            return broken(Law::BatchEqualsSingle, finding);
        }
    };
    if batch.len() != items.len() {
        let finding = format!("gave {} scores for {} items", batch.len(), items.len());
        return broken(Law::BatchEqualsSingle, finding);
    }
    for (item, &batched) in items.iter().zip(&batch) {
        let alone = scorer.score(item, items);
        if !same_score(alone, batched) {
            let item = describe::item(item);
            let finding = format!("scored {item} {batched:?} in a batch and {alone:?} alone");
            return broken(Law::BatchEqualsSingle, finding);
        }
    }

    for (again, input) in
        [("the same items again", items.to_vec()), ("equal items", rebuilt_items(items))]
    {
        let scores = scorer.score_batch(&input, &context).unwrap_or_default();
        let differing = batch.iter().zip(&scores).position(|(a, b)| !same_score(*a, *b));
        if let Some(at) = differing {
            let (first, second, item) = (batch[at], scores[at], describe::item(&items[at]));
            let finding = format!("scored {item} {first:?} first and {second:?} given {again}");
            return broken(Law::Deterministic, finding);
        }
        if scores.len() != batch.len() {
            let finding = format!("gave {} scores given {again}", scores.len());
            return broken(Law::Deterministic, finding);
        }
    }
    Ok(())
}

/// [`check_scorer`] for tests.
///
/// # Panics
/// When a law does not hold.
#[track_caller]
pub fn assert_scorer<S: Scorer + ?Sized>(scorer: &S, items: &[ContextItem]) {
    if let Err(broken) = check_scorer(scorer, items) {
        panic!("{broken}");
    }
}
