//! OpenAI Responses: outputs come after their calls, calls have outputs, reasoning is followed by what the model
//! emitted next.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Judge, Rule};

/// What an item is to the rules.
enum Item<'a> {
    Call(&'a str),
    Output(&'a str),
    Reasoning,
    /// Anything else that the model emitted.
    Emitted,
    /// What came from elsewhere.
    Given,
}

fn look(item: &Value) -> Item<'_> {
    let sort = item["type"].as_str().unwrap_or("message");
    let id = item["call_id"].as_str();
    match sort {
        "message" if item["role"] == "assistant" => Item::Emitted,
        "message" => Item::Given,
        "reasoning" => Item::Reasoning,
        // What the provider answered itself has no id to be found by, and is the model's own.
        "local_shell_call_output" => id.or(item["id"].as_str()).map_or(Item::Emitted, Item::Output),
        _ if sort.ends_with("_output") => id.map_or(Item::Emitted, Item::Output),
        _ => id.map_or(Item::Emitted, Item::Call),
    }
}

pub(super) fn judge(judge: &mut Judge<'_>) {
    let items: Vec<_> = judge.list.iter().map(look).collect();
    let given = |key: &&str| !judge.body[*key].is_null();
    let elsewhere = ["previous_response_id", "conversation"].iter().any(given)
        || judge.list.iter().any(|item| item["type"] == "item_reference");
    if items.is_empty() && !elsewhere && !given(&"prompt") {
        return judge.refuse_empty(
            "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
        );
    }

    // For each id, its calls without an output, and whether there was a call at all.
    let mut open: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Call(id) => open.entry(id).or_default().push(at),
            Item::Output(id) => match open.get_mut(id) {
                Some(calls) => {
                    if calls.pop().is_none() {
                        let text = format!("the call \"{id}\" has an output already");
                        judge.refuse(at, "", Rule::AnsweredTwice, text, orphan(id));
                    }
                }
                None if elsewhere => {}
                None => {
                    let text = format!("no call \"{id}\" comes before this output");
                    judge.refuse(at, "", Rule::AnswerWithoutCall, text, orphan(id));
                }
            },
            Item::Reasoning => {
                if !matches!(
                    items.get(at + 1),
                    Some(Item::Call(_) | Item::Reasoning | Item::Emitted)
                ) {
                    let id = judge.list[at]["id"].as_str().unwrap_or("rs_..");
                    let text = "nothing that the model emitted follows this reasoning";
                    let says = format!(
                        "Item '{id}' of type 'reasoning' was provided without its required following item"
                    );
                    judge.refuse(at, "", Rule::ReasoningAlone, text, says);
                }
            }
            Item::Emitted | Item::Given => {}
        }
    }

    // Calls that only wait: behind them come outputs and what was emitted together with them, nothing else.
    let outputs = items.iter().rev().take_while(|item| matches!(item, Item::Output(_))).count();
    let emitted = items.iter().rev().skip(outputs);
    let emitted = emitted.take_while(|item| !matches!(item, Item::Output(_) | Item::Given)).count();
    let last_run = items.len() - outputs - emitted;
    for (id, calls) in open {
        for at in calls {
            let says = format!("No tool output found for function call {id}.");
            if at >= last_run {
                let text = format!(
                    "the call \"{id}\" waits for its output, which must come before the request is sent"
                );
                judge.remind(at, "", Rule::CallWithoutAnswer, text, says);
            } else {
                judge.refuse(
                    at,
                    "",
                    Rule::CallWithoutAnswer,
                    format!("the call \"{id}\" has no output"),
                    says,
                );
            }
        }
    }
}

fn orphan(id: &str) -> String {
    format!("No tool call found for function call output with call_id {id}.")
}
