//! Scorers that do not give one score per item.

use cupel::{CompositeScorer, CupelError, ReflexiveScorer, ScaledScorer, Scorer};

use crate::fixtures::custom::ScoreCount;
use crate::fixtures::{assert_names, budget, item, pinned, plain};

/// The error of a run over three items.
fn error(scorer: impl Scorer + 'static) -> CupelError {
    let items = [item("a", 10), item("b", 10), pinned("p", 10), item("c", 10)];
    plain().scorer(scorer).build().unwrap().run(&items, &budget(100)).unwrap_err()
}

#[track_caller]
fn assert_broken(error: &CupelError, counts: &[&str]) {
    let CupelError::ContractViolation { family, strategy, .. } = error else { panic!("{error:?}") };
    assert_eq!((*family, strategy.as_str()), ("scorer", "ScoreCount"));
    assert_names(error, &["scorer", "ScoreCount"]);
    assert_names(error, counts);
}

/// Rule [Stage 2: Score]: a scorer gives one score per item, or the run fails (ours)
#[test]
fn too_few_scores_break_the_contract() {
    assert_broken(&error(ScoreCount(2)), &["2 scores", "3 items"]);
    assert_broken(&error(ScoreCount(0)), &["0 scores", "3 items"]);
}

/// Rule [Stage 2: Score]: a scorer gives one score per item, or the run fails (ours)
#[test]
fn too_many_scores_break_the_contract() {
    assert_broken(&error(ScoreCount(4)), &["4 scores", "3 items"]);
}

/// Rule [Stage 2: Score]: a scorer gives one score per item, or the run fails (ours)
#[test]
fn the_right_number_of_scores_does_not() {
    let items = [item("a", 10), item("b", 10)];
    let pipeline = plain().scorer(ScoreCount(2)).build().unwrap();
    assert_eq!(pipeline.run(&items, &budget(100)).unwrap().len(), 2);
}

/// A scorer that gives so many scores, inside each scorer that asks another.
fn nestings(count: usize) -> Vec<Box<dyn Scorer>> {
    let composite = || {
        let broken: Box<dyn Scorer> = Box::new(ScoreCount(count));
        CompositeScorer::new(vec![(Box::new(ReflexiveScorer), 1.0), (broken, 1.0)]).unwrap()
    };
    vec![
        Box::new(ScaledScorer::new(ScoreCount(count))),
        Box::new(composite()),
        Box::new(ScaledScorer::new(composite())),
    ]
}

/// Rule [Stage 2: Score]: a scorer gives one score per item, or the run fails (ours)
#[test]
fn a_scorer_inside_another_is_held_to_its_contract() {
    for count in [0, 2, 4] {
        for scorer in nestings(count) {
            let error = error(scorer);
            let is_breach = matches!(error, CupelError::ContractViolation { family: "scorer", .. });
            assert!(is_breach, "{error:?}");
            assert_names(&error, &[&format!("{count} scores"), "3 items"]);
        }
    }
}

#[test]
fn a_scorer_inside_another_is_named_itself() {
    for scorer in nestings(2) {
        assert_broken(&error(scorer), &["2 scores", "3 items"]);
    }
}
