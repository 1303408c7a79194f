//! Reads a set, one line at a time.

use std::collections::{HashMap, HashSet};

use cupel::Query;
use cupel_policy::{ItemReader, Items, Slip};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::gold::Passage;
use super::problem::Wrong;
use super::{Pool, Question, Set, SetError};

/// How many tokens a text is taken for when neither the item says it nor a vocabulary counts it: a quarter of its
/// characters, rounded up.
pub fn estimated_tokens(text: &str) -> i64 {
    i64::try_from(text.chars().count().div_ceil(4)).unwrap_or(i64::MAX)
}

type Count<'c> = dyn Fn(&[&str]) -> Vec<i64> + 'c;

/// Reads a set from its lines. Of each line no more is kept than the items or the question on it.
///
/// ```
/// use cupel_eval::SetReader;
///
/// let mut reader = SetReader::new();
/// reader.line(r#"{"pool": "p", "items": [{"id": "a", "content": "We open at nine."}]}"#)?;
/// let error = reader.line(r#"{"question": "When?", "pool": "p", "gold": ["b"]}"#).unwrap_err();
/// assert_eq!((error.line, error.column), (2, 45));
/// assert_eq!(error.problem, "gold: the pool \"p\" has no item \"b\"");
/// # Ok::<(), cupel_eval::SetError>(())
/// ```
pub struct SetReader<'c> {
    count: &'c Count<'c>,
    pub(super) set: Set,
    lines: usize,
    pools: HashMap<String, usize>,
    question_ids: HashSet<String>,
    /// What each item holds of which document, by pool.
    pub(super) passages: Vec<Vec<Option<Passage>>>,
    slips: Vec<(usize, Slip)>,
}

impl std::fmt::Debug for SetReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetReader").field("set", &self.set).finish_non_exhaustive()
    }
}

impl Default for SetReader<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'c> SetReader<'c> {
    /// A reader that [estimates](estimated_tokens) the tokens of items that do not say them.
    pub fn new() -> Self {
        Self::counting_with(&|contents| contents.iter().map(|it| estimated_tokens(it)).collect())
    }

    /// A reader that counts them with `count`: all of a pool at once, so that cores can share the work.
    pub fn counting_with(count: &'c Count<'c>) -> Self {
        Self {
            count,
            set: Set::default(),
            lines: 0,
            pools: HashMap::new(),
            question_ids: HashSet::new(),
            passages: Vec::new(),
            slips: Vec::new(),
        }
    }

    /// Reads the next line. Blank lines are passed over.
    ///
    /// # Errors
    /// When it is neither a pool nor a question, or names what is not there.
    pub fn line(&mut self, text: &str) -> Result<(), SetError> {
        self.lines += 1;
        let text = if self.lines == 1 { text.trim_start_matches('\u{feff}') } else { text };
        if text.trim().is_empty() {
            return Ok(());
        }
        self.entry(text).map_err(|problem| problem.on(self.lines, text))
    }

    /// Keys of items that look like slips of the pen, with the line of each.
    pub fn slips(&self) -> &[(usize, Slip)] {
        &self.slips
    }

    /// All that was read.
    ///
    /// # Errors
    /// When there is no question.
    pub fn finish(self) -> Result<Set, SetError> {
        if self.set.questions.is_empty() {
            return Err(SetError {
                line: self.lines.max(1),
                column: 1,
                problem: "there is no question".to_owned(),
                remedy: format!("add a line such as {QUESTION_EXAMPLE}"),
            });
        }
        Ok(self.set)
    }

    fn entry(&mut self, text: &str) -> Result<(), Wrong> {
        if text.trim_start().starts_with('[') {
            return Err(Wrong::here("expected an object, found a list")
                .remedy("each line is an object, a pool or a question"));
        }
        let keys: Keys<'_> =
            serde_json::from_str(text).map_err(|error| Wrong::json(&error, text))?;
        match (keys.question, keys.items) {
            (Some(question), None) => self.question(text, question, &keys),
            (None, Some(items)) => self.pool(text, items, &keys),
            (Some(_), Some(items)) => Err(Wrong::at(text, items.get(), "this is a pool and a question in one")
                .remedy("write the pool on a line before the question")),
            (None, None) => Err(Wrong::here("neither \"question\" nor \"items\" is here")
                .remedy(format!("a line is a pool, such as {POOL_EXAMPLE}, or a question, such as {QUESTION_EXAMPLE}"))),
        }
    }

    fn pool(&mut self, text: &str, items: &RawValue, keys: &Keys<'_>) -> Result<(), Wrong> {
        let named = keys.pool.ok_or_else(|| missing("pool", POOL_EXAMPLE))?;
        let name =
            name_of(named).ok_or_else(|| wrong_type(text, named, "pool", "a name in quotes"))?;
        if let Some(known) = self.pools.get(&name) {
            let problem = format!(
                "pool: there is a pool {name:?} already, with {} items",
                self.set.pools[*known].items.len()
            );
            return Err(Wrong::at(text, named.get(), problem)
                .remedy("give each pool a name of its own, and all its items on one line"));
        }
        if !items.get().starts_with('[') {
            return Err(wrong_type(text, items, "items", "a list of items"));
        }
        let reader = ItemReader::new().keep_unknown_keys().count_with(self.count);
        let read = reader.read(items.get()).map_err(|error| Wrong::items(&error, text, items))?;
        if read.items.is_empty() {
            return Err(Wrong::at(text, items.get(), format!("items: the pool {name:?} is empty"))
                .remedy("a pool needs at least one item"));
        }
        let (ids, passages) = own_keys(text, items, &read)?;
        let line = self.lines;
        self.slips.extend(read.slips.into_iter().map(|slip| (line, slip)));
        self.pools.insert(name.clone(), self.set.pools.len());
        self.set.pools.push(Pool::new(name, read.items, ids));
        self.passages.push(passages);
        Ok(())
    }

    fn question(&mut self, text: &str, asked: &RawValue, keys: &Keys<'_>) -> Result<(), Wrong> {
        let words = words_of(asked)
            .ok_or_else(|| wrong_type(text, asked, "question", "a text in quotes"))?;
        let named = keys.pool.ok_or_else(|| missing("pool", QUESTION_EXAMPLE))?;
        let name =
            name_of(named).ok_or_else(|| wrong_type(text, named, "pool", "the name of a pool"))?;
        let pool = *self.pools.get(&name).ok_or_else(|| {
            Wrong::at(
                text,
                named.get(),
                format!("pool: there is no pool {name:?} before this line"),
            )
            .remedy("write a pool before its questions, under the same name")
        })?;
        let id = match keys.id {
            None => format!("line {}", self.lines),
            Some(id) => {
                name_of(id).ok_or_else(|| wrong_type(text, id, "id", "a text or a whole number"))?
            }
        };
        let candidates = match keys.before {
            None => self.set.pools[pool].items.len(),
            Some(before) => self.before(text, before, pool)?,
        };
        let gold = keys.gold.ok_or_else(|| missing("gold", QUESTION_EXAMPLE))?;
        let gold = self.gold(text, gold, pool, candidates)?;
        let mut query = Query::new(words);
        if let Some(vector) = keys.vector {
            let numbers: Vec<f32> = serde_json::from_str(vector.get())
                .map_err(|_| wrong_type(text, vector, "vector", "a list of numbers"))?;
            query = query.with_vector(numbers).map_err(|error| {
                Wrong::at(text, vector.get(), format!("vector: {error}"))
                    .remedy("write finite numbers")
            })?;
        }
        if !self.question_ids.insert(id.clone()) {
            let at = keys.id.unwrap_or(asked);
            return Err(Wrong::at(
                text,
                at.get(),
                format!("id: there is a question {id:?} already"),
            )
            .remedy("give each question an id of its own, or none"));
        }
        self.set.questions.push(Question { id, query, pool, candidates, gold });
        Ok(())
    }

    /// How many items of the pool stand before the one that is named.
    fn before(&self, text: &str, named: &RawValue, pool: usize) -> Result<usize, Wrong> {
        let pool = &self.set.pools[pool];
        let id =
            name_of(named).ok_or_else(|| wrong_type(text, named, "before", "the id of an item"))?;
        match pool.position(&id) {
            Some(0) => Err(Wrong::at(
                text,
                named.get(),
                format!("before: nothing stands before {id:?} in {:?}", pool.name),
            )
            .remedy("leave the question out, or name a later item")),
            Some(position) => Ok(position),
            None => Err(unknown_item(text, named, "before", &id, pool)),
        }
    }
}

const POOL_EXAMPLE: &str = r#"{"pool": "handbook", "items": [{"id": "a", "content": "..."}]}"#;
const QUESTION_EXAMPLE: &str = r#"{"question": "...", "pool": "handbook", "gold": ["a"]}"#;
pub(super) const ITEM_EXAMPLE: &str =
    r#"an item is an object such as {"id": "a", "content": "..."}"#;

/// What a line may say. Other keys are the caller's own.
#[derive(Deserialize)]
struct Keys<'t> {
    #[serde(borrow)]
    pool: Option<&'t RawValue>,
    #[serde(borrow)]
    items: Option<&'t RawValue>,
    #[serde(borrow)]
    question: Option<&'t RawValue>,
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    #[serde(borrow)]
    before: Option<&'t RawValue>,
    #[serde(borrow)]
    gold: Option<&'t RawValue>,
    #[serde(borrow)]
    vector: Option<&'t RawValue>,
}

/// What an item says beyond what the engine reads.
#[derive(Deserialize)]
struct ItemKeys<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    #[serde(borrow)]
    start: Option<&'t RawValue>,
    #[serde(borrow)]
    end: Option<&'t RawValue>,
    document: Option<String>,
}

/// The ids of the items, and the characters that they hold.
fn own_keys(
    text: &str,
    items: &RawValue,
    read: &Items,
) -> Result<(Vec<String>, Vec<Option<Passage>>), Wrong> {
    let mut ids = Vec::with_capacity(read.items.len());
    let mut passages = Vec::with_capacity(read.items.len());
    let mut seen = HashSet::with_capacity(read.items.len());
    for (item, object) in read.items.iter().zip(&read.objects) {
        let object = &items.get()[object.clone()];
        let keys: ItemKeys<'_> = serde_json::from_str(object)
            .map_err(|error| Wrong::at(text, object, error.to_string()).remedy(ITEM_EXAMPLE))?;
        let id = keys.id.ok_or_else(|| {
            Wrong::at(text, object, "an item has no \"id\"")
                .remedy("give each item an id, so that gold can name it")
        })?;
        let name =
            name_of(id).ok_or_else(|| wrong_type(text, id, "id", "a text or a whole number"))?;
        if !seen.insert(name.clone()) {
            return Err(Wrong::at(
                text,
                id.get(),
                format!("id: there is an item {name:?} already in this pool"),
            )
            .remedy("give each item of a pool an id of its own"));
        }
        ids.push(name);
        let offset = |key: &str, given: Option<&RawValue>| match (given, item.metadata().get(key)) {
            (Some(given), _) => serde_json::from_str(given.get())
                .map(Some)
                .map_err(|_| wrong_type(text, given, key, "a number of characters")),
            (None, Some(given)) => given.parse().map(Some).map_err(|_| {
                Wrong::at(
                    text,
                    object,
                    format!("metadata.{key}: expected a number of characters, found {given:?}"),
                )
                .remedy("write how many characters of the document come before")
            }),
            (None, None) => Ok(None),
        };
        let (start, end): (Option<usize>, Option<usize>) =
            (offset("start", keys.start)?, offset("end", keys.end)?);
        passages.push(match (keys.document, start) {
            (Some(document), Some(start)) => {
                let end =
                    end.unwrap_or_else(|| start.saturating_add(item.content().chars().count()));
                Passage::check(start, end).map_err(|rule| {
                    Wrong::at(
                        text,
                        object,
                        format!("an item holds the characters {start} to {end}: {rule}"),
                    )
                    .remedy(
                        "\"end\" is the first character after the item, and greater than \"start\"",
                    )
                })?;
                Some(Passage { document, start, end })
            }
            _ => None,
        });
    }
    Ok((ids, passages))
}

/// A name: a text that is not blank, or a whole number.
pub(super) fn name_of(value: &RawValue) -> Option<String> {
    words_of(value)
        .or_else(|| serde_json::from_str::<i64>(value.get()).ok().map(|it| it.to_string()))
}

fn words_of(value: &RawValue) -> Option<String> {
    serde_json::from_str::<String>(value.get()).ok().filter(|words| !words.trim().is_empty())
}

fn missing(key: &str, example: &str) -> Wrong {
    Wrong::here(format!("missing key {key:?}")).remedy(format!("write it as in {example}"))
}

pub(super) fn wrong_type(text: &str, value: &RawValue, key: &str, expected: &str) -> Wrong {
    const SHOWN: usize = 60;
    let found = value.get();
    let shown: String = found.chars().take(SHOWN).collect();
    let more = if shown.len() < found.len() { "…" } else { "" };
    Wrong::at(text, value.get(), format!("{key}: expected {expected}, found {shown}{more}"))
        .remedy("docs/quality.md shows the format")
}

pub(super) fn unknown_item(
    text: &str,
    value: &RawValue,
    key: &str,
    id: &str,
    pool: &Pool,
) -> Wrong {
    let ids: Vec<_> = pool.ids.iter().take(3).map(|id| format!("{id:?}")).collect();
    let more = if pool.ids.len() > ids.len() { " …" } else { "" };
    Wrong::at(text, value.get(), format!("{key}: the pool {:?} has no item {id:?}", pool.name))
        .remedy(format!("its items are {}{more}; name one of them", ids.join(", ")))
}
