//! What a scorer promises.

use cupel::{ContextItem, Scorer, Scratch};

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

    let batch = scorer.score_all(items);
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

    // The second pass meets working memory that the first has used.
    let mut scratch = Scratch::new();
    for (again, input) in [
        ("the same items again", items.to_vec()),
        ("the same items a third time", items.to_vec()),
        ("equal items", rebuilt_items(items)),
    ] {
        let scores = scorer.score_batch(&input, &mut scratch);
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
    match misadded(scorer, items, &batch) {
        Some(finding) => broken(Law::BatchEqualsSingle, finding),
        None => Ok(()),
    }
}

/// Where adding scores to sums, as a composite does, differs from scoring and then adding.
fn misadded<S: Scorer + ?Sized>(
    scorer: &S,
    items: &[ContextItem],
    scores: &[f64],
) -> Option<String> {
    const SUM: f64 = 0.25;
    const WEIGHT: f64 = 0.75;
    let mut sums = vec![SUM; items.len()];
    let count = scorer.add_batch(items, WEIGHT, &mut sums, &mut Scratch::new());
    if count != items.len() {
        return Some(format!("added {count} scores for {} items", items.len()));
    }
    let expected = scores.iter().map(|score| SUM + score * WEIGHT);
    let mut sums = items.iter().zip(sums).zip(expected);
    let ((item, sum), expected) = sums.find(|((_, sum), expected)| !same_score(*sum, *expected))?;
    let item = describe::item(item);
    Some(format!("made {SUM} and {WEIGHT} times the score of {item} {sum:?}, not {expected:?}"))
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
