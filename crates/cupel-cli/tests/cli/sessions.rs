//! `cupel replay`, and sessions in `cupel batch`

use predicates::str::contains;
use serde_json::{Value, json};

use crate::{cupel, json_lines, root, stdout_of};

fn transcript() -> std::path::PathBuf {
    root().join("examples/data/library-agent.anthropic.json")
}

#[test]
fn a_transcript_is_replayed_under_strategies() {
    let told = stdout_of(cupel().args(["replay", "-q", "--budget", "3600"]).arg(transcript()));
    insta::assert_snapshot!(told);
}

#[test]
fn the_json_of_a_replay_adds_up() {
    let all =
        ["replay", "-q", "--budget", "4000", "--all-policies", "-s", "session:0.9/0.4", "--json"];
    let json = stdout_of(cupel().args(all).arg(transcript()));
    let json: Value = serde_json::from_str(&json).unwrap();
    let strategies = json["strategies"].as_array().unwrap();
    assert!(strategies.len() > 7, "every policy is played");
    for strategy in strategies.iter().filter(|it| it["stopped"].is_null()) {
        let turns = strategy["turns"].as_array().unwrap();
        assert_eq!(turns.len() as u64, json["turns"].as_u64().unwrap());
        let cost: f64 = turns.iter().map(|it| it["costs"]["thousandths"].as_f64().unwrap()).sum();
        assert!((cost / 1_000.0 - strategy["cost"].as_f64().unwrap()).abs() < 1e-6);
        let sent = |turn: &Value| {
            ["read", "written", "plain"]
                .iter()
                .map(|it| turn["costs"][it].as_i64().unwrap())
                .sum::<i64>()
        };
        assert!(turns.iter().all(|turn| sent(turn) <= 4_000));
    }
}

#[test]
fn strategies_of_one_name_have_labels_of_their_own() {
    let own = r#"{"scorers": [{"type": "recency", "weight": 1}]}"#;
    let other = r#"{"scorers": [{"type": "kind", "weight": 1}]}"#;
    let flags = ["replay", "-q", "--budget", "4000", "-s", own, "-s", other, "--json"];
    let json = stdout_of(cupel().args(flags).arg(transcript()));
    let json: Value = serde_json::from_str(&json).unwrap();
    let labels: Vec<_> =
        json["strategies"].as_array().unwrap().iter().map(|it| &it["strategy"]).collect();
    assert_eq!(labels, ["policy", "policy (2)"]);
}

#[test]
fn requests_line_by_line_are_replayed_as_they_were_sent() {
    let request: Value =
        serde_json::from_str(&std::fs::read_to_string(transcript()).unwrap()).unwrap();
    let lines: Vec<String> = [1, 3, 5]
        .map(|count| {
            let mut request = request.clone();
            request["messages"].as_array_mut().unwrap().truncate(count);
            request.to_string()
        })
        .to_vec();
    let replay = ["replay", "-", "-q", "--budget", "20000", "--json"];
    let json = stdout_of(cupel().args(replay).write_stdin(lines.join("\n")));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["turns"], 3);
}

#[test]
fn the_page_is_complete_in_itself() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("replay.html");
    let mut replay = cupel();
    replay.args(["replay", "-q", "--budget", "3600", "--html"]).arg(&page).arg(transcript());
    stdout_of(&mut replay);
    let html = std::fs::read_to_string(page).unwrap();
    for part in [
        "class=\"cached\"",
        "class=\"written\"",
        "class=\"dropped\"",
        "class=\"cut\"",
        "sliding-window",
        "prefers-color-scheme: dark",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("{{") && !html.contains("http://") && !html.contains("https://"));
}

#[test]
fn strategies_that_make_no_sense_are_refused() {
    let replay = |strategy: &str| {
        cupel()
            .args(["replay", "--budget", "3600", "-s", strategy])
            .arg(transcript())
            .assert()
            .code(2)
    };
    replay("session:0.4/0.9").stderr(contains("low is 0.9").and(contains("session:HIGH/LOW")));
    replay("session:high").stderr(contains("no marks"));
    replay("slidng-window").stderr(contains("slidng-window"));
    let empty = cupel().args(["replay", "-", "--budget", "9"]).write_stdin("[]").assert().code(2);
    empty.stderr(contains("there is no turn in it"));
}

use predicates::prelude::PredicateBooleanExt;

/// Answers a line with the session that the last answer gave.
fn next(line: &Value, session: &Value) -> Value {
    let mut line = line.clone();
    line["session"] = session.clone();
    let output = cupel()
        .args(["batch", "-q", "--no-timings"])
        .write_stdin(line.to_string())
        .output()
        .unwrap();
    json_lines(&String::from_utf8(output.stdout).unwrap()).remove(0)
}

#[test]
fn a_session_goes_on_through_a_batch_of_messages() {
    let request: Value =
        serde_json::from_str(&std::fs::read_to_string(transcript()).unwrap()).unwrap();
    let mut session = json!({"settings": {"breakpoints": true}});
    let mut before = Value::Null;
    for (turn, count) in [1, 5, 9].into_iter().enumerate() {
        let mut request = request.clone();
        request["messages"].as_array_mut().unwrap().truncate(count);
        let line = json!({"id": turn, "request": request, "budget": {"maxTokens": 100_000}});
        let answer = next(&line, &session);
        assert_eq!(answer["turn"]["turn"], turn as u64 + 1, "{answer}");
        assert!(answer["turn"]["prefix"]["first_change"].is_null(), "{}", answer["turn"]);
        assert!(answer["request"].to_string().contains("cache_control"));
        session = answer["session"].clone();
        assert_ne!(session, before);
        before = session.clone();
    }
    assert_eq!(
        next(&json!({"request": request, "budget": {"maxTokens": 100_000}}), &before)["turn"]["turn"],
        4
    );
}

#[test]
fn a_session_goes_on_through_a_batch_of_items() {
    let line = |count: usize| {
        let items: Vec<Value> = (0..count)
            .map(|at| json!({"id": at, "content": format!("item {at}"), "tokens": 10}))
            .collect();
        json!({"items": items, "budget": {"maxTokens": 100}, "policy": "chat"})
    };
    let first = next(&line(5), &json!({}));
    let second = next(&line(7), &first["session"]);
    assert_eq!(second["turn"]["costs"]["read"], 50);
    let ids: Vec<i64> =
        second["items"].as_array().unwrap().iter().map(|it| it["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6], "keys of the caller's own come back");
    let third = next(&line(9), &second["session"]);
    assert_eq!(third["turn"]["action"]["kind"], "cut");
    assert!(third["totalTokens"].as_i64().unwrap() <= 50);
}

#[test]
fn a_session_that_is_none_is_an_error_in_place() {
    let items = json!({"items": [], "budget": {"maxTokens": 100}, "policy": "chat"});
    let messages =
        json!({"messages": [{"role": "user", "content": "hi"}], "budget": {"maxTokens": 100}});
    for line in [&items, &messages] {
        let told = next(line, &json!({"version": 99}))["error"].to_string();
        assert!(told.contains("version 99") && told.contains("start a new session"), "{told}");
        let told = next(line, &json!({"turns": 1}))["error"].to_string();
        assert!(told.contains("no state of a session"), "{told}");
        let told = next(line, &json!("new"))["error"].to_string();
        assert!(told.contains("InvalidRequest"), "{told}");
    }
}
