//! The unit of selection.

use crate::{ContextItem, ScoredItem};

/// One candidate on its way through a run: what a slicer chooses from and a placer arranges.
///
/// It is known by its index, never by its item: the same handle may be given twice.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    item: &'a ContextItem,
    score: f64,
    /// Copied from the item, as is what is known of its kind: sorted candidates lie all over the memory,
    /// and strategies need not follow their pointers again.
    tokens: i64,
    /// A run addresses no more.
    index: u32,
    well_known_kind: Option<u8>,
}

impl<'a> Candidate<'a> {
    /// The item at `index` of a run's input, with its score.
    pub fn new(index: usize, item: &'a ContextItem, score: f64) -> Self {
        let well_known_kind = item.kind().well_known_index().map(|index| index as u8);
        Self { item, score, tokens: item.tokens(), index: index as u32, well_known_kind }
    }

    /// Where it stands in the run's input.
    pub fn index(&self) -> usize {
        self.index as usize
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

    /// The index of its kind among the well-known ones, if it is one of them.
    pub(crate) fn well_known_kind(&self) -> Option<usize> {
        self.well_known_kind.map(usize::from)
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
