//! Single values, lists and maps.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use cupel::{ContextKind, CupelError};

use super::{Context, Spelled, suggestion};
use crate::error::ProblemKind;
use crate::json::{Member, Node, Path, Value};
use crate::time;

macro_rules! expected {
    ($node:ident, $path:ident, $context:ident, $expected:expr) => {{
        $context.problem($node, $path, ProblemKind::wrong_type($expected, &$node.value));
        None
    }};
}

pub(crate) fn string(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.to_string()),
        _ => expected!(node, path, context, "a string"),
    }
}

/// Text that is not blank, or else is refused as `blank` says: at the text, not at what it is a part of.
pub(crate) fn name(
    blank: CupelError,
) -> impl FnOnce(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<String> {
    move |node, path, context| {
        let name = string(node, path, context)?;
        if name.trim().is_empty() {
            context.problem(node, path, ProblemKind::Refused(blank));
            return None;
        }
        Some(name)
    }
}

pub(crate) fn boolean(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<bool> {
    match &node.value {
        Value::Bool(value) => Some(*value),
        _ => expected!(node, path, context, "true or false"),
    }
}

pub(crate) fn number(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<f64> {
    match &node.value {
        Value::Number(text) => text.parse().ok(),
        Value::NonFinite(number) => Some(*number),
        _ => expected!(node, path, context, "a number"),
    }
}

/// An embedding; a number that 32 bits cannot hold is refused where it stands.
pub(crate) fn vector(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<f32>> {
    list(|node, path, context| match &node.value {
        Value::Number(text) => match text.parse::<f32>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => {
                let problem = format!("{text} is beyond what 32 bits hold; scale the vector down");
                let refused = CupelError::InvalidVector(problem);
                context.problem(node, path, ProblemKind::Refused(refused));
                None
            }
        },
        // For the item to refuse, in its own words.
        Value::NonFinite(number) => Some(*number as f32),
        _ => expected!(node, path, context, "a number"),
    })(node, path, context)
}

/// A number, or the name of one that JSON cannot write.
pub(crate) fn any_number(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<f64> {
    match &node.value {
        Value::Number(text) => text.parse().ok(),
        Value::NonFinite(number) => Some(*number),
        Value::String(name) if name == "NaN" => Some(f64::NAN),
        Value::String(name) if name == "Infinity" => Some(f64::INFINITY),
        Value::String(name) if name == "-Infinity" => Some(f64::NEG_INFINITY),
        _ => {
            expected!(node, path, context, "a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
        }
    }
}

/// A number written without fraction or exponent: `12.0` is not whole.
pub(crate) fn integer(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<i64> {
    match whole(&node.value).map(i64::try_from) {
        Some(Ok(whole)) => Some(whole),
        Some(Err(_)) => expected!(node, path, context, "a whole number of at most 64 bits"),
        None => expected!(node, path, context, "a whole number"),
    }
}

/// A number of items; a negative one is refused as the slicers would.
pub(crate) fn count(node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>) -> Option<usize> {
    match whole(&node.value) {
        Some(whole) if whole < 0 => {
            let refused = CupelError::SlicerConfig(format!("a count ({whole}) must be at least 0"));
            context.problem(node, path, ProblemKind::Refused(refused));
            None
        }
        Some(whole) => match usize::try_from(whole) {
            Ok(count) => Some(count),
            Err(_) => expected!(node, path, context, "a count of at most 64 bits"),
        },
        None => expected!(node, path, context, "a whole number"),
    }
}

/// The whole number that is written there; so large a one that it cannot be told is the largest.
fn whole(value: &Value<'_>) -> Option<i128> {
    match value {
        // A number that has no sign of zero to lose.
        Value::Number(text) if *text != "-0" => match text.parse::<i64>() {
            Ok(whole) => Some(whole.into()),
            Err(_) if text.contains(['.', 'e', 'E']) => None,
            Err(_) => {
                let end = if text.starts_with('-') { i128::MIN } else { i128::MAX };
                Some(text.parse().unwrap_or(end))
            }
        },
        _ => None,
    }
}

pub(crate) fn timestamp(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<DateTime<Utc>> {
    let read = match &node.value {
        Value::String(text) => time::read(text),
        Value::Number(text) => match time::of_epoch(text) {
            Some(meant) => Err(format!(
                "expected an RFC 3339 timestamp, found the number {text}; as {} since 1970 it is \
                 {meant:?}",
                meant.unit
            )),
            None => return expected!(node, path, context, "an RFC 3339 timestamp"),
        },
        _ => return expected!(node, path, context, "an RFC 3339 timestamp"),
    };
    match read {
        Ok(time) => Some(time),
        Err(message) => {
            context.problem(node, path, ProblemKind::Other { message });
            None
        }
    }
}

pub(crate) fn kind(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ContextKind> {
    let name = string(node, path, context)?;
    context.accepted(node, path, ContextKind::new(name))
}

/// One of `names`, spelled in any case.
pub(crate) fn one_of<T: Copy>(
    what: &'static str,
    names: &'static [(&'static str, T)],
) -> impl Fn(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T> {
    move |node, path, context| {
        let name = string(node, path, context)?;
        let found = names.iter().find(|(known, _)| Spelled(known).is_name(&name));
        if found.is_none() {
            let allowed = names.iter().map(|(known, _)| *known);
            context.problems.add_with(node.at, path, || unknown_name(what, &name, allowed));
        }
        found.map(|(_, value)| *value)
    }
}

pub(crate) fn unknown_name<'a>(
    what: &str,
    name: &str,
    allowed: impl Iterator<Item = &'a str> + Clone,
) -> ProblemKind {
    ProblemKind::UnknownName {
        what: what.to_owned(),
        name: name.to_owned(),
        suggestion: suggestion(name, allowed.clone()),
        allowed: allowed.map(str::to_owned).collect(),
    }
}

/// A list, as far as its elements can be read; `None` when one cannot.
pub(crate) fn list<T>(
    read: impl Fn(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
) -> impl Fn(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<Vec<T>> {
    move |node, path, context| {
        let Value::Array(elements) = &node.value else {
            return expected!(node, path, context, "an array");
        };
        // Not collected into an Option, which would stop at the first element that is wrong.
        let read: Vec<Option<T>> = elements
            .iter()
            .enumerate()
            .map(|(at, element)| read(element, &path.index(at), context))
            .collect();
        read.into_iter().collect()
    }
}

/// An object with keys of the user's own, in its order, each key once.
pub(crate) fn entries<'n>(
    node: &'n Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<&'n Member<'n>>> {
    let Value::Object(members) = &node.value else {
        return expected!(node, path, context, "an object");
    };
    let mut seen = HashMap::with_capacity(members.len());
    let mut distinct = true;
    for member in members {
        if seen.insert(&*member.key, ()).is_some() {
            let (key, first) = (member.key.to_string(), member.key.to_string());
            let kind = ProblemKind::DuplicateKey { key, first };
            context.problems.add(member.at, &path.key(&member.key), kind);
            distinct = false;
        }
    }
    distinct.then(|| members.iter().collect())
}

/// Values by kind, in their order; a kind that is given in two spellings is refused as `refuse`
/// says.
pub(crate) fn by_kind<T>(
    read: impl Fn(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
    refuse: fn(String) -> CupelError,
) -> impl Fn(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<Vec<(ContextKind, T)>> {
    move |node, path, context| {
        let members = entries(node, path, context)?;
        let mut seen = std::collections::HashSet::with_capacity(members.len());
        let read: Vec<Option<(ContextKind, T)>> = members
            .iter()
            .map(|member| {
                let path = path.key(&member.key);
                let key = Node { at: member.at, value: Value::Null };
                let kind = context.accepted(&key, &path, ContextKind::new(&*member.key));
                let value = read(&member.value, &path, context);
                let kind = kind?;
                if !seen.insert(kind.clone()) {
                    let refused = refuse(format!(
                        "the kind {kind} is given in two spellings; kinds are compared without \
                         case, keep one"
                    ));
                    context.problem(&key, &path, ProblemKind::Refused(refused));
                    return None;
                }
                Some((kind, value?))
            })
            .collect();
        read.into_iter().collect()
    }
}
