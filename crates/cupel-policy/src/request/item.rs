//! Items, by the same rules as the engine's own reader, but with the place of each problem.

use cupel::{ContextItem, ContextSource, CupelError};

use crate::error::ProblemKind;
use crate::json::{Node, Path};
use crate::read::{
    Context, Fields, any_number, boolean, entries, integer, kind, list, string, timestamp,
};

pub(crate) fn item(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextItem> {
    let mut fields = Fields::of(node, path, "an item object", context)?;
    let content = fields.required("content", context, content);
    let tokens = fields.required("tokens", context, integer);
    let kind = fields.optional("kind", context, kind);
    let source = fields.optional("source", context, source);
    let priority = fields.optional("priority", context, integer);
    let tags = fields.optional("tags", context, list(string));
    let metadata = fields.optional("metadata", context, metadata);
    let timestamp = fields.optional("timestamp", context, timestamp);
    let hint = fields.optional("futureRelevanceHint", context, any_number);
    let pinned = fields.optional("pinned", context, boolean);
    let original_tokens = fields.optional("originalTokens", context, integer);
    fields.finish(context);

    let mut item = ContextItem::builder(content?, tokens?)
        .kind(kind.unwrap_or_default())
        .source(source.unwrap_or_default())
        .tags(tags.unwrap_or_default())
        .metadata(metadata.unwrap_or_default().into_iter().collect())
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
    context.accepted(node, path, item.build())
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
