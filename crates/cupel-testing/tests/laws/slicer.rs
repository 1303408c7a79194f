//! What a slicer may not do.

use std::sync::atomic::{AtomicUsize, Ordering};

use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, GreedySlice, RunContext, ScoredItem,
    Selection, Slicer,
};
use cupel_testing::laws::{BudgetCompliance, Law, check_slicer};

use crate::{handles, item, items, scored};

const REQUIRED: BudgetCompliance = BudgetCompliance::Required;

fn budget(tokens: i64) -> ContextBudget {
    ContextBudget::builder(tokens).build().unwrap()
}

type Sliced = Result<Vec<ContextItem>, CupelError>;

/// A slicer from one function that is only asked when there is something to choose.
struct TestSlicer<S>(S);

impl<S: Fn(&[ScoredItem], &ContextBudget) -> Sliced + Send + Sync> Slicer for TestSlicer<S> {
    fn slice(&self, sorted: &[ScoredItem], budget: &ContextBudget) -> Sliced {
        if sorted.is_empty() || budget.target_tokens() == 0 {
            return Ok(Vec::new());
        }
        (self.0)(sorted, budget)
    }

    fn name(&self) -> &str {
        "TestSlicer"
    }
}

fn slicer<S: Fn(&[ScoredItem], &ContextBudget) -> Sliced + Send + Sync>(slice: S) -> TestSlicer<S> {
    TestSlicer(slice)
}

#[test]
fn an_item_that_was_not_given_is_caught() {
    let broken =
        check_slicer(&slicer(|_, _| Ok(vec![item("new", 1)])), &scored(), &budget(9), REQUIRED);
    assert_eq!(
        broken.unwrap_err().to_string(),
        "TestSlicer breaks the law that a slicer chooses among what it was given: it returned an \
         item it was not given: \"new\" (Message, 1 tokens)"
    );
}

#[test]
fn an_equal_item_is_not_the_one_that_was_given() {
    let rebuilt = slicer(|sorted, _| {
        let first = &sorted[0].item;
        Ok(vec![item(first.content(), first.tokens())])
    });
    let broken = check_slicer(&rebuilt, &scored(), &budget(9), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::Subset);
}

#[test]
fn an_item_chosen_twice_is_caught_unless_it_was_given_twice() {
    let twice = slicer(|sorted, _| Ok(vec![sorted[0].item.clone(); 2]));
    let broken = check_slicer(&twice, &scored(), &budget(9), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::Subset);
    assert_eq!(
        broken.finding(),
        "returned an item more often than it was given: \"beta\" (Message, 3 tokens)"
    );

    let all = slicer(|sorted, _| Ok(handles(sorted)));
    let given_twice = vec![scored()[0].clone(); 2];
    check_slicer(&all, &given_twice, &budget(9), REQUIRED).unwrap();
}

#[test]
fn spending_more_than_the_target_is_caught_unless_waived() {
    let everything = slicer(|sorted, _| Ok(handles(sorted)));
    let broken = check_slicer(&everything, &scored(), &budget(8), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::WithinBudget);
    assert_eq!(broken.finding(), "chose 9 tokens for a target of 8");

    check_slicer(&everything, &scored(), &budget(8), BudgetCompliance::Waived).unwrap();
    check_slicer(&everything, &scored(), &budget(9), REQUIRED).unwrap();
}

#[test]
fn token_sums_do_not_wrap() {
    let everything = slicer(|sorted, _| Ok(handles(sorted)));
    let huge = [item("a", i64::MAX), item("b", i64::MAX)];
    let huge = huge.map(|item| ScoredItem { item, score: 0.5 });
    let broken = check_slicer(&everything, &huge, &budget(i64::MAX), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::WithinBudget);
}

#[test]
fn choosing_or_refusing_where_there_is_nothing_is_caught() {
    struct Stubborn(fn(&[ScoredItem], &ContextBudget) -> Sliced);
    impl Slicer for Stubborn {
        fn slice(&self, sorted: &[ScoredItem], budget: &ContextBudget) -> Sliced {
            (self.0)(sorted, budget)
        }
    }
    let zero_tokens = [ScoredItem { item: item("free", 0), score: 0.5 }];
    let finding = |slicer: Stubborn| {
        let broken = check_slicer(&slicer, &zero_tokens, &budget(9), REQUIRED).unwrap_err();
        assert_eq!(broken.law(), Law::NothingFromNothing);
        broken.finding().to_owned()
    };

    assert_eq!(
        finding(Stubborn(|sorted, _| Ok(handles(sorted)))),
        "chose 1 items without a target"
    );
    assert_eq!(
        finding(Stubborn(|_, _| Ok(vec![item("new", 1)]))),
        "chose 1 items without candidates"
    );
    assert_eq!(
        finding(Stubborn(|_, _| Err(CupelError::SlicerConfig("no".to_owned())))),
        "refused to answer without candidates: invalid slicer configuration: no"
    );
}

#[test]
fn a_select_that_chooses_otherwise_is_caught() {
    /// Slices the best item and selects something else.
    struct TwoMinds(fn() -> Result<Vec<usize>, CupelError>);
    impl Slicer for TwoMinds {
        fn slice(&self, sorted: &[ScoredItem], budget: &ContextBudget) -> Sliced {
            let wanted = if budget.target_tokens() == 0 { 0 } else { 1 };
            Ok(handles(sorted).into_iter().take(wanted).collect())
        }

        fn select(
            &self,
            _candidates: &[Candidate<'_>],
            _budget: &ContextBudget,
            _context: &RunContext,
        ) -> Result<Selection, CupelError> {
            (self.0)().map(Selection::keeping)
        }
    }
    let finding = |select| {
        let broken = check_slicer(&TwoMinds(select), &scored(), &budget(9), REQUIRED).unwrap_err();
        assert_eq!(broken.law(), Law::SelectAgreesWithSlice);
        broken.finding().to_owned()
    };

    assert_eq!(finding(|| Ok(vec![1])), "answered [1] to select and [0] to slice");
    assert_eq!(finding(|| Ok(vec![7])), "answered [7] to select and [0] to slice");
    assert_eq!(finding(|| Ok(vec![0, 0])), "answered [0, 0] to select and [0] to slice");
    assert_eq!(
        finding(|| Err(CupelError::SlicerConfig("no".to_owned()))),
        "answered with a refusal (invalid slicer configuration: no) to select and [0] to \
         slice"
    );
}

#[test]
fn an_order_of_trial_that_gives_another_choice_is_caught() {
    /// Chooses the best that fit, and claims this order of trial.
    struct Boastful(Vec<usize>);
    impl Slicer for Boastful {
        fn slice(&self, sorted: &[ScoredItem], budget: &ContextBudget) -> Sliced {
            GreedySlice.slice(sorted, budget)
        }

        fn select(
            &self,
            candidates: &[Candidate<'_>],
            budget: &ContextBudget,
            context: &RunContext,
        ) -> Result<Selection, CupelError> {
            let mut selection = GreedySlice.select(candidates, budget, context)?;
            selection.trial = Some(self.0.clone());
            Ok(selection)
        }
    }
    let finding = |trial| {
        let broken = check_slicer(&Boastful(trial), &scored(), &budget(9), REQUIRED).unwrap_err();
        assert_eq!(broken.law(), Law::TrialAgreesWithSelect);
        broken.finding().to_owned()
    };
    check_slicer(&GreedySlice, &scored(), &budget(9), REQUIRED).unwrap();
    assert!(finding(vec![0, 0, 1]).starts_with("gave the order of trial [0, 0, 1] for 3 items"));
    assert!(finding(vec![0]).starts_with("gave the order of trial [0] for 3 items"));
    let other = finding(vec![2, 1, 0]);
    assert!(other.contains("where its order of trial gives [2"), "{other}");
}

#[test]
fn a_choice_that_changes_is_caught() {
    let calls = AtomicUsize::new(0);
    let greedier_every_time = slicer(|sorted, _| {
        let wanted = calls.fetch_add(1, Ordering::Relaxed);
        Ok(handles(sorted).into_iter().take(wanted).collect())
    });
    let broken = check_slicer(&greedier_every_time, &scored(), &budget(9), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::Deterministic);
    assert_eq!(broken.finding(), "first answered [0], and given the same items again [0, 1, 2]");
}

#[test]
fn a_choice_that_depends_on_addresses_is_caught() {
    let kept = items();
    let given: Vec<ScoredItem> =
        kept.iter().map(|item| ScoredItem { item: item.clone(), score: 0.5 }).collect();
    let sentimental = slicer(|sorted, _| {
        let known = |it: &&ScoredItem| kept.iter().any(|item| item.is_same_instance(&it.item));
        Ok(sorted.iter().filter(known).map(|it| it.item.clone()).collect())
    });
    let broken = check_slicer(&sentimental, &given, &budget(9), REQUIRED).unwrap_err();
    assert_eq!(broken.law(), Law::Deterministic);
    assert_eq!(broken.finding(), "first answered [0, 1, 2], and given equal items []");
}

#[test]
fn a_refusal_that_stays_is_an_answer() {
    let refusing = slicer(|_, _| Err(CupelError::SlicerConfig("never".to_owned())));
    check_slicer(&refusing, &scored(), &budget(9), REQUIRED).unwrap();
}

#[test]
fn slicers_are_given_the_best_score_first() {
    let checked = slicer(|sorted, _| {
        assert!(sorted.is_sorted_by(|a, b| a.score >= b.score));
        Ok(Vec::new())
    });
    check_slicer(&checked, &scored(), &budget(9), REQUIRED).unwrap();
}

#[test]
fn a_form_that_is_not_there_is_caught() {
    /// Chooses the first candidate, whole, and says this about forms.
    struct Shortening(Vec<cupel::Shortening>);
    impl Slicer for Shortening {
        fn slice(&self, sorted: &[ScoredItem], budget: &ContextBudget) -> Sliced {
            let nothing = budget.target_tokens() == 0;
            Ok(handles(sorted).into_iter().take(usize::from(!nothing)).collect())
        }

        fn select(
            &self,
            candidates: &[Candidate<'_>],
            budget: &ContextBudget,
            _context: &RunContext,
        ) -> Result<Selection, CupelError> {
            let nothing = candidates.is_empty() || budget.target_tokens() == 0;
            let mut selection = Selection::keeping(if nothing { vec![] } else { vec![0] });
            selection.shortened = self.0.clone();
            Ok(selection)
        }
    }
    let shortening = |position, form| cupel::Shortening::new(position, form);
    let finding = |shortened| {
        let slicer = Shortening(shortened);
        let broken = check_slicer(&slicer, &scored(), &budget(9), REQUIRED).unwrap_err();
        assert_eq!(broken.law(), Law::OneForm);
        broken.finding().to_owned()
    };
    assert_eq!(finding(vec![shortening(0, 1)]), "chose form 1 of 0 at position 0");
    assert_eq!(finding(vec![shortening(1, 1)]), "shortened position 1, which it did not choose");
    let twice = vec![shortening(0, 1), shortening(0, 1)];
    assert_eq!(finding(twice), "shortened position 0 more than once");
}
