//! The scorer against its definition, and a kept index against none.

mod literal;

use cupel::{ContextItem, RunContext, Scorer};
use cupel_relevance::{Index, Language, RelevanceParameters, RelevanceScorer};
use proptest::prelude::*;

/// Few words, so that items share many.
fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["loan", "desk", "fine", "book", "late", "mail"]);
    prop::collection::vec(word, words).prop_map(|words| words.join(" "))
}

fn item() -> impl Strategy<Value = ContextItem> {
    let document = prop::option::of(prop::sample::select(vec!["a", "b"]));
    let position = prop::option::of(-2_i64..4);
    let tokens = prop::sample::select(vec![0_i64, 1, 10, 200, 1_000]);
    let similarity = prop::option::of(prop::sample::select(vec![-1.0, 0.0, 0.25, 0.5, 1.0, 3.0]));
    (text(1..8), tokens, document, position, similarity).prop_map(
        |(text, tokens, document, position, similarity)| {
            let mut item = ContextItem::builder(text, tokens);
            if let Some(document) = document {
                item = item.document(document);
            }
            if let Some(position) = position {
                item = item.position(position);
            }
            if let Some(similarity) = similarity {
                item = item.similarity(similarity);
            }
            item.build().expect("a valid item")
        },
    )
}

/// Every part switched on and off, and some of each.
fn parameters() -> impl Strategy<Value = RelevanceParameters> {
    let share = || prop::sample::select(vec![0.0, 0.3, 0.5, 1.0]);
    let decay = || prop::sample::select(vec![0.0, 1.0, 100.0, 200.0]);
    let k1 = prop::sample::select(vec![0.0, 1.2, 100.0]);
    let saturation = prop::sample::select(vec![0.5, 8.0]);
    ((k1, share(), saturation), (decay(), share()), share(), (share(), decay(), share())).prop_map(
        |((k1, b, saturation), (decay, neighbours), document, (similarity, over, spread))| {
            let mut parameters = RelevanceParameters::default();
            parameters.language = Language::None;
            (parameters.k1, parameters.b, parameters.query_saturation) = (k1, b, saturation);
            (parameters.neighbour_decay, parameters.neighbour_share) = (decay, neighbours);
            parameters.document_weight = document;
            parameters.similarity_weight = similarity;
            (parameters.similarity_decay, parameters.similarity_spread) = (over, spread);
            parameters
        },
    )
}

fn asking(query: &str) -> RunContext {
    RunContext::new().with_query(query)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn scores_are_those_of_the_definition(
        items in prop::collection::vec(item(), 1..12),
        query in text(0..5),
        parameters in parameters(),
    ) {
        let scorer = RelevanceScorer::with(parameters).expect("valid parameters");
        let scores = scorer.score_batch(&items, &asking(&query)).expect("a query is given");
        let expected = literal::scores(&items, &query, &parameters);
        for (at, (score, expected)) in scores.iter().zip(&expected).enumerate() {
            prop_assert!((score - expected).abs() < 1e-9, "{score} instead of {expected} for item {at}");
            prop_assert!((0.0..=1.0 + 1e-9).contains(score));
        }
    }

    #[test]
    fn one_score_and_all_scores_are_the_same(
        items in prop::collection::vec(item(), 1..8),
        query in text(0..5),
    ) {
        let scorer = RelevanceScorer::new().for_query(query);
        let all = scorer.score_batch(&items, &RunContext::default()).expect("a query is given");
        let each: Vec<f64> = items.iter().map(|item| scorer.score(item, &items)).collect();
        prop_assert_eq!(all, each);
    }

    /// What a score is made of adds up to it.
    #[test]
    fn details_add_up_to_the_score(
        items in prop::collection::vec(item(), 1..10),
        query in text(0..5),
        parameters in parameters(),
    ) {
        let scorer = RelevanceScorer::with(parameters).expect("valid parameters");
        let scores = scorer.score_batch(&items, &asking(&query)).expect("a query is given");
        let breakdowns = scorer.breakdown(&items, &asking(&query)).expect("a query is given");
        for (at, breakdown) in breakdowns.iter().enumerate() {
            prop_assert_eq!(breakdown.index, at);
            prop_assert_eq!(breakdown.score, scores[at]);
            let sum: f64 = breakdown.parts[0].details.iter().map(|it| it.added).sum();
            prop_assert!((sum - scores[at]).abs() < 1e-9, "{sum} instead of {}", scores[at]);
        }
    }

    /// Items come, go, come back as other instances and change places; queries bring words of their own.
    #[test]
    fn a_kept_index_gives_the_same_scores_to_the_bit(
        pool in prop::collection::vec(item(), 1..10),
        runs in prop::collection::vec((prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..12), text(0..5)), 1..6),
        parameters in parameters(),
    ) {
        let index = Index::new();
        let fresh = RelevanceScorer::with(parameters).expect("valid parameters");
        let kept = fresh.clone().with_index(index.clone());
        for (chosen, query) in runs {
            let items: Vec<ContextItem> = chosen
                .iter()
                .map(|(at, is_rebuilt)| {
                    let item = at.get(&pool);
                    if *is_rebuilt { rebuilt(item) } else { item.clone() }
                })
                .collect();
            for _ in 0..2 {
                let bits = |scorer: &RelevanceScorer| -> Vec<u64> {
                    let scores = scorer.score_batch(&items, &asking(&query));
                    scores.expect("a query is given").into_iter().map(f64::to_bits).collect()
                };
                prop_assert_eq!(bits(&kept), bits(&fresh));
            }
            prop_assert_eq!(index.len(), items.len());
        }
    }
}

/// What is compared with the definition would show it if a parameter were not read.
#[test]
fn every_parameter_changes_a_score() {
    let part = |text: &str, document: &str, position: i64, similarity: f64| {
        let item = ContextItem::builder(text, 100).document(document).position(position);
        item.similarity(similarity).build().expect("a valid item")
    };
    let items = [
        part("loan loan desk", "a", 0, 0.1),
        part("the fine of a late book is told by mail", "a", 1, 0.9),
        part("loans", "b", 0, 0.4),
        part("mail mail mail", "b", 1, 0.3),
    ];
    type Change = fn(&mut RelevanceParameters);
    let changes: [(&str, Change); 10] = [
        ("language", |it| it.language = Language::None),
        ("k1", |it| it.k1 = 0.3),
        ("b", |it| it.b = 1.0),
        ("query_saturation", |it| it.query_saturation = 0.5),
        ("neighbour_decay", |it| it.neighbour_decay = 0.0),
        ("neighbour_share", |it| it.neighbour_share = 0.9),
        ("document_weight", |it| it.document_weight = 0.0),
        ("similarity_weight", |it| it.similarity_weight = 0.0),
        ("similarity_decay", |it| it.similarity_decay = 0.0),
        ("similarity_spread", |it| it.similarity_spread = 0.0),
    ];
    let scores = |parameters: RelevanceParameters| {
        let scorer = RelevanceScorer::with(parameters).expect("valid parameters");
        scorer.score_batch(&items, &asking("loan loan mail")).expect("a query is given")
    };
    let usual = scores(RelevanceParameters::default());
    for (name, change) in changes {
        let mut parameters = RelevanceParameters::default();
        change(&mut parameters);
        assert_ne!(scores(parameters), usual, "{name}");
    }
}

fn rebuilt(item: &ContextItem) -> ContextItem {
    let mut copy = ContextItem::builder(item.content(), item.tokens());
    if let Some(document) = item.document() {
        copy = copy.document(document);
    }
    if let Some(position) = item.position() {
        copy = copy.position(position);
    }
    if let Some(similarity) = item.similarity() {
        copy = copy.similarity(similarity);
    }
    copy.build().expect("a valid item")
}
