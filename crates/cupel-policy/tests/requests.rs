//! Requests and responses.

use std::fs;
use std::path::PathBuf;

use cupel::ContextItem;
use cupel_policy::{
    Loader, PolicyFile, PolicySource, Preset, Request, Responder, Response, respond,
};
use serde_json::{Value, json};

fn example(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests");
    fs::read_to_string(folder.join(name)).unwrap()
}

fn responder() -> Responder {
    Responder::new().timings(false)
}

fn answer(request: &Value) -> Response {
    responder().respond(request.to_string().as_bytes())
}

fn request(policy: Value) -> Value {
    json!({
        "items": [
            { "content": "a", "tokens": 40, "pinned": true },
            { "content": "b", "tokens": 40, "futureRelevanceHint": 0.9 },
            { "content": "c", "tokens": 40, "futureRelevanceHint": 0.1 },
        ],
        "budget": { "maxTokens": 100, "targetTokens": 90 },
        "policy": policy,
    })
}

#[test]
fn a_response_holds_window_total_and_report() {
    let response = answer(&request(json!("rag")));
    let selected = response.selected().unwrap();
    let contents: Vec<_> = selected.items.iter().map(ContextItem::content).collect();
    assert_eq!(contents, ["a", "b"]);
    assert_eq!(selected.total_tokens, 80);
    assert_eq!(selected.report.excluded[0].item.content(), "c");
    assert_eq!(selected.report.events.len(), 5);

    let json: Value = serde_json::from_str(&response.to_json()).unwrap();
    let keys: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["items", "report", "totalTokens"]);
}

#[test]
fn the_examples_have_these_responses() {
    for name in ["chat.json", "retrieval.json", "overflow.json"] {
        let response = responder().respond(example(name).as_bytes());
        insta::assert_snapshot!(
            format!("response_to_{name}"),
            serde_json::to_string_pretty(&response).unwrap()
        );
    }
}

#[test]
fn without_timings_equal_requests_have_equal_responses() {
    let request = example("retrieval.json");
    let [one, other] = [0, 1].map(|_| responder().respond(request.as_bytes()).to_json());
    assert_eq!(one, other);
    assert!(
        respond(request.as_bytes())
            .selected()
            .unwrap()
            .report
            .events
            .iter()
            .any(|event| { event.duration_ms > 0.0 })
    );
}

#[test]
fn overflow_is_reported_under_proceed_only() {
    let policy = |strategy: &str| {
        json!({
            "scorers": [{ "type": "reflexive", "weight": 1 }],
            "countQuotas": [{ "kind": "Message", "requireCount": 2 }],
            "overflowStrategy": strategy,
        })
    };
    let proceeded = answer(&request(policy("proceed")));
    assert_eq!(proceeded.selected().unwrap().overflow.as_ref().unwrap().tokens_over_budget, 30);
    let truncated = answer(&request(policy("truncate")));
    assert_eq!(truncated.selected().unwrap().overflow, None);
    assert_eq!(answer(&request(policy("throw"))).error().unwrap().code, "Overflow");
}

#[test]
fn codes_say_who_refused() {
    let recency = json!([{ "type": "recency", "weight": 1 }]);
    let with = |key: &str, value: Value| {
        let mut request = request(json!("chat"));
        request[key] = value;
        request
    };
    let item = |item: Value| with("items", json!([item]));
    let policy = |more: Value| {
        let mut policy = json!({ "scorers": recency });
        policy.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        with("policy", policy)
    };
    let cases = [
        ("EmptyContent", item(json!({ "content": "", "tokens": 1 }))),
        ("EmptyKind", item(json!({ "content": "a", "tokens": 1, "kind": "\t" }))),
        ("EmptySource", item(json!({ "content": "a", "tokens": 1, "source": "" }))),
        ("InvalidRequest", item(json!({ "content": "a", "tokens": 1.0 }))),
        ("InvalidRequest", item(json!({ "content": "a", "tokens": 1, "colour": "red" }))),
        ("InvalidRequest", item(json!({ "content": "a" }))),
        ("InvalidBudget", with("budget", json!({ "maxTokens": 1, "targetTokens": 2 }))),
        (
            "InvalidBudget",
            with(
                "budget",
                json!({ "maxTokens": 9, "targetTokens": 9, "reservedSlots": {"a": 1, "A": 1} }),
            ),
        ),
        ("InvalidRequest", with("budget", json!({ "maxTokens": 1 }))),
        ("PinnedExceedsBudget", with("budget", json!({ "maxTokens": 39, "targetTokens": 1 }))),
        ("Overflow", with("budget", json!({ "maxTokens": 40, "targetTokens": 1 }))),
        ("ScorerConfig", with("policy", json!({ "scorers": [] }))),
        (
            "ScorerConfig",
            with("policy", json!({ "scorers": [{ "type": "recency", "weight": 0 }] })),
        ),
        ("SlicerConfig", policy(json!({ "countQuotas": [{ "kind": "a", "requireCount": -1 }] }))),
        ("SlicerConfig", policy(json!({ "quotas": [{ "kind": "a", "minPercent": 101 }] }))),
        (
            "SlicerConfig",
            policy(json!({
                "countQuotas": [{ "kind": "x", "requireCount": 1 }], "scarcityBehavior": "throw",
            })),
        ),
        (
            "SlicerConfig",
            policy(json!({
                "slicerType": "knapsack", "quotas": [{ "kind": "a", "minPercent": 1 }],
                "countQuotas": [{ "kind": "a", "capCount": 1 }],
            })),
        ),
        ("InvalidRequest", policy(json!({ "quotas": [{ "kind": "a" }] }))),
        ("InvalidRequest", policy(json!({ "scarcityBehavior": "throw" }))),
        ("InvalidRequest", policy(json!({ "slicerType": "fancy" }))),
        ("InvalidRequest", with("policy", json!("unheard of"))),
        ("InvalidRequest", with("more", json!(1))),
        ("InvalidRequest", json!([])),
        ("InvalidRequest", json!({})),
    ];
    for (code, request) in cases {
        let response = answer(&request);
        let error = response.error().unwrap_or_else(|| panic!("{request}"));
        assert_eq!(error.code, code, "{request}: {}", error.message);
    }
    for blank in ["", " ", "\n"] {
        assert_eq!(respond(blank.as_bytes()).error().unwrap().code, "InvalidRequest");
    }
}

#[test]
fn a_table_too_large_keeps_its_code() {
    let items: Vec<_> =
        (0..6).map(|at| json!({ "content": format!("{at}"), "tokens": 10 })).collect();
    let request = json!({
        "items": items,
        "budget": { "maxTokens": 10_000_000, "targetTokens": 10_000_000 },
        "policy": {
            "scorers": [{ "type": "recency", "weight": 1 }],
            "slicerType": "knapsack", "knapsackBucketSize": 1,
        },
    });
    assert_eq!(answer(&request).error().unwrap().code, "TableTooLarge");
}

#[test]
fn problems_name_the_line_of_the_batch() {
    let response = responder().respond_line(7, br#"{"items": [}"#);
    let message = &response.error().unwrap().message;
    assert!(message.contains("line 7, column 12"), "{message}");
}

#[test]
fn presets_and_spelled_out_policies_give_the_same() {
    for preset in Preset::ALL {
        let by_name = answer(&request(json!(preset.name().to_uppercase())));
        let file = preset.policy_file();
        let spelled_out = answer(&request(serde_json::to_value(&file).unwrap()));
        assert_eq!(by_name, spelled_out, "{preset}");
    }
}

#[test]
fn requests_are_written_and_read_as_the_same() {
    for name in ["chat.json", "retrieval.json", "overflow.json"] {
        let request = Request::from_json(&example(name)).unwrap();
        let written = serde_json::to_string(&request).unwrap();
        assert_eq!(Request::from_json(&written).unwrap(), request);
    }
    let chat = Request::from_json(&example("chat.json")).unwrap();
    assert_eq!(chat.policy, PolicySource::Preset(Preset::Chat));
}

#[test]
fn responses_are_written_and_read_as_the_same() {
    let responses = [
        responder().respond(example("overflow.json").as_bytes()),
        responder().respond(example("retrieval.json").as_bytes()),
        responder().respond(b"?"),
    ];
    for response in responses {
        assert_eq!(serde_json::from_str::<Response>(&response.to_json()).unwrap(), response);
    }
}

#[test]
fn a_response_that_json_cannot_write_is_an_error_response() {
    let item = ContextItem::builder("a", 1).timestamp(chrono::DateTime::<chrono::Utc>::MAX_UTC);
    let request = Request {
        items: vec![item.build().unwrap()],
        budget: Loader::new().parse_budget(r#"{"maxTokens": 9, "targetTokens": 9}"#).unwrap(),
        policy: PolicySource::Preset(Preset::Chat),
    };
    let json: Value = serde_json::from_str(&responder().respond_to(&request).to_json()).unwrap();
    assert_eq!(json["error"]["code"], "InvalidRequest");
}

#[test]
fn the_example_policies_load() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/policies");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let json = fs::read_to_string(entry.unwrap().path()).unwrap();
        PolicyFile::from_json(&json).unwrap().policy().unwrap();
        seen += 1;
    }
    assert!(seen >= 4);
}
