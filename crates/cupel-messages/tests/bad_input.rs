//! What cannot be read or cut is refused with its place, what was expected, the numbers and what to do.

use cupel_messages::{Error, Estimate, Format, Options, Request};

fn refusal(text: &str) -> String {
    Request::read(text).unwrap_err().to_string()
}

#[test]
fn text_that_is_not_json() {
    assert_eq!(refusal("{\n  \"messages\": [,"), "not JSON: expected value at line 2, column 16");
    assert_eq!(refusal(""), "not JSON: EOF while parsing a value at line 1, column 0");
}

#[test]
fn json_that_is_no_request() {
    assert_eq!(
        refusal(r#"{"prompt": "hello", "n": 1}"#),
        "$: not a request of a known provider: found an object with \"prompt\", \"n\"; expected an object with \"messages\" \
         (OpenAI chat, Anthropic), \"input\" (OpenAI Responses) or \"contents\" (Gemini), or an array of such messages"
    );
    assert!(refusal("17").starts_with("$: not a request of a known provider: found a number;"));
    assert!(refusal(r#"[{"text": "hi"}]"#).starts_with(
        "$[0]: not a request of a known provider: found an object without a \"role\";"
    ));
    assert!(
        refusal(r#"{"messages": "hi"}"#)
            .starts_with("$.messages: not a request of a known provider: found a string;")
    );
}

#[test]
fn two_formats_in_one() {
    let text = r#"{"messages": [
        {"role": "user", "content": "?"},
        {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}
    ]}"#;
    assert_eq!(
        refusal(text),
        "two formats in one request: \"tool_calls\" at $.messages[1].tool_calls is OpenAI chat, but a part of type \"tool_result\" at \
         $.messages[2].content[0].type is Anthropic; convert one of them, or say which format it is"
    );
    assert_eq!(
        refusal(r#"{"messages": [], "contents": []}"#),
        "two formats in one request: \"messages\" at $.messages is OpenAI chat, but \"contents\" at $.contents is Gemini; convert \
         one of them, or say which format it is"
    );
}

#[test]
fn messages_that_the_provider_does_not_know() {
    let role =
        refusal(r#"[{"role": "system", "content": "s"}, {"role": "robot", "content": "?"}]"#);
    assert_eq!(
        role,
        "$[1].role: unknown role \"robot\"; expected system, developer, user, assistant, tool or function (read as OpenAI chat)"
    );
    let content = refusal(r#"{"system": "s", "messages": [{"role": "user", "content": 7}]}"#);
    assert_eq!(
        content,
        "$.messages[0].content: expected a string or an array of parts, found a number (read as Anthropic)"
    );
    let id = refusal(r#"[{"role": "tool", "content": "1"}]"#);
    assert_eq!(id, "$[0].tool_call_id: expected a string, found nothing (read as OpenAI chat)");
    let hints = refusal(r#"[{"role": "user", "content": "?", "cupel": {"pined": true}}]"#);
    assert_eq!(
        hints,
        "$[0].cupel.pined: unknown key; known are priority, pinned, tags and volatile (read as OpenAI chat)"
    );
}

#[test]
fn calls_and_answers_from_the_wrong_side() {
    let call = r#"[{"role": "user", "content": [{"type": "text", "text": "?"}, {"type": "tool_use", "id": "a", "name": "f", "input": {}}]}]"#;
    assert_eq!(
        refusal(call),
        "$[0].content[1]: a call in a message that is not the model's (read as Anthropic)"
    );
    let answer = r#"{"contents": [{"role": "model", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}]}"#;
    assert_eq!(
        refusal(answer),
        "$.contents[0].parts[0]: an answer to a call in a message that is not the user's (read as Gemini)"
    );
}

#[test]
fn a_call_that_is_answered_twice() {
    let text = r#"[
        {"role": "user", "content": "?"},
        {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "a", "content": "2"}
    ]"#;
    let error = Request::read(text).unwrap().fit(100, &Options::new(), &Estimate).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$[3]: the call \"a\" was answered already, by $[2]; a call has one answer: remove one of the two"
    );
}

#[test]
fn a_call_that_is_answered_twice_in_one_message() {
    let text = r#"[
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"},
                                     {"type": "tool_result", "tool_use_id": "a", "content": "2"}]}
    ]"#;
    let error = Request::read(text).unwrap().fit(100, &Options::new(), &Estimate).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$[2].content[1]: the call \"a\" was answered already, by $[2].content[0]; a call has one answer: remove one of the two"
    );
}

#[test]
fn a_budget_below_what_must_stay() {
    let text = r#"{"system": "Be very brief.", "tools": [{"name": "f", "input_schema": {}}],
        "messages": [{"role": "user", "content": "How are you today, my friend?"}]}"#;
    let request = Request::read(text).unwrap();
    let error = request.fit(20, &Options::new(), &Estimate).unwrap_err();
    let Error::BudgetTooSmall { budget, needed, least } = &error else { panic!("{error}") };
    assert_eq!((*budget, *needed), (20, request.count(&Estimate).total()));
    assert_eq!(least.total(), *needed);
    assert_eq!(
        error.to_string(),
        "a budget of 20 tokens is too small: what must stay takes 26 (system 4, tools 8, current turn and pinned messages 11, \
         media 0); raise it to 26, pin less, allow shorter forms, or start a new turn"
    );
    assert!(request.fit(*needed, &Options::new(), &Estimate).is_ok());
}

#[test]
fn nothing_for_the_provider_to_begin_with() {
    let text = r#"[{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]}]"#;
    let error = Request::read(text).unwrap().fit(100, &Options::new(), &Estimate).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$: no user message is left, and the provider wants one; add the user's message"
    );
}

#[test]
fn a_request_of_which_nothing_is_left_is_an_error_and_not_an_empty_list() {
    let text = r#"{"messages": [{"role": "tool", "tool_call_id": "c9", "content": "1"}]}"#;
    let error = Request::read(text).unwrap().fit(100, &Options::new(), &Estimate).unwrap_err();
    assert_eq!(error.name(), "NoUserMessage");
    assert!(error.to_string().starts_with("$.messages: no user message is left"), "{error}");
}

#[test]
fn an_unknown_format_is_named_with_those_there_are() {
    let error = "openai".parse::<Format>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown format \"openai\"; known are openai-chat, openai-responses, anthropic, gemini"
    );
    assert_eq!("Anthropic".parse(), Ok(Format::Anthropic));
}
