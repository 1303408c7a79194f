//! Several scorers as one.

use std::fmt;

use super::{ScoreBreakdown, Scorer, breakdown_checked, check_depth, score_checked, weight};
use crate::{ContextItem, CupelError, RunContext};

/// The weighted average of other scorers.
///
/// Weights are relative: `3 : 1` and `0.75 : 0.25` are the same. A scorer owns its children, so a
/// scorer that contains itself cannot be built.
///
/// ```
/// use cupel::{CompositeScorer, KindScorer, RecencyScorer};
///
/// let scorer = CompositeScorer::new(vec![
///     (Box::new(RecencyScorer), 3.0),
///     (Box::new(KindScorer::with_default_weights()), 1.0),
/// ])?;
/// # let _ = scorer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct CompositeScorer {
    /// Children with their normalised weights.
    children: Vec<(Box<dyn Scorer>, f64)>,
    depth: usize,
}

impl CompositeScorer {
    /// At least one scorer; each weight finite and greater than 0; at most
    /// [`MAX_SCORER_DEPTH`](super::MAX_SCORER_DEPTH) scorers deep.
    pub fn new(mut entries: Vec<(Box<dyn Scorer>, f64)>) -> Result<Self, CupelError> {
        if entries.is_empty() {
            return Err(CupelError::ScorerConfig(
                "a composite of 0 scorers has nothing to average; give at least one".to_owned(),
            ));
        }
        let deepest = entries.iter().map(|(child, _)| child.depth()).max().unwrap_or(0);
        let depth = deepest.saturating_add(1);
        check_depth(depth)?;
        let mut total = 0.0;
        for (at, (_, weight)) in entries.iter().enumerate() {
            weight::positive(*weight, &format!("the weight of scorer {at}"))?;
            total += weight;
        }
        let total = weight::finite_total(total, "composite weights")?;
        for (_, weight) in &mut entries {
            *weight /= total;
        }
        Ok(Self { children: entries, depth })
    }
}

impl Scorer for CompositeScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        let mut sum = 0.0;
        for (child, weight) in &self.children {
            sum += child.score(item, all_items) * weight;
        }
        sum
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let mut sums = vec![0.0; items.len()];
        for (child, weight) in &self.children {
            let scores = score_checked(&**child, items, context);
            scores.map(|scores| add_weighted(&mut sums, &scores, *weight))?;
        }
        Ok(sums)
    }

    fn breakdown(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        let mut whole = nothing_yet(items.len());
        for (child, weight) in &self.children {
            let inner = breakdown_checked(&**child, items, context);
            inner.map(|inner| add_parts(&mut whole, inner, *weight))?;
        }
        Ok(whole)
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn name(&self) -> &str {
        "composite"
    }
}

fn add_weighted(sums: &mut [f64], scores: &[f64], weight: f64) {
    for (sum, score) in sums.iter_mut().zip(scores) {
        *sum += score * weight;
    }
}

fn nothing_yet(items: usize) -> Vec<ScoreBreakdown> {
    (0..items).map(|index| ScoreBreakdown::new(index, 0.0, Vec::new())).collect()
}

/// [`add_weighted`], with the parts.
fn add_parts(whole: &mut [ScoreBreakdown], inner: Vec<ScoreBreakdown>, weight: f64) {
    for (sum, it) in whole.iter_mut().zip(inner) {
        sum.score += it.score * weight;
        sum.parts.extend(it.parts.into_iter().map(|part| part.weighted(weight)));
    }
}

impl fmt::Debug for CompositeScorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let children = self.children.iter().map(|(child, weight)| (child.name(), weight));
        f.debug_map().entries(children).finish()
    }
}
