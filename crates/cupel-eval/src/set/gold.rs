//! What an answer needs.

use std::ops::Range;

/// What an answer needs: items, or characters that items hold.
///
/// Both are the same thing here, a stretch of the numbers from 0 to `size`, of which each item covers a part: one number
/// of its own if whole items are named, some characters otherwise. Overlapping items may cover the same part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    pieces: Vec<Piece>,
    size: usize,
}

/// What one item holds of the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) item: usize,
    pub(crate) covers: Range<usize>,
    /// Which of the item's shorter forms hold it as well, the longest first; of those not listed none does.
    pub(crate) in_shorter_forms: Vec<bool>,
}

impl Piece {
    /// Whether the item holds it in that form: 0 is the whole, 1 the longest of the shorter ones.
    pub(crate) fn is_in(&self, form: usize) -> bool {
        match form.checked_sub(1) {
            None => true,
            Some(shorter) => self.in_shorter_forms.get(shorter).copied().unwrap_or(false),
        }
    }
}

/// A range of characters of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) document: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// No document is longer, in characters; sums of lengths stay far from what can be counted.
const LONGEST_DOCUMENT: usize = 1 << 40;

impl Passage {
    /// What is wrong with the characters from `start` to `end`, if anything is.
    pub(super) fn check(start: usize, end: usize) -> Result<(), String> {
        if start >= end {
            return Err("these are none".to_owned());
        }
        if end > LONGEST_DOCUMENT {
            return Err(format!("no document has more than {LONGEST_DOCUMENT}"));
        }
        Ok(())
    }
}

impl Gold {
    /// Items by their positions, each with those of its shorter forms that do as well.
    pub(super) fn of_items(items: impl IntoIterator<Item = (usize, Vec<bool>)>) -> Self {
        let pieces = items.into_iter().enumerate();
        let pieces: Vec<_> = pieces
            .map(|(at, (item, in_shorter_forms))| Piece {
                item,
                covers: at..at + 1,
                in_shorter_forms,
            })
            .collect();
        Self { size: pieces.len(), pieces }
    }

    /// Characters of documents, in whatever items hold them.
    pub(super) fn of_characters<'p>(
        mut spans: Vec<Passage>,
        items: impl Iterator<Item = (usize, &'p Passage)>,
    ) -> Self {
        spans.sort_unstable_by(|a, b| {
            (&a.document, a.start, a.end).cmp(&(&b.document, b.start, b.end))
        });
        let mut merged: Vec<Passage> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if last.document == span.document && span.start <= last.end => {
                    last.end = last.end.max(span.end);
                }
                _ => merged.push(span),
            }
        }
        let starts: Vec<_> = merged
            .iter()
            .scan(0, |before, span| {
                Some(std::mem::replace(before, *before + (span.end - span.start)))
            })
            .collect();
        let mut pieces = Vec::new();
        for (item, held) in items {
            for (span, before) in merged.iter().zip(&starts) {
                let (start, end) = (held.start.max(span.start), held.end.min(span.end));
                if held.document == span.document && start < end {
                    let covers = before + (start - span.start)..before + (end - span.start);
                    pieces.push(Piece { item, covers, in_shorter_forms: Vec::new() });
                }
            }
        }
        Self { size: merged.iter().map(|span| span.end - span.start).sum(), pieces }
    }

    /// The items that hold some of it, in the order of the pool, each once.
    pub fn items(&self) -> Vec<usize> {
        in_order(self.pieces.iter())
    }

    /// The share of it, from 0 to 1, that is in a window. `form` says in which form each item is there, 0 for the whole, if it
    /// is.
    pub fn recall(&self, form: impl Fn(usize) -> Option<usize>) -> f64 {
        let held = self.pieces.iter().filter(|piece| is_held(piece, &form));
        let mut held: Vec<_> = held.map(|piece| (piece.covers.start, piece.covers.end)).collect();
        held.sort_unstable();
        let (mut covered, mut until) = (0, 0);
        for (start, end) in held {
            covered += end.saturating_sub(start.max(until));
            until = until.max(end);
        }
        covered as f64 / self.size as f64
    }

    /// The items that hold some of it which is not in the window, in the order of the pool, each once.
    pub fn missed(&self, form: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
        in_order(self.pieces.iter().filter(|piece| !is_held(piece, &form)))
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

fn is_held(piece: &Piece, form: impl Fn(usize) -> Option<usize>) -> bool {
    form(piece.item).is_some_and(|form| piece.is_in(form))
}

/// The items of some pieces, each once.
fn in_order<'p>(pieces: impl Iterator<Item = &'p Piece>) -> Vec<usize> {
    let mut items: Vec<_> = pieces.map(|piece| piece.item).collect();
    items.sort_unstable();
    items.dedup();
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(document: &str, start: usize, end: usize) -> Passage {
        Passage { document: document.to_owned(), start, end }
    }

    fn whole(is_held: impl Fn(usize) -> bool) -> impl Fn(usize) -> Option<usize> {
        move |item| is_held(item).then_some(0)
    }

    #[test]
    fn the_recall_of_items_is_the_share_that_is_held() {
        let gold = Gold::of_items([3, 5, 8, 9].map(|item| (item, Vec::new())));
        assert_eq!(gold.recall(whole(|item| item == 5)), 0.25);
        assert_eq!(gold.recall(whole(|item| item >= 5)), 0.75);
        assert_eq!(gold.recall(|_| None), 0.0);
        assert_eq!(gold.missed(whole(|item| item == 5)), [3, 8, 9]);
    }

    #[test]
    fn a_shorter_form_counts_where_it_still_says_what_is_needed() {
        let gold = Gold::of_items([(0, vec![true, false]), (1, Vec::new())]);
        let at = |forms: [Option<usize>; 2]| gold.recall(move |item| forms[item]);
        assert_eq!(at([Some(0), Some(0)]), 1.0);
        assert_eq!(at([Some(1), Some(1)]), 0.5);
        assert_eq!(at([Some(2), None]), 0.0);
        assert_eq!(at([Some(3), None]), 0.0);
    }

    #[test]
    fn characters_count_once_however_many_items_hold_them() {
        // Gold is 10..20 and, given twice and overlapping, 30..40: 20 characters.
        let spans = vec![span("a", 30, 36), span("a", 10, 20), span("a", 34, 40)];
        let items = [span("a", 0, 15), span("a", 12, 18), span("a", 35, 99), span("b", 10, 20)];
        let gold = Gold::of_characters(spans, items.iter().enumerate());
        assert_eq!(gold.size, 20);
        assert_eq!(gold.items(), [0, 1, 2]);
        assert_eq!(gold.recall(whole(|item| item == 0)), 5.0 / 20.0);
        assert_eq!(gold.recall(whole(|item| item <= 1)), 8.0 / 20.0);
        assert_eq!(gold.recall(whole(|_| true)), 13.0 / 20.0);
    }
}
