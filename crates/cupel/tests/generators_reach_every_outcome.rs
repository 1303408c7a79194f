//! What the generators are good for: a property over inputs that never overflow, never tie and
//! never fail would prove little.

mod oracle;

use std::cell::RefCell;
use std::collections::BTreeMap;

use cupel::{ContextItem, CupelError, ExclusionReason, InclusionReason};
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
            let run = oracle::run(&policy, &items, &budget);
            for outcome in outcomes(&run).into_iter().chain(extensions(&run, &items)) {
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

const OUTCOMES: [&str; 33] = [
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
    "no groups and no variants",
    "group of one",
    "unit in the window",
    "unit left out",
    "unit apart in the input",
    "broken group",
    "broken group with a pin",
    "pinned by another member",
    "duplicate unit",
    "truncated unit",
    "shortened",
    "shortened and pinned",
    "shortened to nothing",
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

/// What happens to groups and variants.
fn extensions(
    run: &Result<oracle::Outcome, CupelError>,
    items: &[ContextItem],
) -> Vec<&'static str> {
    let Ok(outcome) = run else { return Vec::new() };
    let group_of = |position: usize| items[position].group();
    let size = |position: usize| match group_of(position) {
        Some(group) => items.iter().filter(|item| item.group() == Some(group)).count(),
        None => 1,
    };
    let is_grouped = |&(position, ..): &Exclusion| size(position) > 1;
    let in_window = |test: &dyn Fn(usize, usize) -> bool| {
        outcome.window.iter().zip(&outcome.forms).any(|(&position, &form)| test(position, form))
    };
    let [classified, _, deduplicated, sliced, placed] = &outcome.excluded_by_stage;
    let broken = |(_, _, reason): &Exclusion| matches!(reason, ExclusionReason::GroupBroken { .. });
    let last = |position: usize| {
        items.iter().rposition(|item| item.group() == group_of(position)).unwrap_or(position)
    };
    let is_apart = |position: usize| {
        (position..last(position)).any(|between| group_of(between) != group_of(position))
    };
    let pinned_by_another = outcome.included.iter().any(|(position, _, reason)| {
        *reason == InclusionReason::Pinned && !items[*position].pinned()
    });
    let shortened =
        |position: usize, form: usize| Some(&items[position].variants()[form.checked_sub(1)?]);
    let plain = |item: &ContextItem| item.group().is_none() && item.variants().is_empty();
    [
        ("no groups and no variants", items.iter().all(plain)),
        (
            "group of one",
            in_window(&|position, _| group_of(position).is_some() && size(position) == 1),
        ),
        ("unit in the window", in_window(&|position, _| size(position) > 1)),
        ("unit left out", sliced.iter().any(is_grouped)),
        (
            "unit apart in the input",
            in_window(&|position, _| size(position) > 1 && is_apart(position)),
        ),
        ("broken group", classified.iter().any(broken)),
        ("broken group with a pin", classified.iter().any(|it| broken(it) && items[it.0].pinned())),
        ("pinned by another member", pinned_by_another),
        ("duplicate unit", deduplicated.iter().any(is_grouped)),
        ("truncated unit", placed.iter().any(is_grouped)),
        ("shortened", in_window(&|_, form| form > 0)),
        ("shortened and pinned", in_window(&|position, form| form > 0 && items[position].pinned())),
        (
            "shortened to nothing",
            in_window(&|position, form| {
                shortened(position, form).is_some_and(|it| it.tokens() == 0)
            }),
        ),
    ]
    .into_iter()
    .filter_map(|(name, happened)| happened.then_some(name))
    .collect()
}
