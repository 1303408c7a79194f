use cupel::{ContextKind, ScarcityBehavior};
use cupel_policy::{BucketSize, CountQuota, Quota, SlicerConfig};
use cupel_policy::{NearDuplicateTreatment, NearDuplicates};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Slicers, wrapped up to twice.
///
/// Bucket sizes keep most knapsack tables small; the smallest ones meet budgets too large for any
/// table often enough for the refusal to be seen.
pub fn slicers() -> impl Strategy<Value = SlicerConfig> {
    let plain = prop_oneof![2 => Just(SlicerConfig::Greedy), 1 => rank()].boxed();
    let over_plain = prop_oneof![
        2 => plain.clone(),
        1 => quota(plain.clone()),
        1 => count_quota(plain.clone()),
    ]
    .boxed();
    let counted_knapsack = count_quota(knapsack().boxed()).boxed();
    let packing = prop_oneof![knapsack(), counted_knapsack.clone()].boxed();
    let countable = prop_oneof![
        8 => over_plain.clone(),
        1 => stream(),
        1 => counted_knapsack.clone(),
    ]
    .boxed();
    prop_oneof![
        6 => plain,
        1 => stream(),
        6 => knapsack(),
        6 => quota(prop_oneof![over_plain, packing].boxed()),
        8 => count_quota(countable),
        6 => counted_knapsack,
    ]
}

/// The same, in part with near-duplicates last or left out: what a file can say.
pub fn built_in_slicers() -> impl Strategy<Value = SlicerConfig> {
    let shares = prop_oneof![select(vec![1e-300, 0.5, 0.8, 1.0]), 0.01..=1.0];
    let treatments = select(vec![NearDuplicateTreatment::Last, NearDuplicateTreatment::LeaveOut]);
    let distinct = (shares, select(vec![1_usize, 2, 5, 1_000]), treatments, rank()).prop_map(
        |(threshold, shingle_words, treatment, inner)| {
            let mut near_duplicates = NearDuplicates::default();
            near_duplicates.threshold = threshold;
            near_duplicates.shingle_words = shingle_words;
            near_duplicates.treatment = treatment;
            SlicerConfig::Distinct { near_duplicates, inner: Box::new(inner) }
        },
    );
    prop_oneof![8 => slicers(), 1 => distinct]
}

fn rank() -> impl Strategy<Value = SlicerConfig> {
    let exponents = prop_oneof![
        2 => select(vec![0.0, 0.25, 0.5, 1.0]),
        1 => 0.0_f64..=1.0,
    ];
    let floors = prop_oneof![3 => select(vec![0, 1, 10, 200]), 1 => 0_i64..=i64::MAX];
    (exponents, floors)
        .prop_map(|(size_exponent, size_floor)| SlicerConfig::Rank { size_exponent, size_floor })
}

fn knapsack() -> impl Strategy<Value = SlicerConfig> {
    let bucket_sizes = prop_oneof![
        4 => select(vec![1_i64, 7, 10, 50, 100]),
        2 => 1_i64..=200,
        1 => select(vec![5_000, i64::MAX]),
    ];
    let bucket_sizes = prop_oneof![
        2 => bucket_sizes.prop_map(BucketSize::Tokens),
        1 => Just(BucketSize::Auto),
    ];
    bucket_sizes.prop_map(|bucket_size| SlicerConfig::Knapsack { bucket_size })
}

fn stream() -> impl Strategy<Value = SlicerConfig> {
    prop::option::of(1_i64..=i64::MAX).prop_map(|batch_size| SlicerConfig::Stream { batch_size })
}

fn quota(inner: BoxedStrategy<SlicerConfig>) -> impl Strategy<Value = SlicerConfig> {
    (quotas(), inner)
        .prop_map(|(quotas, inner)| SlicerConfig::Quota { quotas, inner: Box::new(inner) })
}

/// Percentages of up to four kinds that go together.
pub fn quotas() -> impl Strategy<Value = Vec<Quota>> {
    let percents = || {
        prop_oneof![
            4 => select(vec![0.0, 10.0, 20.0, 29.0, 33.3, 50.0, 57.0, 100.0]),
            1 => 0.0_f64..=100.0,
        ]
    };
    (kinds(), vec((percents(), percents(), 0..8), 4)).prop_map(|(kinds, percents)| {
        let mut left = 100.0_f64;
        let quota = |(kind, (min, max, missing)): (ContextKind, (f64, f64, i32))| {
            let max = if missing == 0 { 100.0 } else { max };
            let min = if missing == 1 { 0.0 } else { min.min(max).min(left) };
            left -= min;
            Quota {
                kind,
                min_percent: (missing != 1).then_some(min),
                max_percent: (missing != 0).then_some(max),
            }
        };
        kinds.into_iter().zip(percents).map(quota).collect()
    })
}

fn count_quota(inner: BoxedStrategy<SlicerConfig>) -> impl Strategy<Value = SlicerConfig> {
    let scarcities =
        prop_oneof![3 => Just(ScarcityBehavior::Degrade), 1 => Just(ScarcityBehavior::Throw)];
    (count_quotas(), scarcities, inner).prop_map(|(quotas, scarcity, inner)| {
        SlicerConfig::CountQuota { quotas, scarcity, inner: Box::new(inner) }
    })
}

/// Numbers of items of up to four kinds.
pub fn count_quotas() -> impl Strategy<Value = Vec<CountQuota>> {
    let room = prop_oneof![
        6 => (0_usize..=1).prop_map(Some),
        4 => (0_usize..=4).prop_map(Some),
        1 => Just(Some(usize::MAX - 4)),
        1 => Just(None),
    ];
    let require = prop_oneof![2 => Just(0_usize), 3 => 1_usize..=2, 1 => 3_usize..=4];
    (kinds(), vec((require, room), 4)).prop_map(|(kinds, counts)| {
        let quota = |(kind, (require_count, room)): (ContextKind, (usize, Option<usize>))| {
            let cap_count = room.map(|room| require_count + room);
            CountQuota { kind, require_count, cap_count }
        };
        kinds.into_iter().zip(counts).map(quota).collect()
    })
}

/// Distinct kinds in no particular order, spelled otherwise than most items spell them.
fn kinds() -> impl Strategy<Value = Vec<ContextKind>> {
    let kinds = ["meSSage", "DOCUMENT", "ToolOutput", "note"]
        .map(|kind| ContextKind::new(kind).expect("no kind in the list is blank"));
    subsequence(kinds.to_vec(), 0..=4).prop_shuffle()
}
