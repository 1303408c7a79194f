//! How connected an item is to its peers.

mod holders;
mod narrow;
mod overlap;
mod tag_sets;

use super::Scorer;
use crate::{ContextItem, CupelError, RunContext};

/// Scores an item by the share of its peers that have a tag in common with it.
///
/// Tags are compared without regard to ASCII case. An item is not its own peer, by instance: a
/// handle given twice is skipped twice, an equal item counts. Without tags, or alone, it scores 0.
///
/// Scoring all of N items takes time proportional to N for items with up to five distinct tags
/// each. Larger sets of tags are each looked up once among all items, which costs at most one
/// operation per tag and 64 items: with many different large sets that overlap, the square of their
/// number over 64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrequencyScorer;

impl Scorer for FrequencyScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        if item.tags().is_empty() || all_items.len() <= 1 {
            return 0.0;
        }
        let matching = all_items
            .iter()
            .filter(|other| !other.is_same_instance(item) && share_a_tag(item, other))
            .count();
        share(matching, all_items.len())
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        if items.len() <= 1 {
            return Ok(vec![0.0; items.len()]);
        }
        let matching = overlap::matching_peers(items);
        Ok(matching.into_iter().map(|matching| share(matching, items.len())).collect())
    }

    fn name(&self) -> &str {
        "frequency"
    }
}

fn share(matching: usize, all: usize) -> f64 {
    matching as f64 / (all - 1) as f64
}

fn share_a_tag(a: &ContextItem, b: &ContextItem) -> bool {
    a.tags().iter().any(|tag| b.tags().iter().any(|other| tag.eq_ignore_ascii_case(other)))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Tags that most sets share and tags that hardly any does, so that both ways to look them up
    /// are taken, together too; short and long ones, in either case.
    fn tag() -> impl Strategy<Value = String> {
        let number = prop_oneof![3 => 0..12u32, 2 => 0..2_000u32];
        (number, any::<[bool; 2]>()).prop_map(|(tag, [is_long, is_loud])| {
            let tag = if is_long { format!("tag number {tag}") } else { format!("t{tag}") };
            if is_loud { tag.to_uppercase() } else { tag }
        })
    }

    /// With up to `most` tags each: few are counted in one way and many in another.
    fn items(most: usize) -> impl Strategy<Value = Vec<ContextItem>> {
        let item = vec(tag(), 0..=most)
            .prop_map(|tags| ContextItem::builder("x", 1).tags(tags).build().expect("not empty"));
        (vec(item, 2..200), vec(any::<prop::sample::Index>(), 0..4)).prop_map(
            |(mut items, repeated)| {
                items.extend(repeated.iter().map(|at| at.get(&items).clone()).collect::<Vec<_>>());
                items
            },
        )
    }

    proptest! {
        #[test]
        fn sets_of_any_size_are_counted_as_one_by_one(items in (1..14usize).prop_flat_map(items)) {
            let one_by_one: Vec<f64> =
                items.iter().map(|item| FrequencyScorer.score(item, &items)).collect();
            let batch = FrequencyScorer.score_batch(&items, &RunContext::default());
            prop_assert_eq!(batch, Ok(one_by_one));
        }
    }
}
