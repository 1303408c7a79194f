//! Streams against a naive one, and against runs over the whole list.

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, CupelError, GreedySlice,
    InputOrderPlacer, ItemVariant, OverflowStrategy, Pipeline, Placer, RecencyScorer,
    ReflexiveScorer, Scorer, StreamOutcome, StreamRun,
};
use cupel_testing::generate::{policies, problems};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestCaseError, TestRunner};

use super::naive;

/// What an item of a stream is made of.
#[derive(Debug, Clone)]
struct Draft {
    content: u8,
    tokens: i64,
    variants: usize,
    /// In a group with its neighbours, of two that overlap.
    group: Option<usize>,
    pinned: bool,
    hint: f64,
    time: Option<i64>,
}

fn drafts() -> impl Strategy<Value = Draft> {
    (
        0..40_u8,
        prop_oneof![1 => Just(-1_i64), 3 => Just(0), 40 => 1..12_i64],
        prop_oneof![5 => Just(0_usize), 1 => 1..3_usize],
        prop_oneof![3 => Just(None), 2 => (0..2_usize).prop_map(Some)],
        prop::bool::weighted(0.06),
        select(vec![0.0, 0.25, 0.5, 1.0]),
        prop::option::of(0..5_i64),
    )
        .prop_map(|(content, tokens, variants, group, pinned, hint, time)| Draft {
            content,
            tokens,
            variants,
            group,
            pinned,
            hint,
            time,
        })
}

fn item((index, draft): (usize, Draft)) -> ContextItem {
    let mut item = ContextItem::builder(format!("note {}", draft.content), draft.tokens)
        .pinned(draft.pinned)
        .future_relevance_hint(draft.hint);
    if let Some(group) = draft.group {
        item = item.group(format!("group {}", index / 4 + group));
    }
    if let Some(seconds) = draft.time {
        item = item.timestamp(chrono::DateTime::from_timestamp(seconds, 0).unwrap());
    }
    let mut tokens = draft.tokens;
    for form in 0..draft.variants {
        tokens /= 2;
        if tokens * 2 > draft.tokens || tokens == draft.tokens || draft.tokens <= 1 << form {
            break;
        }
        item = item.variant(ItemVariant::new(format!("short {} {form}", draft.content), tokens));
    }
    item.build().unwrap()
}

fn streams() -> impl Strategy<Value = Vec<ContextItem>> {
    let grouped = prop::collection::vec(drafts(), 0..60);
    (grouped, any::<bool>()).prop_map(|(mut drafts, groups)| {
        if !groups {
            drafts.iter_mut().for_each(|draft| draft.group = None);
        }
        drafts.into_iter().enumerate().map(item).collect()
    })
}

fn budgets() -> impl Strategy<Value = ContextBudget> {
    let margin = select(vec![0.0, 0.0, 0.0, 10.0, 100.0]);
    let slot = select(vec![0, 0, 5]);
    (0..160_i64, 0..=100_i64, select(vec![0, 0, 10]), slot, margin).prop_map(
        |(max, percent, reserve, slot, margin)| {
            let (reserve, target) = (reserve.min(max), max * percent / 100);
            let slots = [(ContextKind::memory(), slot)];
            ContextBudget::new(max, target, reserve, slots, margin).unwrap()
        },
    )
}

fn overflows() -> impl Strategy<Value = OverflowStrategy> {
    use OverflowStrategy::{Proceed, Throw, Truncate};
    select(vec![Throw, Truncate, Proceed])
}

/// What was left out: indices, and the names of reasons.
type LeftOut = Vec<(usize, &'static str)>;

/// Streams `items`, and hears of everything that is left out.
fn stream(
    pipeline: &Pipeline,
    items: &[ContextItem],
    batch_size: usize,
    budget: &ContextBudget,
) -> Result<(StreamOutcome, LeftOut), CupelError> {
    let mut heard = Vec::new();
    let mut run = StreamRun::new(pipeline, budget)?
        .batch_size(batch_size)?
        .on_excluded(|entry| heard.push((entry.index.unwrap(), entry.reason.name())));
    for item in items {
        run.push(item.clone())?;
        if run.is_full() {
            break;
        }
    }
    let outcome = run.finish()?;
    Ok((outcome, heard))
}

/// Fails unless each item that was seen is in the window or was left out, and only once.
fn all_accounted_for(
    outcome: &StreamOutcome,
    heard: &[(usize, &'static str)],
) -> Result<(), TestCaseError> {
    let included = outcome.included.iter().map(|it| it.index.unwrap());
    let mut all: Vec<_> = included.chain(heard.iter().map(|it| it.0)).collect();
    all.sort_unstable();
    prop_assert_eq!(all, (0..outcome.seen).collect::<Vec<_>>());
    prop_assert_eq!(outcome.excluded_count(), heard.len());
    for (reason, count) in &outcome.excluded {
        prop_assert_eq!(*count, heard.iter().filter(|it| it.1 == *reason).count());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn streams_are_what_the_naive_one_is(
        items in streams(),
        budget in budgets(),
        batch_size in prop_oneof![1..20_usize, Just(64)],
        recency in any::<bool>(),
        input_order in any::<bool>(),
        deduplication in any::<bool>(),
        overflow in overflows(),
    ) {
        let scorer = || -> Box<dyn Scorer> {
            if recency { Box::new(RecencyScorer) } else { Box::new(ReflexiveScorer) }
        };
        let placer: Box<dyn Placer> =
            if input_order { Box::new(InputOrderPlacer) } else { Box::new(ChronologicalPlacer) };
        let pipeline = Pipeline::builder()
            .scorer(scorer())
            .slicer(GreedySlice)
            .placer(placer)
            .deduplication(deduplication)
            .overflow_strategy(overflow)
            .build()
            .unwrap();
        let scorer = scorer();
        let rules = naive::Rules {
            scorer: &*scorer,
            budget: &budget,
            batch_size,
            deduplication,
            overflow,
            input_order,
        };
        let expected = naive::run(&rules, &items);
        let found = stream(&pipeline, &items, batch_size, &budget);
        let (found, expected) = match (found, expected) {
            (Ok(found), Ok(expected)) => (found, expected),
            (found, expected) => {
                prop_assert_eq!(found.err(), expected.err());
                return Ok(());
            }
        };
        let (outcome, heard) = found;
        all_accounted_for(&outcome, &heard)?;
        let entry = |it: &cupel::IncludedItem| {
            let content = it.item.content().to_owned();
            (it.index.unwrap(), content, it.item.tokens(), it.score, it.reason.name())
        };
        let found = naive::Outcome {
            window: outcome.included.iter().map(entry).collect(),
            excluded: heard.into_iter().collect(),
            seen: outcome.seen,
            batches: outcome.batches,
            is_full: outcome.is_full,
        };
        prop_assert_eq!(found, expected);
    }

    /// Rule [StreamSlice]: one batch that holds everything gives what a run gives (ours)
    #[test]
    fn a_batch_that_holds_everything_gives_what_a_run_gives(
        items in streams(),
        budget in budgets(),
        room in 0..3_usize,
        overflow in overflows(),
    ) {
        let pipeline = Pipeline::builder()
            .scorer(RecencyScorer)
            .slicer(GreedySlice)
            .placer(ChronologicalPlacer)
            .overflow_strategy(overflow)
            .build()
            .unwrap();
        same_as_run(&pipeline, &items, (items.len() + room).max(1), &budget)?;
    }

    /// Rule [StreamSlice]: one batch that holds everything gives what a run gives (ours)
    #[test]
    fn so_it_does_with_every_policy_that_has_no_quotas(
        (items, budget) in problems(30),
        policy in policies(),
        room in 0..3_usize,
    ) {
        let pipeline = policy.pipeline().unwrap();
        match StreamRun::new(&pipeline, &budget) {
            Ok(_) => same_as_run(&pipeline, &items, (items.len() + room).max(1), &budget)?,
            Err(error) => prop_assert!(error.to_string().contains("quotas need the whole list")),
        }
    }

    /// Rule [StreamSlice]: the contract of slicers holds: a subset within the budget
    #[test]
    fn no_window_is_larger_than_its_limit_and_all_pinned_items_are_in(
        (items, budget) in problems(60),
        batch_size in 1..9_usize,
    ) {
        let pipeline = Pipeline::builder()
            .scorer(RecencyScorer)
            .slicer(GreedySlice)
            .placer(ChronologicalPlacer)
            .build()
            .unwrap();
        let mut run = StreamRun::new(&pipeline, &budget).unwrap().batch_size(batch_size).unwrap();
        let pushed = items.iter().try_for_each(|item| run.push(item.clone()));
        let Ok(outcome) = pushed.and_then(|()| run.finish()) else { return Ok(()) };
        let tokens: i128 = outcome.included.iter().map(|it| i128::from(it.item.tokens())).sum();
        prop_assert!(tokens <= i128::from(budget.window_tokens()));
        // A group with an invalid member is out whole, pinned or not.
        let is_broken = |it: &ContextItem| {
            let shares = |other: &ContextItem| it.group().is_some() && other.group() == it.group();
            it.tokens() < 0 || items.iter().any(|other| other.tokens() < 0 && shares(other))
        };
        let pinned = items.iter().filter(|it| it.pinned() && !is_broken(it)).count();
        prop_assert_eq!(outcome.included.iter().filter(|it| it.item.pinned()).count(), pinned);
    }
}

/// Fails unless the stream in one batch and the run agree, in error, window, report and reasons.
fn same_as_run(
    pipeline: &Pipeline,
    items: &[ContextItem],
    batch_size: usize,
    budget: &ContextBudget,
) -> Result<(), TestCaseError> {
    let found = stream(pipeline, items, batch_size, budget);
    let (found, expected) = match (found, pipeline.dry_run(items, budget)) {
        (Ok(found), Ok(expected)) => (found, expected),
        (found, expected) => {
            prop_assert_eq!(found.err(), expected.err());
            return Ok(());
        }
    };
    let (outcome, mut heard) = found;
    all_accounted_for(&outcome, &heard)?;
    let indices = |entries: &[cupel::IncludedItem]| -> Vec<_> {
        entries.iter().map(|it| (it.index, it.score.to_bits())).collect()
    };
    prop_assert_eq!(indices(&outcome.included), indices(&expected.included));
    for (found, expected) in outcome.included.iter().zip(&expected.included) {
        prop_assert_eq!(found.item.content(), expected.item.content());
        prop_assert_eq!(found.shortened, expected.shortened);
        prop_assert_eq!(found.reason, expected.reason);
    }
    heard.sort_unstable();
    let mut left_out: Vec<_> =
        expected.excluded.iter().map(|it| (it.index.unwrap(), it.reason.name())).collect();
    left_out.sort_unstable();
    prop_assert_eq!(heard, left_out);
    prop_assert_eq!(outcome.tokens_seen, expected.total_tokens_considered);
    prop_assert_eq!(outcome.seen, items.len());
    Ok(())
}

#[test]
fn generated_streams_reach_what_streams_are_about() {
    let mut runner = TestRunner::deterministic();
    let pipeline = Pipeline::builder()
        .scorer(RecencyScorer)
        .slicer(GreedySlice)
        .placer(InputOrderPlacer)
        .build()
        .unwrap();
    let (mut stops, mut splits, mut shorter, mut across) = (0, 0, 0, 0);
    for _ in 0..400 {
        let items = streams().new_tree(&mut runner).unwrap().current();
        let budget = budgets().new_tree(&mut runner).unwrap().current();
        match stream(&pipeline, &items, 3, &budget) {
            Err(CupelError::GroupSplit { .. }) => splits += 1,
            Err(_) => {}
            Ok((outcome, _)) => {
                stops += usize::from(outcome.seen < items.len());
                shorter += usize::from(outcome.included.iter().any(|it| it.shortened.is_some()));
                let group = |it: &cupel::IncludedItem| it.item.group().map(str::to_owned);
                across += usize::from(outcome.included.windows(2).any(|pair| {
                    let batch = |it: &cupel::IncludedItem| it.index.unwrap() / 3;
                    group(&pair[0]).is_some()
                        && group(&pair[0]) == group(&pair[1])
                        && batch(&pair[0]) != batch(&pair[1])
                }));
            }
        }
    }
    let counts = [stops, splits, shorter, across];
    assert!(counts.iter().all(|count| *count >= 10), "{counts:?}");
}

#[test]
fn neither_one_long_group_nor_many_pinned_items_cost_more_than_their_number() {
    const MANY: usize = 200_000;
    let pipeline = Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(GreedySlice)
        .placer(InputOrderPlacer)
        .build()
        .unwrap();
    let budget = ContextBudget::builder(i64::MAX).build().unwrap();
    let group = (0..MANY)
        .map(|n| ContextItem::builder(format!("part {n}"), 1).group("one").build().unwrap());
    let outcome = pipeline.run_stream(group, 1, &budget).unwrap();
    assert_eq!((outcome.included.len(), outcome.batches), (MANY, 1));
    let pinned = (0..MANY)
        .map(|n| ContextItem::builder(format!("rule {n}"), 1).pinned(true).build().unwrap());
    let outcome = pipeline.run_stream(pinned, 1, &budget).unwrap();
    assert_eq!((outcome.included.len(), outcome.batches), (MANY, MANY));
}
