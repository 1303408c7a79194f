//! Another scorer's scores, stretched to the whole range.

use cupel::{ContextItem, ReflexiveScorer, ScaledScorer, Scorer};

use crate::shorthand::{hinted, plain, score_all, scores, sized};

/// Scores an item by its tokens, which may be any number.
struct ByTokens;

impl Scorer for ByTokens {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.tokens() as f64
    }
}

/// Scores an item by its hint as it is, finite or not.
struct RawHint;

impl Scorer for RawHint {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.future_relevance_hint().unwrap_or(0.0)
    }
}

fn scaled(inner: impl Scorer + 'static) -> ScaledScorer {
    ScaledScorer::new(inner)
}

/// Rule [ScaledScorer]: no items: 0.5
#[test]
fn among_nobody_an_item_scores_a_half() {
    assert_eq!(scaled(ReflexiveScorer).score(&hinted("a", 1, 0.9), &[]), 0.5);
    assert!(score_all(&scaled(ReflexiveScorer), &[]).is_empty());
}

/// Rule [ScaledScorer]: one item: 0.5
#[test]
fn an_item_alone_scores_a_half() {
    assert_eq!(scores(&scaled(ReflexiveScorer), &[hinted("a", 1, 0.9)]), [0.5]);
}

/// Rule [ScaledScorer]: equal inner scores: exactly 0.5
#[test]
fn equal_inner_scores_all_become_exactly_a_half() {
    for hint in [0.0, 0.3, 1.0] {
        let items = ["a", "b", "c"].map(|name| hinted(name, 1, hint));
        let halves = scores(&scaled(ReflexiveScorer), &items);
        assert!(halves.iter().all(|score| score.to_bits() == 0.5f64.to_bits()), "{halves:?}");
    }
}

/// Rule [ScaledScorer]: two distinct inner scores: 0 and 1
#[test]
fn two_distinct_inner_scores_become_zero_and_one() {
    let items = [hinted("more", 1, 0.301), hinted("less", 1, 0.3)];
    assert_eq!(scores(&scaled(ReflexiveScorer), &items), [1.0, 0.0]);
}

/// Rule [ScaledScorer]: in between: linear
#[test]
fn inner_scores_in_between_are_spread_in_proportion() {
    let items = [
        hinted("low", 1, 0.25),
        hinted("mid", 1, 0.375),
        hinted("top", 1, 0.75),
        hinted("top too", 1, 0.75),
    ];
    assert_eq!(scores(&scaled(ReflexiveScorer), &items), [0.0, 0.25, 1.0, 1.0]);
}

/// Rule [ScaledScorer]: inner scores outside [0, 1]: scaled into it
#[test]
fn inner_scores_beyond_the_range_are_scaled_into_it() {
    let items = [sized("a", 100), sized("b", -50), sized("c", 25)];
    assert_eq!(scores(&scaled(ByTokens), &items), [1.0, 0.0, 0.5]);
}

/// Rule [ScaledScorer]: the item is found by instance
#[test]
fn an_item_is_found_by_instance_not_by_value() {
    let given = hinted("same", 1, 0.75);
    let list = [hinted("same", 1, 0.75), given.clone(), hinted("low", 1, 0.25)];
    let stranger = hinted("same", 1, 0.75);
    assert_eq!(stranger, given);
    assert_eq!(scaled(ReflexiveScorer).score(&given, &list), 1.0);
    assert_eq!(scaled(ReflexiveScorer).score(&stranger, &list), 0.5);
}

/// Rule [ScaledScorer]: an inner score that is not finite: 0.5 (ours)
#[test]
fn an_inner_score_that_is_not_finite_becomes_a_half() {
    let items = [hinted("nan", 1, f64::NAN), hinted("low", 1, 0.25), hinted("high", 1, 0.75)];
    assert_eq!(scores(&scaled(RawHint), &items), [0.5, 0.0, 1.0]);
    let all = [hinted("nan", 1, f64::NAN), hinted("nan too", 1, f64::NAN)];
    assert_eq!(scores(&scaled(RawHint), &all), [0.5, 0.5]);
    assert_eq!(scores(&scaled(RawHint), &[hinted("inf", 1, f64::INFINITY)]), [0.5]);
}

/// Rule [ScaledScorer]: the highest of finite scores is 1 however far they are apart (ours)
#[test]
fn finite_scores_keep_their_order_however_far_apart_they_are() {
    let items = [hinted("low", 1, -1e308), hinted("mid", 1, 0.0), hinted("top", 1, 1e308)];
    assert_eq!(scores(&scaled(RawHint), &items), [0.0, 0.5, 1.0]);
    let items = [hinted("low", 1, f64::MIN), hinted("top", 1, f64::MAX)];
    assert_eq!(scores(&scaled(RawHint), &items), [0.0, 1.0]);
}

/// Rule [ScaledScorer]: the inner scorer scores every item among all
#[test]
fn the_inner_scorer_sees_every_item() {
    struct CountingPeers;

    impl Scorer for CountingPeers {
        fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
            all_items.iter().filter(|other| other.tokens() < item.tokens()).count() as f64
        }
    }

    let items = [sized("a", 7), sized("b", 1), sized("c", 3)];
    assert_eq!(scores(&scaled(CountingPeers), &items), [1.0, 0.0, 0.5]);
}

/// Rule [ScaledScorer]: min and max may be shared within a pass
#[test]
fn scaling_twice_changes_nothing() {
    let items = [hinted("low", 1, 0.25), hinted("mid", 1, 0.375), hinted("top", 1, 0.75)];
    assert_eq!(scores(&scaled(scaled(ReflexiveScorer)), &items), [0.0, 0.25, 1.0]);
}

/// Rule [ScaledScorer]: min and max may be shared within a pass
#[test]
fn nesting_does_not_multiply_the_work() {
    // At N^(depth + 1) inner scores this would not end.
    let mut scorer: Box<dyn Scorer> = Box::new(ReflexiveScorer);
    for _ in 0..20 {
        scorer = Box::new(ScaledScorer::new(scorer));
    }
    let items: Vec<_> = (0..100).map(|n| hinted(&format!("{n}"), 1, f64::from(n) / 99.0)).collect();
    let scores = score_all(&scorer, &items);
    assert_eq!((scores[0], scores[99]), (0.0, 1.0));
    assert_eq!(scorer.score(&items[0], &items), 0.0);
    assert_eq!(scorer.score(&plain("stranger"), &items), 0.5);
}
