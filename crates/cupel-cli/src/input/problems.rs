//! What is wrong with an object that is no item, in words.

use std::borrow::Cow;

use cupel_policy::{Loader, Problem, ProblemKind};

use super::place::Place;
use super::{item, keys};
use crate::failure::Complaint;

/// Everything that is wrong with `object`, which stands at `start` of the file `name` and failed
/// with `error`. With a tokenizer, counts may be missing.
pub(super) fn describe(
    object: &str,
    error: &serde_json::Error,
    start: Place,
    name: &str,
    counts_may_be_missing: bool,
) -> Vec<Complaint> {
    let keys = item::keys_of(object);
    let found = Loader::new().parse_item(object).err();
    let problems =
        found.iter().flat_map(|error| error.problems()).filter(|problem| match problem.kind() {
            ProblemKind::UnknownKey { .. } => false,
            ProblemKind::MissingKey { key, .. } => key != "tokens" || !counts_may_be_missing,
            _ => true,
        });
    let mut complaints: Vec<_> =
        problems.map(|problem| complaint(problem, &keys, start, name)).collect();
    if complaints.is_empty() {
        complaints.push(plain(error, start, name));
    }
    complaints
}

fn complaint(problem: &Problem, keys: &[Cow<'_, str>], start: Place, name: &str) -> Complaint {
    let place = Place { line: problem.line(), column: problem.column() }.from(start);
    let path = problem.path().trim_start_matches('$').trim_start_matches('.');
    let told = match (path, problem.kind()) {
        ("", kind) | (_, kind @ ProblemKind::Refused(_)) => kind.to_string(),
        (path, kind) => format!("{path}: {kind}"),
    };
    let complaint = Complaint::new(told).at(place.within(name));
    match remedy(problem.kind(), path, keys) {
        Some(remedy) => complaint.remedy(remedy),
        None => complaint,
    }
}

/// What the engine's own reader says, should the two ever disagree.
fn plain(error: &serde_json::Error, start: Place, name: &str) -> Complaint {
    let within = Place { line: error.line().max(1), column: error.column().max(1) };
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    Complaint::new(message).at(within.from(start).within(name))
}

fn remedy(kind: &ProblemKind, path: &str, keys: &[Cow<'_, str>]) -> Option<String> {
    let fixed = match kind {
        ProblemKind::MissingKey { key, .. } => return for_missing(key, keys),
        ProblemKind::DuplicateKey { .. } => "keep one of the two",
        ProblemKind::WrongType { expected, .. } if expected.starts_with("an item") => {
            "an item is an object such as {\"content\": \"...\", \"tokens\": 12}"
        }
        ProblemKind::WrongType { expected, .. } if expected.contains("64 bits") => {
            "numbers go from -9223372036854775808 to 9223372036854775807"
        }
        ProblemKind::WrongType { .. } | ProblemKind::Other { .. } => for_value(path)?,
        _ => return None,
    };
    Some(fixed.to_owned())
}

fn for_value(path: &str) -> Option<&'static str> {
    let key = path.split(['.', '[']).next().unwrap_or_default();
    Some(match key {
        "content" | "kind" | "source" => "write it as a string in double quotes",
        "tokens" | "priority" | "originalTokens" | "original_tokens" => {
            "write a whole number, without quotes or decimal point"
        }
        "tags" => "write a list of strings: [\"urgent\", \"billing\"]",
        "metadata" => "write an object whose values are strings: {\"page\": \"12\"}",
        "timestamp" => "write it as RFC 3339, such as \"2025-06-01T09:00:00Z\"",
        "futureRelevanceHint" | "future_relevance_hint" => {
            "write a number, conventionally from 0 to 1"
        }
        "pinned" => "write true or false, without quotes",
        _ => return None,
    })
}

fn for_missing(key: &str, keys: &[Cow<'_, str>]) -> Option<String> {
    let keys = || keys.iter().map(AsRef::as_ref);
    if keys().any(|key| key == "items") {
        return Some("this is a request, not an item; requests are for: cupel batch".to_owned());
    }
    let unknown = || keys().filter(|key| !keys::is_known(key));
    let other = unknown().find(|other| keys::misspelt(other) == Some(key));
    if let Some(other) = other.or_else(|| keys::other_name_of(key, unknown())) {
        return Some(format!("rename {other:?} to {key:?}"));
    }
    let remedy = match key {
        "tokens" => "give every item its count, or have them counted with --tokenizer o200k_base",
        _ => "an item needs its text in \"content\"",
    };
    Some(remedy.to_owned())
}
