//! Cost grows with the number of candidates, not with its square.
//!
//! Where work can be counted it is. The rest, sorting above all, cannot be observed from outside:
//! there a run over 200,000 candidates, chosen to be hard for a careless implementation, has to
//! come to its end with the right result, which with quadratic work would take hours.

mod workload;

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind,
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, DecayCurve, DecayScorer,
    FrequencyScorer, GreedySlice, KindScorer, KnapsackSlice, MetadataKeyScorer,
    MetadataTrustScorer, Placer, PriorityScorer, QuotaEntry, QuotaSlice, RecencyScorer,
    ReflexiveScorer, RunContext, ScaledScorer, ScarcityBehavior, ScoredItem, Scorer, Slicer,
    TagScorer, UShapedPlacer,
};
use workload::counter::Counter;

const MANY: usize = 200_000;

/// An unoptimised build takes a quarter of the million, to stay within a minute.
const A_MILLION: usize = if cfg!(debug_assertions) { 250_000 } else { 1_000_000 };

fn item(at: usize) -> cupel::ContextItemBuilder {
    ContextItem::builder(format!("{at}"), 1)
}

fn items(of: impl Fn(usize) -> cupel::ContextItemBuilder) -> Vec<ContextItem> {
    (0..MANY).map(|at| of(at).build().unwrap()).collect()
}

fn second(at: usize) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(at as i64)
}

/// A number between 0 and `MANY` that jumps about with `at` and repeats none.
fn shuffled(at: usize) -> usize {
    at * 77_773 % MANY
}

fn scored(of: impl Fn(usize) -> cupel::ContextItemBuilder) -> Vec<ScoredItem> {
    items(of).into_iter().map(|item| ScoredItem { item, score: 0.5 }).collect()
}

fn tokens(count: usize) -> ContextBudget {
    ContextBudget::builder(count as i64).build().unwrap()
}

fn chosen(slicer: &impl Slicer, candidates: &[ScoredItem], target: usize) -> Vec<ContextItem> {
    slicer.slice(candidates, &tokens(target)).unwrap()
}

fn rank(at: usize) -> f64 {
    at as f64 / (MANY - 1) as f64
}

fn score_all(scorer: &dyn Scorer, items: &[ContextItem]) -> Vec<f64> {
    scorer.score_batch(items, &RunContext::default()).unwrap()
}

#[track_caller]
fn assert_scores(scorer: &impl Scorer, items: &[ContextItem], expected: impl Fn(usize) -> f64) {
    for (at, score) in score_all(scorer, items).into_iter().enumerate() {
        assert_eq!(score, expected(at), "item {at}");
    }
}

/// How often a counter is asked for twice as many candidates as for once as many.
fn counted(run: impl Fn(&[ContextItem], Counter)) -> (usize, usize) {
    let count = |candidates: usize| {
        let counter = Counter::default();
        run(&workload::candidates(candidates, 0), counter.clone());
        counter.count()
    };
    (count(50_000), count(100_000))
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn nested_scorers_ask_the_innermost_once_per_item() {
    let calls = counted(|items, counter| {
        let deep = (0..6).fold(Box::new(counter.clone()) as Box<dyn Scorer>, |inner, _| {
            Box::new(ScaledScorer::new(inner))
        });
        let composite: Vec<(Box<dyn Scorer>, f64)> = vec![(deep, 1.0), (Box::new(counter), 1.0)];
        let inner = CompositeScorer::new(composite).unwrap();
        let outer = CompositeScorer::new(vec![(Box::new(ScaledScorer::new(inner)), 1.0)]);
        score_all(&outer.unwrap(), items);
    });
    // The counter stands in two places.
    assert_eq!(calls, (100_000, 200_000));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn decay_reads_the_clock_once() {
    let calls = counted(|items, clock| {
        let curve = DecayCurve::window(TimeDelta::days(1)).unwrap();
        score_all(&DecayScorer::new(clock, curve, 0.5).unwrap(), items);
    });
    assert_eq!(calls, (1, 1));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn quotas_show_each_candidate_to_the_inner_slicer_once() {
    let slice = |slicer: &dyn Slicer, items: &[ContextItem]| {
        let scored = |item: &ContextItem| ScoredItem { item: item.clone(), score: 0.5 };
        let candidates: Vec<ScoredItem> = items.iter().map(scored).collect();
        slicer.slice(&candidates, &workload::half_of(items)).unwrap();
    };
    let quota = counted(|items, counter| {
        slice(&QuotaSlice::new(Vec::new(), counter).unwrap(), items);
    });
    assert_eq!(quota, (50_000, 100_000));
    let counts = counted(|items, counter| {
        let entries = vec![CountQuotaEntry::new(ContextKind::memory(), 100, 200).unwrap()];
        let degrade = ScarcityBehavior::Degrade;
        slice(&CountQuotaSlice::new(entries, counter, degrade).unwrap(), items);
    });
    assert_eq!(counts, (49_900, 99_900));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn ranks_of_distinct_keys() {
    let newer = items(|at| item(at).timestamp(second(shuffled(at))));
    assert_scores(&RecencyScorer, &newer, |at| rank(shuffled(at)));
    let higher = items(|at| item(at).priority(shuffled(at) as i64));
    assert_scores(&PriorityScorer, &higher, |at| rank(shuffled(at)));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn ranks_of_equal_keys() {
    assert_scores(&RecencyScorer, &items(|at| item(at).timestamp(second(7))), |_| 0.0);
    let halves = items(|at| item(at).priority((at % 2) as i64));
    assert_scores(&PriorityScorer, &halves, |at| (at % 2) as f64 * rank(MANY / 2));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn frequencies_of_tags_that_everybody_or_hardly_anybody_has() {
    assert_scores(&FrequencyScorer, &items(|at| item(at).tag("all")), |_| 1.0);
    let pairs = items(|at| item(at).tag(format!("{}", at / 2)));
    assert_scores(&FrequencyScorer, &pairs, |_| rank(1));
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn frequencies_where_every_set_of_tags_differs() {
    // A grid of 400 rows and 500 columns: 499 peers in the row and 399 in the column.
    let grid = items(|at| item(at).tag(format!("r{}", at / 500)).tag(format!("c{}", at % 500)));
    assert_scores(&FrequencyScorer, &grid, |_| rank(499 + 399));
}

#[test]
fn frequencies_of_many_tags_that_everybody_has() {
    let tags: Vec<String> = (0..6).map(|at| format!("t{at}")).collect();
    assert_scores(&FrequencyScorer, &items(|at| item(at).tags(tags.clone())), |_| 1.0);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn scores_from_many_weights() {
    let name = |at: usize| format!("k{}", at % 10_000);
    let weight = |at: usize| (at % 10_000) as f64;
    let kinds: HashMap<ContextKind, f64> =
        (0..10_000).map(|at| (ContextKind::new(name(at)).unwrap(), weight(at))).collect();
    let of_kind = items(|at| item(at).kind(ContextKind::new(name(at)).unwrap()));
    assert_scores(&KindScorer::new(kinds).unwrap(), &of_kind, weight);

    let tags: HashMap<String, f64> = (0..10_000).map(|at| (name(at), 1.0)).collect();
    let tagged = items(|at| item(at).tag(name(at).to_uppercase()));
    let scorer = TagScorer::case_insensitive(tags).unwrap();
    assert_scores(&scorer, &tagged, |_| 1.0 / 10_000.0);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn scores_of_single_items() {
    let hinted = items(|at| item(at).future_relevance_hint(rank(at)));
    assert_scores(&ReflexiveScorer, &hinted, rank);
    assert_scores(&ScaledScorer::new(ReflexiveScorer), &hinted, rank);
    let noted = items(|at| item(at).metadata_entry("cupel:trust", format!("0.{}", at % 10)));
    let trust = |at: usize| (at % 10) as f64 / 10.0;
    assert_scores(&MetadataTrustScorer::new(0.5).unwrap(), &noted, trust);
    let boost = MetadataKeyScorer::new("cupel:trust", "0.3", 2.0).unwrap();
    assert_scores(&boost, &noted, |at| if at % 10 == 3 { 2.0 } else { 1.0 });
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn greedy_among_equal_densities() {
    let candidates = scored(item);
    let chosen = chosen(&GreedySlice, &candidates, MANY / 2);
    assert_eq!(chosen.len(), MANY / 2);
    assert!(chosen.iter().zip(&candidates).all(|(a, b)| a.is_same_instance(&b.item)));
}

/// Ten thousand kinds of twenty candidates each.
fn of_many_kinds() -> Vec<ScoredItem> {
    scored(|at| item(at).kind(many_kinds(at % 10_000)))
}

fn many_kinds(at: usize) -> ContextKind {
    ContextKind::new(format!("kind {at}")).unwrap()
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn quotas_for_ten_thousand_kinds() {
    let entries = (0..10_000).map(|at| QuotaEntry::new(many_kinds(at), 0.0, 50.0).unwrap());
    let slicer = QuotaSlice::new(entries, GreedySlice).unwrap();
    // Ten tokens for each kind.
    assert_eq!(chosen(&slicer, &of_many_kinds(), MANY / 2).len(), MANY / 2);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn counts_for_ten_thousand_kinds() {
    let entries: Vec<CountQuotaEntry> =
        (0..10_000).map(|at| CountQuotaEntry::new(many_kinds(at), 2, 3).unwrap()).collect();
    let degrade = ScarcityBehavior::Degrade;
    let counts = CountQuotaSlice::new(entries, GreedySlice, degrade).unwrap();
    assert_eq!(chosen(&counts, &of_many_kinds(), MANY).len(), 30_000);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn counts_that_require_everything() {
    // Nothing is left for the knapsack, whose cost is its own.
    let all = vec![CountQuotaEntry::new(ContextKind::message(), MANY, MANY).unwrap()];
    let degrade = ScarcityBehavior::Degrade;
    let slicer = CountConstrainedKnapsackSlice::new(all, KnapsackSlice::default(), degrade);
    assert_eq!(chosen(&slicer.unwrap(), &scored(item), 10).len(), MANY);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn placers_arrange_many_items() {
    let backwards = scored(|at| item(at).timestamp(second(MANY - at)));
    let placed = ChronologicalPlacer.place(&backwards);
    assert!(placed.iter().zip(backwards.iter().rev()).all(|(a, b)| a.is_same_instance(&b.item)));
    let placed = UShapedPlacer.place(&backwards);
    assert!(placed[1].is_same_instance(&backwards[2].item));
    assert!(placed[MANY - 1].is_same_instance(&backwards[1].item));
}

fn window_of(items: &[ContextItem], deduplication: bool) -> usize {
    let pipeline = cupel::Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(GreedySlice)
        .placer(ChronologicalPlacer)
        .deduplication(deduplication)
        .build()
        .unwrap();
    pipeline.run(items, &tokens(MANY)).unwrap().len()
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn duplicates_among_many_items() {
    assert_eq!(window_of(&items(item), true), MANY);
    assert_eq!(window_of(&items(|_| item(0)), true), 1);
    // Alike at both ends and in the middle, where a careless hash would look.
    let ends = "x".repeat(60);
    let alike = items(|at| ContextItem::builder(format!("{ends}{:06}{ends}{ends}", at / 2), 1));
    assert_eq!(window_of(&alike, true), MANY / 2);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn one_handle_passed_many_times() {
    let same = vec![item(0).build().unwrap(); MANY];
    assert_eq!(window_of(&same, true), 1);
    assert_eq!(window_of(&same, false), MANY);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn custom_strategies_are_matched_back_to_what_they_were_given() {
    /// Returns its items as they are.
    struct Unmoved;
    impl Placer for Unmoved {
        fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
            items.iter().map(|scored| scored.item.clone()).collect()
        }
    }
    let pipeline = workload::pipeline(ReflexiveScorer, Counter::default(), Unmoved);
    assert_eq!(pipeline.run(&items(item), &tokens(MANY)).unwrap().len(), MANY);
}

/// Rule [Size, memory and threads]: work grows with the candidates, not with their square (ours)
#[test]
fn a_million_candidates_run_to_the_end() {
    let items = workload::candidates(A_MILLION, 3);
    for (name, pipeline) in workload::pipelines() {
        let budget = workload::half_of(&items);
        let window = pipeline.run(&items, &budget).unwrap();
        let used: i64 = window.iter().map(ContextItem::tokens).sum();
        assert!(used <= budget.target_tokens(), "{name}");
        // Quotas round down per kind and stop at their caps; the others fill the window.
        let least = if name.contains("quota") { 0.7 } else { 0.999 };
        assert!(used as f64 >= least * budget.target_tokens() as f64, "{name}: {used} tokens");
        assert_eq!(window.iter().filter(|item| item.pinned()).count(), 3, "{name}");
    }
}
