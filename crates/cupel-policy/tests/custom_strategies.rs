//! Strategies that a program registers, named in policy files.

use cupel::{
    ContextBudget, ContextItem, CupelError, GreedySlice, Pipeline, Placer, ScoredItem, Scorer,
    Slicer,
};
use cupel_policy::{Loader, PolicyFile, Registry, Responder, ScorerConfig, schema};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mentions {
    words: Vec<String>,
}

impl Scorer for Mentions {
    fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
        let found = self.words.iter().filter(|word| item.content().contains(*word)).count();
        found as f64 / self.words.len() as f64
    }
}

struct TopN(usize);

impl Slicer for TopN {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        GreedySlice.slice(&sorted[..self.0.min(sorted.len())], budget)
    }
}

struct ByLength;

impl Placer for ByLength {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        let mut placed: Vec<_> = items.iter().map(|scored| scored.item.clone()).collect();
        placed.sort_by_key(|item| item.content().len());
        placed
    }
}

fn loader() -> Loader {
    Loader::new().registry(registry())
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    registry
        .add_scorer("mentions", |arguments| Ok(Box::new(arguments.parse::<Mentions>()?)))
        .unwrap();
    registry
        .add_slicer("topN", |arguments| match arguments.get("n").and_then(|n| n.as_u64()) {
            Some(0) => Err(CupelError::SlicerConfig("n must be at least 1".to_owned()).into()),
            Some(n) => Ok(Box::new(TopN(n as usize))),
            None => Err("n is missing".into()),
        })
        .unwrap();
    registry.add_placer("byLength", |_| Ok(Box::new(ByLength))).unwrap();
    registry
}

const POLICY: &str = r#"{
  "scorers": [
    { "type": "scaled", "weight": 1, "innerScorer": { "type": "mentions", "words": ["refund", "order"] } }
  ],
  "slicerType": { "type": "topN", "n": 2 },
  "placerType": "byLength"
}"#;

fn items() -> Vec<ContextItem> {
    let contents = ["refund my order please", "an order", "weather", "refund"];
    contents.map(|content| ContextItem::builder(content, 5).build().unwrap()).into()
}

#[test]
fn a_policy_of_custom_strategies_loads_and_runs() {
    let pipeline: Pipeline = loader().load(POLICY).unwrap().into();
    let window = pipeline.run(&items(), &ContextBudget::builder(100).build().unwrap()).unwrap();
    let contents: Vec<_> = window.iter().map(|item| item.content()).collect();
    assert_eq!(contents, ["an order", "refund my order please"]);
}

#[test]
fn it_is_written_and_read_as_the_same() {
    let file = loader().parse(POLICY).unwrap().policy;
    let canonical = file.to_json().unwrap();
    assert_eq!(loader().parse(&canonical).unwrap().policy, file);
    assert!(canonical.contains(r#""placerType": "byLength""#), "{canonical}");
    let ScorerConfig::Scaled { inner, .. } = &file.scorers[0].scorer else { panic!("scaled") };
    assert!(matches!(**inner, ScorerConfig::Custom(_)));
}

#[test]
fn custom_strategies_combine_with_quotas_and_requests() {
    let request = format!(
        r#"{{"items": [{{"content": "refund", "tokens": 5}}],
            "budget": {{"maxTokens": 10, "targetTokens": 10}},
            "policy": {}}}"#,
        POLICY.replace(
            "\"placerType\"",
            r#""quotas": [{"kind": "Message", "maxPercent": 50}], "placerType""#
        )
    );
    let response = Responder::new().loader(loader()).respond(request.as_bytes());
    assert_eq!(response.selected().unwrap().total_tokens, 5);
}

#[test]
fn what_a_constructor_refuses_is_a_problem_at_its_place() {
    let refusal = |policy: String| {
        let error = loader().parse(&policy).unwrap_err();
        let problem = &error.problems()[0];
        (problem.path().to_owned(), problem.code(), problem.to_string())
    };
    let (path, code, message) = refusal(POLICY.replace("words", "wrods"));
    assert_eq!((path.as_str(), code), ("$.scorers[0].innerScorer", "InvalidRequest"));
    assert!(message.contains("unknown field `wrods`"), "{message}");
    let (path, code, _) = refusal(POLICY.replace("2 }", "0 }"));
    assert_eq!((path.as_str(), code), ("$.slicerType", "SlicerConfig"));
    let (path, code, message) = refusal(POLICY.replace(", \"n\": 2", ""));
    assert_eq!((path.as_str(), code), ("$.slicerType", "InvalidRequest"));
    assert!(message.contains("n is missing"), "{message}");
    let (path, _, message) = refusal(POLICY.replace("2 }", "{ \"a\": 1, \"a\": 2 } }"));
    assert_eq!(path, "$.slicerType.n.a");
    assert!(message.contains("twice"), "{message}");
}

#[test]
fn near_misses_of_registered_names_are_suggested() {
    let error = loader().parse(&POLICY.replace("byLength", "byLenght")).unwrap_err();
    assert!(error.to_string().contains("did you mean \"byLength\"?"), "{error}");
    let error = PolicyFile::from_json(POLICY).unwrap_err();
    assert_eq!(error.problems().len(), 3, "{error}");
}

#[test]
fn a_file_cannot_be_built_where_its_strategies_are_unknown() {
    let file = loader().parse(POLICY).unwrap().policy;
    let error = file.policy().unwrap_err();
    assert_eq!(error.name(), "ScorerConfig");
    assert!(error.to_string().contains("no scorer is registered as \"mentions\""), "{error}");
}

#[test]
fn names_that_mean_something_already_are_refused() {
    let mut registry = Registry::new();
    registry.add_placer("mine", |_| Ok(Box::new(ByLength))).unwrap();
    for taken in ["mine", "uShaped", "U_SHAPED", "", " "] {
        let error = registry.add_placer(taken, |_| Ok(Box::new(ByLength))).unwrap_err();
        assert!(error.to_string().contains(taken));
    }
    assert_eq!(registry.placer_names().collect::<Vec<_>>(), ["mine"]);
}

#[test]
fn the_schema_of_a_registry_knows_its_strategies() {
    let policy = serde_json::from_str(POLICY).unwrap();
    let is_valid = |schema, policy: &serde_json::Value| {
        let schema = serde_json::to_value::<schemars::Schema>(schema).unwrap();
        jsonschema::draft202012::new(&schema).unwrap().is_valid(policy)
    };
    let (known, built_in) = (schema::policy_with(&registry()), schema::policy());
    assert!(is_valid(known.clone(), &policy));
    assert!(!is_valid(built_in, &policy));
    let misspelled = serde_json::from_str(&POLICY.replace("mentions", "mention")).unwrap();
    assert!(!is_valid(known, &misspelled));
}

#[test]
fn what_a_registered_scorer_contributes_is_told_under_its_name() {
    let pipeline: Pipeline = loader().load(POLICY).unwrap().into();
    let told = pipeline.score_breakdown(&items()).unwrap();
    let parts: Vec<_> = told.iter().map(|it| (&*it.parts[0].scorer, it.score)).collect();
    assert_eq!(parts, [("mentions", 1.0), ("mentions", 0.5), ("mentions", 0.0), ("mentions", 0.5)]);
}
