//! What the caller marked as important.

use cupel::{ContextItem, PriorityScorer};

use crate::shorthand::{named, plain, scores};

fn prioritised(name: &str, priority: i64) -> ContextItem {
    named(name).priority(priority).build().unwrap()
}

/// Rule [PriorityScorer]: no priority: 0
#[test]
fn an_item_without_a_priority_scores_zero() {
    let items = [plain("none"), prioritised("low", 1), prioritised("high", 2)];
    assert_eq!(scores(&PriorityScorer, &items), [0.0, 0.0, 1.0]);
}

/// Rule [PriorityScorer]: no priorities at all: all 0
#[test]
fn without_any_priority_all_score_zero() {
    assert_eq!(scores(&PriorityScorer, &[plain("a"), plain("b")]), [0.0, 0.0]);
}

/// Rule [PriorityScorer]: the only priority: 1
#[test]
fn the_only_prioritised_item_scores_one() {
    let lowest = prioritised("only", i64::MIN);
    assert_eq!(scores(&PriorityScorer, std::slice::from_ref(&lowest)), [1.0]);
    assert_eq!(scores(&PriorityScorer, &[plain("a"), lowest, plain("b")]), [0.0, 1.0, 0.0]);
}

/// Rule [PriorityScorer]: all priorities equal: all 0
#[test]
fn equal_priorities_all_score_zero() {
    let items = ["a", "b", "c"].map(|name| prioritised(name, 7));
    assert_eq!(scores(&PriorityScorer, &items), [0.0, 0.0, 0.0]);
}

/// Rule [PriorityScorer]: higher numbers score higher
#[test]
fn a_higher_number_scores_higher() {
    let items = [prioritised("five", 5), prioritised("ten", 10)];
    assert_eq!(scores(&PriorityScorer, &items), [0.0, 1.0]);
}

/// Rule [PriorityScorer]: distinct priorities: evenly from 0 to 1
#[test]
fn distinct_priorities_are_spread_evenly_whatever_the_gaps() {
    let items = [
        prioritised("a", 1_000_000),
        prioritised("b", -3),
        prioritised("c", 0),
        prioritised("d", 1),
        prioritised("e", 2),
    ];
    assert_eq!(scores(&PriorityScorer, &items), [1.0, 0.0, 0.25, 0.5, 0.75]);
}

/// Rule [PriorityScorer]: ties share a rank; only strictly lower priorities raise it
#[test]
fn tied_items_share_the_rank_of_those_strictly_lower() {
    let items = [
        prioritised("low", 1),
        prioritised("tied", 5),
        prioritised("tied too", 5),
        prioritised("high", 9),
        prioritised("highest", 10),
    ];
    assert_eq!(scores(&PriorityScorer, &items), [0.0, 0.25, 0.25, 0.75, 1.0]);
}

/// Rule [PriorityScorer]: the denominator counts prioritised items only
#[test]
fn items_without_a_priority_do_not_count_in_the_denominator() {
    let items = [
        plain("a"),
        prioritised("low", 1),
        plain("b"),
        prioritised("mid", 2),
        prioritised("top", 3),
    ];
    assert_eq!(scores(&PriorityScorer, &items), [0.0, 0.0, 0.0, 0.5, 1.0]);
}

/// Rule [PriorityScorer]: distinct priorities: evenly from 0 to 1
#[test]
fn the_extreme_priorities_are_ordinary_ones() {
    let items =
        [prioritised("top", i64::MAX), prioritised("bottom", i64::MIN), prioritised("zero", 0)];
    assert_eq!(scores(&PriorityScorer, &items), [1.0, 0.0, 0.5]);
}
