//! Problems of few tokens: every budget that could matter can be tried.

use cupel::{ContextBudget, ContextItem, ContextItemBuilder, ContextKind, ItemVariant};
use cupel_policy::{BucketSize, SlicerConfig};
use cupel_testing::generate::{self, PolicyConfig, slicers};
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) const LARGEST_BUDGET: i64 = 60;
const MOST_ITEMS: usize = 10;
const LARGEST_ITEM: i64 = 12;

/// The items of the general generators, repeated handles and equal instances among them, with token
/// counts of at most twelve. Negative counts stay.
pub(crate) fn items() -> impl Strategy<Value = Vec<ContextItem>> {
    generate::items(MOST_ITEMS).prop_map(|items| {
        let mut small: Vec<ContextItem> = Vec::new();
        for item in &items {
            let earlier = items[..small.len()].iter().position(|it| it.is_same_instance(item));
            small.push(match earlier {
                Some(at) => small[at].clone(),
                None => with_few_tokens(item),
            });
        }
        small
    })
}

fn with_few_tokens(item: &ContextItem) -> ContextItem {
    let tokens = if item.tokens() < 0 { item.tokens() } else { item.tokens() % (LARGEST_ITEM + 1) };
    let mut builder = ContextItemBuilder::new(item.content(), tokens)
        .kind(item.kind().clone())
        .source(item.source().clone())
        .tags(item.tags().to_vec())
        .metadata(item.metadata().clone())
        .pinned(item.pinned());
    if let Some(priority) = item.priority() {
        builder = builder.priority(priority);
    }
    if let Some(timestamp) = item.timestamp() {
        builder = builder.timestamp(timestamp);
    }
    if let Some(hint) = item.future_relevance_hint() {
        builder = builder.future_relevance_hint(hint);
    }
    if let Some(group) = item.group() {
        builder = builder.group(group);
    }
    let mut longer = tokens;
    for variant in item.variants() {
        let shorter = (variant.tokens() as f64 / item.tokens() as f64 * tokens as f64) as i64;
        if shorter < longer {
            let small = ItemVariant::new(variant.content(), shorter);
            builder = builder.variant(match variant.worth() {
                Some(worth) => small.with_worth(worth),
                None => small,
            });
            longer = shorter;
        }
    }
    builder.build().expect("the content is not empty, and variants cost less and less")
}

/// The positions of items that are pinned, by themselves or by a member of their group, none of which has negative
/// tokens.
pub(crate) fn pinned(items: &[ContextItem]) -> Vec<usize> {
    let unit = |item: &ContextItem| -> Vec<ContextItem> {
        match item.group() {
            Some(group) => items.iter().filter(|it| it.group() == Some(group)).cloned().collect(),
            None => vec![item.clone()],
        }
    };
    let is_pinned = |item: &ContextItem| {
        let unit = unit(item);
        unit.iter().any(ContextItem::pinned) && unit.iter().all(|it| it.tokens() >= 0)
    };
    (0..items.len()).filter(|&at| is_pinned(&items[at])).collect()
}

/// Whether what is pinned can be shortened.
pub(crate) fn pinned_can_shrink(items: &[ContextItem]) -> bool {
    pinned(items).iter().any(|&at| !items[at].variants().is_empty())
}

/// What the item costs in its shortest form.
pub(crate) fn least_tokens(item: &ContextItem) -> i64 {
    item.variants().last().map_or(item.tokens(), ItemVariant::tokens)
}

/// Items and a budget that holds some of them.
pub(crate) fn problems() -> impl Strategy<Value = (Vec<ContextItem>, ContextBudget)> {
    (items(), budgets())
}

/// Items, a budget and one of the items.
pub(crate) fn targeted_problems()
-> impl Strategy<Value = (Vec<ContextItem>, ContextBudget, ContextItem)> {
    let not_empty = items().prop_filter("there is no target", |items| !items.is_empty());
    (not_empty, budgets(), any::<prop::sample::Index>()).prop_map(|(items, budget, index)| {
        let target = index.get(&items).clone();
        (items, budget, target)
    })
}

/// Budgets of up to [`LARGEST_BUDGET`] tokens, with and without output reserve, reserved slots and
/// safety margin.
pub(crate) fn budgets() -> impl Strategy<Value = ContextBudget> {
    let max = prop_oneof![1 => Just(0), 9 => 1..=LARGEST_BUDGET];
    let target_percent = prop_oneof![2 => Just(100_i64), 1 => 0_i64..=100];
    let reserve_percent = prop_oneof![3 => Just(0_i64), 1 => 0_i64..=40, 1 => 0_i64..=100];
    let slots = prop_oneof![
        3 => Just(vec![]),
        1 => (0_i64..=4, 0_i64..=3).prop_map(|(messages, documents)| vec![
            (ContextKind::message(), messages),
            (ContextKind::document(), documents),
        ]),
    ];
    let margin =
        prop_oneof![6 => Just(0.0), 4 => select(vec![1e-15, 10.0, 33.3, 50.0]), 1 => Just(100.0)];
    (max, target_percent, reserve_percent, slots, margin).prop_map(
        |(max, target_percent, reserve_percent, slots, margin)| {
            let (target, reserve) = (max * target_percent / 100, max * reserve_percent / 100);
            ContextBudget::new(max, target, reserve, slots, margin)
                .expect("shares of the maximum are valid")
        },
    )
}

/// Policies with any slicer, whose buckets are as small as the items.
pub(crate) fn policies() -> impl Strategy<Value = PolicyConfig> {
    (generate::policies(), slicers())
        .prop_map(|(policy, slicer)| PolicyConfig { slicer: with_small_buckets(slicer), ..policy })
}

/// Policies with a slicer that tries items in an order which does not depend on the budget.
pub(crate) fn greedy_policies() -> impl Strategy<Value = PolicyConfig> {
    (generate::policies(), in_one_order())
        .prop_map(|(policy, slicer)| PolicyConfig { slicer, ..policy })
}

fn in_one_order() -> impl Strategy<Value = SlicerConfig> {
    let rank = (select(vec![0.0, 0.25, 1.0]), 0_i64..=5)
        .prop_map(|(size_exponent, size_floor)| SlicerConfig::Rank { size_exponent, size_floor });
    prop_oneof![2 => Just(SlicerConfig::Greedy), 1 => rank]
}

/// Policies with a slicer that no guard refuses.
pub(crate) fn unguarded_policies() -> impl Strategy<Value = PolicyConfig> {
    let unguarded = prop_oneof![
        3 => in_one_order(),
        1 => (1_i64..=5).prop_map(|size| SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(size) }),
        1 => Just(SlicerConfig::Knapsack { bucket_size: BucketSize::Auto }),
    ];
    (generate::policies(), unguarded).prop_map(|(policy, slicer)| PolicyConfig { slicer, ..policy })
}

fn with_small_buckets(slicer: SlicerConfig) -> SlicerConfig {
    match slicer {
        SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(size) } => {
            SlicerConfig::Knapsack { bucket_size: BucketSize::Tokens(size % 5 + 1) }
        }
        SlicerConfig::Quota { quotas, inner } => {
            SlicerConfig::Quota { quotas, inner: Box::new(with_small_buckets(*inner)) }
        }
        SlicerConfig::CountQuota { quotas, scarcity, inner } => SlicerConfig::CountQuota {
            quotas,
            scarcity,
            inner: Box::new(with_small_buckets(*inner)),
        },
        other => other,
    }
}

/// Whether a slicer, or one inside it, shares the budget out by percentage.
pub(crate) fn has_percentages(slicer: &SlicerConfig) -> bool {
    match slicer {
        SlicerConfig::Quota { .. } => true,
        SlicerConfig::CountQuota { inner, .. } => has_percentages(inner),
        _ => false,
    }
}
