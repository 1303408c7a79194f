//! Every shortcut against the table that it cuts short.

use proptest::prelude::*;

use super::*;

/// The reference: a whole table, one bit per cell, walked back from its last row.
fn reference(items: &[(i64, i64)], capacity: usize) -> Vec<usize> {
    let mut best = vec![0i128; capacity + 1];
    let mut keep = vec![vec![false; capacity + 1]; items.len()];
    for (keep, &(weight, value)) in keep.iter_mut().zip(items) {
        for room in (weight as usize..=capacity).rev() {
            let with = best[room - weight as usize] + i128::from(value);
            if with > best[room] {
                best[room] = with;
                keep[room] = true;
            }
        }
    }
    let mut room = capacity;
    let mut chosen = Vec::new();
    for (at, keep) in keep.iter().enumerate().rev() {
        if keep[room] {
            chosen.push(at);
            room -= items[at].0 as usize;
        }
    }
    chosen
}

/// Few different weights and values make many equally good packings.
fn items(value: impl Strategy<Value = i64>, most: usize) -> impl Strategy<Value = Vec<(i64, i64)>> {
    let weight = prop_oneof![4 => 1..4i64, 2 => 1..30i64, 1 => Just(200)];
    prop::collection::vec((weight, value), 0..most)
}

/// Many densities that differ little, and some that differ much.
fn value() -> impl Strategy<Value = i64> {
    prop_oneof![
        2 => Just(0i64),
        6 => 1..5i64,
        4 => 4_000..4_010i64,
        4 => 0..10_000i64,
        1 => Just(90_000_000_000),
    ]
}

/// Values that only 128 bits hold in sum, and some that no float holds.
fn large_value() -> impl Strategy<Value = i64> {
    let large = prop_oneof![Just(i64::MAX), i64::MAX - 3..i64::MAX, (1 << 60)..(1 << 60) + 3i64];
    prop_oneof![2 => value(), 1 => large]
}

/// The positions of what is packed, last first.
fn chosen(items: &[(i64, i64)], capacity: usize) -> Vec<usize> {
    let offers = items.iter().enumerate();
    let offers = offers.map(|(position, &(weight, value))| {
        let weight = weight as usize;
        Offer { position, form: 0, weight, value }
    });
    let offers: Vec<_> = offers.filter(|it| it.value > 0 && it.weight <= capacity).collect();
    let packed = offers.iter().zip(pack(&offers, capacity)).filter(|(_, is_packed)| *is_packed);
    packed.map(|(offer, _)| offer.position).rev().collect()
}

/// Scores at and around the least that counts, and others.
fn score() -> impl Strategy<Value = f64> {
    let special = [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.000_099_99, 0.000_1, 0.000_199];
    prop_oneof![1 => prop::sample::select(special.to_vec()), 3 => 0.0..1.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn the_choice_is_the_one_the_whole_table_gives(
        items in items(value(), 100),
        capacity in 1..150usize,
    ) {
        prop_assert_eq!(chosen(&items, capacity), reference(&items, capacity));
    }

    #[test]
    fn large_values_change_nothing(items in items(large_value(), 60), capacity in 1..120usize) {
        prop_assert_eq!(chosen(&items, capacity), reference(&items, capacity));
    }

    #[test]
    fn what_is_selected_does_not_depend_on_how_much_of_it_fits(
        candidates in prop::collection::vec((-1..40i64, score()), 0..30),
        bucket_size in 1..12i64,
        target in 1..900i64,
    ) {
        let items: Vec<_> = candidates
            .iter()
            .map(|(tokens, _)| ContextItem::builder("text", *tokens).build().unwrap())
            .collect();
        let scored: Vec<_> = items
            .iter()
            .zip(&candidates)
            .enumerate()
            .map(|(index, (item, (_, score)))| Candidate::new(index, item, *score))
            .collect();
        let budget = ContextBudget::builder(target).build().unwrap();
        let slicer = KnapsackSlice::new(bucket_size).unwrap();
        let selection = slicer.select(&scored, &budget, &RunContext::default()).unwrap();

        let free = (0..scored.len()).filter(|at| scored[*at].tokens() == 0);
        let costing: Vec<_> = (0..scored.len()).filter(|at| scored[*at].tokens() > 0).collect();
        let weight = |tokens: i64| tokens.unsigned_abs().div_ceil(bucket_size as u64) as i64;
        let costly = costing.iter().map(|at| &scored[*at]);
        let offered: Vec<_> =
            costly.map(|it| (weight(it.tokens()), specified_value(it.score()))).collect();
        let packed = reference(&offered, (target / bucket_size) as usize);
        let expected: Vec<_> = free.chain(packed.into_iter().map(|at| costing[at])).collect();
        prop_assert_eq!(selection.kept, expected);
    }
}

/// Large enough for infinity to outweigh all others together.
fn specified_value(score: f64) -> i64 {
    if score.is_nan() { 0 } else { (score * 10_000.0).floor().clamp(0.0, 1e15) as i64 }
}
