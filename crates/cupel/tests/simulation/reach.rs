//! Do the generated problems get into every corner? A property over problems that never displace,
//! never cap and never tie would prove little.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cupel::{Certainty, Counterfactual, Obstacle};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::small;

/// How often a thing must be seen to count as reached.
const OFTEN: usize = 8;

const ANSWERS: [&str; 11] = [
    "smallest",
    "tested",
    "displaces",
    "displaces several",
    "negative tokens",
    "duplicate",
    "cap",
    "cap of larger budgets only",
    "pinned",
    "in vain",
    "not testable",
];

/// What an answer is made of.
fn parts(answer: &Counterfactual) -> Vec<&'static str> {
    let mut parts = Vec::new();
    if let Some(remedy) = &answer.remedy {
        parts.push(match remedy.certainty {
            Certainty::Smallest => "smallest",
            _ => "tested",
        });
        match remedy.displaced.len() {
            0 => {}
            1 => parts.push("displaces"),
            _ => parts.push("displaces several"),
        }
    }
    for obstacle in &answer.obstacles {
        parts.push(match obstacle {
            Obstacle::NegativeTokens { .. } => "negative tokens",
            Obstacle::DuplicateOf { .. } => "duplicate",
            Obstacle::NearDuplicateOf { .. } => "near-duplicate",
            Obstacle::KindCap { .. } if answer.reason.name() == "CountCapExceeded" => "cap",
            Obstacle::KindCap { .. } => "cap of larger budgets only",
            Obstacle::PinnedItems { .. } => "pinned",
            Obstacle::NotChosen { .. } => "in vain",
            Obstacle::NotTestable { .. } => "not testable",
            _ => "unknown",
        });
    }
    parts
}

fn runner() -> TestRunner {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(ProptestConfig::with_cases(2048), rng)
}

#[test]
fn small_problems_have_every_answer() {
    let seen = RefCell::new(BTreeMap::<&str, usize>::new());
    runner()
        .run(&(small::problems(), small::policies()), |((items, budget), policy)| {
            for answer in policy.pipeline()?.counterfactuals(&items, &budget).unwrap_or_default() {
                for part in parts(&answer) {
                    *seen.borrow_mut().entry(part).or_default() += 1;
                }
            }
            Ok(())
        })
        .unwrap();
    let seen = seen.into_inner();
    for answer in ANSWERS {
        assert!(seen.get(answer).is_some_and(|&times| times >= OFTEN), "{answer}: {seen:?}");
    }
}

#[test]
fn small_problems_have_minima_that_halving_misses() {
    let missed = RefCell::new(0);
    runner()
        .run(
            &(small::targeted_problems(), small::greedy_policies()),
            |((items, budget, target), policy)| {
                let pipeline = policy.pipeline()?;
                let ceiling = 80.max(target.tokens());
                if small::pinned_can_shrink(&items) {
                    return Ok(());
                }
                let searched = pipeline.find_min_budget_for(&items, &budget, &target, ceiling)?;
                let exact =
                    pipeline.find_exact_min_budget_for(&items, &budget, &target, ceiling)?;
                *missed.borrow_mut() += usize::from(searched != exact);
                Ok(())
            },
        )
        .unwrap();
    assert!(*missed.borrow() >= OFTEN, "{missed:?}");
}
