//! What is asked, of which candidates, and what the answer needs.

mod gold;
mod problem;
mod read;
mod read_gold;
mod write;

use std::collections::HashMap;

use cupel::{ContextItem, Query};

pub use gold::Gold;
pub use problem::SetError;
pub use read::{SetReader, estimated_tokens};
pub use write::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine, VariantLine};

/// Questions, each with its evidence, and the pools of candidates that they are asked of.
///
/// ```
/// let set = cupel_eval::Set::parse(
///     r#"{"pool": "handbook", "items": [{"id": "a", "content": "Fines are waived."}, {"id": "b", "content": "We open at nine."}]}
///        {"question": "When do we open?", "pool": "handbook", "gold": ["b"]}"#,
/// )?;
/// assert_eq!(set.questions()[0].gold().items(), [1]);
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
