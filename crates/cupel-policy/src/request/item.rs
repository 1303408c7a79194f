//! An item, by the same rules as the engine's own reader, but with the place of each problem.

use cupel::{ContextItem, ContextSource, CupelError, ItemVariant};

use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::own_keys::OwnKeys;
use crate::read::{
    Context, Fields, any_number, boolean, entries, integer, kind, list, number, string, timestamp,
};

/// What others call the text and its count.
const CONTENT_NAMES: &[&str] = &["text", "body", "message", "value", "page_content", "data"];
const TOKENS_NAMES: &[&str] =
    &["token_count", "tokenCount", "num_tokens", "n_tokens", "length", "size"];

/// How items are read that are not a part of a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ItemRules {
    /// Whether unknown keys are kept instead of refused.
    pub(crate) keep_unknown_keys: bool,
    /// The count of an item that does not say its own.
    pub(crate) tokens: Option<i64>,
    /// Whether unknown keys that are kept are also handed on.
    pub(crate) own_keys: bool,
}

/// An item as read.
#[derive(Debug)]
pub(crate) struct ReadItem {
    pub(crate) item: ContextItem,
    /// Whether it says its own token count.
    pub(crate) has_count: bool,
    pub(crate) own_keys: OwnKeys,
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
    rules: ItemRules,
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
    let supplied = rules.tokens.filter(|_| fields.position("tokens").is_none());
    let tokens = match supplied {
        Some(_) => fields.optional("tokens", context, integer).or(supplied),
        None => fields.required_also_called("tokens", TOKENS_NAMES, context, integer),
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
    let group = fields.optional("group", context, group);
    let variants = fields.optional("variants", context, list(variant));
    let own_keys = match rules.own_keys {
        true => OwnKeys::of(fields.rest()),
        false => OwnKeys::default(),
    };
    if rules.keep_unknown_keys {
        fields.finish_keeping(context);
    } else {
        fields.finish(context);
    }

    let mut item = ContextItem::builder(content?, tokens?)
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
    item = item.variants(variants.unwrap_or_default());
    let item = context.accepted(node, path, item.build())?;
    Some(ReadItem { item, has_count: supplied.is_none(), own_keys })
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

/// A name that is not blank; said here, so that the problem stands at the name and not at the item.
fn group(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<String> {
    let group = string(node, path, context)?;
    if group.trim().is_empty() {
        context.problem(node, path, ProblemKind::Refused(CupelError::EmptyGroup));
        return None;
    }
    Some(group)
}

/// A shorter form. Whether it is one of the item is for the item to say.
fn variant(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<ItemVariant> {
    let mut fields = Fields::of(node, path, "a variant object", context)?;
    let content = fields.required("content", context, content);
    let tokens = fields.required("tokens", context, integer);
    let worth = fields.optional("worth", context, number);
    fields.finish(context);
    let variant = ItemVariant::new(content?, tokens?);
    Some(match worth {
        Some(worth) => variant.with_worth(worth),
        None => variant,
    })
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
