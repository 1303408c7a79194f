//! Anthropic.

use super::*;

const USER: &str = r#"{"role":"user","content":"0123456789"}"#;
const REPLY: &str = r#"{"role":"assistant","content":"abcdefghij"}"#;
const THOUGHT: &str = r#"{"type":"thinking","thinking":"0123456789","signature":"s"}"#;

fn body(model: &str, messages: &[&str]) -> String {
    format!(r#"{{"model":"{model}","system":"","messages":{}}}"#, list(messages))
}

fn call(id: &str, before: &str) -> String {
    let before = if before.is_empty() { String::new() } else { format!("{before},") };
    format!(
        r#"{{"role":"assistant","content":[{before}{{"type":"tool_use","id":"{id}","name":"find","input":{{}}}}]}}"#
    )
}

fn result(id: &str) -> String {
    format!(
        r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"12345"}}]}}"#
    )
}

const OLDER: &str = "claude-sonnet-4-5";
const NEWER: &str = "claude-opus-5-5";

#[test]
fn the_user_comes_first() {
    let fitted = fit(&body(OLDER, &[REPLY, USER]), LARGE, &Options::new());
    assert_eq!(fitted.text, body(OLDER, &[USER]));
    assert_eq!(repairs(&fitted), [(Some(0), RepairKind::LeadingDropped)]);
}

#[test]
fn neighbours_of_one_role_become_one() {
    let fitted = fit(&body(OLDER, &[USER, USER]), LARGE, &Options::new());
    let both = r#"{"role":"user","content":[{"type":"text","text":"0123456789"},{"type":"text","text":"0123456789"}]}"#;
    assert_eq!(fitted.text, body(OLDER, &[both]));
    assert_eq!(repairs(&fitted), [(Some(1), RepairKind::Merged { into: Some(0) })]);
}

#[test]
fn results_in_separate_messages_are_brought_together() {
    let two = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}"#;
    let fitted =
        fit(&body(OLDER, &[USER, two, &result("a"), &result("b")]), LARGE, &Options::new());
    let together = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"12345"},{"type":"tool_result","tool_use_id":"b","content":"12345"}]}"#;
    assert_eq!(fitted.text, body(OLDER, &[USER, two, together]));
}

#[test]
fn results_come_before_words_in_their_message() {
    let late = r#"{"role":"user","content":[{"type":"text","text":"so"}, {"type":"tool_result","tool_use_id":"a","content":"1"}]}"#;
    let fitted = fit(&body(OLDER, &[USER, &call("a", ""), late]), LARGE, &Options::new());
    let first = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"text","text":"so"}]}"#;
    assert_eq!(fitted.text, body(OLDER, &[USER, &call("a", ""), first]));
    assert_eq!(repairs(&fitted), [(Some(2), RepairKind::AnswersMovedFirst)]);
}

#[test]
fn a_missing_result_goes_before_what_the_user_said() {
    let fitted = fit(&body(OLDER, &[USER, &call("a", ""), USER]), LARGE, &Options::new());
    let message: serde_json::Value = serde_json::from_str(&fitted.text).unwrap();
    let content = &message["messages"][2]["content"];
    assert_eq!(content[0]["type"], "tool_result");
    assert_eq!(content[0]["tool_use_id"], "a");
    assert_eq!(content[0]["is_error"], true);
    assert_eq!(content[1]["text"], "0123456789");
}

#[test]
fn newer_models_lose_the_thinking_behind_a_cut() {
    let messages = [
        USER,
        &call("a", THOUGHT),
        &result("a"),
        REPLY,
        USER,
        REPLY,
        USER,
        &call("b", THOUGHT),
        &result("b"),
    ];
    let messages: Vec<&str> = messages.to_vec();
    let whole = fit(&body(NEWER, &messages), LARGE, &Options::new());
    assert_eq!(whole.text, body(NEWER, &messages));
    let fitted = fit(&body(NEWER, &messages), 41, &Options::new());
    assert_eq!(fitted.text, body(NEWER, &[USER, REPLY, USER, &call("b", ""), &result("b")]));
    let stripped = RepairKind::ThinkingStripped { tokens: 10, current_turn: true };
    assert_eq!(repairs(&fitted), [(Some(7), stripped)]);
    assert!(fitted.repairs[0].to_string().contains("loses its train of thought"));
}

#[test]
fn what_stands_before_the_cut_keeps_its_thinking() {
    let messages = [USER, &call("a", THOUGHT), &result("a"), REPLY, USER, REPLY, USER];
    let fitted = fit(&body(NEWER, &messages), 55, &Options::new().keep_first(1));
    assert_eq!(fitted.text, body(NEWER, &[USER, &call("a", THOUGHT), &result("a"), REPLY, USER]));
    assert!(fitted.repairs.is_empty());
}

#[test]
fn older_models_keep_it() {
    let messages = [USER, REPLY, USER, &call("b", THOUGHT), &result("b")];
    let fitted = fit(&body(OLDER, &messages), 31, &Options::new());
    assert_eq!(fitted.text, body(OLDER, &[USER, &call("b", THOUGHT), &result("b")]));
}

#[test]
fn what_the_provider_made_is_never_edited() {
    let opaque = format!(
        r#"{{"role":"assistant","content":[{{"type":"server_tool_use","id":"s","name":"web_search","input":{{}}}},{{"type":"web_search_tool_result","tool_use_id":"s","content":[{{"type":"web_search_result","encrypted_content":"{}"}}]}},{{"type":"text","text":"x"}}]}}"#,
        "e".repeat(2_000)
    );
    let text = body(OLDER, &[USER, &opaque, USER]);
    assert_eq!(outcomes(&fit(&text, 500, &Options::new())), [false, false, true]);
    let kept = fit(&text, LARGE, &Options::new().pin("web_search"));
    assert_eq!(kept.text, text);
}

#[test]
fn a_summary_stays() {
    let summary =
        r#"{"role":"assistant","content":[{"type":"compaction","content":"all that was said"}]}"#;
    let fitted = fit(&body(OLDER, &[USER, summary, USER, REPLY, USER]), 85, &Options::new());
    assert_eq!(fitted.messages[1].why, Why::Pinned(Pin::Summary));
    assert_eq!(outcomes(&fitted), [true, true, false, false, true]);
}

#[test]
fn rounds_of_an_old_turn_go_by_unit_but_not_without_their_question() {
    let rounds = [call("a", ""), result("a"), call("b", ""), result("b")];
    let messages = [USER, &rounds[0], &rounds[1], &rounds[2], &rounds[3], REPLY, USER];
    let fitted =
        fit(&body(OLDER, &messages), 30 + 11, &Options::new().granularity(Granularity::Unit));
    assert_eq!(outcomes(&fitted), [true, false, false, true, true, true, true]);
    let fitted = fit(&body(OLDER, &messages), 29, &Options::new().granularity(Granularity::Unit));
    assert_eq!(outcomes(&fitted), [false, false, false, false, false, false, true]);
}

#[test]
fn a_pinned_round_keeps_its_question() {
    let needle = result("a").replace("12345", "needle");
    let messages = [USER, &call("a", ""), &needle, REPLY, USER, REPLY, USER];
    let options = Options::new().granularity(Granularity::Unit).pin("needle");
    let fitted = fit(&body(OLDER, &messages), 30 + 6 + 6, &options);
    assert_eq!(outcomes(&fitted), [true, true, true, true, false, false, true]);
    assert_eq!(fitted.messages[0].why, Why::Pinned(Pin::Together));
}

#[test]
fn a_long_document_is_shortened() {
    let document = format!(
        r#"{{"role":"user","content":[{{"type":"document","title":"Rules","source":{{"type":"text","media_type":"text/plain","data":"{}"}}}},{{"type":"text","text":"?"}}]}}"#,
        "A sentence of the rules. ".repeat(100)
    );
    let fitted = fit(&body(OLDER, &[&document, REPLY, USER]), 600, &Options::new());
    assert!(matches!(fitted.messages[0].outcome, Outcome::Shortened { .. }));
    assert!(fitted.text.contains("characters left out"));
    assert!(fitted.text.contains(r#""media_type":"text/plain""#));
}
