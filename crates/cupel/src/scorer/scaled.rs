//! Another scorer's scores, stretched to the whole of `[0, 1]`.

use std::fmt;

use super::{Scorer, score_checked};
use crate::{ContextItem, CupelError, RunContext};

/// Stretches another scorer's scores so that the lowest becomes 0 and the highest 1.
///
/// When all are equal, or the item's own score is not finite, it gives 0.5: no information.
/// However deeply nested, scoring all items costs one batch of the innermost scorer plus one pass
/// per level.
pub struct ScaledScorer {
    inner: Box<dyn Scorer>,
}

impl ScaledScorer {
    /// Scales `inner`.
    pub fn new(inner: impl Scorer + 'static) -> Self {
        Self { inner: Box::new(inner) }
    }
}

const NO_INFORMATION: f64 = 0.5;

/// The lowest and highest score; NaN is neither.
fn range(scores: &[f64]) -> (f64, f64) {
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for &score in scores {
        if score < min {
            min = score;
        }
        if score > max {
            max = score;
        }
    }
    (min, max)
}

fn scale(raw: f64, (min, max): (f64, f64)) -> f64 {
    if min == max || !raw.is_finite() {
        return NO_INFORMATION;
    }
    let width = max - min;
    // Finite scores can be further apart than a double holds. At half their size they are not.
    if width.is_infinite() && min.is_finite() && max.is_finite() {
        return (raw / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0);
    }
    (raw - min) / width
}

fn scale_all(mut scores: Vec<f64>) -> Vec<f64> {
    let range = range(&scores);
    for score in &mut scores {
        *score = scale(*score, range);
    }
    scores
}

impl Scorer for ScaledScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        let Ok(scores) = score_checked(&*self.inner, all_items, &RunContext::default()) else {
            return NO_INFORMATION;
        };
        let own = all_items.iter().rposition(|other| other.is_same_instance(item));
        own.map_or(NO_INFORMATION, |at| scale(scores[at], range(&scores)))
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        score_checked(&*self.inner, items, context).map(scale_all)
    }
}

impl fmt::Debug for ScaledScorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScaledScorer").field("inner", &self.inner.name()).finish()
    }
}
