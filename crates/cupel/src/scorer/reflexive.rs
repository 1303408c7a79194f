//! What the caller says it is worth.

use super::Scorer;
use crate::ContextItem;

/// Passes through `future_relevance_hint`, clamped to `[0, 1]`; none or a non-finite one scores 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReflexiveScorer;

impl Scorer for ReflexiveScorer {
    #[inline]
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        match item.future_relevance_hint() {
            Some(hint) if hint.is_finite() => hint.clamp(0.0, 1.0),
            _ => 0.0,
        }
    }

    fn name(&self) -> &str {
        "reflexive"
    }
}
