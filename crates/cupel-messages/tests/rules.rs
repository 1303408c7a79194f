//! The grammar, rule by rule: what stays together, what must stay, what is mended, and how.

use cupel_messages::{
    CurrentTurn, Dangling, Estimate, Fitted, Format, Granularity, Meter, Options, Outcome, Pin,
    RepairKind, Request, Severity, Shorten, Why, validate,
};

/// A token a character, and nothing else: budgets can be worked out by hand.
struct Characters;

impl Meter for Characters {
    fn text(&self, text: &str) -> i64 {
        text.chars().count() as i64
    }

    fn per_message(&self) -> i64 {
        0
    }

    fn per_request(&self) -> i64 {
        0
    }
}

fn list(messages: &[&str]) -> String {
    format!("[{}]", messages.join(","))
}

#[track_caller]
fn fit(text: &str, budget: i64, options: &Options) -> Fitted {
    let request = Request::read(text).unwrap();
    let fitted = request.fit(budget, options, &Characters).unwrap();
    let problems = validate(&Request::read_as(fitted.text.as_str(), request.format()).unwrap());
    let refused: Vec<_> =
        problems.iter().filter(|problem| problem.severity == Severity::Invalid).collect();
    assert!(refused.is_empty(), "{refused:?}\n{}", fitted.text);
    fitted
}

fn outcomes(fitted: &Fitted) -> Vec<bool> {
    fitted.messages.iter().map(|message| message.sent > 0).collect()
}

fn repairs(fitted: &Fitted) -> Vec<(Option<usize>, RepairKind)> {
    fitted.repairs.iter().map(|repair| (repair.message, repair.kind.clone())).collect()
}

const LARGE: i64 = 100_000;

mod chat {
    use super::*;

    const USER: &str = r#"{"role":"user","content":"0123456789"}"#;
    const REPLY: &str = r#"{"role":"assistant","content":"abcdefghij"}"#;

    fn call(ids: &[&str]) -> String {
        let calls: Vec<_> = ids
            .iter()
            .map(|id| format!(r#"{{"id":"{id}","type":"function","function":{{"name":"find","arguments":"{{}}"}}}}"#))
            .collect();
        format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, calls.join(","))
    }

    fn answer(id: &str, text: &str) -> String {
        format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{text}"}}"#)
    }

    #[test]
    fn what_fits_comes_out_byte_for_byte() {
        let text = "  {\"x\" : 1.50,\n\t\"messages\" : [ {\"content\":\"hi\" , \"role\":\"user\", \"y\":[ ]} ]\n}\n";
        let fitted = fit(text, LARGE, &Options::new());
        assert_eq!(fitted.text, text);
        assert!(fitted.is_unchanged());
        assert_eq!(fitted.messages[0].why, Why::Fits);
    }

    #[test]
    fn what_is_left_keeps_its_bytes_and_its_white_space() {
        let text = format!(
            "{{ \"messages\": [\n    {USER},\n    {REPLY},\n    {USER}\n  ], \"n\": 1e3 }}"
        );
        let fitted = fit(&text, 10, &Options::new());
        assert_eq!(fitted.text, format!("{{ \"messages\": [\n    {USER}\n  ], \"n\": 1e3 }}"));
    }

    #[test]
    fn a_call_and_its_answers_are_in_or_out_together() {
        let text = list(&[
            USER,
            &call(&["a", "b"]),
            &answer("b", "12345"),
            &answer("a", "12345"),
            REPLY,
            USER,
        ]);
        // Room for the last question, the reply and all of the round but one character.
        let fitted = fit(&text, 10 + 10 + 12 + 5 + 4, &Options::new());
        assert_eq!(outcomes(&fitted), [true, false, false, false, true, true]);
        assert_eq!(fitted.messages[3].unit, 1);
    }

    #[test]
    fn equal_ids_are_told_apart_by_place() {
        let round = [call(&["a"]), answer("a", "first")];
        let again = [call(&["a"]), answer("a", "second")];
        let text = list(&[USER, &round[0], &round[1], &again[0], &again[1], USER]);
        let fitted = fit(&text, 10 + 10 + 6 + 6, &Options::new());
        assert_eq!(outcomes(&fitted), [true, false, false, true, true, true]);
        assert_eq!([fitted.messages[2].unit, fitted.messages[4].unit], [1, 3]);
    }

    #[test]
    fn a_call_that_waits_is_the_current_turn() {
        let text = list(&[USER, REPLY, USER, &call(&["a"])]);
        let fitted = fit(&text, 16, &Options::new());
        assert_eq!(outcomes(&fitted), [false, false, true, true]);
        assert_eq!(fitted.messages[3].why, Why::Pinned(Pin::CurrentTurn));
        assert!(fitted.repairs.is_empty());
    }

    #[test]
    fn a_call_that_nobody_answered_gets_an_answer_that_is_always_the_same() {
        let text = list(&[USER, &call(&["a", "b"]), &answer("a", "1"), USER]);
        let fitted = fit(&text, LARGE, &Options::new());
        let made_up = r#"{"role":"tool","tool_call_id":"b","content":"aborted: this call was interrupted and has no result"}"#;
        assert_eq!(
            fitted.text,
            list(&[USER, &call(&["a", "b"]), &answer("a", "1"), made_up, USER])
        );
        let expected = RepairKind::Answered { id: "b".to_owned(), name: "find".to_owned() };
        assert_eq!(repairs(&fitted), [(Some(1), expected)]);
    }

    #[test]
    fn or_goes_if_that_is_preferred() {
        let text = list(&[USER, &call(&["a", "b"]), &answer("a", "1"), USER]);
        let fitted = fit(&text, LARGE, &Options::new().dangling(Dangling::Drop));
        assert_eq!(fitted.text, list(&[USER, USER]));
        assert_eq!(repairs(&fitted), [(Some(1), RepairKind::CallDropped { id: "b".to_owned() })]);
    }

    #[test]
    fn an_answer_to_nothing_goes() {
        let text = list(&[&answer("x", "1"), USER]);
        let fitted = fit(&text, LARGE, &Options::new());
        assert_eq!(fitted.text, list(&[USER]));
        assert_eq!(repairs(&fitted), [(Some(0), RepairKind::OrphanDropped { id: "x".to_owned() })]);
        assert_eq!(fitted.messages[0].outcome, Outcome::Dropped);
    }

    #[test]
    fn system_messages_stay_wherever_they_are() {
        let system = r#"{"role":"system","content":"sys"}"#;
        let developer = r#"{"role":"developer","content":"dev"}"#;
        let fitted = fit(&list(&[system, USER, developer, REPLY, USER]), 16, &Options::new());
        assert_eq!(outcomes(&fitted), [true, false, true, false, true]);
        assert_eq!(fitted.tokens.system, 6);
    }

    #[test]
    fn turns_can_be_kept_from_either_end() {
        let text = list(&[USER, REPLY, USER, REPLY, USER, REPLY, USER]);
        let first = fit(&text, 30, &Options::new().keep_first(1));
        assert_eq!(outcomes(&first), [true, true, false, false, false, false, true]);
        assert_eq!(first.messages[0].why, Why::Pinned(Pin::First));
        let last = fit(&text, 30, &Options::new().keep_last(2));
        assert_eq!(outcomes(&last), [false, false, false, false, true, true, true]);
        assert_eq!(last.messages[4].why, Why::Pinned(Pin::Last));
    }

    #[test]
    fn a_pin_keeps_what_says_it_and_what_belongs_to_that() {
        let text = list(&[USER, &call(&["a"]), &answer("a", "Order 4711"), REPLY, USER]);
        let fitted = fit(&text, 26, &Options::new().pin("order 4711"));
        assert_eq!(outcomes(&fitted), [false, true, true, false, true]);
        assert_eq!(fitted.messages[2].why, Why::Pinned(Pin::Pattern));
        assert_eq!(fitted.messages[1].why, Why::Pinned(Pin::Together));
    }

    #[test]
    fn a_message_may_speak_for_itself_and_nobody_else_hears_it() {
        let pinned = r#"{"role":"user","cupel":{"pinned":true,"tags":["x"]},"content":"abc"}"#;
        let fitted = fit(&list(&[pinned, REPLY, USER]), 13, &Options::new());
        assert_eq!(fitted.text, list(&[r#"{"role":"user","content":"abc"}"#, USER]));
        let urgent = r#"{"role":"assistant","content":"urgentstuf","cupel":{"priority":9}}"#;
        let fitted = fit(&list(&[urgent, REPLY, REPLY, USER]), 20, &Options::new());
        assert_eq!(outcomes(&fitted), [true, false, false, true]);
    }

    #[test]
    fn a_giant_answer_is_shortened_and_says_so() {
        let lines: String = (0..400).map(|line| format!("line {line}\\n")).collect();
        let text = list(&[USER, &call(&["a"]), &answer("a", &lines), USER]);
        let options = Options::new().shorten(Shorten { over: 500, to: 200 });
        let fitted = fit(&text, 400, &options);
        assert_eq!(fitted.messages[2].outcome, Outcome::Shortened { form: 1, forms: 3 });
        let content =
            &serde_json::from_str::<serde_json::Value>(&fitted.text).unwrap()[2]["content"];
        let content = content.as_str().unwrap();
        assert!(
            content.starts_with("line 0\nline 1\n") && content.ends_with("line 399\n"),
            "{content}"
        );
        assert!(content.contains(" characters left out ...]"), "{content}");

        let fitted = fit(&text, 80, &options);
        assert!(
            fitted.text.contains("[tool result left out: 400 lines, 3,490 tokens]"),
            "{}",
            fitted.text
        );
        let whole_or_not = fit(&text, 400, &Options::new().shorten(None));
        assert_eq!(outcomes(&whole_or_not), [true, false, false, true]);
    }

    #[test]
    fn the_current_turn_is_shortened_before_it_is_refused() {
        let text = list(&[USER, &call(&["a"]), &answer("a", &"word ".repeat(400))]);
        let fitted = fit(&text, 300, &Options::new());
        assert!(matches!(fitted.messages[2].outcome, Outcome::Shortened { .. }));
        assert_eq!(fitted.messages[2].why, Why::Pinned(Pin::CurrentTurn));
    }

    #[test]
    fn finished_rounds_of_the_current_turn_go_only_if_that_is_allowed() {
        let rounds: Vec<String> = (0..5)
            .flat_map(|at| [call(&[&format!("c{at}")]), answer(&format!("c{at}"), "1234567890")])
            .collect();
        let mut messages = vec![USER];
        messages.extend(rounds.iter().map(String::as_str));
        let request = Request::read(list(&messages)).unwrap();
        assert!(request.fit(50, &Options::new(), &Characters).is_err());
        let fitted = fit(&list(&messages), 50, &Options::new().current_turn(CurrentTurn::Rounds));
        let kept: Vec<_> =
            fitted.messages.iter().filter(|it| it.sent > 0).map(|it| it.index).collect();
        assert_eq!(kept, [0, 7, 8, 9, 10]);
    }

    #[test]
    fn by_turn_everything_of_a_turn_goes_together() {
        let text = list(&[USER, &call(&["a"]), &answer("a", "1"), REPLY, USER, REPLY, USER]);
        let fitted = fit(&text, 40, &Options::new().granularity(Granularity::Turn));
        assert_eq!(outcomes(&fitted), [false, false, false, false, true, true, true]);
    }
}

mod anthropic {
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
        assert_eq!(
            fitted.text,
            body(NEWER, &[USER, &call("a", THOUGHT), &result("a"), REPLY, USER])
        );
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
        let summary = r#"{"role":"assistant","content":[{"type":"compaction","content":"all that was said"}]}"#;
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
        let fitted =
            fit(&body(OLDER, &messages), 29, &Options::new().granularity(Granularity::Unit));
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
}

mod responses {
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
}

mod gemini {
    use super::*;

    const USER: &str = r#"{"role":"user","parts":[{"text":"0123456789"}]}"#;
    const REPLY: &str = r#"{"role":"model","parts":[{"text":"abcdefghij"}]}"#;
    const CALL: &str = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}}]}"#;

    #[test]
    fn calls_without_ids_are_paired_in_their_order() {
        let one = r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}}]}"#;
        let fitted = fit(&list(&[USER, CALL, one, REPLY]), LARGE, &Options::new());
        let message: serde_json::Value = serde_json::from_str(&fitted.text).unwrap();
        assert_eq!(message[2]["parts"].as_array().unwrap().len(), 2);
        assert_eq!(message[1], serde_json::from_str::<serde_json::Value>(CALL).unwrap());
    }

    #[test]
    fn signed_contents_are_never_merged() {
        let signed = r#"{"role":"model","parts":[{"text":"a","thoughtSignature":"c2ln"}]}"#;
        let text = list(&[USER, signed, REPLY, USER]);
        assert_eq!(fit(&text, LARGE, &Options::new()).text, text);
        let merged = fit(&list(&[USER, REPLY, REPLY, USER]), LARGE, &Options::new());
        assert_eq!(merged.repairs.len(), 1);
    }

    #[test]
    fn a_long_response_is_shortened_to_one_text() {
        let long = format!(
            r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"result":"{}"}}}}}}]}}"#,
            "word ".repeat(500)
        );
        let call = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}"#;
        let fitted = fit(&list(&[USER, call, &long]), 700, &Options::new());
        let message: serde_json::Value = serde_json::from_str(&fitted.text).unwrap();
        let output =
            message[2]["parts"][0]["functionResponse"]["response"]["output"].as_str().unwrap();
        assert!(output.contains("characters left out"), "{output}");
    }
}

#[test]
fn reports_are_data() {
    let text = list(&[
        r#"{"role":"user","content":"0123456789"}"#,
        r#"{"role":"tool","tool_call_id":"x","content":"1"}"#,
        r#"{"role":"user","content":"0123456789"}"#,
    ]);
    let told = serde_json::to_value(fit(&text, 10, &Options::new())).unwrap();
    assert_eq!(
        told,
        serde_json::json!({
            "budget": 10,
            "counted_by": "a custom counter",
            "tokens": {"system": 0, "tools": 0, "messages": 10, "media": 0, "request": 0, "total": 10},
            "tokens_before": {"system": 0, "tools": 0, "messages": 21, "media": 0, "request": 0, "total": 21},
            "messages": [
                {"index": 0, "path": "$[0]", "role": "user", "turn": 1, "unit": 0, "tokens": 10, "sent": 0, "outcome": "left_out",
                 "edited": false, "reason": "BudgetExceeded", "why": "BudgetExceeded: 10 tokens requested, 0 available", "score": 1.0},
                {"index": 1, "path": "$[1]", "role": "tool", "turn": 1, "unit": 1, "tokens": 1, "sent": 0, "outcome": "dropped",
                 "edited": false, "reason": "Refused", "why": "the provider would refuse it"},
                {"index": 2, "path": "$[2]", "role": "user", "turn": 2, "unit": 2, "tokens": 10, "sent": 10, "outcome": "kept",
                 "edited": false, "reason": "Pinned", "why": "the current turn stays"},
            ],
            "repairs": [
                {"message": 1, "path": "$[1]", "repair": "OrphanDropped", "id": "x",
                 "text": "$[1]: an answer to \"x\", which nothing here called, was dropped"},
            ],
        })
    );
    let problems = serde_json::to_value(validate(&Request::read(text).unwrap())).unwrap();
    assert_eq!(problems[0]["rule"], "AnswerWithoutCall");
    assert_eq!(problems[0]["severity"], "invalid");
}

#[test]
fn a_policy_that_proceeds_past_its_budget_is_refused() {
    use cupel::{
        CupelError, GreedySlice, InputOrderPlacer, OverflowStrategy, PolicyBuilder,
        ReflexiveScorer, Slicer,
    };

    /// Takes everything.
    struct All;
    impl Slicer for All {
        fn slice(
            &self,
            sorted: &[cupel::ScoredItem],
            _budget: &cupel::ContextBudget,
        ) -> Result<Vec<cupel::ContextItem>, CupelError> {
            Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
        }
    }
    let policy = |all: bool| {
        let builder = PolicyBuilder::new().scorer(ReflexiveScorer).placer(InputOrderPlacer);
        let builder = if all { builder.slicer(All) } else { builder.slicer(GreedySlice) };
        builder.overflow_strategy(OverflowStrategy::Proceed).build().unwrap()
    };
    let message = r#"{"role":"user","content":"0123456789"}"#;
    let request = Request::read(list(&[message, message, message])).unwrap();
    let error = request.fit(20, &Options::new().policy(policy(true)), &Characters).unwrap_err();
    assert!(error.to_string().starts_with("Selected items require 30 tokens"), "{error}");
    assert!(request.fit(20, &Options::new().policy(policy(false)), &Characters).is_ok());
}

#[test]
fn formats_are_found_by_looking() {
    for (text, format) in [
        (r#"{"messages":[{"role":"user","content":"?"}]}"#, Format::OpenAiChat),
        (
            r#"{"model":"claude-opus-4-6","messages":[{"role":"user","content":"?"}]}"#,
            Format::Anthropic,
        ),
        (r#"{"messages":[{"role":"user","content":"?"}],"system":"s"}"#, Format::Anthropic),
        (
            r#"{"messages":[{"role":"user","content":"?"}],"tools":[{"name":"f","input_schema":{}}]}"#,
            Format::Anthropic,
        ),
        (
            r#"[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"x"}}]}]"#,
            Format::Anthropic,
        ),
        (
            r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]"#,
            Format::OpenAiChat,
        ),
        (
            r#"{"model":"claude-opus-4-6","messages":[{"role":"system","content":"s"}]}"#,
            Format::OpenAiChat,
        ),
        (r#"{"input":[]}"#, Format::OpenAiResponses),
        (
            r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]"#,
            Format::OpenAiResponses,
        ),
        (
            r#"[{"role":"user","content":[{"type":"input_text","text":"?"}]}]"#,
            Format::OpenAiResponses,
        ),
        (r#"{"contents":[]}"#, Format::Gemini),
        (r#"[{"parts":[{"text":"?"}]}]"#, Format::Gemini),
    ] {
        assert_eq!(Request::read(text).unwrap().format(), format, "{text}");
    }
}

#[test]
fn the_sample_transcripts_are_accepted_and_cut() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    for (name, format) in [
        ("library-agent.openai.json", Format::OpenAiChat),
        ("library-agent.anthropic.json", Format::Anthropic),
    ] {
        let text = std::fs::read_to_string(data.join(name)).unwrap();
        let request = Request::read(text).unwrap();
        assert_eq!(request.format(), format);
        assert_eq!(validate(&request), []);
        let fitted = request.fit(3_000, &Options::new(), &Estimate).unwrap();
        assert!(fitted.tokens.total() <= 3_000 && fitted.before.total() > 8_000);
        let log = fitted.messages.iter().find(|message| message.tokens > 4_000).unwrap();
        assert!(matches!(log.outcome, Outcome::Shortened { .. }), "{log:?}");
    }
}
