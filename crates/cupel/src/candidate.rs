//! The unit of selection.

use crate::model::Form;
use crate::{ContextItem, ScoredItem};

/// One candidate on its way through a run: what a slicer chooses from and a placer arranges.
///
/// It is an item, or a [unit](ContextItem::group) of several, which has an item to stand in for it. It is known by its
/// index, never by its item: the same handle may be given twice.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    item: &'a ContextItem,
    score: f64,
    /// Copied from the item, as is what else strategies need: sorted candidates lie all over the memory, and
    /// strategies need not follow their pointers again.
    tokens: i64,
    /// A run addresses no more.
    index: u32,
    /// Its item has no more forms than fit.
    form: u16,
    /// [`NO_INDEX`] for all kinds that are not well-known.
    well_known_kind: u8,
    has_forms: bool,
}

const NO_INDEX: u8 = u8::MAX;

impl<'a> Candidate<'a> {
    /// The item at `index` of a run's input, with its score.
    pub fn new(index: usize, item: &'a ContextItem, score: f64) -> Self {
        let well_known_kind = item.kind().well_known_index().map_or(NO_INDEX, |index| index as u8);
        let (tokens, has_forms) = (item.tokens(), item.has_forms());
        Self { item, score, tokens, index: index as u32, form: 0, well_known_kind, has_forms }
    }

    /// Where it stands in the run's input; of a unit, where its first member does.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// The item; of a unit, the item that stands in for it.
    pub fn item(&self) -> &'a ContextItem {
        self.item
    }

    /// Its score.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Its token count, in its present form.
    pub fn tokens(&self) -> i64 {
        self.tokens
    }

    /// What its shorter forms cost and are worth, richest first.
    pub fn forms(&self) -> &'a [Form] {
        if self.has_forms { self.item.forms() } else { &[] }
    }

    /// Its form: 0 for whole, 1 for the first of its [shorter forms](Self::forms), and so on.
    pub fn form(&self) -> usize {
        self.form.into()
    }

    /// The same candidate in another of its forms.
    pub(crate) fn in_form(mut self, form: usize) -> Self {
        self.tokens = self.tokens_in(form);
        self.form = form as u16;
        self
    }

    /// What it costs in one of its forms.
    pub(crate) fn tokens_in(&self, form: usize) -> i64 {
        match form {
            form if form == self.form() => self.tokens,
            0 => self.item.tokens(),
            shorter => self.forms()[shorter - 1].tokens,
        }
    }

    /// The richest of its forms that costs no more than `tokens`.
    pub(crate) fn richest_within(&self, tokens: i64) -> Option<usize> {
        if self.tokens <= tokens {
            return Some(0);
        }
        self.forms().iter().position(|form| form.tokens <= tokens).map(|at| at + 1)
    }

    /// The last of its forms, which costs least.
    pub(crate) fn shortest(&self) -> usize {
        self.forms().len()
    }

    /// The index of its kind among the well-known ones, if it is one of them.
    pub(crate) fn well_known_kind(&self) -> Option<usize> {
        (self.well_known_kind != NO_INDEX).then_some(self.well_known_kind.into())
    }

    pub(crate) fn set_score(&mut self, score: f64) {
        self.score = score;
    }

    /// The item in the candidate's form: what a window holds.
    pub(crate) fn to_item(self) -> ContextItem {
        if self.form == 0 { self.item.clone() } else { self.item.in_form(self.form()) }
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
