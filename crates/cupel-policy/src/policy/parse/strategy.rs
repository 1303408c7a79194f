//! Strategies by name: built-in ones, and those that the program registered.

use serde_json::{Map, Value as JsonValue};

use crate::error::ProblemKind;
use crate::json::{Member, Node, Path, Value};
use crate::policy::CustomConfig;
use crate::read::{Context, Fields, Spelled, string, unknown_name};
use crate::registry::Refusal;

/// What a name stands for.
#[derive(Debug, PartialEq)]
pub(super) enum Strategy {
    /// By its canonical name.
    BuiltIn(&'static str),
    Custom(CustomConfig),
}

/// Reads `"name"`, or `{ "type": "name", … }` for a strategy that the program registered.
pub(super) fn strategy(
    what: &str,
    built_in: &'static [&'static str],
    registered: &[&str],
    check: impl Fn(&CustomConfig) -> Result<(), Refusal>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Strategy> {
    let (name, arguments, name_node) = match &node.value {
        Value::String(name) => (name.to_string(), Some(Map::new()), node),
        Value::Object(members) => {
            let mut fields = Fields::of(node, path, "an object", context)?;
            let name = fields.required("type", context, string)?;
            let rest: Vec<_> = fields.rest().collect();
            let name_node = members.iter().find(|member| member.key == "type");
            (name, arguments(rest, path, context), name_node.map_or(node, |it| &it.value))
        }
        other => {
            let expected = format!("the name of a {what}, or an object with its \"type\"");
            context.problem(node, path, ProblemKind::wrong_type(expected, other));
            return None;
        }
    };
    let known = built_in.iter().find(|known| Spelled(known).is_name(&name));
    if let Some(known) = known {
        if matches!(node.value, Value::Object(_)) {
            let message = format!("a built-in {what} is written as a string: {known:?}");
            context.problem(node, path, ProblemKind::Other { message });
            return None;
        }
        return Some(Strategy::BuiltIn(known));
    }
    if !registered.contains(&name.as_str()) {
        let names = built_in.iter().chain(registered).copied();
        let type_path = path.key("type");
        let path = if std::ptr::eq(name_node, node) { path } else { &type_path };
        context.problem(name_node, path, unknown_name(what, &name, names));
        return None;
    }
    let custom = CustomConfig { name, arguments: arguments?.into() };
    accepted(check(&custom), node, path, context)?;
    Some(Strategy::Custom(custom))
}

/// Reports what a constructor refused.
pub(super) fn accepted(
    checked: Result<(), Refusal>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<()> {
    let kind = match checked {
        Ok(()) => return Some(()),
        Err(Refusal::Cupel(error)) => ProblemKind::Refused(error),
        Err(Refusal::Other(message)) => ProblemKind::Other { message },
    };
    context.problem(node, path, kind);
    None
}

/// Members as JSON for a constructor; a key that is given twice is a problem at any depth.
pub(super) fn arguments<'n>(
    members: impl IntoIterator<Item = &'n Member<'n>>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Map<String, JsonValue>> {
    let mut map = Map::new();
    let mut complete = true;
    for member in members {
        let path = path.key(&member.key);
        match json(&member.value, &path, context) {
            Some(value) if !map.contains_key(&*member.key) => {
                map.insert(member.key.to_string(), value);
            }
            Some(_) => {
                let (key, first) = (member.key.to_string(), member.key.to_string());
                context.problems.add(member.at, &path, ProblemKind::DuplicateKey { key, first });
                complete = false;
            }
            None => complete = false,
        }
    }
    complete.then_some(map)
}

fn json(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<JsonValue> {
    Some(match &node.value {
        Value::Null => JsonValue::Null,
        Value::Bool(value) => JsonValue::Bool(*value),
        // Every number here was seen to be finite, and serde_json reads all of those.
        Value::Number(text) => serde_json::from_str(text).ok()?,
        Value::NonFinite(_) => {
            let expected = "arguments that JSON can write";
            context.problem(node, path, ProblemKind::wrong_type(expected, &node.value));
            return None;
        }
        Value::String(text) => JsonValue::String(text.to_string()),
        Value::Array(elements) => {
            let elements = elements.iter().enumerate();
            let read: Vec<_> =
                elements.map(|(at, element)| json(element, &path.index(at), context)).collect();
            JsonValue::Array(read.into_iter().collect::<Option<_>>()?)
        }
        Value::Object(members) => JsonValue::Object(arguments(members, path, context)?),
    })
}
