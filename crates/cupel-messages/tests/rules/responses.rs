//! OpenAI responses.

use super::*;

const USER: &str = r#"{"role":"user","content":"0123456789"}"#;
const REASONING: &str = r#"{"type":"reasoning","id":"rs_1","summary":[]}"#;
const CALL: &str = r#"{"type":"function_call","call_id":"a","name":"find","arguments":"{}"}"#;
const OUTPUT: &str = r#"{"type":"function_call_output","call_id":"a","output":"12345"}"#;

fn body(items: &[&str]) -> String {
    format!(r#"{{"input":{}}}"#, list(items))
}

#[test]
fn reasoning_goes_with_what_follows_it() {
    let text = body(&[USER, REASONING, CALL, OUTPUT, USER]);
    let fitted = fit(&text, 20, &Options::new());
    assert_eq!(outcomes(&fitted), [true, false, false, false, true]);
    assert_eq!(fitted.messages[3].unit, 1);
}

#[test]
fn reasoning_that_nothing_follows_goes() {
    let fitted = fit(&body(&[REASONING, USER]), LARGE, &Options::new());
    assert_eq!(fitted.text, body(&[USER]));
    assert_eq!(repairs(&fitted), [(Some(0), RepairKind::ReasoningDropped)]);
}

#[test]
fn outputs_of_calls_on_the_server_stay() {
    let text = format!(r#"{{"previous_response_id":"resp_1","input":[{OUTPUT}]}}"#);
    assert_eq!(fit(&text, LARGE, &Options::new()).text, text);
}

#[test]
fn a_call_whose_answer_nobody_can_make_up_goes() {
    let computer = r#"{"type":"computer_call","call_id":"c","action":{"type":"click"}}"#;
    let fitted = fit(&body(&[USER, computer, USER]), LARGE, &Options::new());
    assert_eq!(fitted.text, body(&[USER, USER]));
}

#[test]
fn a_lone_string_is_the_users_message() {
    let text = r#"{"input": "What is the time?"}"#;
    let fitted = fit(text, LARGE, &Options::new());
    assert_eq!(fitted.text, text);
    assert_eq!(fitted.messages[0].path, "$.input");
}

#[test]
fn compaction_items_stay_as_they_are() {
    let item = r#"{"type":"compaction","id":"cmp_1","encrypted_content":"xyz"}"#;
    let fitted = fit(&body(&[item, USER, USER, USER]), 80, &Options::new());
    assert!(fitted.text.contains(item));
    assert_eq!(fitted.messages[0].why, Why::Pinned(Pin::Summary));
}
