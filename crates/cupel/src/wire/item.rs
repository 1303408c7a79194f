//! Items.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::entries::Metadata;
use super::float::{self, Float};
use super::timestamp::Timestamp;
use super::{as_defined_by, by_way_of};
use crate::{
    ContextItem, ContextItemBuilder, ContextKind, ContextSource, CupelError, ItemVariant,
    ScoredItem,
};

/// One candidate for the window.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an item object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ItemDefinition<'a> {
    /// The text; not empty.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    content: Cow<'a, str>,
    /// The caller's token count. Items with a negative one are never selected.
    tokens: i64,
    /// What sort of thing it is, without regard to case; a message unless given.
    kind: Option<ContextKind>,
    /// Where it came from; the chat unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ContextSource>,
    /// Importance; higher is more important.
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
    /// Descriptive tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Cow<'a, [String]>>,
    /// Data of the caller's own, strings by string.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata<'a>>,
    /// When it was created or observed, as RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<Timestamp>,
    /// How relevant it is expected to be, conventionally from 0 to 1.
    #[serde(alias = "future_relevance_hint", skip_serializing_if = "Option::is_none")]
    future_relevance_hint: Option<Float>,
    /// Whether it is always in the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<bool>,
    /// Token count before the text was shortened.
    #[serde(alias = "original_tokens", skip_serializing_if = "Option::is_none")]
    original_tokens: Option<i64>,
    /// What it must stay together with: items that share a group are in the window or out of it as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"\S")))]
    group: Option<Cow<'a, str>>,
    /// Shorter forms of it, richest first, each with fewer tokens than the one before. At most one form of an item is in
    /// a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 1000)))]
    variants: Option<Vec<ItemVariant>>,
    /// The text that it is a part of, such as a file or a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"\S")))]
    document: Option<Cow<'a, str>>,
    /// Where in its document it stands; parts are read in ascending order.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<i64>,
    /// How close it is to the query, by the caller's own measure; higher is closer.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// Its embedding, to be compared with the query's where no similarity is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    vector: Option<Cow<'a, [f32]>>,
}

/// A shorter form of an item.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "a variant object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct VariantDefinition<'a> {
    /// The text; not empty.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    content: Cow<'a, str>,
    /// The token count; fewer than the whole item's and than the variant's before.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    tokens: i64,
    /// How much of the item's worth it keeps; the square root of the share of tokens that it keeps, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    worth: Option<f64>,
}

by_way_of!(ItemVariant, VariantDefinition);

impl<'a> From<&'a ItemVariant> for VariantDefinition<'a> {
    fn from(variant: &'a ItemVariant) -> Self {
        let content = variant.content().into();
        Self { content, tokens: variant.tokens(), worth: variant.worth() }
    }
}

impl From<VariantDefinition<'_>> for ItemVariant {
    fn from(read: VariantDefinition<'_>) -> Self {
        let variant = ItemVariant::new(read.content, read.tokens);
        match read.worth {
            Some(worth) => variant.with_worth(worth),
            None => variant,
        }
    }
}

by_way_of!(ContextItem, ItemDefinition);

impl<'a> From<&'a ContextItem> for ItemDefinition<'a> {
    fn from(item: &'a ContextItem) -> Self {
        // Sources are equal without regard to case, but only one spelling is the default's.
        let source = item.source();
        Self {
            content: item.content().into(),
            tokens: item.tokens(),
            kind: Some(item.kind().clone()),
            source: (source.as_str() != ContextSource::CHAT).then(|| source.clone()),
            priority: item.priority(),
            tags: (!item.tags().is_empty()).then(|| item.tags().into()),
            metadata: (!item.metadata().is_empty())
                .then(|| Metadata(Cow::Borrowed(item.metadata()))),
            timestamp: item.timestamp().map(Timestamp),
            future_relevance_hint: item.future_relevance_hint().map(Float),
            pinned: item.pinned().then_some(true),
            original_tokens: item.original_tokens(),
            group: item.group().map(Cow::from),
            variants: (!item.variants().is_empty()).then(|| item.variants().to_vec()),
            document: item.document().map(Cow::from),
            position: item.position(),
            similarity: item.similarity(),
            vector: (!item.vector().is_empty()).then(|| item.vector().into()),
        }
    }
}

impl TryFrom<ItemDefinition<'_>> for ContextItem {
    type Error = CupelError;

    fn try_from(read: ItemDefinition<'_>) -> Result<Self, CupelError> {
        let mut item = ContextItemBuilder::new(read.content, read.tokens)
            .kind(read.kind.unwrap_or_default())
            .source(read.source.unwrap_or_default())
            .tags(read.tags.map(Cow::into_owned).unwrap_or_default())
            .metadata(read.metadata.map(|it| it.0.into_owned()).unwrap_or_default())
            .pinned(read.pinned.unwrap_or_default());
        if let Some(priority) = read.priority {
            item = item.priority(priority);
        }
        if let Some(Timestamp(timestamp)) = read.timestamp {
            item = item.timestamp(timestamp);
        }
        if let Some(Float(hint)) = read.future_relevance_hint {
            item = item.future_relevance_hint(hint);
        }
        if let Some(tokens) = read.original_tokens {
            item = item.original_tokens(tokens);
        }
        if let Some(group) = read.group {
            item = item.group(group);
        }
        if let Some(document) = read.document {
            item = item.document(document);
        }
        if let Some(position) = read.position {
            item = item.position(position);
        }
        if let Some(similarity) = read.similarity {
            item = item.similarity(similarity);
        }
        if let Some(vector) = read.vector {
            item = item.vector(vector);
        }
        item.variants(read.variants.unwrap_or_default()).build()
    }
}

/// An item with its relevance.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ScoredItem", deny_unknown_fields, expecting = "a scored item object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ScoredItemDefinition {
    /// The item.
    item: ContextItem,
    /// Its relevance.
    #[serde(with = "float")]
    #[cfg_attr(feature = "schema", schemars(with = "Float"))]
    score: f64,
}

as_defined_by!(ScoredItem, ScoredItemDefinition);
