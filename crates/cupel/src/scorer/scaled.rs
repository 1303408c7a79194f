//! Another scorer's scores, stretched to the whole of `[0, 1]`.

use std::fmt;

use super::{ScoreBreakdown, ScorePart, Scorer, breakdown_checked, check_depth, score_checked};
use crate::{ContextItem, CupelError, RunContext};

/// Stretches another scorer's scores so that the lowest becomes 0 and the highest 1.
///
/// When all are equal, or the item's own score is not finite, it gives 0.5: no information.
/// However deeply nested, scoring all items costs one batch of the innermost scorer plus one pass
/// per level.
///
/// In a [breakdown](Scorer::breakdown) a scorer alone inside this one has the stretched score as its
/// own. The parts of several are stretched alike, and what the lowest score was moved by to become 0
/// is a part named `scaled`; so is the whole score where it is no information.
pub struct ScaledScorer {
    /// The error if that is too deep, and then no scorer: not even dropping one takes more stack than
    /// there is.
    inner: Result<Box<dyn Scorer>, CupelError>,
    depth: usize,
}

impl ScaledScorer {
    /// Scales `inner`. More than [`MAX_SCORER_DEPTH`](super::MAX_SCORER_DEPTH) scorers deep it
    /// cannot be part of a policy, and scoring is an error.
    pub fn new(inner: impl Scorer + 'static) -> Self {
        let depth = inner.depth().saturating_add(1);
        Self { inner: check_depth(depth).map(|()| Box::new(inner) as _), depth }
    }

    fn inner(&self) -> Result<&dyn Scorer, CupelError> {
        self.inner.as_deref().map_err(Clone::clone)
    }
}

const NAME: &str = "scaled";
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

/// The parts of the score that [`scale`] made of `raw`.
fn scale_parts(
    mut parts: Vec<ScorePart>,
    raw: f64,
    scaled: f64,
    (min, max): (f64, f64),
) -> Vec<ScorePart> {
    if let [alone] = &mut parts[..] {
        (alone.weight, alone.score, alone.contribution) = (1.0, scaled, scaled);
        return parts;
    }
    // At half their size, as in `scale`.
    let width = max / 2.0 - min / 2.0;
    let stretch = |number: f64| number / 2.0 / width;
    for part in &mut parts {
        (part.weight, part.contribution) = (stretch(part.weight), stretch(part.contribution));
    }
    if min != 0.0 {
        parts.push(ScorePart::new(NAME, stretch(-min)));
    }
    // No information has no parts, and parts far larger than their sum may stretch beyond all numbers.
    let can_be_told = |part: &ScorePart| part.weight.is_finite() && part.contribution.is_finite();
    if min == max || !raw.is_finite() || !parts.iter().all(can_be_told) {
        return vec![ScorePart::new(NAME, scaled)];
    }
    parts
}

fn scale_all(mut scores: Vec<f64>) -> Vec<f64> {
    let range = range(&scores);
    for score in &mut scores {
        *score = scale(*score, range);
    }
    scores
}

fn scale_breakdowns(mut inner: Vec<ScoreBreakdown>) -> Vec<ScoreBreakdown> {
    let raw: Vec<f64> = inner.iter().map(|it| it.score).collect();
    let range = range(&raw);
    for (it, raw) in inner.iter_mut().zip(raw) {
        it.score = scale(raw, range);
        it.parts = scale_parts(std::mem::take(&mut it.parts), raw, it.score, range);
    }
    inner
}

impl Scorer for ScaledScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        let context = RunContext::default();
        let scores = self.inner().and_then(|inner| score_checked(inner, all_items, &context));
        let Ok(scores) = scores else { return NO_INFORMATION };
        let own = all_items.iter().rposition(|other| other.is_same_instance(item));
        own.map_or(NO_INFORMATION, |at| scale(scores[at], range(&scores)))
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        score_checked(self.inner()?, items, context).map(scale_all)
    }

    fn breakdown(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        breakdown_checked(self.inner()?, items, context).map(scale_breakdowns)
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn name(&self) -> &str {
        NAME
    }
}

impl fmt::Debug for ScaledScorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScaledScorer")
            .field("inner", &self.inner().map_or("too deep", Scorer::name))
            .finish()
    }
}
