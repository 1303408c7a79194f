//! What a score is made of.

use cupel::{
    CompositeScorer, ContextItem, CupelError, KindScorer, PriorityScorer, RecencyScorer,
    ReflexiveScorer, RunContext, ScaledScorer, ScoreBreakdown, ScorePart, Scorer,
};

use crate::contract::all;
use crate::shorthand::{budget, greedy, hinted, named, pinned, plain, sized};

fn of_two(
    first: (impl Scorer + 'static, f64),
    other: (impl Scorer + 'static, f64),
) -> Box<dyn Scorer> {
    let children: Vec<(Box<dyn Scorer>, f64)> =
        vec![(Box::new(first.0), first.1), (Box::new(other.0), other.1)];
    Box::new(CompositeScorer::new(children).unwrap())
}

fn breakdown(scorer: impl Scorer + 'static, items: &[ContextItem]) -> Vec<ScoreBreakdown> {
    greedy().scorer(scorer).build().unwrap().score_breakdown(items).unwrap()
}

/// Name, weight, score and contribution of each part.
fn rows<'b>(breakdown: &'b ScoreBreakdown) -> Vec<(&'b str, f64, f64, f64)> {
    let row = |part: &'b ScorePart| (&*part.scorer, part.weight, part.score, part.contribution);
    breakdown.parts.iter().map(row).collect()
}

fn prioritised(name: &str, priority: i64, hint: f64) -> ContextItem {
    named(name).priority(priority).future_relevance_hint(hint).build().unwrap()
}

#[test]
fn each_scorer_of_a_composite_has_its_share() {
    let items = [prioritised("a", 1, 0.5), prioritised("b", 2, 0.25)];
    let told = breakdown(of_two((PriorityScorer, 3.0), (ReflexiveScorer, 1.0)), &items);
    assert_eq!(rows(&told[0]), [("priority", 0.75, 0.0, 0.0), ("reflexive", 0.25, 0.5, 0.125)]);
    assert_eq!(rows(&told[1]), [("priority", 0.75, 1.0, 0.75), ("reflexive", 0.25, 0.25, 0.0625)]);
    assert_eq!((told[0].score, told[1].score), (0.125, 0.8125));
}

#[test]
fn a_scorer_alone_is_the_whole_score() {
    let told = breakdown(ReflexiveScorer, &[hinted("a", 1, 0.5)]);
    assert_eq!(rows(&told[0]), [("reflexive", 1.0, 0.5, 0.5)]);
}

#[test]
fn composites_inside_composites_are_told_by_their_scorers() {
    let items = [prioritised("a", 1, 0.5), prioritised("b", 2, 1.0)];
    let inner = of_two((PriorityScorer, 1.0), (ReflexiveScorer, 1.0));
    let told = breakdown(of_two((inner, 1.0), (KindScorer::default(), 3.0)), &items);
    let (names, weights): (Vec<_>, Vec<_>) =
        rows(&told[1]).into_iter().map(|(name, weight, ..)| (name, weight)).unzip();
    assert_eq!(names, ["priority", "reflexive", "kind"]);
    assert_eq!(weights, [0.125, 0.125, 0.75]);
}

#[test]
fn a_scaled_scorer_has_the_stretched_score() {
    let items = [hinted("a", 1, 0.5), hinted("b", 1, 0.75), hinted("c", 1, 1.0)];
    let told = breakdown(ScaledScorer::new(ReflexiveScorer), &items);
    assert_eq!(rows(&told[1]), [("reflexive", 1.0, 0.5, 0.5)]);
}

#[test]
fn scaling_a_composite_stretches_its_shares_and_states_the_shift() {
    let items = [prioritised("a", 1, 0.5), prioritised("b", 2, 0.75)];
    let inner = of_two((PriorityScorer, 1.0), (ReflexiveScorer, 1.0)); // 0.25 and 0.875
    let told = breakdown(ScaledScorer::new(inner), &items);
    let expected =
        [("priority", 0.8, 1.0, 0.8), ("reflexive", 0.8, 0.75, 0.6), ("scaled", 1.0, -0.4, -0.4)];
    for (row, expected) in rows(&told[1]).into_iter().zip(expected) {
        assert_eq!(row.0, expected.0);
        for (got, wanted) in [(row.1, expected.1), (row.2, expected.2), (row.3, expected.3)] {
            assert!((got - wanted).abs() < 1e-12, "{row:?}, not {expected:?}");
        }
    }
    assert_eq!((told[0].score, told[1].score), (0.0, 1.0));
}

#[test]
fn scaling_what_tells_nothing_apart_has_no_other_part() {
    let inner = of_two((PriorityScorer, 1.0), (ReflexiveScorer, 1.0));
    let told = breakdown(ScaledScorer::new(inner), &[plain("a"), plain("b")]);
    assert_eq!(rows(&told[0]), [("scaled", 1.0, 0.5, 0.5)]);
}

#[test]
fn candidates_are_known_by_index_and_what_is_not_scored_is_not_told() {
    let items = [pinned("p", 1), hinted("a", 1, 0.1), sized("broken", -1), hinted("b", 1, 0.2)];
    let told = breakdown(ReflexiveScorer, &items);
    let indexed: Vec<_> = told.iter().map(|it| (it.index, it.score)).collect();
    assert_eq!(indexed, [(1, 0.1), (3, 0.2)]);
    assert!(breakdown(ReflexiveScorer, &items[..1]).is_empty());
}

/// A type name with a path and something it is generic over.
struct Mentions<W>(W);

impl<W: AsRef<str> + Send + Sync> Scorer for Mentions<W> {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        f64::from(u8::from(item.content().contains(self.0.as_ref())))
    }
}

#[test]
fn a_custom_scorer_is_called_by_its_type_without_the_path() {
    let told = breakdown(Box::new(Mentions(String::from("a"))), &[plain("a")]);
    assert_eq!(rows(&told[0]), [("Mentions", 1.0, 1.0, 1.0)]);
}

#[test]
fn scorers_in_pointers_are_still_taken_apart() {
    let pair = of_two((RecencyScorer, 1.0), (ReflexiveScorer, 1.0));
    let shared: std::sync::Arc<dyn Scorer> = pair.into();
    assert_eq!(breakdown(Box::new(shared), &[plain("a")])[0].parts.len(), 2);
}

/// Breaks its contract.
struct Forgetful;

impl Scorer for Forgetful {
    fn score(&self, _item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        0.0
    }

    fn score_batch(&self, _: &[ContextItem], _: &RunContext) -> Result<Vec<f64>, CupelError> {
        Ok(Vec::new())
    }
}

#[test]
fn a_scorer_that_forgets_an_item_is_an_error_as_in_a_run() {
    let items = [plain("a")];
    let pipeline = greedy().scorer(of_two((Forgetful, 1.0), (RecencyScorer, 1.0))).build().unwrap();
    let error = pipeline.score_breakdown(&items).unwrap_err();
    assert_eq!(error, pipeline.run(&items, &budget(1)).unwrap_err());
    assert!(matches!(error, CupelError::ContractViolation { .. }), "{error}");
}

#[test]
fn built_in_scorers_are_called_as_in_policy_files() {
    let mut names: Vec<_> = all().iter().map(|scorer| scorer.name().to_owned()).collect();
    names.sort();
    let mut expected = [
        "recency",
        "fadingRecency",
        "priority",
        "kind",
        "tag",
        "frequency",
        "reflexive",
        "decay",
        "metadataTrust",
        "metadataKey",
        "composite",
        "scaled",
    ];
    expected.sort();
    assert_eq!(names, expected);
}
