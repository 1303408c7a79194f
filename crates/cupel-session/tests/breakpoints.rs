//! Where breakpoints go: at most four with those of the caller, and where the request before ended.

use cupel_messages::{Estimate, Request};
use cupel_session::{Price, Session, Settings};
use serde_json::{Value, json};

fn session(price: Price) -> Session {
    let settings = Settings { breakpoints: true, ..Settings::default() };
    Session::new(1_000_000)
        .with_settings(settings)
        .unwrap()
        .with_price(Price { minimum: 0, ..price })
}

/// The marks in an Anthropic request: of every block in order, whether it has one.
fn marked(text: &str) -> Vec<bool> {
    let root: Value = serde_json::from_str(text).unwrap();
    let mut marks = vec![root["system"][0]["cache_control"].is_object()];
    for message in root["messages"].as_array().unwrap() {
        match &message["content"] {
            Value::Array(blocks) => {
                marks.extend(blocks.iter().map(|it| it["cache_control"].is_object()))
            }
            _ => marks.push(false),
        }
    }
    marks
}

fn rounds(count: usize, calls: usize, own: bool) -> String {
    let mut messages = vec![json!({"role": "user", "content": "Go on."})];
    for round in 0..count {
        let ids: Vec<String> = (0..calls).map(|call| format!("c{round}_{call}")).collect();
        let uses =
            ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "look", "input": {}}));
        messages.push(json!({"role": "assistant", "content": uses.collect::<Vec<_>>()}));
        let results = ids
            .iter()
            .map(|id| json!({"type": "tool_result", "tool_use_id": id, "content": "found it"}));
        messages.push(json!({"role": "user", "content": results.collect::<Vec<_>>()}));
    }
    let mut system = json!([{"type": "text", "text": "Be brief."}]);
    if own {
        // As clients do: on the instructions, and on the last message, which is another one every turn.
        system[0]["cache_control"] = json!({"type": "ephemeral"});
        if count > 0 {
            messages.last_mut().unwrap()["content"][0]["cache_control"] =
                json!({"type": "ephemeral"});
        }
    }
    json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "system": system, "messages": messages})
        .to_string()
}

#[test]
fn four_at_most_with_the_callers_own_and_always_where_the_request_before_ended() {
    for own in [false, true] {
        for calls in [1, 4, 30] {
            let mut session = session(Price::of(cupel_messages::Format::Anthropic, None));
            let mut end_before = None;
            for count in 0..12 {
                let request = Request::read(rounds(count, calls, own)).unwrap();
                let turn = session.next(&request, &Estimate).unwrap();
                let marks = marked(&turn.request.text);
                let all: Vec<usize> = (0..marks.len()).filter(|at| marks[*at]).collect();
                assert!(all.len() <= 4, "{all:?}");
                assert_eq!(all, turn.report.breakpoints);
                assert_eq!(*all.last().unwrap(), marks.len() - 1, "the end is marked");
                if let Some(before) = end_before {
                    // Found without looking back, or from at most twenty blocks behind it.
                    let reach = all.iter().any(|mark| *mark >= before && mark - before <= 20);
                    assert!(reach, "{all:?} after {before}");
                    assert!(turn.report.costs.read > 0);
                }
                assert!(
                    turn.report.prefix.is_whole(),
                    "marks that move are no change: {:?}",
                    turn.report.prefix
                );
                end_before = all.last().copied();
            }
        }
    }
}

#[test]
fn without_being_asked_nothing_is_marked_and_the_note_says_so() {
    let request = Request::read(rounds(2, 1, false)).unwrap();
    let turn = Session::new(1_000_000).next(&request, &Estimate).unwrap();
    assert_eq!(turn.request.text, request.text());
    assert_eq!((turn.report.costs.read, turn.report.costs.written), (0, 0));
    assert!(turn.report.notes[0].to_string().contains("ask the session for breakpoints"));
}

#[test]
fn openai_gets_breakpoints_and_the_same_key_every_turn() {
    let mut session = session(Price::of(cupel_messages::Format::OpenAiChat, Some("gpt-5.6")));
    let mut request = Request::read(
        r#"{"model":"gpt-5.6","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]}"#,
    )
    .unwrap();
    let mut keys = Vec::new();
    for _ in 0..3 {
        let turn = session.next(&request, &Estimate).unwrap();
        let sent: Value = serde_json::from_str(&turn.request.text).unwrap();
        keys.push(sent["prompt_cache_key"].as_str().unwrap().to_owned());
        assert_eq!(
            sent["messages"][0]["content"][0]["prompt_cache_breakpoint"],
            json!({"mode": "explicit"})
        );
        assert!(turn.request.text.matches("prompt_cache_breakpoint").count() <= 3);
        assert!(turn.report.prefix.is_whole(), "{:?}", turn.report.prefix);
        request.push(r#"{"role":"assistant","content":"hello"}"#).unwrap();
        request.push(r#"{"role":"user","content":"go on"}"#).unwrap();
    }
    assert!(keys.iter().all(|key| *key == keys[0] && key.starts_with("cupel-")));
    let other =
        Request::read(r#"{"model":"gpt-5","messages":[{"role":"user","content":"hi"}]}"#).unwrap();
    let older = Session::new(100)
        .with_settings(Settings { breakpoints: true, ..Settings::default() })
        .unwrap();
    let sent = { older }.next(&other, &Estimate).unwrap().request.text;
    assert!(sent.contains("prompt_cache_key") && !sent.contains("breakpoint"), "{sent}");
}

#[test]
fn a_breakpoint_stands_before_what_is_for_this_turn_only() {
    let mut session = session(Price::of(cupel_messages::Format::Anthropic, None));
    let mut request: Value = serde_json::from_str(&rounds(1, 1, false)).unwrap();
    let reminder = json!({"role": "user", "content": "It is late.", "cupel": {"volatile": true}});
    request["messages"].as_array_mut().unwrap().push(reminder);
    let turn = session.next(&Request::read(request.to_string()).unwrap(), &Estimate).unwrap();
    let marks = marked(&turn.request.text);
    assert!(!marks[marks.len() - 1] && marks[marks.len() - 2], "{marks:?}\n{}", turn.request.text);
    let next = session.next(&Request::read(rounds(2, 1, false)).unwrap(), &Estimate).unwrap();
    let change = next.report.prefix.first_change.unwrap();
    assert_eq!(change.cause, cupel_session::Cause::Tail);
    assert!(next.report.costs.read > 0);
}

#[test]
fn openai_marks_the_last_question_itself_and_ours_stand_elsewhere() {
    let mut session = session(Price::of(cupel_messages::Format::OpenAiChat, Some("gpt-5.6")));
    let mut messages = vec![json!({"role": "system", "content": "Be brief."})];
    for turn in 0..8 {
        messages.push(json!({"role": "user", "content": format!("What of {turn}?")}));
        let request = json!({"model": "gpt-5.6", "messages": messages});
        let turn = session.next(&Request::read(request.to_string()).unwrap(), &Estimate).unwrap();
        let sent: Value = serde_json::from_str(&turn.request.text).unwrap();
        let marked = |at: usize| sent["messages"][at].to_string().contains("breakpoint");
        let last = messages.len() - 1;
        assert!(!marked(last), "{sent}");
        assert!(marked(0), "{sent}");
        // Its own entry is what the next request reads.
        let read_before = turn.report.turn == 1 || turn.report.costs.read > 0;
        assert!(turn.report.prefix.is_whole() && read_before, "{:?}", turn.report);
        messages.push(json!({"role": "assistant", "content": "Nothing."}));
    }
}

#[test]
fn a_request_without_messages_is_refused_and_changes_nothing() {
    let mut session = Session::new(1_000);
    for empty in [r#"{"model":"gpt-5","messages":[]}"#, r#"{"model":"gpt-5","input":[]}"#] {
        let refused = session.next(&Request::read(empty).unwrap(), &Estimate).unwrap_err();
        assert_eq!(refused, cupel_session::Error::NoMessages, "{empty}");
        assert!(refused.to_string().contains("what the user said first"));
        assert_eq!(session.state().turns(), 0);
    }
}
