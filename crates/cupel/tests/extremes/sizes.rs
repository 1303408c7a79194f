//! A million candidates, texts of a hundred megabytes, ten thousand kinds, ten thousand tags.

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta};
use cupel::{
    ContextBudget, ContextItem, ContextKind, CountConstrainedKnapsackSlice, CountQuotaEntry,
    CountQuotaSlice, CupelError, ExclusionReason, FrequencyScorer, GreedySlice, KindScorer,
    KnapsackSlice, OverflowStrategy, Pipeline, QuotaEntry, QuotaSlice, ReflexiveScorer,
    ScarcityBehavior, ScoredItem, Scorer, Slicer, TagScorer, UShapedPlacer, kind_diversity,
};

use crate::{budget, check, placers, same, score_all, scorers, slicers, tokens};

const MILLION: usize = 1_000_000;

/// Built once: candidates with something for every scorer to look at.
static A_MILLION: LazyLock<Vec<ContextItem>> = LazyLock::new(|| {
    let kinds = [ContextKind::message(), ContextKind::memory(), ContextKind::document()];
    (0..MILLION)
        .map(|at| {
            let scattered = at * 7_919 % MILLION;
            ContextItem::builder(format!("{}", scattered / 2), 1 + (at % 9) as i64)
                .kind(kinds[at % 3].clone())
                .timestamp(DateTime::UNIX_EPOCH + TimeDelta::seconds(scattered as i64))
                .priority(scattered as i64)
                .future_relevance_hint(scattered as f64 / MILLION as f64)
                .tag(["a", "b", "t1"][at % 3])
                .build()
                .unwrap()
        })
        .collect()
});

#[test]
fn every_scorer_scores_a_million_candidates() {
    for (name, scorer) in scorers() {
        let scores = score_all(&scorer, &A_MILLION);
        assert_eq!(scores.len(), MILLION, "{name}");
        // One item may be looked at by itself; the batch agrees with it.
        assert_eq!(scores[4_321].to_bits(), scorer.score(&A_MILLION[4_321], &A_MILLION).to_bits());
    }
}

fn a_million_scored() -> Vec<ScoredItem> {
    let score = |at: usize| 1.0 - at as f64 / MILLION as f64;
    let scored =
        |(at, item): (usize, &ContextItem)| ScoredItem { item: item.clone(), score: score(at) };
    A_MILLION.iter().enumerate().map(scored).collect()
}

#[test]
fn every_slicer_slices_a_million_candidates_or_says_why_not() {
    let candidates = a_million_scored();
    for (name, slicer) in slicers() {
        match slicer.slice(&candidates, &budget(500_000)) {
            Ok(chosen) => assert!(tokens(&chosen) <= 500_000, "{name}"),
            Err(CupelError::TableTooLarge { cells, .. }) => {
                assert!(name.contains("knapsack") && cells > 50_000_000, "{name}: {cells} cells");
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn every_placer_places_a_million_items() {
    let items = a_million_scored();
    for (name, placer) in placers() {
        assert_eq!(placer.place(&items).len(), MILLION, "{name}");
    }
}

#[test]
fn a_million_candidates_run_and_report() {
    let pipeline = pipeline(ReflexiveScorer, GreedySlice);
    let window = pipeline.run(&A_MILLION, &budget(500_000)).unwrap();
    let report = pipeline.dry_run(&A_MILLION, &budget(500_000)).unwrap();
    assert!(same(window.iter(), report.included.iter().map(|entry| &entry.item)));
    assert_eq!(report.included.len() + report.excluded.len(), MILLION);
    assert!((499_000..=500_000).contains(&tokens(&window)));
    let repeated =
        |reason: &ExclusionReason| matches!(reason, ExclusionReason::Deduplicated { .. });
    let repeats = report.excluded.iter().filter(|entry| repeated(&entry.reason)).count();
    assert_eq!(repeats, MILLION / 2);
}

fn pipeline(scorer: impl Scorer + 'static, slicer: impl Slicer + 'static) -> Pipeline {
    let builder = Pipeline::builder().scorer(scorer).slicer(slicer);
    builder.placer(UShapedPlacer).build().unwrap()
}

const HUNDRED_MEGABYTES: usize = 100 << 20;

#[test]
fn texts_of_a_hundred_megabytes_are_told_apart_and_never_copied_by_a_run() {
    let text = "x".repeat(HUNDRED_MEGABYTES);
    let mut other = text.clone();
    other.replace_range(1_000..1_001, "y"); // where no fingerprint looks
    let items = [text.clone(), text, other].map(|text| ContextItem::builder(text, 1));
    let items = items.map(|builder| builder.build().unwrap());
    let pipeline = pipeline(ReflexiveScorer, GreedySlice);
    for (given, kept) in [(&items[..1], 1), (&items[..2], 1), (&items[..], 2)] {
        let window = pipeline.run(given, &budget(10)).unwrap();
        assert_eq!(window.len(), kept);
        assert!(window.iter().all(|item| given.iter().any(|it| it.is_same_instance(item))));
    }
    let report = pipeline.dry_run(&items[..2], &budget(10)).unwrap();
    let ExclusionReason::Deduplicated { deduplicated_against } = &report.excluded[0].reason else {
        panic!("{:?}", report.excluded[0].reason.name())
    };
    assert_eq!(deduplicated_against.len(), HUNDRED_MEGABYTES);
}

const KINDS: usize = 10_000;

fn kind(at: usize) -> ContextKind {
    ContextKind::new(format!("Kind {at}")).unwrap()
}

/// Three candidates of every kind.
fn of_many_kinds() -> Vec<ContextItem> {
    let item = |at: usize| ContextItem::builder(format!("{at}"), 10).kind(kind(at % KINDS));
    (0..3 * KINDS).map(|at| item(at).future_relevance_hint(0.5).build().unwrap()).collect()
}

#[test]
fn ten_thousand_kinds_have_a_weight_a_quota_and_a_reserve_each() {
    let items = of_many_kinds();
    let weights: HashMap<ContextKind, f64> = (0..KINDS).map(|at| (kind(at), at as f64)).collect();
    let quotas = (0..KINDS).map(|at| QuotaEntry::new(kind(at), 0.01, 0.02).unwrap());
    let counts = || (0..KINDS).map(|at| CountQuotaEntry::new(kind(at), 1, 2).unwrap());
    let degrade = ScarcityBehavior::Degrade;
    let knapsack = KnapsackSlice::new(1_000).unwrap();
    let slicers: Vec<Box<dyn Slicer>> = vec![
        Box::new(QuotaSlice::new(quotas, GreedySlice).unwrap()),
        Box::new(CountQuotaSlice::new(counts(), GreedySlice, degrade).unwrap()),
        Box::new(CountConstrainedKnapsackSlice::new(counts(), knapsack, degrade).unwrap()),
    ];
    // A token reserved for every kind, and as much for candidates.
    let max = 2 * 100_000 + KINDS as i64;
    let slots: HashMap<ContextKind, i64> = (0..KINDS).map(|at| (kind(at), 1)).collect();
    let budget = ContextBudget::new(max, max, 0, slots, 0.0).unwrap();
    for slicer in slicers {
        let pipeline = pipeline(KindScorer::new(weights.clone()).unwrap(), slicer);
        let throw = OverflowStrategy::Throw;
        let report = check("many kinds", &pipeline, throw, &items, &budget).unwrap();
        assert_eq!(kind_diversity(&report), KINDS);
        assert!(report.count_requirement_shortfalls.is_empty());
    }
}

const TAGS: usize = 10_000;

fn tags(first: usize) -> Vec<String> {
    (first..first + TAGS).map(|tag| format!("t{tag}")).collect()
}

#[test]
fn ten_thousand_tags_on_an_item_are_scored() {
    // The first shares half of its tags with the second, one with the third, none with the others.
    let mut items: Vec<ContextItem> = [0, TAGS / 2, TAGS - 1]
        .map(|first| ContextItem::builder(format!("from {first}"), 1).tags(tags(first)))
        .map(|builder| builder.build().unwrap())
        .into();
    let plain = |at: usize| ContextItem::builder(format!("{at}"), 1).tag("other").build().unwrap();
    items.extend((0..97).map(plain));
    let scores = score_all(&FrequencyScorer, &items);
    let share = |peers: usize| peers as f64 / 99.0;
    assert_eq!(scores[..4], [share(2), share(2), share(2), share(96)]);

    let weights: HashMap<String, f64> = tags(0).into_iter().map(|tag| (tag, 1.0)).collect();
    let scores = score_all(&TagScorer::case_insensitive(weights).unwrap(), &items);
    assert_eq!(scores[..4], [1.0, 0.5, 1.0 / TAGS as f64, 0.0]);
}

#[test]
fn ten_thousand_tags_on_each_of_many_items_are_scored() {
    let builder = |at: usize| ContextItem::builder(format!("{at}"), 1).tags(tags(at * TAGS / 4));
    let items: Vec<ContextItem> = (0..100).map(|at| builder(at).build().unwrap()).collect();
    let scores = score_all(&FrequencyScorer, &items);
    // Each reaches three neighbours on either side, as far as there are any.
    let expected = |at: usize| (at.min(3) + (99 - at).min(3)) as f64 / 99.0;
    assert!(scores.iter().enumerate().all(|(at, score)| *score == expected(at)));
}
