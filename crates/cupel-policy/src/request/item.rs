//! An item, by the same rules as the engine's own reader, but with the place of each problem.

use cupel::{ContextItem, ContextSource, CupelError, ItemVariant};

use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::own_keys::OwnKeys;
use crate::read::{
    Context, Fields, any_number, boolean, entries, integer, kind, list, name, number, string,
    timestamp, vector,
};

/// What others call the text and its count.
const CONTENT_NAMES: &[&str] = &["text", "body", "message", "value", "page_content", "data"];
const TOKENS_NAMES: &[&str] =
    &["token_count", "tokenCount", "num_tokens", "n_tokens", "length", "size"];

/// How items are read that are not a part of a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ItemRules<'c> {
    /// Whether unknown keys are kept instead of refused.
    pub(crate) keep_unknown_keys: bool,
    pub(crate) counts: Counts<'c>,
    /// Whether unknown keys that are kept are also handed on.
    pub(crate) own_keys: bool,
}

/// Where the token counts come from that an item and its variants do not say.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Counts<'c> {
    /// From nowhere: they must say them.
    #[default]
    Own,
    /// From a second reading. Until then the item stands for itself, without what was not counted.
    Later,
    /// From here, in the order of [`ReadItem::uncounted`].
    Given(&'c [i64]),
}

/// An item as read.
#[derive(Debug)]
pub(crate) struct ReadItem {
    pub(crate) item: ContextItem,
    /// What of it does not say its token count, if anything; in a box, since a request of a few megabytes may have
    /// a million items.
    pub(crate) uncounted: Option<Box<Uncounted>>,
    pub(crate) own_keys: OwnKeys,
}

impl ReadItem {
    /// What is to be counted: the content, then contents of variants.
    pub(crate) fn uncounted(&self) -> impl Iterator<Item = &str> {
        self.uncounted.iter().flat_map(|it| it.contents(&self.item))
    }
}

/// What of an item does not say its token count.
#[derive(Debug, PartialEq)]
pub(crate) struct Uncounted {
    /// Whether the item itself does not.
    pub(crate) own: bool,
    /// The contents of variants that do not.
    pub(crate) variants: Vec<String>,
}

impl Uncounted {
    /// The content of `item`, if it is to be counted, then those of variants.
    pub(crate) fn contents<'u>(&'u self, item: &'u ContextItem) -> impl Iterator<Item = &'u str> {
        let own = self.own.then_some(item.content());
        own.into_iter().chain(self.variants.iter().map(String::as_str))
    }
}

/// Reads an item of a request.
pub(crate) fn item(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextItem> {
    item_by(ItemRules::default(), node, path, context).map(|read| read.item)
}

/// Reads an item by rules of the caller's.
pub(crate) fn item_by(
    rules: ItemRules<'_>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ReadItem> {
    let mut fields = Fields::of(node, path, "an item object", context)?;
    if !fields.has("content") && fields.has("items") {
        let (expected, found) = ("an item object".to_owned(), "a request object".to_owned());
        context.problem(node, path, ProblemKind::WrongType { expected, found });
        return None;
    }
    let content = fields.required_also_called("content", CONTENT_NAMES, context, content);
    let is_own = matches!(rules.counts, Counts::Own);
    let has_count = is_own || fields.position("tokens").is_some();
    let tokens = match has_count {
        true => fields.required_also_called("tokens", TOKENS_NAMES, context, integer).map(Some),
        // Asked for, so that a slip of the pen is known as one.
        false => Some(fields.optional("tokens", context, integer)),
    };
    let kind = fields.optional("kind", context, kind);
    let source = fields.optional("source", context, source);
    let priority = fields.optional("priority", context, integer);
    let tags = fields.optional("tags", context, list(string));
    let metadata = fields.optional("metadata", context, metadata);
    let timestamp = fields.optional("timestamp", context, timestamp);
    let hint = fields.optional("futureRelevanceHint", context, any_number);
    let pinned = fields.optional("pinned", context, boolean);
    let original_tokens = fields.optional("originalTokens", context, integer);
    let group = fields.optional("group", context, name(CupelError::EmptyGroup));
    let variants = fields.optional(
        "variants",
        context,
        list(|node, path, context: &mut Context<'_>| variant(is_own, node, path, context)),
    );
    let document = fields.optional("document", context, name(CupelError::EmptyDocument));
    let position = fields.optional("position", context, integer);
    let similarity = fields.optional("similarity", context, number);
    let vector = fields.optional("vector", context, vector);
    let own_keys = match rules.own_keys {
        true => OwnKeys::of(fields.rest()),
        false => OwnKeys::default(),
    };
    if rules.keep_unknown_keys {
        fields.finish_keeping(context);
    } else {
        fields.finish(context);
    }

    let (content, tokens) = (content?, tokens?);
    let mut variants = variants.unwrap_or_default();
    let uncounted = variants.iter().filter(|it| it.tokens.is_none());
    let uncounted =
        Uncounted { own: !has_count, variants: uncounted.map(|it| it.content.clone()).collect() };
    let uncounted = (uncounted.own || !uncounted.variants.is_empty()).then(|| Box::new(uncounted));
    let mut counts = match rules.counts {
        Counts::Given(counts) => counts.iter().copied(),
        _ => [].iter().copied(),
    };
    let tokens = tokens.or_else(|| counts.next()).unwrap_or(0);
    for variant in &mut variants {
        variant.tokens = variant.tokens.or_else(|| counts.next());
    }
    if matches!(rules.counts, Counts::Later) && uncounted.is_some() {
        variants.clear();
    }

    let mut item = ContextItem::builder(content, tokens)
        .kind(kind.unwrap_or_default())
        .source(source.unwrap_or_default())
        .tags(tags.unwrap_or_default())
        .metadata(metadata.unwrap_or_default())
        .pinned(pinned.unwrap_or(false));
    if let Some(priority) = priority {
        item = item.priority(priority);
    }
    if let Some(timestamp) = timestamp {
        item = item.timestamp(timestamp);
    }
    if let Some(hint) = hint {
        item = item.future_relevance_hint(hint);
    }
    if let Some(tokens) = original_tokens {
        item = item.original_tokens(tokens);
    }
    if let Some(group) = group {
        item = item.group(group);
    }
    if let Some(document) = document {
        item = item.document(document);
    }
    if let Some(position) = position {
        item = item.position(position);
    }
    if let Some(similarity) = similarity {
        item = item.similarity(similarity);
    }
    if let Some(vector) = vector {
        item = item.vector(vector);
    }
    item = item.variants(variants.into_iter().filter_map(ReadVariant::counted));
    let item = context.accepted(node, path, item.build())?;
    Some(ReadItem { item, uncounted, own_keys })
}

/// Text that is not empty; said here, so that the problem stands at the text and not at the item.
fn content(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<String> {
    let content = string(node, path, context)?;
    if content.is_empty() {
        context.problem(node, path, ProblemKind::Refused(CupelError::EmptyContent));
        return None;
    }
    Some(content)
}

/// A shorter form as read.
struct ReadVariant {
    content: String,
    tokens: Option<i64>,
    worth: Option<f64>,
}

impl ReadVariant {
    fn counted(self) -> Option<ItemVariant> {
        let variant = ItemVariant::new(self.content, self.tokens?);
        Some(match self.worth {
            Some(worth) => variant.with_worth(worth),
            None => variant,
        })
    }
}

/// A shorter form. Whether it is one of the item is for the item to say.
fn variant(
    needs_count: bool,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ReadVariant> {
    let mut fields = Fields::of(node, path, "a variant object", context)?;
    let content = fields.required("content", context, string);
    let tokens = match needs_count || fields.position("tokens").is_some() {
        true => fields.required_also_called("tokens", TOKENS_NAMES, context, integer).map(Some),
        false => Some(fields.optional("tokens", context, integer)),
    };
    let worth = fields.optional("worth", context, number);
    fields.finish(context);
    Some(ReadVariant { content: content?, tokens: tokens?, worth })
}

fn source(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<ContextSource> {
    let name = string(node, path, context)?;
    context.accepted(node, path, ContextSource::new(name))
}

fn metadata(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<(String, String)>> {
    let members = entries(node, path, context)?;
    let read: Vec<_> = members
        .into_iter()
        .map(|member| {
            let value = string(&member.value, &path.key(&member.key), context)?;
            Some((member.key.to_string(), value))
        })
        .collect();
    read.into_iter().collect()
}
