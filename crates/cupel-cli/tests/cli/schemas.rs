//! The schema of a batch's lines: current, and of one mind with the command about what is a line.
//!
//! After a change, `UPDATE_SCHEMAS=1 cargo test -p cupel-cli --test cli schemas` writes it anew.

use std::fs;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::messages::requests;
use crate::{cupel, json_lines, root, stdout_of};

fn batch() -> Validator {
    let text = fs::read_to_string(root().join("schemas/batch.json")).unwrap();
    let schema = serde_json::from_str(&text).unwrap();
    jsonschema::options().with_draft(Draft::Draft202012).build(&schema).unwrap()
}

fn example(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root().join("examples").join(path)).unwrap()).unwrap()
}

/// Whether the command answers each line with a window.
fn answered(lines: &[Value]) -> Vec<bool> {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = cupel().args(["batch", "-q"]).write_stdin(lines).output().unwrap();
    let answers = json_lines(&String::from_utf8(output.stdout).unwrap());
    answers.iter().map(|answer| answer["error"].is_null()).collect()
}

/// Where a line is wrong; what stands there is too long to show.
fn told(schema: &Validator, line: &Value) -> String {
    let problems = schema.iter_errors(line);
    let places = problems.map(|it| format!("{:.300} at {}", it.to_string(), it.instance_path()));
    places.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_file_is_current() {
    let path = root().join("schemas/batch.json");
    let current = stdout_of(cupel().args(["schema", "batch"]));
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::write(&path, &current).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == current, "{} is out of date; see this test's head", path.display());
    jsonschema::draft202012::meta::validate(&serde_json::from_str(&current).unwrap()).unwrap();
}

#[test]
fn real_lines_are_valid_and_answered() {
    let budget = json!({"maxTokens": 9_000});
    let mut lines: Vec<Value> =
        ["chat", "retrieval"].map(|name| example(&format!("requests/{name}.json"))).into();
    let own_keys = json!({"items": [{"content": "hello", "id": 7}], "count": "gpt-4o", "budget": budget, "policy": "chat"});
    lines.push(own_keys);
    for name in ["openai", "anthropic"] {
        let request = example(&format!("data/library-agent.{name}.json"));
        lines.push(json!({"id": name, "request": request, "budget": budget}));
        lines.push(json!({"request": request["messages"], "budget": budget}));
        lines.push(json!({"messages": request["messages"], "budget": budget, "policy": null}));
    }
    for (format, request) in requests() {
        let key = ["messages", "input", "contents"].into_iter().find(|key| request[key].is_array());
        let list = &request[key.unwrap()];
        lines
            .push(json!({"request": request, "budget": {"maxTokens": 1500, "outputReserve": 100}}));
        lines.push(json!({
            "id": 1, key.unwrap(): list, "provider": format, "budget": {"maxTokens": 200_000}, "count": "gpt-4o", "policy": "chat",
            "keepFirst": 1, "keepLast": 2, "pin": ["gasket"], "shorten": false, "granularity": "turn",
            "currentTurn": "rounds", "dangling": "drop",
        }));
    }
    lines.push(json!({"request": {"input": "What is the time?"}, "budget": budget}));
    let hinted = json!([{"role": "user", "content": "a", "cupel": {"pinned": true, "priority": 3, "tags": ["x"]}}]);
    lines.push(json!({"messages": hinted, "budget": budget}));

    let schema = batch();
    for (number, line) in lines.iter().enumerate() {
        assert!(schema.is_valid(line), "line {number}: {}", told(&schema, line));
    }
    assert_eq!(answered(&lines), vec![true; lines.len()]);
}

#[test]
fn wrong_lines_are_neither() {
    let with = |changes: Value| {
        let mut line =
            json!({"messages": [{"role": "user", "content": "a"}], "budget": {"maxTokens": 90}});
        for (key, value) in changes.as_object().unwrap() {
            line[key] = value.clone();
        }
        line
    };
    let mut lines: Vec<Value> = [
        json!({"contents": []}),
        json!({"request": {"messages": []}}),
        json!({"messages": [{"role": "king", "content": "a"}]}),
        json!({"messages": [{"content": "a"}]}),
        json!({"messages": ["a"]}),
        json!({"messages": {"role": "user"}}),
        json!({"messages": [{"role": "model", "parts": "a"}]}),
        json!({"messages": [{"role": "user", "content": "a", "cupel": {"pin": true}}]}),
        json!({"budget": {"maxTokens": -1}}),
        json!({"budget": {}}),
        json!({"budget": 90}),
        json!({"policy": "chta"}),
        json!({"provider": "openai"}),
        json!({"model": "gpt-4o"}),
        json!({"keepFirst": -1}),
        json!({"pin": "a"}),
        json!({"shorten": null}),
        json!({"granularity": "message"}),
        json!({"currentTurn": "half"}),
        json!({"dangling": "keep"}),
    ]
    .map(with)
    .into();
    lines.push(json!({"messages": [{"role": "user", "content": "a"}]}));
    lines.push(json!({"request": {"model": "gpt-4o"}, "budget": {"maxTokens": 90}}));
    lines.push(json!({"budget": {"maxTokens": 90}}));
    lines.push(json!({"items": [{"tokens": 1}], "budget": {"maxTokens": 90}, "policy": "chat"}));

    let schema = batch();
    for line in &lines {
        assert!(!schema.is_valid(line), "{line}");
    }
    assert_eq!(answered(&lines), vec![false; lines.len()]);
}
