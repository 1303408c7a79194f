//! What is remembered of items between runs.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use cupel::ContextItem;

use crate::Language;
use crate::lexicon::{Counted, Lexicon};
use crate::pool::Pool;

/// What is known of the terms of items, kept between runs.
///
/// A [`RelevanceScorer`](crate::RelevanceScorer) without one reads all text in every run, looking for the words of one query. With one it reads each
/// text once, whatever is asked afterwards: items that come are added, items that no run has any more are forgotten, and the scores
/// are the same to the bit. It pays when several queries are asked about mostly the same items, and takes memory for every
/// word of their texts.
///
/// An index is a handle: clones share what they know, and threads may share them.
///
/// ```
/// use cupel::{ContextItem, RunContext, Scorer};
/// use cupel_relevance::{Index, RelevanceScorer};
///
/// let items = [ContextItem::builder("Reminders are sent by a nightly job.", 8).build()?];
/// let index = Index::new();
/// let scorer = RelevanceScorer::new().with_index(index.clone());
/// for question in ["When does the job run?", "What sends reminders?"] {
///     scorer.score_batch(&items, &RunContext::new().with_query(question))?;
/// }
/// assert_eq!(index.len(), 1);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Clone, Default)]
pub struct Index(Arc<Mutex<Option<Kept>>>);

struct Kept {
    /// What the caller said, which the lexicon's may have been found out for.
    language: Language,
    lexicon: Lexicon,
    /// The items of the last run, and the pool that they make.
    items: Vec<ContextItem>,
    pool: Pool,
    texts: Texts,
}

type Texts = HashMap<ByContent, Arc<Counted>, foldhash::fast::RandomState>;

impl Index {
    /// One that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many items the last run had.
    pub fn len(&self) -> usize {
        self.with(|kept| kept.as_ref().map_or(0, |kept| kept.items.len()))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Answers from the pool of `items` and the terms of `query` in it.
    pub(crate) fn ask<T>(
        &self,
        items: &[ContextItem],
        language: Language,
        query: &str,
        answer: impl FnOnce(&Pool, &Counted) -> T,
    ) -> T {
        self.with(|slot| {
            let kept = match slot.take() {
                Some(kept) if kept.is_of(items, language) => kept,
                earlier => Kept::new(items, language, earlier),
            };
            let kept = slot.insert(kept);
            let terms = kept.lexicon.count(query);
            answer(&kept.pool, &terms)
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Option<Kept>) -> T) -> T {
        // A run that panicked left what was there before, or nothing.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    /// The pool of `items`, whose texts are read unless they were `earlier`.
    fn new(items: &[ContextItem], language: Language, earlier: Option<Self>) -> Self {
        let found = language.of(items);
        let is_usable = |it: &Self| it.lexicon.language() == found && !it.is_mostly_past();
        let (mut lexicon, known) = match earlier.filter(is_usable) {
            Some(earlier) => (earlier.lexicon, earlier.texts),
            None => (Lexicon::open(found), Texts::default()),
        };
        let mut texts = Texts::default();
        let mut counted = Vec::with_capacity(items.len());
        for item in items {
            let text = ByContent(item.clone());
            let of_item = match texts.get(&text).or_else(|| known.get(&text)) {
                Some(known) => known.clone(),
                None => Arc::new(lexicon.count(item.content())),
            };
            texts.insert(text, of_item.clone());
            counted.push(of_item);
        }
        let pool = Pool::new(items, |at| &*counted[at], lexicon.len());
        Self { language, lexicon, items: items.to_vec(), pool, texts }
    }

    /// Whether it is of just these items, in this order.
    fn is_of(&self, items: &[ContextItem], language: Language) -> bool {
        let mut pairs = self.items.iter().zip(items);
        self.language == language
            && self.items.len() == items.len()
            && pairs.all(|(kept, item)| kept.is_same_instance(item))
    }

    /// Whether it numbers many more terms than its items have, so that it is time to begin anew.
    fn is_mostly_past(&self) -> bool {
        const FEW: usize = 10_000;
        self.lexicon.len() > FEW && self.lexicon.len() / 4 > self.pool.terms()
    }
}

/// An item that is the same as any other with its content.
struct ByContent(ContextItem);

impl PartialEq for ByContent {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same_instance(&other.0) || self.0.content() == other.0.content()
    }
}

impl Eq for ByContent {}

impl Hash for ByContent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.content().hash(state);
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("items", &self.len()).finish()
    }
}
