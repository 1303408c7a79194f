//! Candidates that cost what they cost with what is written around them.

use cupel::{ContextItem, ItemVariant};

use super::Candidates;
use crate::parallel;
use crate::tokens::Tokenizer;

impl Candidates {
    /// The same candidates where each costs the tokens of what `block` writes for it.
    ///
    /// An item that came with a count of its own keeps it, and what stands around its content is
    /// added.
    pub(crate) fn framed(
        mut self,
        tokenizer: Tokenizer,
        block: impl Fn(&ContextItem) -> String + Sync + Send,
    ) -> Self {
        let counted = self.read.have_counts.iter().map(|has_count| !has_count);
        let items: Vec<_> = self.read.items.iter().zip(counted).collect();
        let items = parallel::map(&items, |(item, counted)| {
            let whole = tokenizer.count(&block(item));
            let frame = (whole - tokenizer.count(item.content())).max(0);
            // No more than leaves shorter forms shorter.
            let frame = frame.min(i64::MAX - item.tokens().max(0));
            let is_exact = *counted && item.variants().is_empty();
            let tokens = if is_exact { whole } else { item.tokens() + frame };
            with_tokens(item, tokens, frame)
        });
        self.read.items = items;
        self.number();
        self
    }
}

/// A copy at another price; its shorter forms cost `frame` more.
fn with_tokens(item: &ContextItem, tokens: i64, frame: i64) -> ContextItem {
    let metadata = item.metadata().iter().map(|(key, value)| (key.clone(), value.clone()));
    let mut copy = ContextItem::builder(item.content(), tokens)
        .kind(item.kind().clone())
        .source(item.source().clone())
        .tags(item.tags().iter().cloned())
        .metadata(metadata)
        .pinned(item.pinned());
    if let Some(priority) = item.priority() {
        copy = copy.priority(priority);
    }
    if let Some(timestamp) = item.timestamp() {
        copy = copy.timestamp(timestamp);
    }
    if let Some(hint) = item.future_relevance_hint() {
        copy = copy.future_relevance_hint(hint);
    }
    if let Some(original) = item.original_tokens() {
        copy = copy.original_tokens(original);
    }
    if let Some(group) = item.group() {
        copy = copy.group(group);
    }
    for it in item.variants() {
        let framed = ItemVariant::new(it.content(), it.tokens() + frame);
        copy = copy.variant(match it.worth() {
            Some(worth) => framed.with_worth(worth),
            None => framed,
        });
    }
    copy.build().expect("nothing but the count differs from an item that was built")
}
