//! Reads what the answer to a question needs.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::gold::Passage;
use super::problem::Wrong;
use super::read::{SetReader, name_of, unknown_item, wrong_type};
use super::{Gold, Pool};

const ITEM: &str =
    "the id of an item, or an object such as {\"item\": \"a\", \"says\": [\"W4711\"]}";
const CHARACTERS: &str = "an object such as {\"document\": \"a.md\", \"start\": 0, \"end\": 40}";

/// An item, and what of it is needed.
#[derive(Deserialize)]
struct Said<'t> {
    #[serde(borrow)]
    item: &'t RawValue,
    #[serde(default)]
    says: Vec<String>,
}

/// Characters of a document.
#[derive(Deserialize)]
struct Span {
    document: String,
    start: usize,
    end: usize,
}

/// Whether an entry is characters of a document and not an item.
fn is_characters(entry: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Keys {
        document: Option<serde::de::IgnoredAny>,
        start: Option<serde::de::IgnoredAny>,
        end: Option<serde::de::IgnoredAny>,
    }
    let keys = serde_json::from_str::<Keys>(entry.get());
    keys.is_ok_and(|it| it.document.is_some() || it.start.is_some() || it.end.is_some())
}

impl SetReader<'_> {
    /// The evidence among the first `candidates` items of a pool.
    pub(super) fn gold(
        &self,
        text: &str,
        gold: &RawValue,
        pool: usize,
        candidates: usize,
    ) -> Result<Gold, Wrong> {
        const WHAT: &str = "a list of ids, or of {\"document\": ..., \"start\": ..., \"end\": ...}";
        let entries: Vec<&RawValue> =
            serde_json::from_str(gold.get()).map_err(|_| wrong_type(text, gold, "gold", WHAT))?;
        let Some(first) = entries.first() else {
            return Err(Wrong::at(text, gold.get(), "gold: the list is empty")
                .remedy("name what the answer needs, or leave the question out: without evidence there is nothing to find"));
        };
        let of_characters = is_characters(first);
        if let Some(other) = entries.iter().find(|it| is_characters(it) != of_characters) {
            return Err(Wrong::at(text, other.get(), "gold: ids and characters are mixed")
                .remedy("name either items or characters, so that each counts for the same"));
        }
        match of_characters {
            true => self.gold_characters(text, &entries, pool, candidates),
            false => gold_items(text, &entries, &self.set.pools[pool], candidates),
        }
    }

    fn gold_characters(
        &self,
        text: &str,
        entries: &[&RawValue],
        pool: usize,
        candidates: usize,
    ) -> Result<Gold, Wrong> {
        let passages = &self.passages[pool][..candidates];
        let held = || passages.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?)));
        let mut spans = Vec::with_capacity(entries.len());
        for entry in entries {
            let Span { document, start, end } = serde_json::from_str(entry.get())
                .map_err(|_| wrong_type(text, entry, "gold", CHARACTERS))?;
            Passage::check(start, end).map_err(|rule| {
                Wrong::at(
                    text,
                    entry.get(),
                    format!("gold: the characters {start} to {end}: {rule}"),
                )
                .remedy(
                    "\"end\" is the first character after the evidence, and greater than \"start\"",
                )
            })?;
            if !held().any(|(_, it)| it.document == document && it.start < end && start < it.end) {
                let name = &self.set.pools[pool].name;
                return Err(Wrong::at(text, entry.get(), format!("gold: no item of {name:?} holds the characters {start} to {end} of {document:?}"))
                    .remedy("items say what they hold by \"document\", \"start\" and \"end\""));
            }
            spans.push(Passage { document, start, end });
        }
        Ok(Gold::of_characters(spans, held()))
    }
}

fn gold_items(
    text: &str,
    entries: &[&RawValue],
    pool: &Pool,
    candidates: usize,
) -> Result<Gold, Wrong> {
    let mut items: Vec<(usize, Vec<bool>)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let (named, says) = match entry.get().starts_with('{') {
            false => (*entry, Vec::new()),
            true => {
                let said: Said<'_> = serde_json::from_str(entry.get())
                    .map_err(|_| wrong_type(text, entry, "gold", ITEM))?;
                (said.item, said.says)
            }
        };
        let id = name_of(named).ok_or_else(|| wrong_type(text, named, "gold", ITEM))?;
        let position =
            pool.position(&id).ok_or_else(|| unknown_item(text, named, "gold", &id, pool))?;
        if position >= candidates {
            let before = pool.id(candidates);
            return Err(Wrong::at(
                text,
                named.get(),
                format!("gold: {id:?} does not stand before {before:?}"),
            )
            .remedy("evidence must be among the candidates; change \"before\" or \"gold\""));
        }
        if items.iter().any(|(known, _)| *known == position) {
            return Err(Wrong::at(text, named.get(), format!("gold: {id:?} is named twice"))
                .remedy("name it once"));
        }
        items.push((position, shorter_forms_that_say(text, entry, &says, pool, position)?));
    }
    Ok(Gold::of_items(items))
}

/// Which shorter forms of an item have all that is needed of it; none where that is not said.
fn shorter_forms_that_say(
    text: &str,
    entry: &RawValue,
    says: &[String],
    pool: &Pool,
    position: usize,
) -> Result<Vec<bool>, Wrong> {
    let item = &pool.items[position];
    let lower: Vec<_> = says.iter().map(|it| it.to_lowercase()).collect();
    let content = item.content().to_lowercase();
    if let Some(missing) = lower.iter().position(|it| !content.contains(it)) {
        let problem =
            format!("gold: the item {:?} does not say {:?}", pool.id(position), says[missing]);
        return Err(Wrong::at(text, entry.get(), problem)
            .remedy("\"says\" lists texts of the item that a shorter form must have, too"));
    }
    let has_all = |form: &str| lower.iter().all(|it| form.to_lowercase().contains(it));
    let forms = item.variants().iter().map(|form| !says.is_empty() && has_all(form.content()));
    Ok(forms.collect())
}
