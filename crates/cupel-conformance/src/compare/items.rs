//! Naming and telling apart the items of a task.

use std::collections::BTreeMap;

use crate::engine::{Entry, first_position, item_at};
use crate::vector::ItemRef;

/// The items of a task, as expectations and messages speak of them.
#[derive(Clone, Copy)]
pub(super) struct Items<'v>(pub(super) &'v [Entry]);

impl<'v> Items<'v> {
    pub(super) fn content(self, position: usize) -> Option<&'v str> {
        item_at(self.0, position).map(|item| item.content.as_str())
    }

    /// The content, with the position where contents repeat.
    pub(super) fn show(self, position: usize) -> String {
        let Some(content) = self.content(position) else {
            return format!("position {position} of {} items", self.0.len());
        };
        let repeated =
            (0..self.0.len()).filter(|&at| self.content(at) == Some(content)).count() > 1;
        if repeated { format!("{content:?} (item {position})") } else { format!("{content:?}") }
    }

    pub(super) fn show_all(self, positions: &[usize]) -> String {
        list(positions.iter().map(|&position| self.show(position)))
    }

    /// Whether the item at `position` is the expected one.
    pub(super) fn is(self, position: usize, expected: &ItemRef) -> bool {
        let content = self.content(position);
        content.is_some()
            && expected.content.as_deref().is_none_or(|expected| content == Some(expected))
            && expected.index.is_none_or(|index| self.same_instance(position, index))
    }

    fn same_instance(self, a: usize, b: usize) -> bool {
        first_position(self.0, a) == first_position(self.0, b)
    }

    /// Whether the same instances stand in both lists, in the same order.
    pub(super) fn same_instances(self, a: &[usize], b: &[usize]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same_instance(*a, *b))
    }

    /// How often each instance is named.
    pub(super) fn instances(
        self,
        positions: impl IntoIterator<Item = usize>,
    ) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        for position in positions {
            *counts.entry(first_position(self.0, position)).or_default() += 1;
        }
        counts
    }

    /// The contents of items; those that do not exist have none.
    pub(super) fn contents(self, positions: &[usize]) -> Vec<Option<&'v str>> {
        positions.iter().map(|&position| self.content(position)).collect()
    }
}

/// Several things in brackets.
pub(super) fn list(shown: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", shown.into_iter().collect::<Vec<_>>().join(", "))
}

pub(super) fn quoted(contents: &[String]) -> String {
    list(contents.iter().map(|content| format!("{content:?}")))
}

pub(super) fn show_ref(expected: &ItemRef) -> String {
    match (&expected.content, expected.index) {
        (Some(content), Some(index)) => format!("{content:?} (item {index})"),
        (Some(content), None) => format!("{content:?}"),
        (None, Some(index)) => format!("item {index}"),
        (None, None) => "any item".to_owned(),
    }
}
