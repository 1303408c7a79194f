//! Requests and responses.

use std::fs;
use std::path::PathBuf;

use cupel::{ContextItem, CupelError, RunContext, Scorer};
use cupel_policy::{
    Loader, PolicyFile, PolicySource, Preset, Registry, Request, Responder, Response, respond,
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
        ("InvalidRequest", with("budget", json!({ "targetTokens": 1 }))),
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

#[test]
fn a_request_may_have_a_name_that_its_response_returns_errors_included() {
    for id in [json!("turn-7"), json!(42), json!(-1)] {
        let mut named = request(json!("rag"));
        named["id"] = id.clone();
        let response = answer(&named);
        let json: Value = serde_json::from_str(&response.to_json()).unwrap();
        assert_eq!(json["id"], id);
        assert!(response.to_json().starts_with("{\"id\":"));
        assert_eq!(serde_json::from_str::<Response>(&response.to_json()).unwrap(), response);

        named["policy"] = json!("no such preset");
        let json: Value = serde_json::from_str(&answer(&named).to_json()).unwrap();
        assert_eq!((&json["id"], &json["error"]["code"]), (&id, &json!("InvalidRequest")));

        named["policy"] = json!("chat");
        named["items"][0]["tokens"] = json!(1000);
        let json: Value = serde_json::from_str(&answer(&named).to_json()).unwrap();
        assert_eq!((&json["id"], &json["error"]["code"]), (&id, &json!("PinnedExceedsBudget")));
    }
    for id in [json!(1.5), json!([]), json!(true)] {
        let mut named = request(json!("rag"));
        named["id"] = id;
        let response = answer(&named);
        assert!(response.error().unwrap().message.contains("a string or a whole number"));
        assert_eq!(response.id(), None);
    }
}

#[test]
fn without_a_target_a_request_aims_for_all_that_the_output_reserve_leaves() {
    let mut whole = request(json!("rag"));
    whole["budget"] = json!({ "maxTokens": 120, "outputReserve": 10 });
    assert_eq!(answer(&whole).selected().unwrap().total_tokens, 80);
    whole["budget"] = json!({ "maxTokens": 120, "targetTokens": null });
    assert_eq!(answer(&whole).selected().unwrap().total_tokens, 120);
    assert!(Loader::new().parse_budget("{ \"maxTokens\": 120 }").is_err(), "alone it says both");
}

#[test]
fn keys_of_the_callers_own_are_returned_on_request_and_refused_otherwise() {
    let text = r#"{
        "items": [
            { "id": "a", "content": "same", "tokens": 40, "pinned": true, "x": { "y": [ 1.50, null ] } },
            { "role": "user", "content": "b", "tokens": 40, "x": 1, "x": 2 },
            { "id": 3, "content": "c", "tokens": 400 }
        ],
        "budget": { "maxTokens": 100 },
        "policy": "chat"
    }"#;
    let refused = responder().respond(text.as_bytes());
    assert!(refused.error().unwrap().message.contains("unknown key \"id\""));
    let response = responder().pass_through(true).respond(text.as_bytes());
    let own: Vec<Vec<_>> =
        response.selected().unwrap().own_keys.iter().map(|it| it.iter().collect()).collect();
    let (pinned, other) = (
        vec![("id", "\"a\""), ("x", "{\"y\":[1.50,null]}")],
        vec![("role", "\"user\""), ("x", "2")],
    );
    assert_eq!(own, [pinned, other]);
    let written = response.to_json();
    let items = concat!(
        r#"{"items":[{"content":"same","tokens":40,"kind":"Message","pinned":true,"id":"a","x":{"y":[1.50,null]}},"#,
        r#"{"content":"b","tokens":40,"kind":"Message","role":"user","x":2}],"#,
    );
    assert!(written.starts_with(items), "{written}");
    assert!(!written.contains("\"id\":3"), "the report is the specification's");
}

#[test]
fn missing_tokens_are_counted_with_what_the_request_or_the_program_names() {
    let count = |name: &str, contents: &[&str]| match name {
        "letters" => Ok(contents.iter().map(|it| it.len() as i64).collect()),
        "none" => Ok(Vec::new()),
        other => Err(format!("{other:?} is no vocabulary")),
    };
    let ask = |responder: &Responder, more: &str| {
        let items = r#"[{ "content": "four" }, { "content": "own", "tokens": 9 }]"#;
        let text = format!(
            "{{ {more} \"items\": {items}, \"budget\": {{ \"maxTokens\": 50 }}, \"policy\": \"chat\" }}"
        );
        responder.respond(text.as_bytes())
    };
    let total = |response: &Response| response.selected().unwrap().total_tokens;
    let message = |response: &Response| response.error().unwrap().message.clone();

    let strict = responder();
    assert!(message(&ask(&strict, "")).contains("missing key \"tokens\""));
    assert!(message(&ask(&strict, r#""count": "letters","#)).contains("not counted here"));

    let by_request = responder().count_with(None, count);
    assert_eq!(total(&ask(&by_request, r#""count": "letters","#)), 13);
    assert!(message(&ask(&by_request, "")).contains("missing key \"tokens\""));
    assert!(message(&ask(&by_request, r#""count": "nonsense","#)).contains("no vocabulary"));
    assert!(message(&ask(&by_request, r#""count": "none","#)).contains("0 counts"));

    let by_default = responder().count_with(Some("letters"), count);
    assert_eq!(total(&ask(&by_default, "")), 13);
    assert!(message(&ask(&by_default, r#""count": "nonsense","#)).contains("no vocabulary"));
}

/// Scores 1 where the query's words begin with the content, or its vector with the item's.
#[derive(Debug)]
struct Echo;

impl Scorer for Echo {
    fn score(&self, _: &ContextItem, _: &[ContextItem]) -> f64 {
        0.0
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let Some(query) = context.query() else {
            return Err(CupelError::MissingQuery { scorer: "echo".to_owned() });
        };
        let echoes = |item: &ContextItem| {
            let vector = !item.vector().is_empty() && query.vector().starts_with(item.vector());
            vector || query.text().starts_with(item.content())
        };
        Ok(items.iter().map(|item| f64::from(u8::from(echoes(item)))).collect())
    }
}

fn echoing() -> Responder {
    let mut registry = Registry::new();
    registry.add_scorer("echo", |_| Ok(Box::new(Echo))).unwrap();
    responder().loader(Loader::new().registry(registry))
}

fn asked(query: Value) -> Value {
    json!({
        "id": "q",
        "items": [
            { "content": "a", "tokens": 40, "vector": [0.5] },
            { "content": "b", "tokens": 40 },
        ],
        "budget": { "maxTokens": 50 },
        "policy": { "scorers": [{ "type": "echo", "weight": 1 }] },
        "query": query,
    })
}

fn chosen(responder: &Responder, request: &Value) -> String {
    let response = responder.respond(request.to_string().as_bytes());
    let selected = response.selected().unwrap_or_else(|| panic!("{response:?}"));
    selected.items.iter().map(ContextItem::content).collect()
}

#[test]
fn scorers_are_told_the_query_of_a_request() {
    assert_eq!(chosen(&echoing(), &asked(json!("bread"))), "b");
    assert_eq!(chosen(&echoing(), &asked(json!("almond"))), "a");
    let embedded = json!({ "text": "", "vector": [0.5, 1] });
    assert_eq!(chosen(&echoing(), &asked(embedded)), "a");
    let by_default = echoing().query("bread");
    assert_eq!(chosen(&by_default, &asked(Value::Null)), "b");
    assert_eq!(chosen(&by_default, &asked(json!("almond"))), "a");
}

#[test]
fn a_request_without_a_query_that_a_scorer_needs_is_told_how_to_give_one() {
    let response = echoing().respond(asked(Value::Null).to_string().as_bytes());
    let error = response.error().unwrap();
    assert_eq!((error.code.as_str(), response.id().is_some()), ("MissingQuery", true));
    assert!(error.message.contains("the scorer echo"), "{error}");
    assert!(error.message.contains("add \"query\": \"...\" to the request"), "{error}");
}

#[test]
fn a_request_may_say_what_time_it_is() {
    let mut request = json!({
        "items": [
            { "content": "long ago", "tokens": 40, "timestamp": "2020-01-01T00:00:00Z" },
            { "content": "unknown", "tokens": 40 },
        ],
        "budget": { "maxTokens": 50 },
        "policy": { "scorers": [
            { "type": "decay", "weight": 1, "curve": { "type": "window", "maxAgeSeconds": 3600 } },
        ] },
    });
    assert_eq!(chosen(&responder(), &request), "unknown");
    request["now"] = json!("2020-01-01T01:30:00+01:00");
    assert_eq!(chosen(&responder(), &request), "long ago");
}
