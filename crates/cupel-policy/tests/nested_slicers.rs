//! Slicers inside slicers: whatever a program can build, a file can say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cupel::{
    ContextBudget, ContextItem, ContextKind, CountConstrainedKnapsackSlice, CountQuotaEntry,
    KnapsackSlice, Pipeline, QuotaEntry, QuotaSlice, ScarcityBehavior, Slicer,
};
use cupel_policy::{
    BucketSize, CountQuota, Loader, MAX_DEPTH, PlacerConfig, PolicyError, PolicyFile, Quota,
    Registry, ScorerConfig, SlicerConfig, schema,
};

fn parse(more: &str) -> Result<PolicyFile, PolicyError> {
    let json = format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], {more}}}"#);
    PolicyFile::from_json(&json)
}

fn slicer(json: &str) -> SlicerConfig {
    parse(&format!("\"slicerType\": {json}")).unwrap_or_else(|error| panic!("{error}")).slicer
}

/// The type of the slicer that is built, as a policy prints it.
fn built(more: &str) -> String {
    let printed = format!("{:?}", parse(more).unwrap().policy().unwrap());
    let slicer = printed.split("slicer: \"").nth(1).and_then(|rest| rest.split('"').next());
    slicer.and_then(|path| path.rsplit("::").next()).unwrap().to_owned()
}

/// Where the only problem is, and what it is.
fn problem(more: &str) -> (String, String) {
    let error = parse(more).unwrap_err();
    let [problem] = error.problems() else { panic!("{error}") };
    (problem.path().to_owned(), problem.kind().to_string())
}

const NESTED: &str = r#"{
    "type": "countQuota",
    "countQuotas": [{ "kind": "Message", "requireCount": 1, "capCount": 3 }],
    "scarcityBehavior": "throw",
    "slicerType": {
        "type": "quota",
        "quotas": [{ "kind": "Document", "maxPercent": 40 }],
        "slicerType": { "type": "quota", "quotas": [], "slicerType": "greedy" }
    }
}"#;

#[test]
fn quotas_may_stand_around_quotas() {
    let empty = SlicerConfig::Quota { quotas: vec![], inner: Box::new(SlicerConfig::Greedy) };
    let document =
        Quota { kind: ContextKind::document(), min_percent: None, max_percent: Some(40.0) };
    let quota = SlicerConfig::Quota { quotas: vec![document], inner: Box::new(empty) };
    let message = CountQuota { kind: ContextKind::message(), require_count: 1, cap_count: Some(3) };
    let counted = SlicerConfig::CountQuota {
        quotas: vec![message],
        scarcity: ScarcityBehavior::Throw,
        inner: Box::new(quota),
    };
    assert_eq!(slicer(NESTED), counted);
}

#[test]
fn what_is_left_out_has_the_defaults() {
    let greedy = Box::new(SlicerConfig::Greedy);
    let quota = SlicerConfig::Quota { quotas: vec![], inner: greedy.clone() };
    assert_eq!(slicer(r#"{"type": "quota", "quotas": []}"#), quota);
    assert_eq!(slicer(r#"{"type": "QUOTA", "quotas": [], "slicer_type": null}"#), quota);
    let scarcity = ScarcityBehavior::Degrade;
    let counts = SlicerConfig::CountQuota { quotas: vec![], scarcity, inner: greedy };
    assert_eq!(slicer(r#"{"type": "count_quota", "count_quotas": []}"#), counts);
    let knapsack = SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(100) };
    assert_eq!(slicer(r#"{"type": "knapsack"}"#), knapsack);
    assert_eq!(slicer(r#"{"type": "stream"}"#), SlicerConfig::Stream { batch_size: None });
}

#[test]
fn the_canonical_form_names_a_slicer_and_writes_settings_in_objects_only_inside() {
    let file = parse(
        r#""slicerType": {"type": "quota", "quotas": [],
            "slicerType": {"type": "knapsack", "knapsackBucketSize": 7}}"#,
    );
    let written = serde_json::to_value(file.unwrap()).unwrap();
    let knapsack = serde_json::json!({ "type": "knapsack", "knapsackBucketSize": 7 });
    assert_eq!(written["slicerType"]["slicerType"], knapsack);

    let outermost = parse(&format!("\"slicerType\": {knapsack}")).unwrap();
    let by_name = parse(r#""slicerType": "knapsack", "knapsackBucketSize": 7"#).unwrap();
    assert_eq!(outermost.to_json().unwrap(), by_name.to_json().unwrap());
}

#[test]
fn count_quotas_directly_around_a_knapsack_become_one_slicer() {
    let counts = r#""countQuotas": [{"kind": "a", "capCount": 1}]"#;
    let counted =
        format!(r#""slicerType": {{"type": "countQuota", {counts}, "slicerType": "knapsack"}}"#);
    assert_eq!(built(&counted), "CountConstrainedKnapsackSlice");
    assert_eq!(built(&format!("{counted}, {counts}")), "CountQuotaSlice");
    assert_eq!(built(&format!("\"slicerType\": {NESTED}")), "CountQuotaSlice");
}

#[test]
fn a_part_is_built_as_a_program_would_build_it() {
    let config = slicer(
        r#"{"type": "quota", "quotas": [{"kind": "Message", "maxPercent": 50}],
            "slicerType": {"type": "countQuota",
                "countQuotas": [{"kind": "Message", "requireCount": 1}],
                "slicerType": {"type": "knapsack", "knapsackBucketSize": 1}}}"#,
    );
    let counts = vec![CountQuotaEntry::new(ContextKind::message(), 1, usize::MAX).unwrap()];
    let knapsack = KnapsackSlice::new(1).unwrap();
    let counted =
        CountConstrainedKnapsackSlice::new(counts, knapsack, ScarcityBehavior::Degrade).unwrap();
    let half = QuotaEntry::new(ContextKind::message(), 0.0, 50.0).unwrap();
    let by_hand = QuotaSlice::new(vec![half], Box::new(counted)).unwrap();

    let loader = Loader::new();
    let window = |slicer: Box<dyn Slicer>| {
        let pipeline = Pipeline::builder()
            .scorer(loader.build_scorer(&ScorerConfig::Recency).unwrap())
            .slicer(slicer)
            .placer(loader.build_placer(&PlacerConfig::UShaped).unwrap())
            .build()
            .unwrap();
        let items = (1..=9).map(|at| ContextItem::builder(format!("{at}"), at).build().unwrap());
        let budget = ContextBudget::builder(30).build().unwrap();
        let window = pipeline.run(&items.collect::<Vec<_>>(), &budget).unwrap();
        window.iter().map(|item| item.content().to_owned()).collect::<Vec<_>>()
    };
    let expected = window(Box::new(by_hand));
    assert!((1..9).contains(&expected.len()), "{expected:?}");
    assert_eq!(window(loader.build_slicer(&config).unwrap()), expected);
    assert!(loader.build_scorer(&ScorerConfig::Composite { scorers: vec![] }).is_err());
}

#[test]
fn slicers_that_do_not_go_together_are_refused_where_they_stand() {
    let quota =
        |inner: &str| format!(r#"{{"type": "quota", "quotas": [], "slicerType": {inner}}}"#);
    let counts = |inner: &str| {
        format!(r#"{{"type": "countQuota", "countQuotas": [], "slicerType": {inner}}}"#)
    };
    let refusals = [
        (quota("\"stream\""), "$.slicerType", "quotas need the whole list"),
        (counts(&quota("\"stream\"")), "$.slicerType.slicerType", "quotas need the whole list"),
        (quota(&counts("\"stream\"")), "$.slicerType", "quotas need the whole list"),
        (counts(&quota("\"knapsack\"")), "$.slicerType", "napsack"),
        (quota(&counts(&quota("\"knapsack\""))), "$.slicerType.slicerType", "napsack"),
    ];
    for (slicer, path, message) in refusals {
        let (found, told) = problem(&format!("\"slicerType\": {slicer}"));
        assert_eq!(found, path, "{slicer}");
        assert!(told.contains(message), "{slicer}: {told}");
    }
    let streaming = counts("\"stream\"");
    let share = r#""quotas": [{"kind": "a", "maxPercent": 50}]"#;
    assert!(parse(&format!("\"slicerType\": {streaming}")).is_ok());
    assert_eq!(problem(&format!("\"slicerType\": {streaming}, {share}")).0, "$.quotas");
    let packing = quota("\"knapsack\"");
    let few = r#""countQuotas": [{"kind": "a", "capCount": 1}]"#;
    assert_eq!(problem(&format!("\"slicerType\": {packing}, {share}, {few}")).0, "$.countQuotas");
}

#[test]
fn settings_of_an_object_belong_inside_it() {
    let (path, told) = problem(r#""slicerType": {"type": "knapsack"}, "knapsackBucketSize": 5"#);
    assert_eq!(path, "$.knapsackBucketSize");
    assert!(told.contains("the slicerType object of type \"knapsack\""), "{told}");
}

#[test]
fn custom_slicers_may_stand_inside() {
    let mut registry = Registry::new();
    registry.add_slicer("mine", |_| Ok(Box::new(cupel::GreedySlice))).unwrap();
    assert!(registry.add_slicer("count_quota", |_| Ok(Box::new(cupel::GreedySlice))).is_err());
    let policy = serde_json::json!({
        "scorers": [{ "type": "recency", "weight": 1 }],
        "slicerType": {
            "type": "quota", "quotas": [],
            "slicerType": { "type": "quota", "quotas": [], "slicerType": "mine" }
        }
    });
    let schema = serde_json::to_value(schema::policy_with(&registry)).unwrap();
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&policy));
    let loader = Loader::new().registry(registry);
    let file = loader.parse(&policy.to_string()).unwrap().policy;
    assert_eq!(loader.parse(&file.to_json().unwrap()).unwrap().policy, file);
    let error = parse(&format!("\"slicerType\": {}", policy["slicerType"])).unwrap_err();
    assert_eq!(error.problems()[0].path(), "$.slicerType.slicerType.slicerType");
}

#[test]
fn slicers_may_be_nested_as_deeply_as_json_may() {
    // The root, the outermost slicer, and beside the innermost an empty list.
    let nested = |depth: usize| {
        let open = r#"{"type": "quota", "quotas": [], "slicerType": "#.repeat(depth);
        format!(r#""slicerType": {open}"greedy"{}"#, "}".repeat(depth))
    };
    let deepest = MAX_DEPTH - 2;
    let pipeline: Pipeline = parse(&nested(deepest)).unwrap().policy().unwrap().into();
    let items = [ContextItem::builder("a", 1).build().unwrap()];
    pipeline.run(&items, &ContextBudget::builder(10).build().unwrap()).unwrap();
    assert!(parse(&nested(deepest + 1)).is_err());
}

#[test]
fn what_is_inside_is_built_no_more_often_the_deeper_it_stands() {
    let times_built = |depth: usize| {
        let times = Arc::new(AtomicUsize::new(0));
        let (counter, mut registry) = (Arc::clone(&times), Registry::new());
        let constructor = move |_: &_| -> Result<Box<dyn Slicer>, _> {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(cupel::GreedySlice))
        };
        registry.add_slicer("mine", constructor).unwrap();
        let open = r#"{"type": "quota", "quotas": [], "slicerType": "#.repeat(depth);
        let json = format!(
            r#"{{"scorers": [{{"type": "recency", "weight": 1}}], "slicerType": {open}"mine"{}}}"#,
            "}".repeat(depth)
        );
        Loader::new().registry(registry).parse(&json).unwrap();
        times.load(Ordering::Relaxed)
    };
    assert_eq!(times_built(MAX_DEPTH - 2), times_built(1));
}
