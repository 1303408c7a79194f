//! Newer is better.

use chrono::{DateTime, Utc};
use cupel::RecencyScorer;

use crate::shorthand::{dated, named, plain, scores};

/// Rule [RecencyScorer]: no timestamp: 0
#[test]
fn an_item_without_a_timestamp_scores_zero() {
    let items = [
        plain("undated"),
        dated("old", "2025-01-01T00:00:00Z"),
        dated("new", "2025-01-02T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 0.0, 1.0]);
}

/// Rule [RecencyScorer]: no timestamps at all: all 0
#[test]
fn without_any_timestamp_all_score_zero() {
    assert_eq!(scores(&RecencyScorer, &[plain("a"), plain("b"), plain("c")]), [0.0, 0.0, 0.0]);
}

/// Rule [RecencyScorer]: the only timestamp: 1
#[test]
fn the_only_timestamped_item_scores_one() {
    let dated = dated("dated", "2025-01-01T00:00:00Z");
    assert_eq!(scores(&RecencyScorer, std::slice::from_ref(&dated)), [1.0]);
    assert_eq!(scores(&RecencyScorer, &[plain("a"), dated, plain("b")]), [0.0, 1.0, 0.0]);
}

/// Rule [RecencyScorer]: all timestamps equal: all 0
#[test]
fn equal_timestamps_all_score_zero() {
    let items = ["a", "b", "c"].map(|name| dated(name, "2025-01-01T00:00:00Z"));
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 0.0, 0.0]);
}

/// Rule [RecencyScorer]: distinct timestamps: evenly from 0 to 1
#[test]
fn distinct_timestamps_are_spread_evenly_whatever_the_gaps() {
    let items = [
        dated("newest", "2025-01-05T00:00:00Z"),
        dated("oldest", "1970-01-01T00:00:00Z"),
        dated("third", "2025-01-03T00:00:00Z"),
        dated("second", "2025-01-03T00:00:00.001Z"),
        dated("fourth", "2024-12-31T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [1.0, 0.0, 0.5, 0.75, 0.25]);
}

/// Rule [RecencyScorer]: ties share a rank; only strictly older items raise it
#[test]
fn tied_items_share_the_rank_of_those_strictly_older() {
    let items = [
        dated("old", "2025-01-01T00:00:00Z"),
        dated("tied", "2025-01-02T00:00:00Z"),
        dated("tied too", "2025-01-02T00:00:00Z"),
        dated("tied as well", "2025-01-02T00:00:00Z"),
        dated("new", "2025-01-03T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 0.25, 0.25, 0.25, 1.0]);
}

/// Rule [RecencyScorer]: ties share a rank; only strictly older items raise it
#[test]
fn tied_newest_items_stay_below_one() {
    let items = [
        dated("old", "2025-01-01T00:00:00Z"),
        dated("new", "2025-01-02T00:00:00Z"),
        dated("new too", "2025-01-02T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 0.5, 0.5]);
}

/// Rule [RecencyScorer]: the denominator counts timestamped items only
#[test]
fn undated_items_do_not_count_in_the_denominator() {
    let items = [
        dated("old", "2025-01-01T00:00:00Z"),
        plain("a"),
        plain("b"),
        dated("middle", "2025-01-02T00:00:00Z"),
        plain("c"),
        dated("new", "2025-01-03T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 0.0, 0.0, 0.5, 0.0, 1.0]);
}

/// Rule [RecencyScorer]: comparison is of instants
#[test]
fn timestamps_compare_as_instants() {
    let local = |name: &str, time: &str| {
        let instant: DateTime<Utc> = DateTime::parse_from_rfc3339(time).unwrap().to_utc();
        named(name).timestamp(instant).build().unwrap()
    };
    // As text the order would be the reverse.
    let items = [
        local("last", "2025-01-01T00:30:00-05:00"),
        local("middle", "2025-01-01T05:00:00+00:00"),
        local("first", "2025-01-01T13:00:00+09:00"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [1.0, 0.5, 0.0]);
}

/// Rule [RecencyScorer]: comparison is of instants
#[test]
fn the_ends_of_time_are_ordinary_timestamps() {
    let items = [
        dated("end", "9999-12-31T23:59:59.999999999Z"),
        dated("beginning", "0000-01-01T00:00:00Z"),
        dated("today", "2025-01-01T00:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [1.0, 0.0, 0.5]);
}
