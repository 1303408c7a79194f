//! The judge, rule by rule: what each provider refuses, where that is, and in whose words.

use cupel_messages::{Format, Problem, Request, Rule, Severity, validate};

fn problems(format: Format, text: &str) -> Vec<Problem> {
    validate(&Request::read_as(text, format).unwrap())
}

/// Rule, severity and path of each problem.
fn judged(format: Format, text: &str) -> Vec<(Rule, Severity, String)> {
    problems(format, text).into_iter().map(|it| (it.rule, it.severity, it.path)).collect()
}

#[track_caller]
fn refuses(format: Format, text: &str, rule: Rule, path: &str) {
    assert_eq!(judged(format, text), [(rule, Severity::Invalid, path.to_owned())]);
}

#[track_caller]
fn reminds(format: Format, text: &str, rule: Rule, path: &str) {
    assert_eq!(judged(format, text), [(rule, Severity::Unfinished, path.to_owned())]);
}

#[track_caller]
fn accepts(format: Format, text: &str) {
    assert_eq!(judged(format, text), []);
}

#[test]
fn a_list_without_messages_is_refused_unless_they_are_on_the_server() {
    refuses(Format::OpenAiChat, r#"{"messages":[]}"#, Rule::Empty, "$.messages");
    refuses(Format::OpenAiResponses, r#"{"input":[]}"#, Rule::Empty, "$.input");
    refuses(Format::Gemini, r#"{"contents":[]}"#, Rule::Empty, "$.contents");
    for elsewhere in
        [r#""previous_response_id":"r""#, r#""conversation":"c""#, r#""prompt":{"id":"p"}"#]
    {
        accepts(Format::OpenAiResponses, &format!(r#"{{"input":[],{elsewhere}}}"#));
    }
}

mod openai_chat {
    use super::*;
    use Format::OpenAiChat as CHAT;

    const USER: &str = r#"{"role":"user","content":"?"}"#;

    fn call(ids: &[&str]) -> String {
        let calls: Vec<_> = ids
            .iter()
            .map(|id| format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#))
            .collect();
        format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, calls.join(","))
    }

    fn answer(id: &str) -> String {
        format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"!"}}"#)
    }

    fn list(messages: &[&str]) -> String {
        format!("[{}]", messages.join(","))
    }

    #[test]
    fn parallel_answers_come_in_any_order() {
        accepts(CHAT, &list(&[USER, &call(&["a", "b"]), &answer("b"), &answer("a"), USER]));
    }

    #[test]
    fn ids_may_be_used_again() {
        accepts(CHAT, &list(&[USER, &call(&["a"]), &answer("a"), &call(&["a"]), &answer("a")]));
    }

    #[test]
    fn every_call_is_answered_directly_behind_it() {
        let text = list(&[USER, &call(&["a", "b"]), &answer("a"), USER, &answer("b")]);
        assert_eq!(
            judged(CHAT, &text),
            [
                (Rule::CallWithoutAnswer, Severity::Invalid, "$[1].tool_calls[1]".to_owned()),
                (Rule::AnswerWithoutCall, Severity::Invalid, "$[4]".to_owned()),
            ]
        );
        let says = &problems(CHAT, &text)[0].provider_says;
        assert!(
            says.contains("must be followed by tool messages responding to each 'tool_call_id'"),
            "{says}"
        );
    }

    #[test]
    fn a_call_has_one_answer() {
        refuses(
            CHAT,
            &list(&[USER, &call(&["a"]), &answer("a"), &answer("a")]),
            Rule::AnsweredTwice,
            "$[3]",
        );
    }

    #[test]
    fn calls_at_the_end_wait() {
        reminds(CHAT, &list(&[USER, &call(&["a"])]), Rule::CallWithoutAnswer, "$[1].tool_calls[0]");
        reminds(
            CHAT,
            &list(&[USER, &call(&["a", "b"]), &answer("a")]),
            Rule::CallWithoutAnswer,
            "$[1].tool_calls[1]",
        );
    }

    #[test]
    fn an_answer_that_comes_first_has_no_call() {
        refuses(CHAT, &list(&[&answer("a"), USER]), Rule::AnswerWithoutCall, "$[0]");
    }

    #[test]
    fn the_old_form_of_calls_is_held_to_the_same() {
        let old =
            r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}"#;
        accepts(CHAT, &list(&[USER, old, r#"{"role":"function","name":"f","content":"1"}"#]));
        refuses(CHAT, &list(&[USER, old, USER]), Rule::CallWithoutAnswer, "$[1].function_call");
    }
}

mod openai_responses {
    use super::*;
    use Format::OpenAiResponses as RESPONSES;

    const USER: &str = r#"{"role":"user","content":"?"}"#;
    const REASONING: &str = r#"{"type":"reasoning","id":"rs_1","summary":[]}"#;
    const CALL: &str = r#"{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}"#;
    const OUTPUT: &str = r#"{"type":"function_call_output","call_id":"a","output":"!"}"#;

    fn input(items: &[&str]) -> String {
        format!(r#"{{"model":"gpt-5","input":[{}]}}"#, items.join(","))
    }

    #[test]
    fn outputs_come_at_any_time_after_their_calls() {
        accepts(RESPONSES, &input(&[USER, REASONING, CALL, USER, OUTPUT]));
        refuses(RESPONSES, &input(&[USER, OUTPUT]), Rule::AnswerWithoutCall, "$.input[1]");
        refuses(
            RESPONSES,
            &input(&[USER, CALL, OUTPUT, OUTPUT]),
            Rule::AnsweredTwice,
            "$.input[3]",
        );
    }

    #[test]
    fn calls_have_outputs_unless_they_are_the_last_thing() {
        refuses(RESPONSES, &input(&[CALL, USER]), Rule::CallWithoutAnswer, "$.input[0]");
        reminds(RESPONSES, &input(&[USER, CALL]), Rule::CallWithoutAnswer, "$.input[1]");
    }

    #[test]
    fn reasoning_is_followed_by_what_the_model_emitted() {
        refuses(RESPONSES, &input(&[USER, REASONING, USER]), Rule::ReasoningAlone, "$.input[1]");
        refuses(RESPONSES, &input(&[USER, REASONING]), Rule::ReasoningAlone, "$.input[1]");
    }

    #[test]
    fn calls_may_be_on_the_server() {
        accepts(RESPONSES, &format!(r#"{{"previous_response_id":"resp_1","input":[{OUTPUT}]}}"#));
        accepts(RESPONSES, r#"{"input":"one question"}"#);
    }

    #[test]
    fn what_the_provider_answered_itself_has_no_id() {
        let search = [
            r#"{"type":"tool_search_call","call_id":null}"#,
            r#"{"type":"tool_search_output","call_id":null,"tools":[]}"#,
        ];
        reminds(
            RESPONSES,
            &input(&[USER, CALL, search[0], search[1]]),
            Rule::CallWithoutAnswer,
            "$.input[1]",
        );
    }

    #[test]
    fn other_calls_have_outputs_too() {
        let call = r#"{"type":"computer_call","call_id":"c","action":{"type":"screenshot"}}"#;
        let output = r#"{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot"}}"#;
        accepts(RESPONSES, &input(&[USER, call, output]));
        refuses(RESPONSES, &input(&[USER, call, USER]), Rule::CallWithoutAnswer, "$.input[1]");
    }
}

mod anthropic {
    use super::*;
    use Format::Anthropic as ANTHROPIC;

    const USER: &str = r#"{"role":"user","content":"?"}"#;
    const REPLY: &str = r#"{"role":"assistant","content":"!"}"#;
    const CALL: &str =
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    const RESULT: &str =
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}"#;

    fn list(messages: &[&str]) -> String {
        format!("[{}]", messages.join(","))
    }

    #[test]
    fn the_user_comes_first_and_roles_alternate() {
        accepts(ANTHROPIC, &list(&[USER, REPLY, USER]));
        refuses(ANTHROPIC, &list(&[REPLY, USER]), Rule::UserFirst, "$[0].role");
        refuses(ANTHROPIC, &list(&[USER, USER]), Rule::RolesAlternate, "$[1].role");
        refuses(ANTHROPIC, "[]", Rule::Empty, "$");
    }

    #[test]
    fn results_are_all_in_the_next_message_and_first_in_it() {
        accepts(ANTHROPIC, &list(&[USER, CALL, RESULT]));
        refuses(ANTHROPIC, &list(&[USER, CALL, USER]), Rule::CallWithoutAnswer, "$[1].content[0]");
        refuses(
            ANTHROPIC,
            &list(&[USER, REPLY, RESULT]),
            Rule::AnswerWithoutCall,
            "$[2].content[0]",
        );
        let late = RESULT.replace("[{", r#"[{"type":"text","text":"here"},{"#);
        refuses(ANTHROPIC, &list(&[USER, CALL, &late]), Rule::AnswersFirst, "$[2].content[1]");
        let twice =
            RESULT.replace("}]", r#"},{"type":"tool_result","tool_use_id":"a","content":"2"}]"#);
        refuses(ANTHROPIC, &list(&[USER, CALL, &twice]), Rule::AnsweredTwice, "$[2].content[1]");
    }

    #[test]
    fn a_call_at_the_end_waits() {
        reminds(ANTHROPIC, &list(&[USER, CALL]), Rule::CallWithoutAnswer, "$[1].content[0]");
    }

    #[test]
    fn what_the_provider_ran_has_its_result_beside_it() {
        let whole = r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},
            {"type":"web_search_tool_result","tool_use_id":"s","content":[]}]}"#;
        let half = r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}}]}"#;
        accepts(ANTHROPIC, &list(&[USER, whole, USER]));
        refuses(ANTHROPIC, &list(&[USER, half, USER]), Rule::ServerToolSplit, "$[1].content[0]");
    }

    #[test]
    fn system_messages_inside_follow_the_user() {
        let system = r#"{"role":"system","content":"Be brief."}"#;
        accepts(ANTHROPIC, &list(&[USER, system, REPLY, USER]));
        refuses(ANTHROPIC, &list(&[USER, REPLY, system, USER]), Rule::SystemPlace, "$[2].role");
    }

    #[test]
    fn newer_models_do_not_continue_a_reply() {
        let body = |model: &str| format!(r#"{{"model":"{model}","messages":[{USER},{REPLY}]}}"#);
        accepts(ANTHROPIC, &body("claude-sonnet-4-5-20250929"));
        reminds(ANTHROPIC, &body("claude-opus-4-6"), Rule::AssistantLast, "$.messages[1].role");
    }

    #[test]
    fn four_cache_breakpoints_are_the_most() {
        let marked = r#"{"role":"user","content":[{"type":"text","text":"?","cache_control":{"type":"ephemeral"}}]}"#;
        let system = r#"[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}]"#;
        let body =
            |messages: &[&str]| format!(r#"{{"system":{system},"messages":{}}}"#, list(messages));
        accepts(ANTHROPIC, &body(&[marked, REPLY, marked, REPLY, marked]));
        refuses(
            ANTHROPIC,
            &body(&[marked, REPLY, marked, REPLY, marked, REPLY, marked]),
            Rule::CacheBreakpoints,
            "$.messages[6]",
        );
    }
}

mod gemini {
    use super::*;
    use Format::Gemini as GEMINI;

    const USER: &str = r#"{"role":"user","parts":[{"text":"?"}]}"#;
    const REPLY: &str = r#"{"role":"model","parts":[{"text":"!"}]}"#;
    const CALL: &str = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]}"#;
    const RESPONSE: &str = r#"{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}},{"functionResponse":{"name":"f","response":{}}}]}"#;

    fn list(contents: &[&str]) -> String {
        format!("[{}]", contents.join(","))
    }

    #[test]
    fn as_many_responses_as_calls_follow() {
        accepts(GEMINI, &list(&[USER, CALL, RESPONSE]));
        let one = r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}"#;
        refuses(GEMINI, &list(&[USER, CALL, one, REPLY]), Rule::CallWithoutAnswer, "$[1].parts[1]");
        refuses(GEMINI, &list(&[USER, REPLY, one]), Rule::AnswerWithoutCall, "$[2].parts[0]");
    }

    #[test]
    fn calls_follow_the_user_or_responses() {
        accepts(GEMINI, &list(&[USER, CALL, RESPONSE, CALL, RESPONSE, REPLY]));
        refuses(GEMINI, &list(&[CALL, RESPONSE]), Rule::UserFirst, "$[0]");
        let rules: Vec<_> = problems(GEMINI, &list(&[USER, REPLY, CALL, RESPONSE]))
            .iter()
            .map(|it| it.rule)
            .collect();
        assert_eq!(rules, [Rule::CallPlace, Rule::RolesAlternate]);
    }

    #[test]
    fn a_reply_may_come_first() {
        accepts(GEMINI, &list(&[REPLY, USER]));
    }

    #[test]
    fn signed_contents_need_not_alternate() {
        let signed = r#"{"role":"model","parts":[{"text":"!","thoughtSignature":"c2ln"}]}"#;
        accepts(GEMINI, &list(&[USER, signed, REPLY]));
        refuses(GEMINI, &list(&[USER, REPLY, REPLY]), Rule::RolesAlternate, "$[2].role");
    }

    #[test]
    fn calls_of_the_current_turn_are_signed_from_version_3_on() {
        let body = |model: &str| {
            format!(r#"{{"model":"{model}","contents":{}}}"#, list(&[USER, CALL, RESPONSE]))
        };
        accepts(GEMINI, &body("models/gemini-2.5-pro"));
        reminds(GEMINI, &body("gemini-3-pro"), Rule::Signature, "$.contents[1].parts[0]");
        let old = format!(
            r#"{{"model":"gemini-3-pro","contents":{}}}"#,
            list(&[USER, CALL, RESPONSE, REPLY, USER])
        );
        accepts(GEMINI, &old);
    }
}
