//! Oldest first.

use chrono::DateTime;
use cupel::{ChronologicalPlacer, ContextItem, Placer, ScoredItem};

use crate::shorthand::{at, contents, dated, named, plain};

/// The order of these items, whatever their scores: the last given has the best.
fn placed(items: &[ContextItem]) -> Vec<String> {
    let scored = items.iter().enumerate();
    let scored: Vec<ScoredItem> =
        scored.map(|(n, item)| ScoredItem { item: item.clone(), score: n as f64 }).collect();
    let placed = ChronologicalPlacer.place(&scored);
    contents(&placed).into_iter().map(str::to_owned).collect()
}

/// Rule [ChronologicalPlacer]: empty input
#[test]
fn nothing_stays_nothing() {
    assert!(ChronologicalPlacer.place(&[]).is_empty());
}

/// Rule [ChronologicalPlacer]: a single item
#[test]
fn a_single_item_stays_as_it_is() {
    let item = plain("only");
    let placed = ChronologicalPlacer.place(&[ScoredItem { item: item.clone(), score: 0.1 }]);
    assert_eq!(placed.len(), 1);
    assert!(placed[0].is_same_instance(&item));
}

/// Rule [ChronologicalPlacer]: all timestamped: ascending
#[test]
fn timestamped_items_stand_oldest_first() {
    let items = [
        dated("third", "2025-03-01T00:00:00Z"),
        dated("first", "1969-12-31T23:59:59Z"),
        dated("fourth", "2025-03-01T00:00:00.000000001Z"),
        dated("second", "2025-02-28T23:59:59Z"),
    ];
    assert_eq!(placed(&items), ["first", "second", "third", "fourth"]);
}

/// Rule [ChronologicalPlacer]: none timestamped: input order
#[test]
fn without_timestamps_the_order_given_stays() {
    assert_eq!(placed(&[plain("c"), plain("a"), plain("b")]), ["c", "a", "b"]);
}

/// Rule [ChronologicalPlacer]: mixed: timestamped first, the others after them in input order
#[test]
fn undated_items_follow_the_dated_ones_in_the_order_given() {
    let items = [
        plain("undated z"),
        dated("new", "2025-02-01T00:00:00Z"),
        plain("undated a"),
        dated("old", "2025-01-01T00:00:00Z"),
    ];
    assert_eq!(placed(&items), ["old", "new", "undated z", "undated a"]);
}

/// Rule [ChronologicalPlacer]: mixed: timestamped first, the others after them in input order
#[test]
fn undated_items_follow_even_the_end_of_time() {
    let last = dated("last", "9999-12-31T23:59:59.999999999Z");
    assert_eq!(placed(&[plain("undated"), last]), ["last", "undated"]);
}

/// Rule [ChronologicalPlacer]: all timestamps equal: input order
#[test]
fn equal_timestamps_keep_the_order_given() {
    let items = ["c", "a", "b"].map(|name| dated(name, "2025-01-01T00:00:00Z"));
    assert_eq!(placed(&items), ["c", "a", "b"]);
}

/// Rule [ChronologicalPlacer]: stable
#[test]
fn tied_timestamps_keep_the_order_given_among_others() {
    let items = [
        dated("late", "2025-01-02T00:00:00Z"),
        dated("tied b", "2025-01-01T00:00:00Z"),
        dated("tied a", "2025-01-01T00:00:00Z"),
        dated("early", "2024-01-01T00:00:00Z"),
    ];
    assert_eq!(placed(&items), ["early", "tied b", "tied a", "late"]);
}

/// Rule [ChronologicalPlacer]: comparison is of instants
#[test]
fn timestamps_compare_as_instants_whatever_their_zone() {
    let zoned = |name: &str, time: &str| {
        let instant = DateTime::parse_from_rfc3339(time).unwrap().to_utc();
        named(name).timestamp(instant).build().unwrap()
    };
    let items = [
        zoned("third", "2025-01-01T00:00:00-08:00"),
        zoned("first", "2025-01-01T06:00:00+09:00"),
        zoned("second", "2024-12-31T22:00:00Z"),
    ];
    assert_eq!(placed(&items), ["first", "second", "third"]);
}

/// Rule [ChronologicalPlacer]: scores have no influence
#[test]
fn scores_play_no_part() {
    let items = [dated("new", "2025-01-02T00:00:00Z"), dated("old", "2025-01-01T00:00:00Z")];
    for scores in [[0.0, 1.0], [1.0, 0.0], [f64::NAN, f64::INFINITY], [-1.0, f64::NAN]] {
        let scored: Vec<ScoredItem> = items
            .iter()
            .zip(scores)
            .map(|(item, score)| ScoredItem { item: item.clone(), score })
            .collect();
        assert_eq!(contents(&ChronologicalPlacer.place(&scored)), ["old", "new"]);
    }
}

/// Rule [ChronologicalPlacer]: stable
#[test]
fn a_long_list_keeps_its_ties_in_order() {
    let day = |n: usize| at(&format!("2025-01-{:02}T00:00:00Z", 1 + n % 3));
    let items: Vec<ContextItem> =
        (0..90).map(|n| named(&format!("{n:02}")).timestamp(day(n)).build().unwrap()).collect();
    let expected: Vec<String> = (0..3)
        .flat_map(|rest| (0..30).map(move |step| format!("{:02}", rest + 3 * step)))
        .collect();
    assert_eq!(placed(&items), expected);
}
