use std::collections::HashMap;

use chrono::{DateTime, Utc};
use cupel::{ContextItem, ContextItemBuilder, ContextKind, ContextSource, ItemVariant, ScoredItem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::value::{
    KINDS, Passage, calm_scores, contents, extreme_tokens, groups, hints, metadata, passages,
    priorities, shares, tags, timestamps, tokens, wild_scores,
};

/// Between zero and `max_items` candidates.
///
/// Most lists are plain: a handful of kinds, short contents, less than a thousand tokens an item, so
/// that budgets decide. One list in seven holds token counts near the limits of `i64`, one in ten
/// has dozens of kinds, and one in ten has long contents that differ in a single place. In one list of four
/// items have groups, in one of four they have variants, in one of four they are parts of documents.
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
    groups: bool,
    /// Where groups are, so that units may repeat each other.
    few_contents: bool,
    variants: bool,
    passages: bool,
}

fn moods() -> impl Strategy<Value = Mood> {
    let weighted = |probability| prop::bool::weighted(probability);
    let looks = (weighted(0.15), weighted(0.7), weighted(0.1), weighted(0.1));
    let extensions = (weighted(0.25), weighted(0.3), weighted(0.25), weighted(0.25));
    (looks, extensions).prop_map(|(looks, extensions)| {
        let (extreme_tokens, pins, many_kinds, long_contents) = looks;
        let (groups, few_contents, variants, passages) = extensions;
        Mood {
            extreme_tokens,
            pins,
            many_kinds,
            long_contents,
            groups,
            few_contents,
            variants,
            passages,
        }
    })
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
    group: Option<&'static str>,
    /// What variants keep of the tokens, in hundredths, and of the worth, if they say.
    shares: Vec<(i64, Option<f64>)>,
    passage: Passage,
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
        } else if mood.groups && mood.few_contents {
            ["call", "result"][self.number as usize % 2].to_owned()
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
        if let Some(group) = self.group.filter(|_| mood.groups) {
            builder = builder.group(group);
        }
        if mood.variants {
            builder = builder.variants(self.variants(tokens));
        }
        if mood.passages {
            builder = self.passage.on(builder);
        }
        builder.build().expect("no content in the list is empty, variants cost less and less")
    }

    /// As many of the shares as are shorter than what is before them.
    fn variants(&self, tokens: i64) -> Vec<ItemVariant> {
        let mut variants: Vec<ItemVariant> = Vec::new();
        for (hundredths, worth) in &self.shares {
            let shorter = i128::from(tokens) * i128::from(*hundredths) / 100;
            let shorter = i64::try_from(shorter).expect("less than the whole");
            if (0..variants.last().map_or(tokens, ItemVariant::tokens)).contains(&shorter) {
                let variant =
                    ItemVariant::new(format!("{} in {hundredths} %", self.content), shorter);
                variants.push(match worth {
                    Some(worth) => variant.with_worth(*worth),
                    None => variant,
                });
            }
        }
        variants
    }
}

impl Passage {
    fn on(&self, mut builder: ContextItemBuilder) -> ContextItemBuilder {
        if let Some(document) = self.document {
            builder = builder.document(document);
        }
        if let Some(position) = self.position {
            builder = builder.position(position);
        }
        if let Some(similarity) = self.similarity {
            builder = builder.similarity(similarity);
        }
        builder.vector(self.vector.clone())
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
    let extensions = (pinned, groups(), shares(), passages());
    (looks, numbers, metadata(), timestamps(), extensions).prop_map(
        |((content, number, kind, source, tags), numbers, metadata, timestamp, extensions)| {
            let (tokens, extreme_tokens, priority, hint, original_tokens) = numbers;
            let (pinned, group, shares, passage) = extensions;
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
                group,
                shares,
                passage,
            }
        },
    )
}
