//! Best score first, with as much regard to size as wished.

use cupel::{
    CountQuotaEntry, CountQuotaSlice, GreedySlice, QuotaEntry, QuotaSlice, RankSlice,
    ScarcityBehavior,
};
use cupel_testing::generate::slicing_problems;
use proptest::prelude::*;

use crate::fixtures::{assert_slicer_config, kind, scored, sliced};

#[test]
fn the_best_score_goes_first_whatever_its_size() {
    let candidates = scored(&[("long", 80, 0.9), ("short", 10, 0.8), ("shorter", 5, 0.7)]);
    assert_eq!(sliced(&RankSlice::default(), &candidates, 85), ["long", "shorter"]);
    assert_eq!(sliced(&GreedySlice, &candidates, 85), ["shorter", "short"]);
}

#[test]
fn what_no_longer_fits_is_skipped() {
    let candidates = scored(&[("a", 50, 0.9), ("b", 60, 0.8), ("c", 50, 0.7)]);
    assert_eq!(sliced(&RankSlice::default(), &candidates, 100), ["a", "c"]);
}

#[test]
fn ties_go_to_the_earlier() {
    let candidates = scored(&[("a", 10, 0.5), ("b", 10, 0.5)]);
    assert_eq!(sliced(&RankSlice::default(), &candidates, 10), ["a"]);
}

#[test]
fn items_that_cost_nothing_are_taken_unless_there_is_no_target() {
    let candidates = scored(&[("a", 10, 0.5), ("free", 0, -1.0)]);
    for rank in [RankSlice::default(), RankSlice::new(0.5, 0).unwrap()] {
        assert_eq!(sliced(&rank, &candidates, 5), ["free"]);
        assert!(sliced(&rank, &candidates, 0).is_empty());
    }
}

#[test]
fn below_the_floor_size_makes_no_difference() {
    let candidates = scored(&[("a", 100, 0.9), ("b", 1, 0.8), ("c", 400, 1.0)]);
    let rank = RankSlice::new(1.0, 100).unwrap();
    // Score per 100 tokens, and per 400: 0.9, 0.8, 0.25.
    assert_eq!(sliced(&rank, &candidates, 1_000), ["a", "b", "c"]);
    assert_eq!(sliced(&RankSlice::new(1.0, 0).unwrap(), &candidates, 1_000), ["b", "a", "c"]);
}

#[test]
fn an_exponent_lies_between_rank_and_greedy() {
    // By score: long, short. By score / tokens^0.5: 0.9 / 10 < 0.5 / 5. By 0.1: 0.57 > 0.36.
    let candidates = scored(&[("long", 100, 0.9), ("short", 25, 0.5)]);
    assert_eq!(sliced(&RankSlice::new(0.5, 0).unwrap(), &candidates, 100), ["short"]);
    assert_eq!(sliced(&RankSlice::new(0.1, 0).unwrap(), &candidates, 100), ["long"]);
}

#[test]
fn exponents_outside_0_to_1_and_negative_floors_are_refused() {
    for exponent in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let said = format!("({exponent})");
        assert_slicer_config(RankSlice::new(exponent, 0), &[&said, "from 0", "to 1"]);
    }
    assert_slicer_config(RankSlice::new(0.0, -1), &["(-1)", "at least 0"]);
}

#[test]
fn quotas_and_counts_work_over_it() {
    let candidates = scored(&[("a", 60, 0.9), ("b", 30, 0.8), ("c", 30, 0.7)]);
    let half = vec![QuotaEntry::new(kind("Message"), 0.0, 60.0).unwrap()];
    let quota = QuotaSlice::new(half, RankSlice::default()).unwrap();
    assert_eq!(sliced(&quota, &candidates, 100), ["a"]);
    let one = vec![CountQuotaEntry::new(kind("Message"), 0, 1).unwrap()];
    let counts = CountQuotaSlice::new(one, RankSlice::default(), ScarcityBehavior::Degrade);
    assert_eq!(sliced(&counts.unwrap(), &candidates, 100), ["a"]);
}

mod properties {
    use super::*;
    use cupel::Slicer;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn an_exponent_of_1_without_a_floor_is_greedy((scored, budget) in slicing_problems(40)) {
            let rank = RankSlice::new(1.0, 0)?;
            let [rank, greedy] =
                [rank.slice(&scored, &budget)?, GreedySlice.slice(&scored, &budget)?];
            let told = |items: Vec<cupel::ContextItem>| format!("{items:?}");
            prop_assert_eq!(told(rank), told(greedy));
        }
    }
}
