use std::collections::HashMap;

use chrono::{DateTime, Utc};
use cupel::{ContextItem, ContextItemBuilder, ContextKind, ContextSource, ScoredItem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::value::{
    KINDS, calm_scores, contents, extreme_tokens, hints, metadata, priorities, tags, timestamps,
    tokens, wild_scores,
};

/// Between zero and `max_items` candidates.
///
/// Most lists are plain: a handful of kinds, short contents, less than a thousand tokens an item, so
/// that budgets decide. One list in seven holds token counts near the limits of `i64`, one in ten
/// has dozens of kinds, and one in ten has long contents that differ in a single place.
pub fn items(max_items: usize) -> impl Strategy<Value = Vec<ContextItem>> {
    (moods(), vec(drafts(), 0..=max_items)).prop_map(|(mood, drafts)| {
        let mut items: Vec<ContextItem> = Vec::new();
        let mut fields: Vec<Fields> = Vec::new();
        for draft in drafts {
            match draft {
                Draft::Fresh(fresh) => {
                    items.push(fresh.build(mood));
                    fields.push(*fresh);
                }
                Draft::Again(_) | Draft::Rebuilt(_) if items.is_empty() => {}
                Draft::Again(index) => {
                    let earlier = index.index(items.len());
                    items.push(items[earlier].clone());
                    fields.push(fields[earlier].clone());
                }
                Draft::Rebuilt(index) => {
                    let earlier = index.index(items.len());
                    items.push(fields[earlier].build(mood));
                    fields.push(fields[earlier].clone());
                }
            }
        }
        items
    })
}

/// Between zero and `max_items` items as a slicer or a placer may meet them: no negative tokens,
/// and a score each. Not sorted.
///
/// Most lists have scores in steps of a hundredth, where ties are common; the others have NaN,
/// infinities, signed zeros and numbers too large for an integer among them.
pub fn scored_items(max_items: usize) -> impl Strategy<Value = Vec<ScoredItem>> {
    let scores = vec((calm_scores(), wild_scores()), max_items);
    (items(max_items), prop::bool::weighted(0.3), scores).prop_map(|(items, wild, scores)| {
        items
            .into_iter()
            .zip(scores)
            .filter(|(item, _)| item.tokens() >= 0)
            .map(|(item, (calm_score, wild_score))| ScoredItem {
                item,
                score: if wild { wild_score } else { calm_score },
            })
            .collect()
    })
}

/// One place in the list.
#[derive(Debug, Clone)]
enum Draft {
    /// A new item.
    Fresh(Box<Fields>),
    /// The handle of an earlier one.
    Again(Index),
    /// Another instance with the fields of an earlier one.
    Rebuilt(Index),
}

fn drafts() -> impl Strategy<Value = Draft> {
    prop_oneof![
        12 => fields().prop_map(|fields| Draft::Fresh(Box::new(fields))),
        1 => any::<Index>().prop_map(Draft::Again),
        1 => any::<Index>().prop_map(Draft::Rebuilt),
    ]
}

/// What all items of a list have in common.
#[derive(Debug, Clone, Copy)]
struct Mood {
    extreme_tokens: bool,
    pins: bool,
    many_kinds: bool,
    long_contents: bool,
}

fn moods() -> impl Strategy<Value = Mood> {
    let weighted = |probability| prop::bool::weighted(probability);
    (weighted(0.15), weighted(0.7), weighted(0.1), weighted(0.1)).prop_map(
        |(extreme_tokens, pins, many_kinds, long_contents)| Mood {
            extreme_tokens,
            pins,
            many_kinds,
            long_contents,
        },
    )
}

#[derive(Debug, Clone)]
struct Fields {
    content: String,
    /// Tells items apart where their kind or content is a variation on a theme.
    number: u32,
    tokens: i64,
    extreme_tokens: i64,
    kind: &'static str,
    source: &'static str,
    priority: Option<i64>,
    tags: Vec<&'static str>,
    metadata: HashMap<String, String>,
    timestamp: Option<DateTime<Utc>>,
    hint: Option<f64>,
    pinned: bool,
    original_tokens: Option<i64>,
}

impl Fields {
    fn build(&self, mood: Mood) -> ContextItem {
        let tokens = if mood.extreme_tokens { self.extreme_tokens } else { self.tokens };
        let kind = match (mood.many_kinds, self.tokens % 2) {
            (false, _) => self.kind.to_owned(),
            (true, 0) => format!("Kind{}", self.number),
            (true, _) => format!("KIND{}", self.number),
        };
        let content = if mood.long_contents {
            // The one difference is where neither the head, nor the middle, nor the tail is.
            format!("{0}{1:02}{0}{0}{0}", "twelve bytes", self.number)
        } else {
            self.content.clone()
        };
        let mut builder = ContextItemBuilder::new(content, tokens)
            .kind(ContextKind::new(kind).expect("no kind in the list is blank"))
            .source(ContextSource::new(self.source).expect("no source in the list is blank"))
            .tags(self.tags.iter().map(|&tag| tag.to_owned()))
            .metadata(self.metadata.clone())
            .pinned(mood.pins && self.pinned);
        if let Some(priority) = self.priority {
            builder = builder.priority(priority);
        }
        if let Some(timestamp) = self.timestamp {
            builder = builder.timestamp(timestamp);
        }
        if let Some(hint) = self.hint {
            builder = builder.future_relevance_hint(hint);
        }
        if let Some(original_tokens) = self.original_tokens {
            builder = builder.original_tokens(original_tokens);
        }
        builder.build().expect("no content in the list is empty")
    }
}

fn fields() -> impl Strategy<Value = Fields> {
    let sources = select(&["Chat", "Tool", "rag"][..]);
    let looks = (contents(), 0_u32..30, select(&KINDS[..]), sources, tags());
    let numbers = (
        tokens(),
        extreme_tokens(),
        priorities(),
        hints(),
        prop::option::weighted(0.1, 0_i64..=999),
    );
    let pinned = prop::bool::weighted(0.1);
    (looks, numbers, metadata(), timestamps(), pinned).prop_map(
        |((content, number, kind, source, tags), numbers, metadata, timestamp, pinned)| {
            let (tokens, extreme_tokens, priority, hint, original_tokens) = numbers;
            Fields {
                content,
                number,
                tokens,
                extreme_tokens,
                kind,
                source,
                priority,
                tags,
                metadata,
                timestamp,
                hint,
                pinned,
                original_tokens,
            }
        },
    )
}
