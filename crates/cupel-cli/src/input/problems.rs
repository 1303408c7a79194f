//! What is wrong with candidates, and what to do about it, in words.

use cupel_policy::{PolicyError, Problem, ProblemKind, Slip};

use super::place::{Origin, Place};
use crate::failure::Complaint;

/// The most complaints about one input that are worth reading.
const MOST_COMPLAINTS: usize = 10;

/// What is wrong with `text`, which comes from `origin`.
pub(super) fn describe(error: &PolicyError, text: &str, origin: Origin<'_>) -> Vec<Complaint> {
    let problems = error.problems();
    let shown = problems.iter().take(MOST_COMPLAINTS);
    let mut complaints: Vec<_> = shown.map(|problem| complaint(problem, text, origin)).collect();
    let more = problems.len() + error.more() - complaints.len();
    if more > 0 {
        complaints.push(Complaint::new(format!("and {more} more problems")).at(origin.name));
    }
    complaints
}

/// A key that is kept, but was probably meant to be another.
pub(super) fn warning(slip: &Slip, origin: Origin<'_>) -> Option<Complaint> {
    let ProblemKind::UnknownKey { key, suggestion: Some(meant), .. } = slip.problem.kind() else {
        return None;
    };
    let more = match slip.times - 1 {
        0 => String::new(),
        more => format!(" (and in {more} more items)"),
    };
    let problem = format!("unknown key {key:?}{more}; did you mean {meant:?}?");
    let complaint = Complaint::new(problem).at(origin.locate(Place::of(&slip.problem)));
    Some(complaint.remedy("it is passed through, but has no effect on the selection"))
}

fn complaint(problem: &Problem, text: &str, origin: Origin<'_>) -> Complaint {
    let path = problem.path().trim_start_matches('$').trim_start_matches('.');
    let told = match (path, problem.kind()) {
        ("", kind) | (_, kind @ ProblemKind::Refused(_)) => kind.to_string(),
        (path, kind) => format!("{path}: {kind}"),
    };
    let complaint = Complaint::new(told).at(origin.locate(Place::of(problem)));
    match remedy(problem, path, text) {
        Some(remedy) => complaint.remedy(remedy),
        None => complaint,
    }
}

fn remedy(problem: &Problem, path: &str, text: &str) -> Option<String> {
    let fixed = match problem.kind() {
        ProblemKind::Syntax { ended, .. } => for_syntax(problem.line(), *ended, text),
        ProblemKind::MissingKey { key, suggestion: Some(other) } => {
            return Some(format!("rename {other:?} to {key:?}"));
        }
        ProblemKind::MissingKey { key, .. } if key == "tokens" => {
            if has_role(text) {
                "give every item its count or --tokenizer o200k_base; if these are a provider's messages, put \
                 them into an array: jq -s . FILE"
            } else {
                "give every item its count, or have them counted with --tokenizer o200k_base"
            }
        }
        ProblemKind::MissingKey { .. } => {
            "an item needs its text in \"content\", a request its messages in \"messages\", \"input\" or \
             \"contents\""
        }
        ProblemKind::DuplicateKey { .. } => "keep one of the two",
        ProblemKind::WrongType { found, .. } if found == "a request object" => {
            "requests are for: cupel batch"
        }
        ProblemKind::WrongType { expected, .. } if expected.starts_with("an item") => {
            "an item is an object such as {\"content\": \"...\", \"tokens\": 12}, a message one such as \
             {\"role\": \"user\", \"content\": \"...\"}"
        }
        ProblemKind::WrongType { expected, .. } if expected.contains("64 bits") => {
            "numbers go from -9223372036854775808 to 9223372036854775807"
        }
        ProblemKind::WrongType { .. } | ProblemKind::Other { .. } => for_value(path)?,
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// Whether the first of JSON Lines looks like a provider's message.
fn has_role(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.contains("\"role\""))
}

fn for_syntax(line: usize, ended: bool, text: &str) -> &'static str {
    let is_last = line >= text.trim_end().lines().count();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_array = text.starts_with('[');
    if ended && is_array {
        "the array has no end; was the file cut off?"
    } else if ended && !is_last {
        "in JSON Lines every item is on one line; \
         put items that span lines into an array: [ ... ]"
    } else if ended {
        "the text ends in the middle of a value; was it cut off?"
    } else if is_array || text.starts_with('{') {
        "mend the JSON there; jq . FILE finds the same place"
    } else {
        "give a request to a model, or a JSON array or JSON Lines of items such as {\"content\": \"...\", \
         \"tokens\": 12}"
    }
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
