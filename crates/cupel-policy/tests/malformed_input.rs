//! What is wrong with a file is said exactly, and all at once.
//!
//! The snapshot holds every input with what it gets. After an intended change, review what
//! `INSTA_UPDATE=always cargo test -p cupel-policy --test malformed_input` writes.

use std::fmt::Write;

use cupel::SelectionReport;
use cupel_policy::{Loader, PolicyError, PolicyFile, respond};

/// A policy around a list of scorers.
fn scorers(scorers: &str) -> String {
    format!(r#"{{"scorers": [{scorers}]}}"#)
}

/// A valid policy with something added.
fn policy_with(more: &str) -> String {
    format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], {more}}}"#)
}

/// A scorer of decay with that curve.
fn decay(curve: &str) -> String {
    scorers(&format!(r#"{{"type": "decay", "weight": 1, "curve": {curve}}}"#))
}

fn policies() -> Vec<String> {
    let mut inputs: Vec<String> = [
        "",
        "  \n ",
        "null",
        "[]",
        "{",
        "{\n  \"scorers\": [\n    { \"type\": \"recency\", \"weight\": 1 },,\n  ]\n}",
        "{ // a comment\n}",
        "{\n  /* a comment\n}",
        "{ # a comment\n}",
        "{'scorers': []}",
        "{} {}",
        "{\"name\": \"tab\there\"}",
        "{\"name\": \"\\ud800\"}",
        "{}",
        r#"{"scorers": []}"#,
        r#"{"scorers": null}"#,
        r#"{"scorers": {"type": "recency"}}"#,
        r#"{"scorers": [{"type": "recency", "weight": 1}], "scorers": []}"#,
    ]
    .map(str::to_owned)
    .into();
    inputs.extend(
        [
            "1",
            "{}",
            r#"{"type": "recency"}"#,
            r#"{"type": "recentcy", "weight": 1}"#,
            r#"{"type": "bm25", "weight": 1}"#,
            r#"{"type": 1, "weight": 1}"#,
            r#"{"type": "recency", "wieght": 1}"#,
            r#"{"type": "recency", "weight": 0}"#,
            r#"{"type": "recency", "weight": -1.5}"#,
            r#"{"type": "recency", "weight": "1"}"#,
            r#"{"type": "recency", "weight": 1e400}"#,
            r#"{"type": "recency", "weight": 1e308}, {"type": "priority", "weight": 1e308}"#,
            r#"{"type": "recency", "weight": 1, "kindWeights": {}}"#,
            r#"{"type": "kind", "weight": 1, "kind_weights": {"a": 1}, "kindWeights": {"a": 1}}"#,
            r#"{"type": "kind", "weight": 1, "kindWeights": {"note": 1, "NOTE": 2}}"#,
            r#"{"type": "kind", "weight": 1, "kindWeights": {"note": 1, "note": 1}}"#,
            r#"{"type": "kind", "weight": 1, "kindWeights": {" ": 1, "a b": -1}}"#,
            r#"{"type": "tag", "weight": 1}"#,
            r#"{"type": "tag", "weight": 1, "tagWeights": [1]}"#,
            r#"{"type": "tag", "weight": 1, "tagWeights": {"a": 1, "A": 1},
                "tagComparison": "asciiCaseInsensitive"}"#,
            r#"{"type": "tag", "weight": 1, "tagWeights": {}, "tagComparison": "ordinary"}"#,
            r#"{"type": "tag", "weight": 1, "tagWeights": {"a": 1e308, "b": 1e308}}"#,
            r#"{"type": "scaled", "weight": 1}"#,
            r#"{"type": "scaled", "weight": 1, "innerScorer": {"type": "recency", "weight": 0}}"#,
            r#"{"type": "scaled", "weight": 1, "innerScorer": {"type": "scaled",
                "innerScorer": {"type": "kinds"}}}"#,
            r#"{"type": "composite", "weight": 1, "scorers": []}"#,
            r#"{"type": "metadataTrust", "weight": 1, "defaultScore": 1.5}"#,
            r#"{"type": "metadataKey", "weight": 1, "key": "k", "boost": 0}"#,
            r#"{"type": "decay", "weight": 1}"#,
            r#"{"type": "relevance", "weight": 1, "k1": -1, "b": 1.5, "language": "englisch", "halfLife": 1}"#,
            r#"{"type": "relevance", "weight": 1, "querySaturation": 0, "neighbourDecay": 1e7, "neighbourshare": 0.5}"#,
            r#"{"type": "relevance", "weight": 1, "similarityWeight": "0.5", "similarity_spread": 2}"#,
            r#"{"type": "similarity", "weight": 1, "k1": 1.2}"#,
            r#"{"type": "fadingRecency", "weight": 1, "halfLife": 0}"#,
            r#"{"type": "decay", "weight": 1, "nullTimestampScore": -1,
                "referenceTime": "2025-01-01", "curve": {"type": "linear"}}"#,
        ]
        .map(scorers),
    );
    inputs.extend(
        [
            r#"{"type": "exponential", "halfLifeSeconds": 0}"#,
            r#"{"type": "exponential", "halfLifeSeconds": 1e-10}"#,
            r#"{"type": "exponential", "halfLifeSeconds": 1e17}"#,
            r#"{"type": "exponential", "maxAgeSeconds": 5}"#,
            r#"{"type": "window", "maxAgeSeconds": -3}"#,
            r#"{"type": "step", "windows": []}"#,
            r#"{"type": "step", "windows": [{"maxAgeSeconds": 5, "score": 1},
                {"maxAgeSeconds": 5, "score": 0.5}]}"#,
            r#"{"type": "step", "windows": [{"maxAgeSeconds": 5, "score": 2}, {"score": 0.5}]}"#,
        ]
        .map(decay),
    );
    inputs.extend(
        [
            r#""name": 1, "descripton": "x""#,
            r#""slicerType": "gredy""#,
            r#""slicerType": {"type": "topN", "n": 3}"#,
            r#""slicerType": {"type": "greedy"}"#,
            r#""slicerType": 3"#,
            r#""slicerType": "quota""#,
            r#""slicerType": {"type": "quota"}"#,
            r#""slicerType": {"type": "quota", "quotas": [{"kind": "a", "minPercent": 101}], "slicerType": {"type": "knapsack", "knapsackBucketSize": 0, "quotas": []}}"#,
            r#""slicerType": {"type": "countQuota", "countQuotas": [], "scarcityBehavior": "x", "slicerType": {"type": "countQuotas"}, "knapsackBucketSize": 5}"#,
            r#""slicerType": {"type": "countQuota", "countQuotas": 1, "slicerType": {"type": "greedy"}}"#,
            r#""slicerType": {"type": "quota", "type": "quota", "quotas": [], "quota": []}"#,
            r#""slicerType": "distinct""#,
            r#""slicerType": {"type": "distinct", "threshold": 0, "shingleWords": 0, "treatment": "first"}"#,
            r#""slicerType": {"type": "distinct", "threshold": 1.5, "shingle_words": -1, "slicerType": {"type": "rank", "threshold": 1}}"#,
            r#""slicerType": {"type": "distinct", "slicerType": "stream"}"#,
            r#""slicerType": "knapsack", "knapsackBucketSize": 0"#,
            r#""slicerType": "knapsack", "knapsackBucketSize": 100.0"#,
            r#""slicerType": "knapsack", "knapsackBucketSize": "automatic""#,
            r#""knapsackBucketSize": 100"#,
            r#""slicerType": "stream", "streamBatchSize": 0"#,
            r#""slicerType": "knapsack", "streamBatchSize": 32"#,
            r#""slicerType": "stream", "quotas": [{"kind": "a", "minPercent": 1}]"#,
            r#""quotas": [{"kind": "a"}]"#,
            r#""quotas": [{"kind": "a", "minPercent": null, "maxPercent": null}]"#,
            r#""quotas": [{"minPercent": 1}]"#,
            r#""quotas": [{"kind": "", "minPercent": 1}]"#,
            r#""quotas": [{"kind": "a", "minPercent": 50, "maxPercent": 20}]"#,
            r#""quotas": [{"kind": "a", "minPercent": 101}]"#,
            r#""quotas": [{"kind": "a", "minPercent": 1}, {"kind": "A", "maxPercent": 2}]"#,
            r#""quotas": [{"kind": "a", "minPercent": 60}, {"kind": "b", "minPercent": 60}]"#,
            r#""countQuotas": [{"kind": "a", "requireCount": -1}]"#,
            r#""countQuotas": [{"kind": "a", "requireCount": 3, "capCount": 2}]"#,
            r#""countQuotas": [{"kind": "a", "capCount": 1.5}]"#,
            r#""countQuotas": [{"kind": "a", "capCount": 99999999999999999999}]"#,
            r#""countQuotas": [{"kind": "a"}, {"kind": "A"}]"#,
            r#""slicerType": "knapsack", "quotas": [{"kind": "a", "minPercent": 1}],
                "countQuotas": [{"kind": "b", "capCount": 1}]"#,
            r#""scarcityBehavior": "throw""#,
            r#""countQuotas": [], "scarcityBehavior": "explode""#,
            r#""placerType": "ushape""#,
            r#""deduplicationEnabled": "yes""#,
            r#""overflowStrategy": "ignore""#,
        ]
        .map(policy_with),
    );
    inputs
}

fn items() -> Vec<&'static str> {
    vec![
        "[]",
        "{}",
        r#"{"content": "", "tokens": 1}"#,
        r#"{"content": "a", "tokens": 12.0}"#,
        r#"{"content": "a", "tokens": -0}"#,
        r#"{"content": "a", "tokens": 9223372036854775808}"#,
        r#"{"content": "a", "tokens": null}"#,
        r#"{"content": "a", "tokens": 1, "token": 2}"#,
        r#"{"content": "a", "tokens": 1, "kind": " ", "source": ""}"#,
        r#"{"content": "a", "tokens": 1, "tags": ["x", 1, null]}"#,
        r#"{"content": "a", "tokens": 1, "metadata": {"k": 1, "odd key": null}}"#,
        r#"{"content": "a", "tokens": 1, "timestamp": "2025-13-01T00:00:00Z"}"#,
        r#"{"content": "a", "tokens": 1, "timestamp": "9999-12-31T23:59:59-01:00"}"#,
        r#"{"content": "a", "tokens": 1, "futureRelevanceHint": "high", "pinned": 1}"#,
        r#"{"content": "a", "tokens": 1, "originalTokens": 1, "original_tokens": 1}"#,
        r#"{"content": "a", "tokens": 1, "document": "\t", "position": 1.5, "similarity": "NaN"}"#,
        r#"{"content": "a", "tokens": 1, "vector": [0.5, null, 1e39, "1", -4e38]}"#,
        r#"{"content": "a", "tokens": 1, "vector": 0.5, "Position": 3}"#,
        r#"{"content": "a", "tokens": 1, "documnet": "guide.md"}"#,
        "{\"content\": \"a\", // a comment\n \"tokens\": 1}",
        r#"{"content": "a", "tokens": 1,}"#,
    ]
}

fn budgets() -> Vec<&'static str> {
    vec![
        r#"{"maxTokens": 1}"#,
        r#"{"maxTokens": 1, "targetTokens": 2}"#,
        r#"{"maxTokens": -1, "targetTokens": 0}"#,
        r#"{"maxTokens": 9, "targetTokens": 1, "reservedSlots": {"note": 1, "NOTE": 1}}"#,
        r#"{"maxTokens": 9, "targetTokens": 1, "reservedSlots": {"note": "1"}}"#,
        r#"{"maxTokens": 9, "targetTokens": 1, "estimationSafetyMarginPercent": 101}"#,
        r#"{"maxTokens": 9, "targetTokens": 1, "max_tokens": 9}"#,
    ]
}

fn requests() -> Vec<&'static [u8]> {
    vec![
        b"",
        b"\xff",
        b"{\"items\": \"\xc3\x28\"}",
        b"{}",
        b"{ /* a comment */ }",
        br#"{"items": [{"content": "a", "tokens": 1},], "budget": {}, "policy": {}}"#,
        br#"{"items": [], "budget": {"maxTokens": 1, "targetTokens": 1},
             "policy": { // a comment
             }}"#,
        br#"{"items": [], "budget": {"maxTokens": 1, "targetTokens": 1}, "policy": "caht"}"#,
        br#"{"items": [], "budget": {"maxTokens": 1, "targetTokens": 1}, "policy": 1}"#,
        br#"{"items": [], "budget": {"maxTokens": 1, "targetTokens": 1}, "policy": {"scorers": []}}"#,
        br#"{"items": [{"content": "", "tokens": 1}], "budget": {"maxTokens": 1}, "policy": "x"}"#,
        br#"{"items": [], "budget": {"maxTokens": 1}, "policy": "chat", "query": 1, "now": "noon"}"#,
        br#"{"items": [], "budget": {"maxTokens": 1}, "policy": "chat", "query": {"vector": [1e39], "texte": "a"}}"#,
        br#"{"items": [], "budget": {"maxTokens": 1}, "policy": "chat", "qeury": "a", "now": 1735732800}"#,
        br#"{"items": [{"content": "a", "tokens": 5, "pinned": true}],
             "budget": {"maxTokens": 1, "targetTokens": 1}, "policy": "chat"}"#,
        br#"{"items": [{"content": "a", "tokens": 5, "pinned": true}],
             "budget": {"maxTokens": 9, "targetTokens": 1}, "policy": "chat"}"#,
        br#"{"items": [{"content": "a", "tokens": 5}],
             "budget": {"maxTokens": 9, "targetTokens": 9},
             "policy": {"scorers": [{"type": "recency", "weight": 1}],
                        "countQuotas": [{"kind": "b", "requireCount": 1}],
                        "scarcityBehavior": "throw"}}"#,
        br#"{"items": [{"content": "a", "tokens": 5}, {"content": "b", "tokens": 5}],
             "budget": {"maxTokens": 9000000000, "targetTokens": 9000000000},
             "policy": {"scorers": [{"type": "recency", "weight": 1}], "slicerType": "knapsack",
                        "knapsackBucketSize": 1}}"#,
    ]
}

fn reports() -> Vec<&'static str> {
    vec![
        "{}",
        r#"{"events": [], "included": [], "excluded": [], "total_candidates": 1, "total_tokens_considered": 0}"#,
        r#"{"events": [{"stage": 1}], "included": [], "excluded": [], "total_candidates": 0, "total_tokens_considered": 0}"#,
        r#"{"events": [], "included": [{"item": {"content": "", "tokens": 1}, "score": 0, "reason": {"reason": "Scored"}}], "excluded": [], "total_candidates": 1, "total_tokens_considered": 0}"#,
    ]
}

fn describe(error: PolicyError) -> String {
    let lines = error.problems().iter().map(|problem| format!("[{}] {problem}", problem.code()));
    lines.collect::<Vec<_>>().join("\n")
}

fn refusals<I: AsRef<[u8]>>(
    what: &str,
    inputs: Vec<I>,
    refuse: impl Fn(&[u8]) -> String,
) -> String {
    let mut table = String::new();
    for input in &inputs {
        let input = input.as_ref();
        writeln!(
            table,
            "{what}: {}\n{}\n",
            input.escape_ascii().to_string().replace("\\\"", "\""),
            refuse(input)
        )
        .unwrap();
    }
    table
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn every_policy_gets_its_refusal() {
    insta::assert_snapshot!(refusals("policy", policies(), |json| {
        describe(PolicyFile::from_json(utf8(json)).expect_err("malformed"))
    }));
}

#[test]
fn every_item_and_budget_gets_its_refusal() {
    let loader = Loader::new();
    let items = refusals("item", items(), |json| {
        describe(loader.parse_item(utf8(json)).expect_err("malformed"))
    });
    let budgets = refusals("budget", budgets(), |json| {
        describe(loader.parse_budget(utf8(json)).expect_err("malformed"))
    });
    insta::assert_snapshot!(items + &budgets);
}

#[test]
fn every_request_gets_its_error_response() {
    insta::assert_snapshot!(refusals("request", requests(), |bytes| {
        respond(bytes).error().expect("malformed").to_string()
    }));
}

#[test]
fn every_report_gets_its_refusal() {
    insta::assert_snapshot!(refusals("report", reports(), |json| {
        serde_json::from_slice::<SelectionReport>(json).expect_err("malformed").to_string()
    }));
}

#[test]
fn the_table_is_long_enough_to_mean_something() {
    assert!(policies().len() + items().len() + budgets().len() + requests().len() >= 40);
}

#[test]
fn all_problems_of_a_file_are_reported_in_its_order() {
    let json = r#"{
  "nmae": "x",
  "scorers": [
    { "type": "recency" },
    { "type": "prioritty", "weight": 1 },
    { "type": "decay", "weight": 0, "curve": { "type": "window", "maxAgeSeconds": 0 } }
  ],
  "placerType": "UShapedd",
  "overflowStrategy": "thorw"
}"#;
    let error = PolicyFile::from_json(json).unwrap_err();
    let places: Vec<_> =
        error.problems().iter().map(|it| (it.path(), it.line(), it.column())).collect();
    assert_eq!(
        places,
        [
            ("$.nmae", 2, 3),
            ("$.scorers[0]", 4, 5),
            ("$.scorers[1].type", 5, 15),
            ("$.scorers[2].weight", 6, 34),
            ("$.scorers[2].curve.maxAgeSeconds", 6, 83),
            ("$.placerType", 8, 17),
            ("$.overflowStrategy", 9, 23),
        ]
    );
}

#[test]
fn columns_count_characters() {
    let error =
        PolicyFile::from_json("{\"name\": \"äöü😀\", \"x\": 1, \"scorers\": 1}").unwrap_err();
    assert_eq!(error.problems()[0].column(), 18);
}

#[test]
fn a_flood_of_problems_is_cut_off_and_counted() {
    let entries = vec![r#"{"type": "recenci", "wight": 1}"#; 250].join(",");
    let error = PolicyFile::from_json(&scorers(&entries)).unwrap_err();
    assert_eq!((error.problems().len(), error.more()), (100, 400));
    assert!(error.to_string().ends_with("and 400 more"));
}

#[test]
fn lenient_loading_warns_of_unknown_keys_and_of_nothing_else() {
    let loader = Loader::new().lenient(true);
    let parsed =
        loader.parse(&policy_with(r#""x": 1, "quotas": [{"kind": "a", "minPercent": 1, "y": 2}]"#));
    let warnings = parsed.unwrap().warnings;
    let paths: Vec<_> = warnings.iter().map(|it| it.path()).collect();
    assert_eq!(paths, ["$.x", "$.quotas[0].y"]);
    assert!(loader.parse(&policy_with(r#""knapsackBucketSize": 1"#)).is_err());
    assert!(
        loader.parse(&scorers(r#"{"type": "recency", "weight": 1, "tagWeights": {}}"#)).is_err()
    );
    assert!(loader.parse_item(r#"{"content": "a", "tokens": 1, "x": 1}"#).is_err());
}
