//! The schemas in `schemas/` are current, and they accept what they should and little else.
//!
//! After a change of the formats, `UPDATE_SCHEMAS=1 cargo test -p cupel-policy --test schemas`
//! writes them anew.

use std::fs;
use std::path::PathBuf;

use cupel_policy::{Responder, schema};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

fn workspace(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

/// A validator for the schema of that name, as it is kept in the repository.
fn validator(name: &str) -> Validator {
    let text = fs::read_to_string(workspace("schemas").join(format!("{name}.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

fn examples(folder: &str) -> Vec<(String, Value)> {
    let mut files: Vec<_> = fs::read_dir(workspace("examples").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        (path.display().to_string(), json)
    };
    files.into_iter().map(read).collect()
}

fn assert_valid(validator: &Validator, name: &str, instance: &Value) {
    let problems: Vec<_> = validator
        .iter_errors(instance)
        .map(|it| format!("{} at {}", it, it.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{name}: {problems:#?}");
}

#[test]
fn the_files_are_current() {
    for (name, schema) in schema::all() {
        let path = workspace("schemas").join(format!("{name}.json"));
        let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, &current).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == current, "{} is out of date; see this test's head", path.display());
    }
}

#[test]
fn every_schema_is_one() {
    for (name, schema) in schema::all() {
        let schema = serde_json::to_value(schema).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        jsonschema::draft202012::meta::validate(&schema)
            .unwrap_or_else(|it| panic!("{name}: {it}"));
    }
}

#[test]
fn the_projects_own_examples_are_valid() {
    let policies = examples("policies");
    assert!(policies.len() >= 4);
    for (name, policy) in policies {
        assert_valid(&validator("policy"), &name, &policy);
    }
    let requests = examples("requests");
    assert!(requests.len() >= 3);
    for (name, request) in requests {
        assert_valid(&validator("request"), &name, &request);
        assert_valid(&validator("budget"), &name, &request["budget"]);
        for item in request["items"].as_array().unwrap() {
            assert_valid(&validator("item"), &name, item);
        }
        let response = Responder::new().respond(request.to_string().as_bytes());
        let response = serde_json::to_value(response).unwrap();
        assert_valid(&validator("response"), &name, &response);
        assert_valid(&validator("report"), &name, &response["report"]);
    }
}

#[test]
fn presets_and_errors_are_valid() {
    for preset in cupel_policy::Preset::ALL {
        let policy = serde_json::to_value(preset.policy_file()).unwrap();
        assert_valid(&validator("policy"), preset.name(), &policy);
    }
    let error = serde_json::to_value(Responder::new().respond(b"")).unwrap();
    assert_valid(&validator("response"), "an error", &error);
}

#[test]
fn what_is_wrong_is_invalid() {
    let policy = |scorer: Value| json!({ "scorers": [scorer] });
    let with = |key: &str, value: Value| {
        let mut policy = policy(json!({ "type": "recency", "weight": 1 }));
        policy[key] = value;
        policy
    };
    let asking = |query: Value| json!({ "items": [], "budget": { "maxTokens": 1 }, "policy": "chat", "query": query });
    let cases = [
        ("policy", json!({})),
        ("policy", json!({ "scorers": [] })),
        ("policy", policy(json!({ "type": "recency" }))),
        ("policy", policy(json!({ "type": "recency", "weight": null }))),
        ("policy", policy(json!({ "type": "recency", "weight": 0 }))),
        ("policy", policy(json!({ "type": "recencyy", "weight": 1 }))),
        ("policy", policy(json!({ "type": "recency", "weight": 1, "kindWeights": {} }))),
        ("policy", policy(json!({ "type": "tag", "weight": 1 }))),
        (
            "policy",
            policy(json!({ "type": "scaled", "weight": 1, "innerScorer": { "type": "x" } })),
        ),
        ("policy", policy(json!({ "type": "decay", "weight": 1, "curve": { "type": "window" } }))),
        ("policy", with("slicerType", json!("gredy"))),
        ("policy", with("slicer", json!("greedy"))),
        ("policy", with("slicerType", json!("quota"))),
        ("policy", with("slicerType", json!({ "type": "quota" }))),
        (
            "policy",
            with("slicerType", json!({ "type": "quota", "quotas": [], "slicerType": "gredy" })),
        ),
        ("policy", with("quotas", json!([{ "kind": "a" }]))),
        ("policy", with("quotas", json!([{ "kind": "a", "minPercent": 101 }]))),
        ("policy", with("countQuotas", json!([{ "kind": "a", "capCount": -1 }]))),
        ("policy", with("overflowStrategy", json!("Throw"))),
        ("item", json!({ "content": "", "tokens": 1 })),
        ("item", json!({ "content": "a" })),
        ("item", json!({ "content": "a", "tokens": 1.5 })),
        ("item", json!({ "content": "a", "tokens": 1, "kind": " " })),
        ("item", json!({ "content": "a", "tokens": 1, "metadata": { "a": 1 } })),
        ("item", json!({ "content": "a", "tokens": 1, "timestamp": "yesterday" })),
        ("item", json!({ "content": "a", "tokens": 1, "knid": "a" })),
        ("item", json!({ "content": "a", "tokens": 1, "document": " " })),
        ("item", json!({ "content": "a", "tokens": 1, "position": 1.5 })),
        ("item", json!({ "content": "a", "tokens": 1, "similarity": "NaN" })),
        ("item", json!({ "content": "a", "tokens": 1, "vector": [null] })),
        ("budget", json!({ "maxTokens": 1 })),
        ("budget", json!({ "maxTokens": -1, "targetTokens": 0 })),
        ("budget", json!({ "maxTokens": 1, "targetTokens": 0, "reservedSlots": { "a": -1 } })),
        ("request", json!({ "items": [], "budget": { "maxTokens": 1, "targetTokens": 1 } })),
        (
            "request",
            json!({ "items": [], "budget": { "maxTokens": 1, "targetTokens": 1 }, "policy": "caht" }),
        ),
        ("request", asking(json!(1))),
        ("request", asking(json!({ "vector": [1] }))),
        ("request", asking(json!({ "text": "a", "vectr": [1] }))),
        ("response", json!({ "error": { "code": "X" } })),
        ("report", json!({ "events": [] })),
        (
            "report",
            json!({
                "events": [], "included": [], "total_candidates": 1, "total_tokens_considered": 1,
                "excluded": [{
                    "item": { "content": "a", "tokens": 1 }, "score": 0,
                    "reason": { "reason": "BudgetExceeded", "item_tokens": 1 },
                }],
            }),
        ),
    ];
    for (name, instance) in cases {
        assert!(!validator(name).is_valid(&instance), "{name}: {instance}");
    }
}

#[test]
fn a_report_of_another_implementation_is_valid() {
    let report = json!({
        "events": [{ "stage": "Rerank", "duration_ms": "NaN", "item_count": 1, "thread": 7 }],
        "included": [],
        "excluded": [{
            "item": { "content": "a", "tokens": 1 }, "score": 0, "reason": { "reason": "Vetoed" },
        }],
        "total_candidates": 1, "total_tokens_considered": 1, "engine": "another",
    });
    assert_valid(&validator("report"), "a foreign report", &report);
}
