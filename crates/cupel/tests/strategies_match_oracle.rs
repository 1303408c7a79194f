//! Every scorer, slicer and placer, alone, against the specification's pseudocode.

mod oracle;

use cupel::{
    ContextBudget, ContextItem, ContextItemBuilder, CupelError, KnapsackSlice, RunContext,
    ScoredItem, Slicer,
};
use cupel_policy::SlicerConfig;
use cupel_testing::generate::{
    items, loader, placers, scored_items, scorers, slicers, slicing_problems,
};
use oracle::{in_forms, same_items, same_score};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn handles(scored: &[ScoredItem]) -> Vec<ContextItem> {
    scored.iter().map(|entry| entry.item.clone()).collect()
}

/// Fails unless `slicer` selects from `input` what the oracle selects, in the same order, or refuses
/// with the same error.
fn slices_as_specified(
    config: &SlicerConfig,
    input: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), TestCaseError> {
    let slicer = loader().build_slicer(config).expect("generated slicers are valid");
    match (slicer.slice(input, budget), oracle::slice(config, input, budget)) {
        (Ok(selected), Ok(expected)) => {
            let (positions, forms): (Vec<_>, Vec<_>) = expected.kept.into_iter().unzip();
            in_forms(&selected, &positions, &forms, &handles(input))?;
        }
        (actual, expected) => prop_assert_eq!(actual.err(), expected.err()),
    }
    Ok(())
}

/// The greedy slicer, and quotas over it or over each other.
fn greedy_slicers() -> impl Strategy<Value = SlicerConfig> {
    let is_greedy = |config: &SlicerConfig| {
        loader().build_slicer(config).is_ok_and(|slicer| !slicer.is_knapsack())
    };
    prop_oneof![1 => Just(SlicerConfig::Greedy), 3 => slicers().prop_filter("greedy", move |it| is_greedy(it))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn scorers_score_each_item_as_specified(items in items(16), config in scorers()) {
        let scorer = loader().build_scorer(&config).expect("generated scorers are valid");
        for (position, item) in items.iter().enumerate() {
            let actual = scorer.score(item, &items);
            let expected = oracle::score(&config, position, &items);
            prop_assert!(same_score(actual, expected), "{position}: {actual:?}, not {expected:?}");
        }
    }

    #[test]
    fn scoring_a_batch_is_scoring_each_item(items in items(40), config in scorers()) {
        let scorer = loader().build_scorer(&config).expect("generated scorers are valid");
        let batch = scorer.score_batch(&items, &RunContext::default()).unwrap();
        prop_assert_eq!(batch.len(), items.len());
        for (position, item) in items.iter().enumerate() {
            let alone = scorer.score(item, &items);
            let batched = batch[position];
            prop_assert!(same_score(batched, alone), "{position}: {batched:?}, not {alone:?}");
        }
    }

    #[test]
    fn scorers_score_an_item_that_is_not_in_the_list(
        strangers in items(3),
        items in items(12),
        config in scorers(),
    ) {
        let scorer = loader().build_scorer(&config).expect("generated scorers are valid");
        for stranger in &strangers {
            let actual = scorer.score(stranger, &items);
            let expected = oracle::score_of(&config, stranger, &items);
            prop_assert!(same_score(actual, expected), "{actual:?}, not {expected:?}");
        }
    }

    #[test]
    fn slicers_select_as_specified(
        (scored, budget) in slicing_problems(40),
        config in slicers(),
    ) {
        slices_as_specified(&config, &oracle::sort(&scored), &budget)?;
    }

    #[test]
    fn greedy_slicers_select_as_specified_from_many(
        (scored, budget) in slicing_problems(200),
        config in greedy_slicers(),
    ) {
        slices_as_specified(&config, &oracle::sort(&scored), &budget)?;
    }

    #[test]
    fn slicers_need_no_sorted_input(
        (scored, budget) in slicing_problems(24),
        config in slicers(),
    ) {
        slices_as_specified(&config, &scored, &budget)?;
    }

    /// Classify keeps negative token counts away from slicers; a slicer called directly may meet
    /// them and has no specified answer, but it does have to answer.
    #[test]
    fn slicers_survive_negative_tokens(
        items in items(24),
        (_, budget) in slicing_problems(24),
        config in slicers(),
    ) {
        let slicer = loader().build_slicer(&config).expect("generated slicers are valid");
        let scored = |item: ContextItem| ScoredItem { item, score: 0.5 };
        let scored: Vec<ScoredItem> = items.into_iter().map(scored).collect();
        if let Ok(selected) = slicer.slice(&scored, &budget) {
            prop_assert!(selected.len() <= scored.len());
        }
    }

    #[test]
    fn placers_order_as_specified(scored in scored_items(40), config in placers()) {
        let placer = loader().build_placer(&config).expect("both placers are valid");
        let placed = placer.place(&scored);
        same_items(&placed, &oracle::place(&config, &scored), &handles(&scored))?;
    }
}

/// The oracle would fill the table, which is why it is not asked here.
#[test]
fn the_knapsack_table_holds_fifty_million_cells_and_no_more() {
    let scored: Vec<ScoredItem> = (0..50)
        .map(|number| ScoredItem {
            item: ContextItemBuilder::new(format!("item-{number}"), 1)
                .build()
                .expect("a valid item"),
            score: 0.5,
        })
        .collect();
    let knapsack = KnapsackSlice::new(1).expect("a valid bucket size");
    let budget = |tokens| ContextBudget::new(tokens, tokens, 0, [], 0.0).expect("a valid budget");

    assert_eq!(knapsack.slice(&scored, &budget(1_000_000)).map(|selected| selected.len()), Ok(50));
    assert_eq!(
        knapsack.slice(&scored, &budget(1_000_001)),
        Err(CupelError::TableTooLarge { candidates: 50, capacity: 1_000_001, cells: 50_000_050 })
    );
}
