//! Generators for property tests: items, budgets and strategies that look for trouble.
//!
//! What goes wrong in a selection goes wrong at ties, at duplicates, at the edges of numbers and at
//! budgets that just bind, so that is what these [mod@proptest] strategies produce most of: the same
//! handle passed twice, equal items that are distinct instances, equal and missing timestamps,
//! kinds and tags in several spellings, zero, negative and extreme token counts, NaN and signed
//! zeros, and budgets around half of what the candidates need. Everything they produce is valid:
//! items and budgets are built, and [`loader`] builds every strategy.
//!
//! Strategies are generated as the configurations of [`cupel_policy`]: a built strategy can be run,
//! not looked into, and whoever compares the engine with something else (a naive model, another
//! implementation, a stored expectation) needs the description.
//!
//! | you test | take |
//! |---|---|
//! | a scorer | [`items`] |
//! | a slicer or a placer | [`scored_items`], [`slicing_problems`] |
//! | a pipeline | [`problems`] with [`policies`] |
//! | what reads or builds configurations | [`scorers`], [`slicers`], [`placers`] |
//!
//! ```
//! use cupel_testing::generate::{policies, problems};
//! use proptest::prelude::*;
//!
//! proptest!(|((items, budget) in problems(20), policy in policies())| {
//!     let pipeline = policy.pipeline().expect("generated policies are valid");
//!     if let Ok(window) = pipeline.run(&items, &budget) {
//!         prop_assert!(window.len() <= items.len());
//!     }
//! });
//! ```

mod budget;
mod item;
mod policy;
mod scorer;
mod slicer;
mod value;

use cupel::{ContextBudget, ContextItem, OverflowStrategy, ScoredItem};
use cupel_policy::PlacerConfig;
use proptest::prelude::*;
use proptest::sample::select;

pub use budget::budgets;
pub use item::{items, scored_items};
pub use policy::{PolicyConfig, RAW_HINT, RawHintScorer, loader, raw_hint, reference_time};
pub use scorer::{built_in_scorers, scorers};
pub use slicer::{built_in_slicers, count_quotas, quotas, slicers};

/// Candidates and a budget for them, up to `max_items` candidates.
///
/// Most budgets are cut to the candidates, so that they hold some of them and not all; the rest are
/// those of [`budgets`].
pub fn problems(max_items: usize) -> impl Strategy<Value = (Vec<ContextItem>, ContextBudget)> {
    (items(max_items), budget::shapes()).prop_map(|(items, shape)| {
        let budget = shape.budget(items.iter().map(ContextItem::tokens));
        (items, budget)
    })
}

/// Scored items and a budget for them, up to `max_items` items; the slicer's side of [`problems`].
pub fn slicing_problems(
    max_items: usize,
) -> impl Strategy<Value = (Vec<ScoredItem>, ContextBudget)> {
    (scored_items(max_items), budget::shapes()).prop_map(|(scored, shape)| {
        let budget = shape.budget(scored.iter().map(|entry| entry.item.tokens()));
        (scored, budget)
    })
}

/// Either placer.
pub fn placers() -> impl Strategy<Value = PlacerConfig> {
    select(vec![
        PlacerConfig::Chronological,
        PlacerConfig::UShaped,
        PlacerConfig::InputOrder,
        PlacerConfig::ReadingOrder,
        PlacerConfig::ReadingOrderUShaped,
    ])
}

/// Whole policies.
pub fn policies() -> impl Strategy<Value = PolicyConfig> {
    let overflow = prop_oneof![
        2 => Just(OverflowStrategy::Throw),
        4 => Just(OverflowStrategy::Truncate),
        2 => Just(OverflowStrategy::Proceed),
    ];
    let deduplication = prop::bool::weighted(0.7);
    (scorers(), slicers(), placers(), deduplication, overflow).prop_map(
        |(scorer, slicer, placer, deduplication, overflow)| PolicyConfig {
            scorer,
            slicer,
            placer,
            deduplication,
            overflow,
        },
    )
}
