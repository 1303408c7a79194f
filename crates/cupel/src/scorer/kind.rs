//! A weight per kind.

use std::collections::HashMap;

use super::{Scorer, weight};
use crate::model::KindMap;
use crate::{ContextItem, ContextKind, CupelError, Scratch};

/// Scores an item by the weight of its kind; kinds without a weight score 0.
#[derive(Debug, Clone)]
pub struct KindScorer {
    weights: KindMap<ContextKind, f64>,
    /// Those of well-known kinds once more, by place.
    of_well_known: [f64; ContextKind::WELL_KNOWN.len()],
}

impl KindScorer {
    /// System prompts 1, memories 0.8, tool outputs 0.6, documents 0.4, messages 0.2.
    pub fn with_default_weights() -> Self {
        let weights = [
            (ContextKind::system_prompt(), 1.0),
            (ContextKind::memory(), 0.8),
            (ContextKind::tool_output(), 0.6),
            (ContextKind::document(), 0.4),
            (ContextKind::message(), 0.2),
        ];
        Self::of(weights)
    }

    /// Weights of your own: finite, at least 0, not limited to 1.
    pub fn new(weights: HashMap<ContextKind, f64>) -> Result<Self, CupelError> {
        let mut weights: Vec<_> = weights.into_iter().collect();
        // So that of two bad weights the same one is always reported.
        weights.sort_unstable_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        for (kind, of_kind) in &weights {
            weight::non_negative(*of_kind, &format!("kind {kind}"))?;
        }
        Ok(Self::of(weights))
    }

    fn of(weights: impl IntoIterator<Item = (ContextKind, f64)>) -> Self {
        let weights: KindMap<_, _> = weights.into_iter().collect();
        let of_well_known = weights.of_well_known().map(|weight| weight.copied().unwrap_or(0.0));
        Self { weights, of_well_known }
    }
}

impl Default for KindScorer {
    fn default() -> Self {
        Self::with_default_weights()
    }
}

impl Scorer for KindScorer {
    #[inline]
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        match self.of_well_known.get(item.kind_place()) {
            Some(weight) => *weight,
            None => self.weights.get(item.kind()).copied().unwrap_or(0.0),
        }
    }

    fn add_batch(
        &self,
        items: &[ContextItem],
        weight: f64,
        sums: &mut [f64],
        _scratch: &mut Scratch,
    ) -> usize {
        for (sum, item) in sums.iter_mut().zip(items) {
            *sum += self.score(item, items) * weight;
        }
        items.len()
    }
}
