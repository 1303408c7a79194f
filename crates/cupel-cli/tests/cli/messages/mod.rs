//! Requests to models, through every command that takes them.

mod batch;
mod explain;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::{cupel, json_lines, root, stdout_of};

const OPENAI: &str = "examples/data/library-agent.openai.json";
const ANTHROPIC: &str = "examples/data/library-agent.anthropic.json";

/// A tool result that no small window holds.
fn long_log() -> String {
    (0..3_000).map(|at| format!("{at} host{} served in {} ms\n", at % 7, at * 37 % 900)).collect()
}

/// One conversation in every format: parallel calls, an image, a long result, wide characters.
pub(crate) fn requests() -> Vec<(&'static str, Value)> {
    // The first bytes of a PNG file of 1000 by 1000 pixels, and a long rest.
    let image = format!("iVBORw0KGgoAAAANSUhEUgAAA+gAAAPoCAYAAAD{}", "A".repeat(20_001));
    let url = format!("data:image/png;base64,{image}");
    let wide = "請問這台咖啡機的保固期限是多久？我想知道零件更換的費用。".repeat(5);
    let chat = json!({"model": "gpt-4o", "temperature": 0.5, "messages": [
        {"role": "system", "content": "You repair espresso machines."},
        {"role": "user", "content": [{"type": "text", "text": "What is broken?"},
            {"type": "image_url", "image_url": {"url": url}}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "logs", "arguments": "{}"}},
            {"id": "b", "type": "function", "function": {"name": "manual", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "b", "content": "Descale monthly."},
        {"role": "tool", "tool_call_id": "a", "content": long_log()},
        {"role": "assistant", "content": "The gasket."},
        {"role": "user", "content": wide},
        {"role": "assistant", "content": "保固兩年。"},
        {"role": "user", "content": "What does the gasket cost?"},
    ]});
    let responses = json!({"model": "gpt-5", "instructions": "Be brief.", "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "What is broken?"},
            {"type": "input_image", "image_url": url}]},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "logs", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": long_log()},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "The gasket."}]},
        {"role": "user", "content": wide},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "保固兩年。"}]},
        {"role": "user", "content": "What does the gasket cost?"},
    ]});
    let anthropic = json!({"model": "claude-opus-5-5", "max_tokens": 500, "system": "You repair machines.", "messages": [
        {"role": "user", "content": [{"type": "text", "text": "What is broken?"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": image}}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Logs first. ".repeat(40), "signature": "s"},
            {"type": "tool_use", "id": "a", "name": "logs", "input": {}},
            {"type": "tool_use", "id": "b", "name": "manual", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": long_log()},
            {"type": "tool_result", "tool_use_id": "b", "content": "Descale monthly."}]},
        {"role": "assistant", "content": "The gasket."},
        {"role": "user", "content": wide},
        {"role": "assistant", "content": "保固兩年。"},
        {"role": "user", "content": "What does the gasket cost?"},
    ]});
    let gemini = json!({"systemInstruction": {"parts": [{"text": "Be brief."}]}, "contents": [
        {"role": "user", "parts": [{"text": "What is broken?"}, {"inlineData": {"mimeType": "image/png", "data": image}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "logs", "args": {}}}, {"functionCall": {"name": "manual", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "logs", "response": {"output": long_log()}}},
            {"functionResponse": {"name": "manual", "response": {"output": "Descale monthly."}}}]},
        {"role": "model", "parts": [{"text": "The gasket."}]},
        {"role": "user", "parts": [{"text": wide}]},
        {"role": "model", "parts": [{"text": "保固兩年。"}]},
        {"role": "user", "parts": [{"text": "What does the gasket cost?"}]},
    ]});
    vec![
        ("openai-chat", chat),
        ("openai-responses", responses),
        ("anthropic", anthropic),
        ("gemini", gemini),
    ]
}

/// The messages of a request, wherever they are.
fn list(request: &Value) -> &[Value] {
    let lists = ["messages", "input", "contents"];
    lists.iter().find_map(|key| request[key].as_array()).expect("a list of messages")
}

/// What a command makes of `input`, and what it says.
fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = cupel().args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_cut_request_is_one_its_provider_takes_at_every_budget() {
    for (format, request) in requests() {
        let input = request.to_string();
        for budget in ["250", "700", "1500", "4k", "1m"] {
            let (code, smaller, told) = run(&["select", "-b", budget], &input);
            assert_eq!(code, Some(0), "{format} at {budget}: {told}");
            let (code, problems, _) = run(&["check"], &smaller);
            assert_eq!((code, problems.as_str()), (Some(0), ""), "{format} at {budget}");
            let json = run(&["count", "--json"], &smaller).1;
            let total = serde_json::from_str::<Value>(&json).unwrap()["total"].as_i64().unwrap();
            let limit = budget.replace('k', "000").replace('m', "000000").parse().unwrap();
            assert!(total <= limit, "{format} at {budget}: {total}");
            // What stays whole is in the order and in the words in which it came.
            let smaller: Value = serde_json::from_str(&smaller).unwrap();
            let mut rest = list(&request).iter();
            let changed =
                list(&smaller).iter().filter(|it| !rest.clone().any(|other| other == *it));
            assert!(changed.count() <= 2, "{format} at {budget}");
            let last = rest.next_back();
            assert_eq!(list(&smaller).last(), last, "{format} at {budget}");
        }
    }
}

#[test]
fn a_request_that_fits_comes_back_byte_for_byte() {
    for path in [OPENAI, ANTHROPIC] {
        let written = fs::read_to_string(root().join(path)).unwrap();
        let assert = cupel().args(["select", path, "--budget", "100k"]).assert().success();
        assert.stdout(written.clone());
        let odd = written.replacen('{', "{ \"x_unknown\" :\t[1.50, 2e3],\n", 1);
        assert_eq!(run(&["select", "-b", "100k"], &odd).1, odd);
    }
}

#[test]
fn untouched_messages_keep_their_bytes_and_unknown_keys_stay() {
    let written = fs::read_to_string(root().join(OPENAI)).unwrap();
    let (code, smaller, told) = run(&["select", "-b", "3000"], &written);
    assert_eq!(code, Some(0));
    assert!(told.contains("left out") && told.contains("of 3,000 tokens (was 10,546)"), "{told}");
    let changed = smaller.lines().filter(|line| !written.contains(line.trim_end_matches(',')));
    assert!(changed.count() <= 1, "only shortened results are new");
    assert!(smaller.len() < written.len() / 2);
}

#[test]
fn a_bare_list_is_a_request_too_and_its_provider_can_be_said() {
    let bare = r#"[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}, {"role": "user", "content": "Bye"}]"#;
    assert_eq!(run(&["select", "-b", "100"], bare).1, bare);
    let told = |provider: &[&str]| {
        let args = [&["count", "--json"], provider].concat();
        serde_json::from_str::<Value>(&run(&args, bare).1).unwrap()["format"].clone()
    };
    assert_eq!(told(&[]), "openai-chat");
    assert_eq!(told(&["--provider", "anthropic"]), "anthropic");
    let wrong = cupel().args(["check", "--provider", "openia"]).write_stdin(bare).assert().code(2);
    wrong.stderr(contains("openai-chat").and(contains("gemini")));
    // A byte order mark, which no provider takes, is taken off.
    assert_eq!(run(&["select", "-b", "100"], &format!("\u{feff}{bare}")).1, bare);
}

#[test]
fn items_with_roles_stay_items() {
    let items = r#"[{"role": "user", "content": "Hello", "tokens": 3}]"#;
    let line = "{\"role\": \"user\", \"content\": \"Hello\", \"tokens\": 3}\n";
    assert_eq!(run(&["select", "-b", "100"], items).1, line);
    let refused =
        cupel().args(["select", "-b", "9", "--keep-last", "2"]).write_stdin(items).assert();
    refused.code(2).stdout("").stderr(contains("--keep-last is for requests"));
}

#[test]
fn pins_and_kept_turns_hold() {
    let kept = |flags: &[&str]| {
        let args = [&["explain", OPENAI, "-b", "2000", "--json", "-q"], flags].concat();
        let told: Value = serde_json::from_str(&stdout_of(cupel().args(args))).unwrap();
        let messages = told["messages"].as_array().unwrap().clone();
        let included = messages.into_iter().filter(|it| it["included"] == true);
        included.map(|it| it["message"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let usual = kept(&[]);
    assert!(!usual.contains(&2) && usual.contains(&61), "{usual:?}");
    assert!(kept(&["--keep-first", "1"]).contains(&2));
    assert!(kept(&["--keep-last", "3"]).contains(&52));
    // In whatever case, together with the call that asked for it.
    let pinned = kept(&["--pin", "TIMEZONE=EUROPE/BERLIN"]);
    assert!([16, 17, 18, 19].iter().all(|it| pinned.contains(it)), "{pinned:?}");
    let units = kept(&["--granularity", "turn"]);
    assert_ne!(units, usual);
    for policy in ["chat", "toolUse", "longRunning"] {
        assert!(kept(&["--policy", policy]).contains(&61), "{policy}");
    }
}

#[test]
fn long_results_are_shortened_unless_forbidden() {
    let (_, chat) = requests().remove(0);
    let input = chat.to_string();
    let (_, smaller, told) = run(&["select", "-b", "2500"], &input);
    assert!(told.contains("1 shortened") && smaller.contains("left out"), "{told}");
    let (_, smaller, told) = run(&["select", "-b", "2500", "--no-shorten"], &input);
    assert!(!told.contains("shortened") && !smaller.contains("left out"), "{told}");
    assert!(told.contains("3 left out"), "{told}");
}

#[test]
fn what_was_done_is_said_on_one_line_and_not_when_quiet() {
    let args = ["select", ANTHROPIC, "-b", "5000"];
    let (_, _, told) = run(&args, "");
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.contains("an estimate, 1.53 x o200k_base"), "{told}");
    assert!(told.contains("left out, 1 repair ($.messages["), "{told}");
    cupel().args(args).arg("--quiet").assert().success().stderr("");
    // The model of the request counts, unless another is said.
    let exact = cupel().args(args).args(["-t", "gpt-4o"]).assert().success();
    exact.stderr(contains("estimate").not());
    let (_, _, told) = run(
        &["select", "-b", "90"],
        r#"{"model": "frob-1", "messages": [{"role": "user", "content": "a"}]}"#,
    );
    assert!(
        told.contains("the model \"frob-1\" is not known; counted for gpt-5 (o200k_base)"),
        "{told}"
    );
}

const BROKEN: &str = r#"{"model": "gpt-4o", "messages": [
    {"role": "user", "content": "What is the time?"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}]},
    {"role": "user", "content": "Never mind."},
    {"role": "tool", "tool_call_id": "zz", "content": "noon"},
    {"role": "user", "content": "Bye."}]}"#;

#[test]
fn check_names_place_rule_and_the_providers_words() {
    let (code, told, _) = run(&["check"], BROKEN);
    assert_eq!(code, Some(1));
    insta::assert_snapshot!(told);
    let (code, told, _) = run(&["check", "--json"], BROKEN);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (code, &told["valid"], told["problems"].as_array().unwrap().len()),
        (Some(1), &json!(false), 2)
    );
    assert_eq!(told["problems"][0]["path"], "$.messages[1].tool_calls[0]");
    assert_eq!(told["problems"][0]["rule"], "CallWithoutAnswer");
    for path in [OPENAI, ANTHROPIC] {
        cupel().args(["check", path]).assert().code(0).stdout("").stderr("");
    }
    cupel().args(["check", "examples/data/support-chat.jsonl"]).assert().code(2).stdout("");
    cupel().args(["check", "no/such.json"]).assert().code(2).stdout("");
}

#[test]
fn odd_requests_are_requests() {
    for (args, input, code) in [
        (&["select", "-b", "100"][..], r#"{"messages": []}"#, 0),
        (&["select", "-b", "100", "--provider", "anthropic"], "[]", 0),
        (&["check", "--provider", "anthropic"], r#"{"messages": []}"#, 1),
        (&["explain", "-b", "100"], r#"{"messages": []}"#, 0),
        (&["count"], r#"{"input": "Just a question"}"#, 0),
        (&["select", "-b", "100"], r#"{"input": "Just a question"}"#, 0),
        (
            &["select", "-b", "100"],
            r#"{"model":"gpt-4o","messages":[{"role":"user","content":"Time?"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"clock","arguments":"{}"}}]}]}"#,
            0,
        ),
    ] {
        let (found, stdout, told) = run(args, input);
        assert_eq!(found, Some(code), "{args:?} of {input}: {told}");
        if args[0] == "select" && code == 0 {
            assert_eq!(stdout, input);
        }
    }
    // What a message says to us alone does not go to the provider.
    let hinted =
        r#"[{"role":"user","content":"a","cupel":{"pinned":true}},{"role":"user","content":"b"}]"#;
    let (_, smaller, _) = run(&["select", "-b", "100"], hinted);
    assert_eq!(smaller, r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#);
}

#[test]
fn tokens_are_counted_by_part() {
    insta::assert_snapshot!(stdout_of(cupel().args(["count", OPENAI])));
    let told: Value =
        serde_json::from_str(&stdout_of(cupel().args(["count", ANTHROPIC, "--json"]))).unwrap();
    assert_eq!((&told["estimate"], &told["format"]), (&json!(true), &json!("anthropic")));
    let roles = ["user", "assistant", "tool"];
    let sum: i64 = roles.iter().map(|role| told["roles"][role]["tokens"].as_i64().unwrap()).sum();
    assert_eq!(told["messages"], sum);
    // Images by their size, not by their base64.
    let (_, chat) = requests().remove(0);
    let told: Value =
        serde_json::from_str(&run(&["count", "--json"], &chat.to_string()).1).unwrap();
    assert_eq!(told["media"], 85 + 170 * 4);
    cupel().args(["count", OPENAI, "--fill"]).assert().code(2).stdout("");
    cupel().args(["count", "examples/data/support-chat.jsonl", "--json"]).assert().code(2);
}

#[test]
fn policies_are_compared_on_requests() {
    let args = ["compare", OPENAI, "-b", "3000", "-p", "chat", "-p", "debugging"];
    let told = stdout_of(cupel().args(args));
    assert!(told.contains("They differ in") && told.contains("messages,"), "{told}");
    let told: Value = serde_json::from_str(&stdout_of(cupel().args(args).arg("--json"))).unwrap();
    assert_eq!(told["variants"].as_array().unwrap().len(), 2);
    let path = told["diffs"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("$.messages["), "{path}");
}

#[test]
fn what_a_smaller_budget_loses_is_what_select_would_lose() {
    let told = stdout_of(
        cupel().args(["marginal", OPENAI, "-b", "3000", "--slack", "1000", "-f", "jsonl"]),
    );
    let select = |budget: &str| {
        let text = stdout_of(cupel().args(["select", OPENAI, "-q", "-b", budget]));
        serde_json::from_str::<Value>(&text).unwrap()["messages"].as_array().unwrap().clone()
    };
    let (larger, smaller) = (select("3000"), select("2000"));
    let lost: Vec<_> = larger.into_iter().filter(|it| !smaller.contains(it)).collect();
    assert!(!lost.is_empty());
    assert_eq!(json_lines(&told), lost);
    let table = cupel().args(["marginal", OPENAI, "-b", "3000", "--slack", "1000"]).assert();
    table.success().stdout(contains("With 1,000 tokens less"));
}

#[test]
fn the_smallest_budget_for_a_message_lets_it_in_and_one_less_does_not() {
    let args = ["min-budget", OPENAI, "--item", "18"];
    let least: i64 = stdout_of(cupel().args(args)).trim().parse().unwrap();
    let is_in = |budget: i64| {
        let budget = budget.to_string();
        stdout_of(cupel().args(["select", OPENAI, "-q", "-b", &budget]))
            .contains("NTPSynchronized=")
    };
    assert!(is_in(least) && !is_in(least - 1));
    let reserved = [&args[..], &["--output-reserve", "500"]].concat();
    assert_eq!(stdout_of(cupel().args(reserved)).trim(), (least + 500).to_string());
    cupel().args(["min-budget", OPENAI, "--item", "99"]).assert().code(2).stderr(contains("61"));
}

#[test]
fn every_bad_request_gets_its_message() {
    let cases: &[(&str, &[&str], &str)] = &[
        ("neither", &[], r#"{"foo": 1}"#),
        ("neither, in a list", &[], r#"[{"foo": 1}]"#),
        ("a list that is none", &[], r#"{"messages": "hello"}"#),
        (
            "messages line by line",
            &[],
            "{\"role\": \"user\", \"content\": \"a\"}\n{\"role\": \"user\", \"content\": \"b\"}\n",
        ),
        ("requests line by line", &[], "{\"messages\": []}\n{\"messages\": []}\n"),
        ("cut off", &[], r#"{"messages": [{"role": "user", "content": "a"#),
        ("two formats", &[], r#"{"messages": [{"role": "user", "content": "a"}], "contents": []}"#),
        (
            "two formats in the messages",
            &[],
            r#"[{"role": "user", "parts": [{"text": "a"}]}, {"role": "tool", "tool_call_id": "x", "content": "b"}]"#,
        ),
        ("an unknown role", &[], r#"{"messages": [{"role": "king", "content": "a"}]}"#),
        (
            "answered twice",
            &[],
            r#"[{"role": "user", "content": "a"}, {"role": "assistant", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "f", "arguments": ""}}]}, {"role": "tool", "tool_call_id": "x", "content": "1"}, {"role": "tool", "tool_call_id": "x", "content": "2"}]"#,
        ),
        (
            "another provider's",
            &["--provider", "gemini"],
            r#"{"messages": [{"role": "user", "content": "a"}]}"#,
        ),
        (
            "too small",
            &[],
            r#"{"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief, be kind, be quick."}, {"role": "user", "content": "Why is the sky blue?"}]}"#,
        ),
        ("another form", &["--format", "markdown"], r#"{"model": "gpt-4o", "messages": []}"#),
    ];
    let mut table = String::new();
    for (name, flags, input) in cases {
        let args = [&["select", "-b", "15", "--output-reserve", "5"], *flags].concat();
        let (code, stdout, told) = run(&args, input);
        assert_eq!(stdout, "", "{name}");
        writeln!(table, "## {name}\nexit {}\n{told}", code.unwrap()).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_policy_that_streams_takes_requests_too() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("stream.json");
    fs::write(
        &policy,
        r#"{"scorers": [{"type": "recency", "weight": 1}], "slicerType": "stream"}"#,
    )
    .unwrap();
    for (format, request) in requests() {
        let mut command = cupel();
        command.args(["select", "-b", "1500", "-p"]).arg(&policy);
        // Over many lines, as people keep them.
        let smaller =
            stdout_of(command.write_stdin(serde_json::to_string_pretty(&request).unwrap()));
        assert_eq!(run(&["check"], &smaller).0, Some(0), "{format}");
    }
}

#[test]
fn nothing_is_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("smaller.json");
    cupel().args(["select", OPENAI, "-b", "10", "-o"]).arg(&out).assert().code(1).stdout("");
    assert!(!out.exists());
    cupel().args(["select", OPENAI, "-b", "3000", "-o"]).arg(&out).assert().success().stdout("");
    cupel().arg("check").arg(&out).assert().success();
}
