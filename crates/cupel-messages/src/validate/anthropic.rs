//! Anthropic Messages: the user first, roles in turns, all results of a message's calls at the beginning of the next.

use serde_json::Value;

use super::{Judge, Rule, elements};

const UNANSWERED: &str = "`tool_use` ids were found without `tool_result` blocks immediately after";
const ORPHAN: &str = "unexpected `tool_use_id` found in `tool_result` blocks";
const TWICE: &str = "each `tool_use` must have a single result";
const ALTERNATE: &str = "roles must alternate between \"user\" and \"assistant\"";
const FIRST: &str = "first message must use the \"user\" role";

const MOST_MESSAGES: usize = 100_000;
const MOST_BREAKPOINTS: usize = 4;

pub(super) fn judge(judge: &mut Judge<'_>) {
    let list = judge.list;
    if list.is_empty() {
        return judge.refuse_empty("messages: at least one message is required");
    }
    if judge.role(0) != "user" {
        let text = format!("the first message has the role \"{}\"", judge.role(0));
        judge.refuse(0, ".role", Rule::UserFirst, text, FIRST);
    }
    for at in 0..list.len() {
        if at > 0 && judge.role(at) == judge.role(at - 1) {
            let text = format!("two messages of the role \"{}\" in a row", judge.role(at));
            judge.refuse(at, ".role", Rule::RolesAlternate, text, ALTERNATE);
        }
        if at > 0 && judge.role(at) == "system" && judge.role(at - 1) != "user" {
            let text = "a system message inside the conversation must follow a user message";
            judge.refuse(at, ".role", Rule::SystemPlace, text, "role 'system' is not allowed here");
        }
        calls(judge, at);
        results(judge, at);
        server_tools(judge, at);
    }
    let last = list.len() - 1;
    if judge.role(last) == "assistant" && ids(&list[last], "tool_use", "id").is_empty() {
        let model = judge.body["model"].as_str().unwrap_or_default();
        if version(model).is_some_and(|version| version >= (4, 6)) {
            let text = format!(
                "the last message is the assistant's, which {model} does not continue; the user's must come first"
            );
            let says = "This model does not support assistant message prefill. The conversation must end with a user message.";
            judge.remind(last, ".role", Rule::AssistantLast, text, says);
        }
    }
    let breakpoints = list
        .iter()
        .chain([&judge.body["system"], &judge.body["tools"]])
        .map(cache_controls)
        .sum::<usize>();
    if breakpoints > MOST_BREAKPOINTS {
        let text = format!("{breakpoints} blocks have cache_control");
        let says = format!(
            "A maximum of 4 blocks with cache_control may be provided. Found {breakpoints}."
        );
        judge.refuse(last, "", Rule::CacheBreakpoints, text, says);
    }
    if list.len() > MOST_MESSAGES {
        let text = format!("{} messages", list.len());
        judge.refuse(
            last,
            "",
            Rule::TooManyMessages,
            text,
            "messages: at most 100,000 messages are allowed",
        );
    }
}

/// Every call in a message has its result in the next.
fn calls(judge: &mut Judge<'_>, at: usize) {
    let list = judge.list;
    let mut results = match list.get(at + 1) {
        Some(next) if next["role"] == "user" => ids(next, "tool_result", "tool_use_id"),
        _ => Vec::new(),
    };
    for (place, id) in ids(&list[at], "tool_use", "id") {
        let inside = format!(".content[{place}]");
        if let Some(found) = results.iter().position(|(_, result)| *result == id) {
            results.remove(found);
        } else if at + 1 == list.len() {
            let text = format!(
                "the call \"{id}\" waits for its result, which must come before the request is sent"
            );
            judge.remind(at, &inside, Rule::CallWithoutAnswer, text, format!("{UNANSWERED}: {id}"));
        } else if at + 2 == list.len()
            && list[at + 1]["role"] == "user"
            && only_results(&list[at + 1])
        {
            let text = format!(
                "the call \"{id}\" waits for its result, which must come into the last message"
            );
            judge.remind(at, &inside, Rule::CallWithoutAnswer, text, format!("{UNANSWERED}: {id}"));
        } else {
            let text = format!("the call \"{id}\" has no result in the next message");
            judge.refuse(at, &inside, Rule::CallWithoutAnswer, text, format!("{UNANSWERED}: {id}"));
        }
    }
}

/// Every result in a message answers a call of the message before, once, and stands before anything else.
fn results(judge: &mut Judge<'_>, at: usize) {
    let list = judge.list;
    let caller = (at > 0 && list[at - 1]["role"] == "assistant")
        .then(|| ids(&list[at - 1], "tool_use", "id"));
    let asked = caller.unwrap_or_default();
    let mut open: Vec<&str> = asked.iter().map(|(_, id)| *id).collect();
    let results = ids(&list[at], "tool_result", "tool_use_id");
    for (nth, (place, id)) in results.iter().enumerate() {
        let inside = format!(".content[{place}]");
        if let Some(found) = open.iter().position(|asked| asked == id) {
            open.remove(found);
        } else if asked.iter().any(|(_, asked)| asked == id) {
            judge.refuse(
                at,
                &inside,
                Rule::AnsweredTwice,
                format!("the call \"{id}\" has a result already"),
                TWICE,
            );
        } else {
            let text = format!("the message before this result does not call \"{id}\"");
            judge.refuse(at, &inside, Rule::AnswerWithoutCall, text, format!("{ORPHAN}: {id}"));
        }
        if *place != nth {
            let text = "something stands before this result in its message";
            judge.refuse(at, &inside, Rule::AnswersFirst, text, UNANSWERED);
        }
    }
}

/// What the provider ran itself has its result beside it; only the last message may be cut off before that.
fn server_tools(judge: &mut Judge<'_>, at: usize) {
    let list = judge.list;
    if at + 1 == list.len() {
        return;
    }
    let blocks = elements(&list[at]["content"]);
    for (place, id) in ids(&list[at], "server_tool_use", "id") {
        let answered =
            blocks.iter().any(|block| block["tool_use_id"] == id && block["type"] != "tool_result");
        if !answered {
            let text = format!("the provider's own call \"{id}\" has no result in this message");
            let says = "`server_tool_use` ids were found without a corresponding result block";
            judge.refuse(at, &format!(".content[{place}]"), Rule::ServerToolSplit, text, says);
        }
    }
}

/// The blocks of a type, with where they stand and their id.
fn ids<'a>(message: &'a Value, sort: &str, key: &str) -> Vec<(usize, &'a str)> {
    let blocks = elements(&message["content"]).iter().enumerate();
    let of_sort = blocks.filter(|(_, block)| block["type"] == sort);
    of_sort.map(|(at, block)| (at, block[key].as_str().unwrap_or_default())).collect()
}

fn only_results(message: &Value) -> bool {
    let blocks = elements(&message["content"]);
    !blocks.is_empty() && blocks.iter().all(|block| block["type"] == "tool_result")
}

fn cache_controls(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(cache_controls).sum(),
        Value::Object(object) => {
            let own = usize::from(object.get("cache_control").is_some_and(|mark| !mark.is_null()));
            // What a model wrote into its arguments is its own affair.
            own + object.get("content").map_or(0, cache_controls)
        }
        _ => 0,
    }
}

/// The version in a model's name: of `claude-opus-4-6-20260205`, 4 and 6.
fn version(model: &str) -> Option<(u32, u32)> {
    if !model.contains("claude") {
        return None;
    }
    let numbers =
        model.split(|c: char| !c.is_ascii_digit()).filter(|number| (1..=2).contains(&number.len()));
    let mut numbers = numbers.filter_map(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}
