use std::collections::HashMap;

use chrono::{DateTime, Utc};
use cupel::{ContextItem, ContextItemBuilder, ContextKind, ContextSource, ScoredItem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::value::{
    KINDS, TAGS, calm_scores, contents, extreme_tokens, hints, metadata, priorities, timestamps,
    tokens, wild_scores,
};

/// Between zero and `max_items` candidates.
///
/// About one list in seven holds token counts near the limits of `i64`; the others stay below a
/// thousand tokens an item, so that budgets decide and not overflow.
pub fn items(max_items: usize) -> impl Strategy<Value = Vec<ContextItem>> {
    (prop::bool::weighted(0.15), prop::bool::weighted(0.7), vec(drafts(), 0..=max_items)).prop_map(
        |(extreme_tokens, pins, drafts)| {
            let mut items: Vec<ContextItem> = Vec::new();
            let mut fields: Vec<Fields> = Vec::new();
            for draft in drafts {
                let earlier = |index: Index| (!items.is_empty()).then(|| index.index(items.len()));
                match draft {
                    Draft::Again(index) => {
                        if let Some(earlier) = earlier(index) {
                            items.push(items[earlier].clone());
                            fields.push(fields[earlier].clone());
                        }
                    }
                    Draft::Rebuilt(index) => {
                        if let Some(earlier) = earlier(index) {
                            items.push(fields[earlier].build(extreme_tokens, pins));
                            fields.push(fields[earlier].clone());
                        }
                    }
                    Draft::Fresh(fresh) => {
                        items.push(fresh.build(extreme_tokens, pins));
                        fields.push(*fresh);
                    }
                }
            }
            items
        },
    )
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

#[derive(Debug, Clone)]
struct Fields {
    content: String,
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
    fn build(&self, extreme_tokens: bool, pins: bool) -> ContextItem {
        let tokens = if extreme_tokens { self.extreme_tokens } else { self.tokens };
        let kind = ContextKind::new(self.kind).expect("no kind in the list is blank");
        let source = ContextSource::new(self.source).expect("no source in the list is blank");
        let mut builder = ContextItemBuilder::new(self.content.as_str(), tokens)
            .kind(kind)
            .source(source)
            .tags(self.tags.iter().map(|&tag| tag.to_owned()).collect())
            .metadata(self.metadata.clone())
            .pinned(pins && self.pinned);
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
    let looks = (
        contents(),
        select(&KINDS[..]),
        select(&["Chat", "Tool", "rag"][..]),
        vec(select(&TAGS[..]), 0..=3),
    );
    let numbers = (
        tokens(),
        extreme_tokens(),
        priorities(),
        hints(),
        prop::option::weighted(0.1, 0_i64..=999),
    );
    let pinned = prop::bool::weighted(0.1);
    (looks, numbers, metadata(), timestamps(), pinned).prop_map(
        |((content, kind, source, tags), numbers, metadata, timestamp, pinned)| {
            let (tokens, extreme_tokens, priority, hint, original_tokens) = numbers;
            Fields {
                content,
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
