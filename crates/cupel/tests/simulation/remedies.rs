//! Does a remedy work, does less not work, and what does it push out?

use cupel::{
    Certainty, ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    Counterfactual, CupelError, ExclusionReason, GreedySlice, Pipeline, QuotaEntry, QuotaSlice,
    ScarcityBehavior, Slicer,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::by_hand::{budget, item, slicing_by};
use super::naive::{Windows, occurrences};
use super::small;

/// How many candidates of the answered instance are in the window once this one is: those that are
/// in already, those among the answers before this one, and this one.
fn wanted_occurrences(answers: &[Counterfactual], at: usize, window: &[ContextItem]) -> usize {
    let waits = |answer: &&Counterfactual| {
        answer.item.is_same_instance(&answers[at].item)
            && !matches!(answer.reason, ExclusionReason::Deduplicated { .. })
    };
    occurrences(&answers[at].item, window) + answers[..at].iter().filter(waits).count() + 1
}

/// Fails unless `displaced` is what the one window has more often than the other.
fn displaced_is_the_difference(
    displaced: &[ContextItem],
    present: &[ContextItem],
    larger: &[ContextItem],
) -> Result<(), TestCaseError> {
    let lost = |item| occurrences(item, present).saturating_sub(occurrences(item, larger));
    for item in present {
        prop_assert_eq!(occurrences(item, displaced), lost(item), "{:?}", item);
    }
    prop_assert!(displaced.iter().all(|item| lost(item) > 0), "{displaced:?}");
    Ok(())
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Budget Simulation]: a remedy works in a real run, and a greedy one is the smallest (ours)
        #[test]
        fn a_greedy_remedy_is_the_smallest_increase_that_works(
            (items, budget) in small::problems(),
            policy in small::greedy_policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let Ok(answers) = pipeline.counterfactuals(&items, &budget) else { return Ok(()) };
            let present = pipeline.run(&items, &budget)?;
            let mut windows = Windows::new(&pipeline, &items, &budget);
            for (at, answer) in answers.iter().enumerate() {
                let Some(remedy) = &answer.remedy else { continue };
                let wanted = wanted_occurrences(&answers, at, &present);
                if small::pinned_can_shrink(&items) {
                    continue;
                }
                prop_assert_eq!(remedy.certainty, Certainty::Smallest);
                prop_assert!(windows.occurrences(&answer.item, remedy.additional_tokens) >= wanted);
                for fewer in 1..remedy.additional_tokens {
                    prop_assert!(
                        windows.occurrences(&answer.item, fewer) < wanted,
                        "{fewer} tokens would do for {answer:?}"
                    );
                }
            }
        }

        /// Rule [Budget Simulation]: a remedy works in a real run, and a greedy one is the smallest (ours)
        #[test]
        fn any_remedy_works_and_one_token_less_does_not(
            (items, budget) in small::problems(),
            policy in small::policies(),
        ) {
            let pipeline = policy.pipeline()?;
            let Ok(answers) = pipeline.counterfactuals(&items, &budget) else { return Ok(()) };
            let present = pipeline.run(&items, &budget)?;
            let mut windows = Windows::new(&pipeline, &items, &budget);
            for answer in &answers {
                let Some(remedy) = &answer.remedy else { continue };
                let larger = windows.with_more(remedy.additional_tokens).clone()?;
                let now = occurrences(&answer.item, &present);
                prop_assert!(occurrences(&answer.item, &larger) > now, "{answer:?}");
                displaced_is_the_difference(&remedy.displaced, &present, &larger)?;
                if occurrences(&answer.item, &items) == 1 {
                    let less = windows.occurrences(&answer.item, remedy.additional_tokens - 1);
                    prop_assert_eq!(less, now, "one token less would do for {:?}", answer);
                }
            }
        }
    }
}

fn pipeline(slicer: impl Slicer + 'static) -> Pipeline {
    slicing_by(slicer).build().unwrap()
}

#[test]
fn maximum_and_target_grow_alike() {
    let budget = ContextBudget::builder(100).target_tokens(10).output_reserve(50).build().unwrap();
    let items = [item("out", 15, 0.9)];
    let answers = pipeline(GreedySlice).counterfactuals(&items, &budget).unwrap();
    let remedy = answers[0].remedy.as_ref().unwrap();
    assert_eq!((remedy.additional_tokens, remedy.certainty), (5, Certainty::Smallest));
}

#[test]
fn what_a_remedy_pushes_out_comes_best_score_first() {
    // Ordered in time from the worse to the better one; tried first, large, better, worse.
    let at = |time: &str| time.parse().unwrap();
    let dated = |content: &str, hint, time| {
        let item = ContextItem::builder(content, 5).future_relevance_hint(hint).timestamp(at(time));
        item.build().unwrap()
    };
    let items = [
        dated("worse", 0.02, "2025-06-01T09:00:00Z"),
        dated("better", 0.03, "2025-06-01T10:00:00Z"),
        item("first", 10, 0.9),
        item("large", 15, 0.9),
    ];
    let pipeline = pipeline(GreedySlice);
    let answer = pipeline.counterfactual(&items, &budget(20), &items[3]).unwrap().unwrap();
    let displaced: Vec<_> =
        answer.remedy.as_ref().unwrap().displaced.iter().map(ContextItem::content).collect();
    assert_eq!(displaced, ["better", "worse"]);
}

#[test]
fn a_quota_is_searched_and_the_answer_says_so() {
    // Documents may have half of the tokens: 20 of 40.
    let entry = QuotaEntry::new(ContextKind::document(), 0.0, 50.0).unwrap();
    let quota = QuotaSlice::new(vec![entry], GreedySlice).unwrap();
    let document = ContextItem::builder("document", 20).kind(ContextKind::document());
    let items = [document.future_relevance_hint(0.9).build().unwrap()];
    let answers = pipeline(quota).counterfactuals(&items, &budget(10)).unwrap();
    let remedy = answers[0].remedy.as_ref().unwrap();
    assert_eq!((remedy.additional_tokens, remedy.certainty), (30, Certainty::Tested));
}

#[test]
fn an_increase_that_overflows_does_not_let_anything_in() {
    // Required whatever it costs, so it overflows every window from 1 to 19 tokens.
    let entry = CountQuotaEntry::new(ContextKind::message(), 1, 9).unwrap();
    let required = CountQuotaSlice::new(vec![entry], GreedySlice, ScarcityBehavior::Degrade);
    let items = [item("required", 20, 0.9)];
    let pipeline = pipeline(required.unwrap());
    assert!(matches!(pipeline.run(&items, &budget(1)), Err(CupelError::Overflow { .. })));
    let answers = pipeline.counterfactuals(&items, &budget(0)).unwrap();
    assert_eq!(answers[0].remedy.as_ref().map(|remedy| remedy.additional_tokens), Some(20));
}
