//! OpenAI Chat Completions: an assistant message with `tool_calls` is followed directly by one `tool` message per call,
//! in any order. There is at least one message. Nothing else is checked.

use super::{Judge, Rule, elements};

const UNANSWERED: &str = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'";
const ORPHAN: &str =
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";

pub(super) fn judge(judge: &mut Judge<'_>) {
    let list = judge.list;
    if list.is_empty() {
        return judge.refuse_empty("[] is too short - 'messages'");
    }
    let mut at = 0;
    while at < list.len() {
        let message = &list[at];
        // Calls of this message that have no answer yet, with where they stand, and all of them.
        let mut open: Vec<(String, String)> = Vec::new();
        if message["role"] == "assistant" {
            for (number, call) in elements(&message["tool_calls"]).iter().enumerate() {
                let id = call["id"].as_str().unwrap_or_default();
                open.push((id.to_owned(), format!(".tool_calls[{number}]")));
            }
            if let Some(name) = message["function_call"]["name"].as_str() {
                open.push((name.to_owned(), ".function_call".to_owned()));
            }
        }
        let asked: Vec<String> = open.iter().map(|(id, _)| id.clone()).collect();
        let caller = at;
        if message["role"] != "tool" && message["role"] != "function" {
            at += 1;
        }
        while at < list.len() {
            let key = match list[at]["role"].as_str() {
                Some("tool") => "tool_call_id",
                Some("function") => "name",
                _ => break,
            };
            let id = list[at][key].as_str().unwrap_or_default();
            if let Some(found) = open.iter().position(|(asked, _)| asked == id) {
                open.remove(found);
            } else if asked.iter().any(|asked| asked == id) {
                judge.refuse(
                    at,
                    "",
                    Rule::AnsweredTwice,
                    format!("the call \"{id}\" is answered a second time"),
                    ORPHAN,
                );
            } else {
                let text = format!(
                    "this answers \"{id}\", which the assistant message before it did not call"
                );
                judge.refuse(at, "", Rule::AnswerWithoutCall, text, ORPHAN);
            }
            at += 1;
        }
        let end = at == list.len();
        for (id, place) in open {
            if end {
                let text = format!(
                    "the call \"{id}\" waits for its answer, which must come before the request is sent"
                );
                judge.remind(caller, &place, Rule::CallWithoutAnswer, text, UNANSWERED);
            } else {
                let text = format!("the call \"{id}\" is not answered directly behind it");
                judge.refuse(caller, &place, Rule::CallWithoutAnswer, text, UNANSWERED);
            }
        }
    }
}
