//! What a caller calls a request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ProblemKind;
use crate::json::{self, Dialect, Node, Path, Value};
use crate::read::Context;

/// What a caller calls a request: text, or a whole number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline, description = "What you call it: text, or a whole number.")]
pub enum RequestId {
    /// A whole number.
    Number(i64),
    /// Text.
    Text(String),
}

pub(super) fn id(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<RequestId> {
    let id = of(&node.value);
    if id.is_none() {
        let kind = ProblemKind::wrong_type("a string or a whole number", &node.value);
        context.problem(node, path, kind);
    }
    id
}

fn of(value: &Value<'_>) -> Option<RequestId> {
    match value {
        Value::String(text) => Some(RequestId::Text(text.to_string())),
        Value::Number(text) => text.parse().ok().map(RequestId::Number),
        _ => None,
    }
}

/// What a request that is refused calls itself, as far as it can be told.
pub(crate) fn id_in(request: &[u8]) -> Option<RequestId> {
    let root = json::parse(std::str::from_utf8(request).ok()?, Dialect::Json).ok()?;
    let Value::Object(members) = &root.value else { return None };
    members.iter().find(|member| member.key == "id").and_then(|member| of(&member.value.value))
}
