//! What a slicer or placer sees of an item.

use crate::{ContextItem, ScoredItem};

/// A borrowed [`ScoredItem`]: what a slicer chooses from and a placer arranges.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    item: &'a ContextItem,
    score: f64,
    /// Read once, so that strategies do not reach into the item again.
    tokens: i64,
}

impl<'a> Candidate<'a> {
    /// Pairs an item with its score.
    pub fn new(item: &'a ContextItem, score: f64) -> Self {
        Self { item, score, tokens: item.tokens() }
    }

    /// [`new`](Self::new) for tokens that are known already.
    pub(crate) fn with_tokens(item: &'a ContextItem, score: f64, tokens: i64) -> Self {
        Self { item, score, tokens }
    }

    /// The item.
    pub fn item(&self) -> &'a ContextItem {
        self.item
    }

    /// Its score.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Its token count.
    pub fn tokens(&self) -> i64 {
        self.tokens
    }

    pub(crate) fn all_of(items: &'a [ScoredItem]) -> Vec<Self> {
        items.iter().map(|scored| Self::new(&scored.item, scored.score)).collect()
    }

    pub(crate) fn to_scored(candidates: &[Self]) -> Vec<ScoredItem> {
        let scored = |it: &Self| ScoredItem { item: it.item.clone(), score: it.score };
        candidates.iter().map(scored).collect()
    }
}
