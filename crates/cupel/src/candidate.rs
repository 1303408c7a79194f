//! The unit of selection.

use crate::{ContextItem, ScoredItem};

/// One candidate on its way through a run: what a slicer chooses from and a placer arranges.
///
/// It is known by its index, never by its item: the same handle may be given twice.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    index: usize,
    item: &'a ContextItem,
    score: f64,
    /// Copied from the item, so that strategies need not follow its pointer again.
    tokens: i64,
}

impl<'a> Candidate<'a> {
    /// The item at `index` of a run's input, with its score.
    pub fn new(index: usize, item: &'a ContextItem, score: f64) -> Self {
        Self { index, item, score, tokens: item.tokens() }
    }

    /// Where it stands in the run's input.
    pub fn index(&self) -> usize {
        self.index
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

    pub(crate) fn set_score(&mut self, score: f64) {
        self.score = score;
    }

    /// These items as the whole input of a run.
    pub fn all_of(items: &'a [ScoredItem]) -> Vec<Self> {
        let candidate = |(index, it): (usize, &'a ScoredItem)| Self::new(index, &it.item, it.score);
        items.iter().enumerate().map(candidate).collect()
    }

    pub(crate) fn to_scored(candidates: &[Self]) -> Vec<ScoredItem> {
        let scored = |it: &Self| ScoredItem { item: it.item.clone(), score: it.score };
        candidates.iter().map(scored).collect()
    }
}
