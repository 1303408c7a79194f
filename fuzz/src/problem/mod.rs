//! Whole problems from bytes: candidates, a budget and a policy.
//!
//! Bytes choose from small tables of values that are easily confused with each other, and now and
//! then are a value themselves, so that most problems are full of ties, duplicates and edges and none
//! is out of reach. Input that runs out reads as zeros: every prefix of a problem is a problem.

mod budget;
mod item;
mod scorer;
mod slicer;

use arbitrary::{Arbitrary, Result, Unstructured};
use cupel::{ContextBudget, ContextItem, OverflowStrategy};
use cupel_policy::PlacerConfig;
use cupel_testing::generate::PolicyConfig;

/// The most candidates of a problem. The oracle takes cubic time and more.
const MOST_ITEMS: usize = 24;

/// One thing to run.
#[derive(Debug)]
pub struct Problem {
    /// The candidates.
    pub items: Vec<ContextItem>,
    /// The budget.
    pub budget: ContextBudget,
    /// The strategies, which are not always valid.
    pub policy: PolicyConfig,
}

impl<'a> Arbitrary<'a> for Problem {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let policy = policy(bytes)?;
        let shape = budget::Shape::arbitrary(bytes)?;
        let items = item::items(bytes, MOST_ITEMS)?;
        let budget = shape.budget(&items);
        Ok(Self { items, budget, policy })
    }
}

fn policy(bytes: &mut Unstructured<'_>) -> Result<PolicyConfig> {
    Ok(PolicyConfig {
        scorer: scorer::scorer(bytes, 2)?,
        slicer: slicer::slicer(bytes, 2)?,
        placer: bytes
            .choose(&[
                PlacerConfig::Chronological,
                PlacerConfig::UShaped,
                PlacerConfig::InputOrder,
                PlacerConfig::ReadingOrder,
                PlacerConfig::ReadingOrderUShaped,
            ])?
            .clone(),
        deduplication: bytes.arbitrary()?,
        overflow: *bytes.choose(&[
            OverflowStrategy::Throw,
            OverflowStrategy::Truncate,
            OverflowStrategy::Proceed,
        ])?,
    })
}

/// Some of `choices`, none of them twice, in any order.
fn some_of<T: Clone>(bytes: &mut Unstructured<'_>, choices: &[T]) -> Result<Vec<T>> {
    let mut left = choices.to_vec();
    let count = bytes.int_in_range(0..=choices.len())?;
    (0..count).map(|_| Ok(left.remove(bytes.choose_index(left.len())?))).collect()
}

/// Mostly one of `choices`, now and then any value at all.
fn one_of_or_any<'a, T: Copy + Arbitrary<'a>>(
    bytes: &mut Unstructured<'a>,
    choices: &[T],
) -> Result<T> {
    if bytes.ratio(1, 16)? { bytes.arbitrary() } else { Ok(*bytes.choose(choices)?) }
}
