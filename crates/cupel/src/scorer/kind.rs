//! A weight per kind.

use super::{Scorer, weight};
use crate::model::KindMap;
use crate::{ContextItem, ContextKind, CupelError};

/// Scores an item by the weight of its kind; kinds without a weight score 0.
#[derive(Debug, Clone)]
pub struct KindScorer {
    weights: KindMap<ContextKind, f64>,
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
        Self { weights: weights.into_iter().collect() }
    }

    /// Weights of your own, each kind at most once: finite, at least 0, not limited to 1.
    pub fn new(weights: impl IntoIterator<Item = (ContextKind, f64)>) -> Result<Self, CupelError> {
        let mut weights: Vec<_> = weights.into_iter().collect();
        // So that of two bad weights the same one is always reported.
        weights.sort_unstable_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        for (kind, of_kind) in &weights {
            weight::non_negative(*of_kind, &format!("kind {kind}"))?;
        }
        let count = weights.len();
        let weights: KindMap<_, _> = weights.into_iter().collect();
        if weights.len() < count {
            return Err(CupelError::ScorerConfig("a kind is weighted twice; keep one".to_owned()));
        }
        Ok(Self { weights })
    }
}

impl Default for KindScorer {
    fn default() -> Self {
        Self::with_default_weights()
    }
}

impl Scorer for KindScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        self.weights.get(item.kind()).copied().unwrap_or(0.0)
    }

    fn name(&self) -> &str {
        "kind"
    }
}
