//! Messages in place of items.

use super::*;

#[test]
fn a_batch_answers_messages_in_place_of_items() {
    let mut lines = String::new();
    for (format, request) in requests() {
        writeln!(
            lines,
            "{}",
            json!({"id": format, "request": request, "budget": {"maxTokens": 1500}})
        )
        .unwrap();
        let key = ["messages", "input", "contents"].into_iter().find(|key| request[key].is_array());
        let key = key.unwrap();
        let bare = json!({"id": key, key: request[key], "provider": format, "budget": {"maxTokens": 1500},
            "policy": "chat", "count": "gpt-4o", "keepFirst": 0, "shorten": true});
        writeln!(lines, "{bare}").unwrap();
    }
    let (code, answers, told) = run(&["batch", "--no-timings"], &lines);
    assert_eq!(code, Some(0), "{told}{answers}");
    assert_eq!(run(&["batch", "--no-timings"], &lines).1, answers, "equal lines, equal answers");
    for (at, (format, request)) in requests().into_iter().enumerate() {
        let answers = json_lines(&answers);
        let (whole, bare) = (&answers[2 * at], &answers[2 * at + 1]);
        assert_eq!(whole["id"], format);
        assert!(whole["totalTokens"].as_i64().unwrap() <= 1500);
        assert_eq!(whole["report"]["messages"].as_array().unwrap().len(), list(&request).len());
        assert_eq!(run(&["check"], &whole["request"].to_string()).0, Some(0), "{format}");
        let messages = list(bare);
        let checked = run(&["check", "--provider", format], &Value::from(messages).to_string());
        assert_eq!(checked.0, Some(0), "{format}: {}", checked.1);
    }
}

#[test]
fn bad_lines_of_a_batch_are_errors_in_place() {
    let message = r#"[{"role":"user","content":"hello"}]"#;
    let lines = [
        format!(r#"{{"id":1,"messages":{message},"budget":{{"maxTokens":2}}}}"#),
        format!(r#"{{"id":2,"messages":{message}}}"#),
        format!(r#"{{"id":3,"model":"gpt-4o","messages":{message},"budget":{{"maxTokens":90}}}}"#),
        format!(r#"{{"id":4,"messages":{message},"contents":[],"budget":{{"maxTokens":90}}}}"#),
        r#"{"id":5,"messages":[{"role":"king"}],"budget":{"maxTokens":90}}"#.to_owned(),
        format!(r#"{{"id":6,"messages":{message},"budget":{{"maxTokens":90}},"policy":"chta"}}"#),
        format!(r#"{{"id":7,"messages":{message},"budget":{{"maxTokens":-1}}}}"#),
        format!(r#"{{"id":8,"messages":{message},"budget":{{"maxTokens":90}},"count":"gtp"}}"#),
        format!(r#"{{"id":9,"messages":{message},"budget":{{"maxTokens":90}}}}"#),
        format!(r#"{{"id":10,"request":{message}}}"#),
    ];
    let (code, answers, _) = run(&["batch", "--no-timings"], &lines.join("\n"));
    assert_eq!(code, Some(1));
    let answers = json_lines(&answers);
    let mut table = String::new();
    for answer in &answers {
        let told =
            if answer["error"].is_null() { "answered".into() } else { answer["error"].to_string() };
        writeln!(table, "{}: {told}", answer["id"]).unwrap();
    }
    insta::assert_snapshot!(table);
}
