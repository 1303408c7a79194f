//! Input that is equal and yet not the same.

use cupel::{ContextItem, ScoredItem};

/// New instances with equal fields; where two were one instance, so are the new ones.
pub(super) fn rebuilt_items(items: &[ContextItem]) -> Vec<ContextItem> {
    let mut rebuilt: Vec<ContextItem> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let earlier = items[..at].iter().position(|other| other.is_same_instance(item));
        rebuilt.push(match earlier {
            Some(earlier) => rebuilt[earlier].clone(),
            None => rebuilt_item(item),
        });
    }
    rebuilt
}

/// [`rebuilt_items`] with the same scores.
pub(super) fn rebuilt_scored(scored: &[ScoredItem]) -> Vec<ScoredItem> {
    let items: Vec<ContextItem> = scored.iter().map(|entry| entry.item.clone()).collect();
    let rebuilt = rebuilt_items(&items).into_iter().zip(scored);
    rebuilt.map(|(item, entry)| ScoredItem { item, score: entry.score }).collect()
}

fn rebuilt_item(item: &ContextItem) -> ContextItem {
    // Collected anew rather than cloned: a new map has a new seed, and so another order.
    let metadata = item.metadata().iter().map(|(key, value)| (key.clone(), value.clone()));
    let mut builder = ContextItem::builder(item.content(), item.tokens())
        .kind(item.kind().clone())
        .source(item.source().clone())
        .tags(item.tags().to_vec())
        .metadata(metadata)
        .pinned(item.pinned());
    if let Some(priority) = item.priority() {
        builder = builder.priority(priority);
    }
    if let Some(timestamp) = item.timestamp() {
        builder = builder.timestamp(timestamp);
    }
    if let Some(hint) = item.future_relevance_hint() {
        builder = builder.future_relevance_hint(hint);
    }
    if let Some(tokens) = item.original_tokens() {
        builder = builder.original_tokens(tokens);
    }
    if let Some(group) = item.group() {
        builder = builder.group(group);
    }
    if let Some(document) = item.document() {
        builder = builder.document(document);
    }
    if let Some(position) = item.position() {
        builder = builder.position(position);
    }
    if let Some(similarity) = item.similarity() {
        builder = builder.similarity(similarity);
    }
    if !item.vector().is_empty() {
        builder = builder.vector(item.vector());
    }
    let variants = item.variants().iter().cloned();
    builder.variants(variants).build().expect("an item that exists is valid")
}
