//! What is asked, of which candidates, and what the answer needs.

mod problem;
mod read;
mod write;

use std::collections::HashMap;
use std::ops::Range;

use cupel::{ContextItem, Query};

pub use problem::SetError;
pub use read::{SetReader, estimated_tokens};
pub use write::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

/// Questions, each with its evidence, and the pools of candidates that they are asked of.
///
/// ```
/// let set = cupel_eval::Set::parse(
///     r#"{"pool": "handbook", "items": [{"id": "a", "content": "Fines are waived."}, {"id": "b", "content": "We open at nine."}]}
///        {"question": "When do we open?", "pool": "handbook", "gold": ["b"]}"#,
/// )?;
/// assert_eq!(set.questions()[0].gold().items().collect::<Vec<_>>(), [1]);
/// # Ok::<(), cupel_eval::SetError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Set {
    pools: Vec<Pool>,
    questions: Vec<Question>,
}

impl Set {
    /// Reads JSON Lines, with tokens [estimated](estimated_tokens) where items do not say them.
    ///
    /// # Errors
    /// With the first line that is wrong, and when there is no question.
    pub fn parse(text: &str) -> Result<Self, SetError> {
        let mut reader = SetReader::new();
        text.lines().try_for_each(|line| reader.line(line))?;
        reader.finish()
    }

    /// The pools, in the order of their lines.
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// The questions, in the order of their lines.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The pool that a question is asked of.
    pub fn pool_of(&self, question: &Question) -> &Pool {
        &self.pools[question.pool]
    }

    /// What a question may choose from.
    pub fn candidates(&self, question: &Question) -> &[ContextItem] {
        &self.pool_of(question).items[..question.candidates]
    }

    /// The same set with no more than `most` of its questions: chosen by `seed`, in their order. The first ones would be
    /// those of the first pool.
    #[must_use]
    pub fn sample(mut self, most: usize, seed: u64) -> Self {
        let mut random = crate::random::SplitMix64::new(seed);
        let mut missing = most.min(self.questions.len());
        let mut left = self.questions.len();
        self.questions.retain(|_| {
            let is_chosen = random.below(left) < missing;
            left -= 1;
            missing -= usize::from(is_chosen);
            is_chosen
        });
        self
    }
}

/// Candidates under one name.
#[derive(Debug, Clone)]
pub struct Pool {
    name: String,
    items: Vec<ContextItem>,
    ids: Vec<String>,
    by_id: HashMap<String, usize>,
    /// The first item with the same content, of each item.
    twins: Vec<usize>,
}

impl Pool {
    fn new(name: String, items: Vec<ContextItem>, ids: Vec<String>) -> Self {
        let by_id = ids.iter().enumerate().map(|(at, id)| (id.clone(), at)).collect();
        let mut first = HashMap::with_capacity(items.len());
        let twins = items.iter().enumerate();
        let twins = twins.map(|(at, item)| *first.entry(item.content()).or_insert(at)).collect();
        Self { name, twins, items, ids, by_id }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its items, in the order of its line: the oldest first, where they have an age.
    pub fn items(&self) -> &[ContextItem] {
        &self.items
    }

    /// What the set calls the item at `position`.
    pub fn id(&self, position: usize) -> &str {
        &self.ids[position]
    }

    /// Where the item of that id stands.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The first item that says the same as the one at `position`.
    pub(crate) fn twin(&self, position: usize) -> usize {
        self.twins[position]
    }
}

/// A question with its evidence.
#[derive(Debug, Clone)]
pub struct Question {
    id: String,
    query: Query,
    pool: usize,
    candidates: usize,
    gold: Gold,
}

impl Question {
    /// What the set calls it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is asked, with its embedding if the set has one.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// What the answer needs.
    pub fn gold(&self) -> &Gold {
        &self.gold
    }

    /// Where its pool stands among the set's.
    pub fn pool(&self) -> usize {
        self.pool
    }
}

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
}

impl Gold {
    /// Whole items, by their positions.
    fn of_items(items: impl IntoIterator<Item = usize>) -> Self {
        let pieces = items.into_iter().enumerate();
        let pieces: Vec<_> = pieces.map(|(at, item)| Piece { item, covers: at..at + 1 }).collect();
        Self { size: pieces.len(), pieces }
    }

    /// Characters of documents, in whatever items hold them.
    fn of_characters<'p>(
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
                    pieces.push(Piece { item, covers });
                }
            }
        }
        Self { size: merged.iter().map(|span| span.end - span.start).sum(), pieces }
    }

    /// The items that hold some of it, in the order of the pool, each once.
    pub fn items(&self) -> impl Iterator<Item = usize> + '_ {
        let mut items: Vec<_> = self.pieces.iter().map(|piece| piece.item).collect();
        items.sort_unstable();
        items.dedup();
        items.into_iter()
    }

    /// The share of it, from 0 to 1, that the items hold for which `is_held` says so.
    pub fn recall(&self, is_held: impl Fn(usize) -> bool) -> f64 {
        let held = self.pieces.iter().filter(|piece| is_held(piece.item));
        let mut held: Vec<_> = held.map(|piece| (piece.covers.start, piece.covers.end)).collect();
        held.sort_unstable();
        let (mut covered, mut until) = (0, 0);
        for (start, end) in held {
            covered += end.saturating_sub(start.max(until));
            until = until.max(end);
        }
        covered as f64 / self.size as f64
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

/// A range of characters of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) document: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(document: &str, start: usize, end: usize) -> Passage {
        Passage { document: document.to_owned(), start, end }
    }

    #[test]
    fn the_recall_of_items_is_the_share_that_is_held() {
        let gold = Gold::of_items([3, 5, 8, 9]);
        assert_eq!(gold.recall(|item| item == 5), 0.25);
        assert_eq!(gold.recall(|item| item >= 5), 0.75);
        assert_eq!(gold.recall(|_| false), 0.0);
    }

    #[test]
    fn characters_count_once_however_many_items_hold_them() {
        // Gold is 10..20 and, given twice and overlapping, 30..40: 20 characters.
        let spans = vec![span("a", 30, 36), span("a", 10, 20), span("a", 34, 40)];
        let items = [span("a", 0, 15), span("a", 12, 18), span("a", 35, 99), span("b", 10, 20)];
        let gold = Gold::of_characters(spans, items.iter().enumerate());
        assert_eq!(gold.size, 20);
        assert_eq!(gold.items().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(gold.recall(|item| item == 0), 5.0 / 20.0);
        assert_eq!(gold.recall(|item| item <= 1), 8.0 / 20.0);
        assert_eq!(gold.recall(|_| true), 13.0 / 20.0);
    }
}
