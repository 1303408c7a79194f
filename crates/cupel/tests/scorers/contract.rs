//! What holds of every scorer.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use chrono::Duration;
use cupel::{
    CompositeScorer, ContextItem, ContextKind, DecayCurve, DecayScorer, FadingRecencyScorer,
    FrequencyScorer, KindScorer, MetadataKeyScorer, MetadataTrustScorer, PriorityScorer,
    RecencyScorer, ReflexiveScorer, ScaledScorer, Scorer, TagScorer,
};

use crate::decay::noon;
use crate::shorthand::{at, budget, contents, greedy, named, pinned, plain, score_all, sized};

fn tags() -> TagScorer {
    TagScorer::new(HashMap::from([("a".to_owned(), 3.0), ("b".to_owned(), 1.0)])).unwrap()
}

fn decay() -> DecayScorer {
    DecayScorer::new(noon(), DecayCurve::exponential(Duration::hours(24)).unwrap(), 0.5).unwrap()
}

/// Those that look at nothing but the item.
fn absolute() -> Vec<Box<dyn Scorer>> {
    vec![
        Box::new(KindScorer::with_default_weights()),
        Box::new(tags()),
        Box::new(ReflexiveScorer),
        Box::new(MetadataTrustScorer::new(0.5).unwrap()),
        Box::new(decay()),
        Box::new(MetadataKeyScorer::new("cupel:priority", "high", 1.5).unwrap()),
    ]
}

/// Those that compare it with its peers.
fn relative() -> Vec<Box<dyn Scorer>> {
    vec![
        Box::new(RecencyScorer),
        Box::new(PriorityScorer),
        Box::new(FrequencyScorer),
        Box::new(FadingRecencyScorer::new(0.25).unwrap()),
    ]
}

/// Those that transform other scorers.
fn combining() -> Vec<Box<dyn Scorer>> {
    let parts = relative().into_iter().chain(absolute()).map(|part| (part, 1.0)).collect();
    vec![Box::new(CompositeScorer::new(parts).unwrap()), Box::new(ScaledScorer::new(tags()))]
}

pub(crate) fn all() -> Vec<Box<dyn Scorer>> {
    absolute().into_iter().chain(relative()).chain(combining()).collect()
}

/// An item with something in it for every scorer.
fn rich(name: &str, day: u32, hint: f64) -> ContextItem {
    named(name)
        .kind(ContextKind::memory())
        .priority(i64::from(day))
        .tag("a")
        .timestamp(at(&format!("2024-12-{day:02}T12:00:00Z")))
        .future_relevance_hint(hint)
        .metadata_entry("cupel:trust", "0.25")
        .metadata_entry("cupel:priority", "high")
        .build()
        .unwrap()
}

fn mixed() -> Vec<ContextItem> {
    vec![
        rich("a", 30, 0.5),
        rich("b", 10, 9.0),
        rich("c", 20, -9.0),
        rich("d", 20, f64::NAN),
        plain("bare"),
        sized("free", 0),
        named("stranger").kind(ContextKind::new("Other").unwrap()).tag("z").build().unwrap(),
    ]
}

/// The scorers of the crate, found by what they implement, under their names in policy files.
fn implemented(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.extend(implemented(&path));
            continue;
        }
        let source = fs::read_to_string(path).unwrap();
        for line in source.lines().filter_map(|line| line.strip_prefix("impl Scorer for ")) {
            let (name, _) = line.split_once("Scorer").unwrap();
            names.push(name[..1].to_lowercase() + &name[1..]);
        }
    }
    names
}

/// Rule [Scorers]: eleven scorers
#[test]
fn there_are_eleven_and_these_tests_try_each() {
    let mut found = implemented(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scorer"));
    let mut tried: Vec<_> = all().iter().map(|scorer| scorer.name().to_owned()).collect();
    found.sort();
    tried.sort();
    assert_eq!(tried, found);
    found.retain(|name| name != "fadingRecency"); // ours, and not the specification's
    assert_eq!(found.len(), 11);
}

/// Rule [Scorers]: pure: equal inputs, equal scores
#[test]
fn equal_questions_get_equal_answers() {
    let items = mixed();
    for scorer in all() {
        let first: Vec<u64> =
            score_all(&scorer, &items).iter().map(|score| score.to_bits()).collect();
        for _ in 0..3 {
            let again: Vec<u64> =
                items.iter().map(|item| scorer.score(item, &items).to_bits()).collect();
            assert_eq!(again, first, "{}", scorer.name());
        }
    }
}

/// Rule [Scorers]: absolute scorers ignore the other items
#[test]
fn absolute_scorers_do_not_look_at_the_others() {
    let items = mixed();
    let expected = [0.8, 0.75, 0.5, 0.25, 0.25, 1.5]; // two days old: two half-lives
    for (scorer, expected) in absolute().iter().zip(expected) {
        assert_eq!(scorer.score(&items[0], &[]), expected, "{}", scorer.name());
        assert_eq!(scorer.score(&items[0], &items[..1]), expected, "{}", scorer.name());
        assert_eq!(scorer.score(&items[0], &items), expected, "{}", scorer.name());
        assert_eq!(scorer.score(&items[0], &items[3..]), expected, "{}", scorer.name());
    }
}

/// Rule [Scorers]: relative scorers score against the other items
#[test]
fn relative_scorers_score_an_item_among_its_peers() {
    let items = mixed();
    let (middle, pair) = (&items[2], [items[1].clone(), items[2].clone()]);
    let among_all = [1.0 / 3.0, 1.0 / 3.0, 0.5]; // one of three below it; three of six share its tag
    for (scorer, expected) in relative().iter().zip(among_all) {
        assert_eq!(scorer.score(middle, &items), expected, "{}", scorer.name());
        assert_eq!(scorer.score(middle, &pair), 1.0, "{}", scorer.name());
    }
}

/// Rule [Scorers]: each built-in keeps to its output range
#[test]
fn built_in_scores_keep_to_their_ranges() {
    let items = mixed();
    for scorer in all() {
        let (low, high) = match scorer.name() {
            "metadataKey" => (1.0, 1.5),
            "composite" => (0.0, 9.5 / 9.0),
            _ => (0.0, 1.0),
        };
        for score in score_all(&scorer, &items) {
            assert!((low..=high).contains(&score), "{}: {score}", scorer.name());
        }
    }
}

/// Scores by tokens and remembers whom it was shown.
#[derive(Clone, Default)]
struct Witness(Arc<Mutex<Vec<Vec<String>>>>);

impl Scorer for Witness {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        assert!(all_items.iter().any(|other| other.is_same_instance(item)));
        let shown = contents(all_items).into_iter().map(str::to_owned).collect();
        self.0.lock().unwrap().push(shown);
        -(item.tokens() as f64)
    }
}

/// Rule [Scorers]: a scorer is given all scoreable items, the item among them
#[test]
fn a_scorer_sees_every_scoreable_item_and_no_other() {
    let witness = Witness::default();
    let items = [sized("a", 3), pinned("p", 1), sized("broken", -1), sized("b", 2), sized("a", 1)];
    let pipeline = greedy().scorer(witness.clone()).build().unwrap();
    pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(*witness.0.lock().unwrap(), vec![["a", "b", "a"]; 3]);
}

/// Rule [Scorers]: [0, 1] is a convention, not enforced
#[test]
fn a_scorer_needs_only_one_method_and_any_range() {
    let items = [sized("three", 3), sized("one", 1), sized("two", 2)];
    let scorer: Arc<dyn Scorer> = Arc::new(Witness::default());
    let pipeline = greedy().scorer(scorer).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(3)).unwrap();
    let scored: Vec<_> = report.included.iter().map(|it| (it.item.content(), it.score)).collect();
    assert_eq!(scored, [("one", -1.0), ("two", -2.0)]);
}
