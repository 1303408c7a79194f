use cupel::{ContextKind, ScarcityBehavior};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::spec::{CountSpec, QuotaSpec, SlicerSpec};

/// Slicers, wrapped up to twice.
///
/// Bucket sizes keep most knapsack tables small; the smallest ones meet budgets too large for any
/// table often enough for the refusal to be seen.
pub fn slicer_specs() -> impl Strategy<Value = SlicerSpec> {
    let plain = Just(SlicerSpec::Greedy).boxed();
    let over_plain = prop_oneof![
        2 => plain.clone(),
        1 => quota(plain.clone()),
        1 => count_quota(plain.clone()),
    ]
    .boxed();
    let packing = prop_oneof![knapsack(), count_constrained_knapsack()].boxed();
    let anything = prop_oneof![over_plain.clone(), packing.clone()].boxed();
    prop_oneof![
        3 => plain,
        3 => knapsack(),
        3 => quota(anything),
        4 => count_quota(over_plain),
        3 => count_constrained_knapsack(),
    ]
}

fn bucket_sizes() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => select(vec![1_i64, 7, 10, 50, 100]),
        2 => 1_i64..=200,
        1 => select(vec![5_000, i64::MAX]),
    ]
}

fn knapsack() -> impl Strategy<Value = SlicerSpec> {
    bucket_sizes().prop_map(|bucket_size| SlicerSpec::Knapsack { bucket_size })
}

fn quota(inner: BoxedStrategy<SlicerSpec>) -> impl Strategy<Value = SlicerSpec> {
    let percents = || {
        prop_oneof![
            4 => select(vec![0.0, 10.0, 20.0, 29.0, 33.3, 50.0, 57.0, 100.0]),
            1 => 0.0_f64..=100.0,
        ]
    };
    (kinds(), vec((percents(), percents()), 4), inner).prop_map(|(kinds, percents, inner)| {
        let mut left = 100.0_f64;
        let entries = kinds.into_iter().zip(percents).map(|(kind, (require, cap))| {
            let require = require.min(cap).min(left);
            left -= require;
            QuotaSpec { kind, require, cap }
        });
        SlicerSpec::Quota { entries: entries.collect(), inner: Box::new(inner) }
    })
}

fn count_quota(inner: BoxedStrategy<SlicerSpec>) -> impl Strategy<Value = SlicerSpec> {
    (counts(), inner, scarcities()).prop_map(|(entries, inner, scarcity)| SlicerSpec::CountQuota {
        entries,
        inner: Box::new(inner),
        scarcity,
    })
}

fn count_constrained_knapsack() -> impl Strategy<Value = SlicerSpec> {
    (counts(), bucket_sizes(), scarcities()).prop_map(|(entries, bucket_size, scarcity)| {
        SlicerSpec::CountConstrainedKnapsack { entries, bucket_size, scarcity }
    })
}

fn counts() -> impl Strategy<Value = Vec<CountSpec>> {
    let room = prop_oneof![3 => 0_usize..=1, 2 => 0_usize..=4, 1 => Just(usize::MAX - 4)];
    let require = prop_oneof![2 => Just(0_usize), 3 => 1_usize..=2, 1 => 3_usize..=4];
    (kinds(), vec((require, room), 4)).prop_map(|(kinds, counts)| {
        let entries = kinds.into_iter().zip(counts);
        entries
            .map(|(kind, (require, room))| CountSpec { kind, require, cap: require + room })
            .collect()
    })
}

fn scarcities() -> impl Strategy<Value = ScarcityBehavior> {
    prop_oneof![3 => Just(ScarcityBehavior::Degrade), 1 => Just(ScarcityBehavior::Throw)]
}

/// Distinct kinds in no particular order, spelled otherwise than most items spell them.
fn kinds() -> impl Strategy<Value = Vec<ContextKind>> {
    let kinds = ["meSSage", "DOCUMENT", "ToolOutput", "note"]
        .map(|kind| ContextKind::new(kind).expect("no kind in the list is blank"));
    subsequence(kinds.to_vec(), 0..=4).prop_shuffle()
}
