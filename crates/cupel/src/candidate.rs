//! The unit of selection.

use chrono::{DateTime, Utc};

use crate::model::{Form, Unit};
use crate::{ContextItem, ContextKind, ScoredItem};

/// One candidate on its way through a run: what a slicer chooses from and a placer arranges.
///
/// It is an item, or a [unit](ContextItem::group) of several. It is known by its index, never by its item: the same
/// handle may be given twice.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    whole: Whole<'a>,
    score: f64,
    /// Copied from the item, as is what else strategies need: sorted candidates lie all over the memory, and
    /// strategies need not follow their pointers again.
    tokens: i64,
}

/// An item or a unit, and beside the pointer, where there is room, some more that strategies need.
///
/// - `index`: a run addresses no more than fit.
/// - `form`: [`ONLY_FORM`] for all that have no other; those that do have no more than fit.
/// - `kind`: its index among the well-known ones, or [`NO_INDEX`].
#[derive(Debug, Clone, Copy)]
enum Whole<'a> {
    Item { item: &'a ContextItem, index: u32, form: u16, kind: u8 },
    Unit { unit: &'a Unit<'a>, index: u32, form: u16, kind: u8 },
}

const ONLY_FORM: u16 = u16::MAX;
const NO_INDEX: u8 = u8::MAX;

/// What a candidate begins with.
fn whole_form(has_forms: bool) -> u16 {
    if has_forms { 0 } else { ONLY_FORM }
}

fn index_of(kind: &ContextKind) -> u8 {
    kind.well_known_index().map_or(NO_INDEX, |index| index as u8)
}

impl<'a> Candidate<'a> {
    /// The item at `index` of a run's input, with its score.
    pub fn new(index: usize, item: &'a ContextItem, score: f64) -> Self {
        let (form, kind) = (whole_form(item.has_forms()), index_of(item.kind()));
        let whole = Whole::Item { item, index: index as u32, form, kind };
        Self { whole, score, tokens: item.tokens() }
    }

    pub(crate) fn of_unit(unit: &'a Unit<'a>, score: f64) -> Self {
        let (form, kind) = (whole_form(!unit.forms().is_empty()), index_of(unit.kind()));
        let whole = Whole::Unit { unit, index: unit.indices()[0], form, kind };
        Self { whole, score, tokens: unit.tokens() }
    }

    /// Where it stands in the run's input; of a unit, where its first member does.
    pub fn index(&self) -> usize {
        let (Whole::Item { index, .. } | Whole::Unit { index, .. }) = self.whole;
        index as usize
    }

    /// The item; of a unit, one that stands in for it and is made for the first who asks.
    pub fn item(&self) -> &'a ContextItem {
        match self.whole {
            Whole::Item { item, .. } => item,
            Whole::Unit { unit, .. } => unit.stand_in(),
        }
    }

    /// The item, or the members of a unit, in input order.
    pub(crate) fn items(&self) -> impl Iterator<Item = &'a ContextItem> + use<'a> {
        let (whole, count) = (self.whole, self.indices().len().max(1));
        (0..count).map(move |at| match whole {
            Whole::Item { item, .. } => item,
            Whole::Unit { unit, .. } => unit.member(at),
        })
    }

    /// Indices of a unit's members, ascending; of an item nothing.
    pub(crate) fn indices(&self) -> &'a [u32] {
        match self.whole {
            Whole::Item { .. } => &[],
            Whole::Unit { unit, .. } => unit.indices(),
        }
    }

    pub(crate) fn pinned(&self) -> bool {
        match self.whole {
            Whole::Item { item, .. } => item.pinned(),
            Whole::Unit { unit, .. } => unit.pinned(),
        }
    }

    pub(crate) fn kind(&self) -> &'a ContextKind {
        match self.whole {
            Whole::Item { item, .. } => item.kind(),
            Whole::Unit { unit, .. } => unit.kind(),
        }
    }

    /// The key to sort its time by, as far as 64 bits go; 0 without one.
    pub(crate) fn instant(&self) -> u64 {
        self.dated().map_or(0, ContextItem::instant)
    }

    pub(crate) fn timestamp(&self) -> Option<DateTime<Utc>> {
        self.dated().and_then(ContextItem::timestamp)
    }

    /// The item whose time is the candidate's.
    fn dated(&self) -> Option<&'a ContextItem> {
        match self.whole {
            Whole::Item { item, .. } => Some(item),
            Whole::Unit { unit, .. } => unit.earliest(),
        }
    }

    /// Equal for candidates whose [items](Self::items) have equal contents.
    pub(crate) fn fingerprint(&self) -> u64 {
        match self.whole {
            Whole::Item { item, .. } => item.fingerprint(),
            Whole::Unit { unit, .. } => unit.fingerprint(),
        }
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
        match self.whole {
            _ if !self.has_forms() => &[],
            Whole::Item { item, .. } => item.forms(),
            Whole::Unit { unit, .. } => unit.forms(),
        }
    }

    /// Whether it has any, without a look at the item.
    pub(crate) fn has_forms(&self) -> bool {
        let (Whole::Item { form, .. } | Whole::Unit { form, .. }) = self.whole;
        form != ONLY_FORM
    }

    /// Its form: 0 for whole, 1 for the first of its [shorter forms](Self::forms), and so on.
    pub fn form(&self) -> usize {
        let (Whole::Item { form, .. } | Whole::Unit { form, .. }) = self.whole;
        if form == ONLY_FORM { 0 } else { form.into() }
    }

    /// The same candidate in another of its forms.
    pub(crate) fn in_form(mut self, form: usize) -> Self {
        self.tokens = self.tokens_in(form);
        let (Whole::Item { form: own, .. } | Whole::Unit { form: own, .. }) = &mut self.whole;
        if *own != ONLY_FORM {
            *own = form as u16;
        }
        self
    }

    /// What it costs in one of its forms.
    pub(crate) fn tokens_in(&self, form: usize) -> i64 {
        match form {
            form if form == self.form() => self.tokens,
            0 => self.whole_tokens(),
            shorter => self.forms()[shorter - 1].tokens,
        }
    }

    fn whole_tokens(&self) -> i64 {
        match self.whole {
            Whole::Item { item, .. } => item.tokens(),
            Whole::Unit { unit, .. } => unit.tokens(),
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
        let (Whole::Item { kind, .. } | Whole::Unit { kind, .. }) = self.whole;
        (kind != NO_INDEX).then_some(kind.into())
    }

    pub(crate) fn set_score(&mut self, score: f64) {
        self.score = score;
    }

    /// The item in the candidate's form: what a window holds.
    pub(crate) fn to_item(self) -> ContextItem {
        if self.form() == 0 { self.item().clone() } else { self.item().in_form(self.form()) }
    }

    /// These items as the whole input of a run.
    pub fn all_of(items: &'a [ScoredItem]) -> Vec<Self> {
        let candidate = |(index, it): (usize, &'a ScoredItem)| Self::new(index, &it.item, it.score);
        items.iter().enumerate().map(candidate).collect()
    }

    pub(crate) fn to_scored(candidates: &[Self]) -> Vec<ScoredItem> {
        let scored = |it: &Self| ScoredItem { item: it.item().clone(), score: it.score };
        candidates.iter().map(scored).collect()
    }
}
