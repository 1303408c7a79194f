//! What is said of every message.

use super::*;

#[test]
fn a_broken_history_comes_out_valid_with_its_repairs_listed() {
    let (code, mended, told) = run(&["select", "-b", "1000"], BROKEN);
    assert_eq!(code, Some(0));
    assert!(
        told.contains("2 repairs ($.messages[1]: the call \"c1\" of clock was never answered"),
        "{told}"
    );
    assert_eq!(run(&["check"], &mended).0, Some(0));
    let (_, explained, _) = run(&["explain", "-b", "1000"], BROKEN);
    insta::assert_snapshot!(explained);
    let (_, dropped, _) = run(&["select", "-b", "1000", "--dangling", "drop"], BROKEN);
    assert!(!dropped.contains("clock") && run(&["check"], &dropped).0 == Some(0), "{dropped}");
}

#[test]
fn every_message_is_explained() {
    for (format, request) in requests() {
        let told =
            run(&["explain", "-b", "1500", "--json", "--no-timings"], &request.to_string()).1;
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["format"], format);
        let messages = told["messages"].as_array().unwrap();
        assert_eq!(messages.len(), list(&request).len());
        assert!(messages.iter().all(|it| it["reason"].is_string() && it["role"].is_string()));
        let call = messages.iter().find(|it| it["calls"][0] == "logs").unwrap();
        assert!(!call["joinedWith"].as_array().unwrap().is_empty(), "{format}: {call}");
        let parts = &told["before"];
        let sum: i64 = ["system", "tools", "messages", "media", "request"]
            .iter()
            .map(|part| parts[part].as_i64().unwrap())
            .sum();
        assert_eq!(parts["total"], sum);
        assert!(parts["media"].as_i64().unwrap() > 0 && parts["system"].as_i64().unwrap() > 0);
        let scored = messages.iter().find(|it| !it["score"].is_null()).unwrap();
        assert_eq!(scored["scores"][0]["scorer"], "fadingRecency");
    }
}

#[test]
fn an_explanation_fits_every_terminal() {
    for (format, request) in requests() {
        for columns in [20, 40, 60, 80, 120, 200] {
            let mut command = cupel();
            command.env("COLUMNS", columns.to_string()).args(["explain", "-b", "1500", "-q"]);
            let told = stdout_of(command.write_stdin(request.to_string()));
            let widest = told.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap();
            assert!(columns < 40 || widest <= columns, "{format} at {columns}: {widest}\n{told}");
            assert!(told.contains("The conversation") || columns < 40);
        }
    }
}

#[test]
fn of_long_conversations_the_end_is_shown() {
    let said = |at: usize| json!({"role": "user", "content": format!("message {at}.")});
    let request = json!({"model": "gpt-4o", "messages": (1..=500).map(said).collect::<Vec<_>>()});
    let told = run(&["explain", "-b", "1000"], &request.to_string()).1;
    assert!(told.contains("message 1.") && told.contains("message 500."), "{told}");
    assert!(!told.contains("message 100.") && told.contains("... and 300 more; --all"), "{told}");
    let told = run(&["explain", "-b", "1000", "--all"], &request.to_string()).1;
    assert_eq!(told.matches("message ").count(), 500);
}

#[test]
fn the_explanation_of_an_agent_at_work() {
    let args = ["explain", OPENAI, "--budget", "3000", "--output-reserve", "500"];
    insta::assert_snapshot!(stdout_of(cupel().env("COLUMNS", "100").args(args)));
}

#[test]
fn the_page_of_a_request_has_roles_pairs_and_forms() {
    let folder = tempfile::tempdir().unwrap();
    for (format, request) in requests() {
        let path: PathBuf = folder.path().join(format!("{format}.html"));
        let mut command = cupel();
        command.args(["explain", "-b", "3000", "-q", "--html"]).arg(&path);
        command.write_stdin(request.to_string()).assert().success().stdout("");
        let page = fs::read_to_string(path).unwrap();
        for word in ["tool result", "tool call", "shortened 1/", "together: "] {
            assert!(page.contains(word), "{format}: {word}");
        }
        assert!(!page.contains("AAAAAAAAAAAAAAAAAAAAAAAA"), "{format}: no base64 on the page");
    }
}
