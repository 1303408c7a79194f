//! OpenAI chat.

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
    let text =
        format!("{{ \"messages\": [\n    {USER},\n    {REPLY},\n    {USER}\n  ], \"n\": 1e3 }}");
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
    assert_eq!(fitted.text, list(&[USER, &call(&["a", "b"]), &answer("a", "1"), made_up, USER]));
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
    let content = &serde_json::from_str::<serde_json::Value>(&fitted.text).unwrap()[2]["content"];
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
    let kept: Vec<_> = fitted.messages.iter().filter(|it| it.sent > 0).map(|it| it.index).collect();
    assert_eq!(kept, [0, 7, 8, 9, 10]);
}

#[test]
fn by_turn_everything_of_a_turn_goes_together() {
    let text = list(&[USER, &call(&["a"]), &answer("a", "1"), REPLY, USER, REPLY, USER]);
    let fitted = fit(&text, 40, &Options::new().granularity(Granularity::Turn));
    assert_eq!(outcomes(&fitted), [false, false, false, false, true, true, true]);
}
