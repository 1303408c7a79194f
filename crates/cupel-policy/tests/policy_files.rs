//! What policy files say, and what becomes of it.

use cupel::{
    ContextBudget, ContextItem, ContextKind, OverflowStrategy, ScarcityBehavior, TimeProvider,
};
use cupel_policy::{
    BucketSize, CountQuota, CurveConfig, Loader, PlacerConfig, PolicyFile, Quota, ScorerConfig,
    SlicerConfig, StepWindow, TagComparison, WeightedScorer,
};

/// Everything a file can say.
const EVERYTHING: &str = r#"{
  "name": "support-bot",
  "description": "...",
  "scorers": [
    { "type": "recency", "weight": 3 },
    { "type": "priority", "weight": 1 },
    { "type": "frequency", "weight": 1 },
    { "type": "reflexive", "weight": 1 },
    { "type": "kind", "weight": 1 },
    { "type": "kind", "weight": 1, "kindWeights": { "Message": 0.8 } },
    { "type": "tag", "weight": 1, "tagWeights": { "important": 2.0 }, "tagComparison": "ordinal" },
    { "type": "scaled", "weight": 1, "innerScorer": { "type": "recency", "weight": 1 } },
    { "type": "composite", "weight": 1, "scorers": [{ "type": "recency", "weight": 0.5 }] },
    { "type": "metadataTrust", "weight": 1, "defaultScore": 0.25 },
    { "type": "metadataKey", "weight": 1, "key": "cupel:priority", "value": "high", "boost": 1.5 },
    { "type": "decay", "weight": 1, "nullTimestampScore": 0.5,
      "referenceTime": "2025-01-01T14:00:00+02:00",
      "curve": { "type": "exponential", "halfLifeSeconds": 86400 } },
    { "type": "decay", "weight": 1, "curve": { "type": "window", "maxAgeSeconds": 21600 } },
    { "type": "decay", "weight": 1,
      "curve": { "type": "step", "windows": [{ "maxAgeSeconds": 3600, "score": 0.9 }] } }
  ],
  "slicerType": "greedy",
  "quotas": [{ "kind": "ToolOutput", "minPercent": 20, "maxPercent": 80 }],
  "countQuotas": [{ "kind": "ToolOutput", "requireCount": 2, "capCount": 5 }],
  "scarcityBehavior": "throw",
  "placerType": "uShaped",
  "deduplicationEnabled": false,
  "overflowStrategy": "proceed"
}"#;

fn read(json: &str) -> PolicyFile {
    PolicyFile::from_json(json).unwrap_or_else(|error| panic!("{error}"))
}

/// A valid policy with something added.
fn with(more: &str) -> PolicyFile {
    read(&format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], {more}}}"#))
}

fn scorer(json: &str) -> ScorerConfig {
    read(&format!(r#"{{"scorers": [{json}]}}"#)).scorers.remove(0).scorer
}

#[test]
fn everything_can_be_said() {
    let file = read(EVERYTHING);
    let scorer = |at: usize| &file.scorers[at].scorer;
    assert_eq!(file.scorers[0], WeightedScorer { scorer: ScorerConfig::Recency, weight: 3.0 });
    assert_eq!(scorer(4), &ScorerConfig::Kind { weights: None });
    let weights = vec![(ContextKind::message(), 0.8)];
    assert_eq!(scorer(5), &ScorerConfig::Kind { weights: Some(weights) });
    let weights = vec![("important".to_owned(), 2.0)];
    assert_eq!(scorer(6), &ScorerConfig::Tag { weights, comparison: TagComparison::Ordinal });
    let inner = Box::new(ScorerConfig::Recency);
    assert_eq!(scorer(7), &ScorerConfig::Scaled { inner, inner_weight: Some(1.0) });
    assert_eq!(scorer(9), &ScorerConfig::MetadataTrust { default_score: 0.25 });
    assert_eq!(
        scorer(11),
        &ScorerConfig::Decay {
            curve: CurveConfig::Exponential { half_life_seconds: 86400.0 },
            null_timestamp_score: 0.5,
            reference_time: Some("2025-01-01T12:00:00Z".parse().unwrap()),
        }
    );
    assert_eq!(
        scorer(13),
        &ScorerConfig::Decay {
            curve: CurveConfig::Step {
                windows: vec![StepWindow { max_age_seconds: 3600.0, score: 0.9 }]
            },
            null_timestamp_score: 0.5,
            reference_time: None,
        }
    );
    let kind = ContextKind::tool_output();
    let quota = Quota { kind: kind.clone(), min_percent: Some(20.0), max_percent: Some(80.0) };
    assert_eq!(file.quotas, [quota]);
    assert_eq!(file.count_quotas, [CountQuota { kind, require_count: 2, cap_count: Some(5) }]);
    assert_eq!(file.scarcity, ScarcityBehavior::Throw);
    assert_eq!(file.placer, PlacerConfig::UShaped);
    assert!(!file.deduplication);
    assert_eq!(file.overflow, OverflowStrategy::Proceed);
    file.policy().unwrap();
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let file = read(EVERYTHING);
    let canonical = file.to_json().unwrap();
    assert_eq!(read(&canonical), file);
    assert_eq!(read(&canonical).to_json().unwrap(), canonical);
}

#[test]
fn the_canonical_form_is_what_a_person_would_write() {
    insta::assert_snapshot!(read(EVERYTHING).to_json().unwrap());
}

#[test]
fn a_file_with_scorers_only_has_the_defaults() {
    let file = read(r#"{"scorers": [{"type": "recency", "weight": 1}]}"#);
    let recency = WeightedScorer { scorer: ScorerConfig::Recency, weight: 1.0 };
    assert_eq!(file, PolicyFile::new(vec![recency]));
    assert_eq!(
        (file.slicer, file.placer, file.deduplication, file.overflow),
        (SlicerConfig::Greedy, PlacerConfig::Chronological, true, OverflowStrategy::Throw)
    );
}

#[test]
fn a_file_may_tell_editors_where_its_schema_is() {
    let file = with(r#""$schema": "../../schemas/policy.json""#);
    assert_eq!(file.schema.as_deref(), Some("../../schemas/policy.json"));
    assert!(file.to_json().unwrap().starts_with("{\n  \"$schema\":"));
}

#[test]
fn null_means_absent_where_a_key_is_optional() {
    let file = with(
        r#""name": null, "description": null, "slicerType": null, "knapsackBucketSize": null,
           "streamBatchSize": null, "quotas": null, "countQuotas": null, "scarcityBehavior": null,
           "placerType": null, "deduplicationEnabled": null, "overflowStrategy": null"#,
    );
    assert_eq!(file, read(r#"{"scorers": [{"type": "recency", "weight": 1}]}"#));
}

#[test]
fn files_of_the_dotnet_library_load_unchanged() {
    let files = [
        r#"{
            "name": "Chat",
            "description": "Conversational",
            "scorers": [
                { "type": "recency", "weight": 3 },
                { "type": "kind", "weight": 1, "kindWeights": { "Message": 0.8, "Memory": 0.5 } }
            ],
            "slicerType": "greedy",
            "placerType": "chronological",
            "deduplicationEnabled": true,
            "overflowStrategy": "throw"
        }"#,
        r#"{
            "scorers": [
                { "type": "tag", "weight": 1.5, "tagWeights": { "important": 2.0 } },
                { "type": "scaled", "weight": 1, "innerScorer": { "type": "frequency", "weight": 1 } }
            ],
            "slicerType": "knapsack",
            "knapsackBucketSize": 50,
            "quotas": [
                { "kind": "ToolOutput", "minPercent": 20, "maxPercent": 80 },
                { "kind": "Message", "minPercent": 10 }
            ],
            "placerType": "uShaped",
            "overflowStrategy": "truncate"
        }"#,
        r#"{
            "name": null,
            "scorers": [{ "type": "Reflexive", "weight": 1, "kindWeights": null, "tagWeights": null }],
            "slicerType": "Stream",
            "streamBatchSize": 32,
            "quotas": null,
            "placerType": "UShaped",
            "deduplicationEnabled": false,
            "overflowStrategy": "Proceed"
        }"#,
    ];
    for json in files {
        read(json).policy().unwrap();
        let with_mark = format!("\u{feff}{json}");
        assert_eq!(read(&with_mark), read(json));
    }
}

#[test]
fn snake_case_is_read() {
    let snake = read(
        r#"{"scorers": [{"type": "metadata_trust", "weight": 1, "default_score": 0.1},
                        {"type": "tag", "weight": 1, "tag_weights": {"a": 1},
                         "tag_comparison": "ascii_case_insensitive"}],
            "slicer_type": "knapsack", "knapsack_bucket_size": 7,
            "count_quotas": [{"kind": "a", "require_count": 1, "cap_count": 2}],
            "scarcity_behavior": "throw", "placer_type": "u_shaped",
            "deduplication_enabled": false, "overflow_strategy": "truncate"}"#,
    );
    assert_eq!(snake.slicer, SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(7) });
    assert_eq!(snake.placer, PlacerConfig::UShaped);
    assert_eq!(read(&snake.to_json().unwrap()), snake);
}

#[test]
fn a_bucket_size_may_follow_the_budget() {
    let auto = SlicerConfig::Knapsack { bucket_size: BucketSize::Auto };
    for slicer in [
        r#""slicerType": "knapsack", "knapsackBucketSize": "auto""#,
        r#""slicerType": {"type": "knapsack", "knapsackBucketSize": "AUTO"}"#,
    ] {
        let file =
            read(&format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], {slicer}}}"#));
        assert_eq!(file.slicer, auto);
        assert_eq!(read(&file.to_json().unwrap()), file);
    }
}

#[test]
fn a_scorer_that_stands_alone_needs_no_weight() {
    let json = r#"{"type": "scaled", "weight": 1, "innerScorer": {"type": "priority"}}"#;
    let inner = Box::new(ScorerConfig::Priority);
    assert_eq!(scorer(json), ScorerConfig::Scaled { inner, inner_weight: None });
}

fn slicer_of(more: &str) -> String {
    format!("{:?}", with(more).policy().unwrap())
}

#[test]
fn quotas_wrap_the_slicer() {
    let quotas = r#""quotas": [{"kind": "a", "maxPercent": 50}]"#;
    let counts = r#""countQuotas": [{"kind": "a", "capCount": 1}]"#;
    let cases = [
        (r#""quotas": []"#.to_owned(), "GreedySlice"),
        (r#""slicerType": "stream", "quotas": []"#.to_owned(), "GreedySlice"),
        (quotas.to_owned(), "QuotaSlice"),
        (format!(r#"{quotas}, "slicerType": "knapsack""#), "QuotaSlice"),
        (counts.to_owned(), "CountQuotaSlice"),
        (format!("{quotas}, {counts}"), "CountQuotaSlice"),
        (format!(r#"{counts}, "slicerType": "stream""#), "CountQuotaSlice"),
        (format!(r#"{counts}, "slicerType": "knapsack""#), "CountConstrainedKnapsackSlice"),
    ];
    for (more, expected) in cases {
        let slicer = slicer_of(&more);
        assert!(slicer.contains(&format!("::{expected}\"")), "{more}: {slicer}");
    }
}

struct At(&'static str);

impl TimeProvider for At {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.0.parse().unwrap()
    }
}

#[test]
fn decay_reads_the_reference_time_or_else_the_loaders_clock() {
    let fresh = |loader: &Loader, reference: &str| {
        let json = format!(
            r#"{{"scorers": [{{"type": "decay", "weight": 1, {reference}
                "curve": {{"type": "window", "maxAgeSeconds": 60}}}}]}}"#
        );
        let pipeline: cupel::Pipeline = loader.load(&json).unwrap().into();
        let item = ContextItem::builder("a", 1).timestamp(At("2025-01-01T12:00:00Z").now());
        let budget = ContextBudget::builder(10).build().unwrap();
        pipeline.dry_run(&[item.build().unwrap()], &budget).unwrap().included[0].score
    };
    let soon = Loader::new().clock(At("2025-01-01T12:00:30Z"));
    let later = Loader::new().clock(At("2025-01-01T12:01:30Z"));
    assert_eq!((fresh(&soon, ""), fresh(&later, "")), (1.0, 0.0));
    assert_eq!(fresh(&later, r#""referenceTime": "2025-01-01T12:00:30Z","#), 1.0);
}

#[test]
fn scorers_may_be_nested_as_deeply_as_json_may() {
    // A policy's root, its list and the outermost scorer are three levels.
    let depth = cupel_policy::MAX_DEPTH - 3;
    let nested = |depth: usize| {
        let open = r#"{"type": "scaled", "weight": 1, "innerScorer": "#.repeat(depth);
        format!(r#"{{"scorers": [{open}{{"type": "recency", "weight": 1}}{}]}}"#, "}".repeat(depth))
    };
    let pipeline: cupel::Pipeline = read(&nested(depth)).policy().unwrap().into();
    let items = [ContextItem::builder("a", 1).build().unwrap()];
    pipeline.run(&items, &ContextBudget::builder(10).build().unwrap()).unwrap();
    assert!(PolicyFile::from_json(&nested(depth + 1)).is_err());
}

#[test]
fn a_step_curve_may_have_a_thousand_windows() {
    let json = |count: usize| {
        let windows: Vec<_> =
            (1..=count).map(|age| format!(r#"{{"maxAgeSeconds": {age}, "score": 0.5}}"#)).collect();
        let windows = windows.join(",");
        format!(
            r#"{{"scorers": [{{"type": "decay", "weight": 1,
                "curve": {{"type": "step", "windows": [{windows}]}}}}]}}"#
        )
    };
    assert!(PolicyFile::from_json(&json(1_000)).is_ok());
    let error = PolicyFile::from_json(&json(1_001)).unwrap_err();
    assert!(error.to_string().contains("1001 windows"), "{error}");
}

#[test]
fn a_policy_built_by_hand_is_checked_when_built() {
    let mut file = PolicyFile::new(Vec::new());
    assert_eq!(file.policy().unwrap_err().name(), "ScorerConfig");
    file.scorers = vec![WeightedScorer { scorer: ScorerConfig::Recency, weight: f64::NAN }];
    assert_eq!(file.policy().unwrap_err().name(), "ScorerConfig");
    assert!(file.to_json().is_err());
}

#[test]
fn files_may_have_comments_and_trailing_commas() {
    let commented = r#"// What the support bot sees.
{
  "name": "a // b /* c */", /* not a comment inside */
  "scorers": [
    { "type": "recency", "weight": 3 }, // recent first
  ],
}
"#;
    let plain = r#"{"name": "a // b /* c */", "scorers": [{"type": "recency", "weight": 3}]}"#;
    let file = PolicyFile::from_json(commented).unwrap();
    assert_eq!(file, PolicyFile::from_json(plain).unwrap());
    assert!(!file.to_json().unwrap().contains("support bot"));

    let misspelt = commented.replace("\"weight\"", "/* é */ \"wieght\"");
    let error = PolicyFile::from_json(&misspelt).unwrap_err();
    let places: Vec<_> = error.problems().iter().map(|it| (it.line(), it.column())).collect();
    assert_eq!(places, [(5, 5), (5, 34)]);
}
