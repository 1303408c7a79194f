//! What the generators are good for: a property over inputs that never overflow, never tie and
//! never fail would prove little.

mod oracle;

use std::cell::RefCell;
use std::collections::BTreeMap;

use cupel::{CupelError, ExclusionReason, InclusionReason};
use cupel_testing::generate::{policies, problems};
use oracle::Exclusion;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

#[test]
fn the_generators_reach_every_outcome() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::with_cases(4096), rng);
    let seen = RefCell::new(BTreeMap::<&str, usize>::new());
    runner
        .run(&(problems(40), policies()), |((items, budget), policy)| {
            for outcome in outcomes(&oracle::run(&policy, &items, &budget)) {
                *seen.borrow_mut().entry(outcome).or_default() += 1;
            }
            Ok(())
        })
        .expect("the oracle answers every problem");
    let seen = seen.into_inner();
    for outcome in OUTCOMES {
        assert!(
            seen.get(outcome).is_some_and(|&times| times >= 8),
            "{outcome} is too rare: {seen:?}"
        );
    }
}

const OUTCOMES: [&str; 20] = [
    "pinned over budget",
    "overflow error",
    "table too large",
    "scarcity error",
    "everything fits",
    "nothing selected",
    "negative tokens",
    "duplicate",
    "over budget in Slice",
    "count cap",
    "displaced in Slice",
    "over budget in Place",
    "displaced in Place",
    "shortfall",
    "overflow event",
    "zero tokens",
    "pinned",
    "NaN score",
    "over-committed",
    "tie",
];

fn outcomes(run: &Result<oracle::Outcome, CupelError>) -> Vec<&'static str> {
    let outcome = match run {
        Ok(outcome) => outcome,
        Err(CupelError::PinnedExceedsBudget { .. }) => return vec!["pinned over budget"],
        Err(CupelError::Overflow { .. }) => return vec!["overflow error"],
        Err(CupelError::TableTooLarge { .. }) => return vec!["table too large"],
        Err(CupelError::SlicerConfig(_)) => return vec!["scarcity error"],
        Err(other) => panic!("{other} is no error of a run"),
    };
    let [classified, _, deduplicated, sliced, placed] = &outcome.excluded_by_stage;
    let budget_exceeded =
        |(_, _, reason): &Exclusion| matches!(reason, ExclusionReason::BudgetExceeded { .. });
    let displaced =
        |(_, _, reason): &Exclusion| matches!(reason, ExclusionReason::PinnedOverride { .. });
    let capped =
        |(_, _, reason): &Exclusion| matches!(reason, ExclusionReason::CountCapExceeded { .. });
    let negative_room = |(_, _, reason): &Exclusion| match reason {
        ExclusionReason::BudgetExceeded { available_tokens, .. } => *available_tokens < 0,
        _ => false,
    };
    let included_as = |expected: InclusionReason| {
        outcome.included.iter().any(|(_, _, reason)| *reason == expected)
    };
    let scores: Vec<f64> = outcome.included.iter().map(|(_, score, _)| *score).collect();
    [
        ("everything fits", !outcome.window.is_empty() && outcome.excluded.is_empty()),
        ("nothing selected", outcome.window.is_empty() && !outcome.excluded.is_empty()),
        ("negative tokens", !classified.is_empty()),
        ("duplicate", !deduplicated.is_empty()),
        ("over budget in Slice", sliced.iter().any(budget_exceeded)),
        ("count cap", sliced.iter().any(capped)),
        ("displaced in Slice", sliced.iter().any(displaced)),
        ("over-committed", sliced.iter().any(negative_room)),
        ("over budget in Place", placed.iter().any(budget_exceeded)),
        ("displaced in Place", placed.iter().any(displaced)),
        ("shortfall", !outcome.shortfalls.is_empty()),
        ("overflow event", outcome.overflow.is_some()),
        ("zero tokens", included_as(InclusionReason::ZeroToken)),
        ("pinned", included_as(InclusionReason::Pinned)),
        ("NaN score", scores.iter().any(|score| score.is_nan())),
        (
            "tie",
            (1..scores.len())
                .any(|place| scores[..place].contains(&scores[place]) && scores[place] != 0.0),
        ),
    ]
    .into_iter()
    .filter_map(|(name, happened)| happened.then_some(name))
    .collect()
}
