//! Documents as they are read.

use cupel::{ContextItem, ContextItemBuilder, Placer, ReadingOrderPlacer, ScoredItem};

use crate::shorthand::{budget, contents, greedy, plain};

/// The part at `position` of a document, named after both, with its score.
fn part(document: &str, position: i64, score: f64) -> ScoredItem {
    let item = ContextItem::builder(format!("{document}{position}"), 10);
    scored(item.document(document).position(position), score)
}

fn scored(item: ContextItemBuilder, score: f64) -> ScoredItem {
    ScoredItem { item: item.build().unwrap(), score }
}

fn alone(name: &str, score: f64) -> ScoredItem {
    ScoredItem { item: plain(name), score }
}

fn placed(items: &[ScoredItem]) -> Vec<String> {
    owned(&ReadingOrderPlacer::default().place(items))
}

fn owned(items: &[ContextItem]) -> Vec<String> {
    contents(items).into_iter().map(str::to_owned).collect()
}

#[test]
fn nothing_stays_nothing() {
    assert!(ReadingOrderPlacer::default().place(&[]).is_empty());
    assert!(ReadingOrderPlacer::u_shaped().place(&[]).is_empty());
}

#[test]
fn parts_of_a_document_stand_together_by_position() {
    let items = [part("a", 7, 0.9), part("b", 1, 0.8), part("a", -2, 0.7), part("b", 0, 0.6)];
    assert_eq!(placed(&items), ["a-2", "a7", "b0", "b1"]);
}

#[test]
fn documents_come_in_order_of_their_best_part() {
    let items = [part("a", 1, 0.2), part("b", 1, 0.5), part("a", 2, 0.9)];
    assert_eq!(placed(&items), ["a1", "a2", "b1"]);
    let unsorted = [part("a", 1, 0.2), part("b", 1, 0.5), part("a", 2, 0.1)];
    assert_eq!(placed(&unsorted), ["b1", "a1", "a2"]);
}

#[test]
fn equal_best_parts_go_to_the_document_given_first() {
    let items = [part("b", 1, 0.3), part("a", 1, 0.9), part("b", 2, 0.9)];
    assert_eq!(placed(&items), ["b1", "b2", "a1"]);
    let zeros = [part("a", 1, -0.0), part("b", 1, 0.0)];
    assert_eq!(placed(&zeros), ["a1", "b1"]);
}

#[test]
fn parts_without_a_position_follow_those_with_one() {
    let bare = |name: &str, score| scored(ContextItem::builder(name, 10).document("a"), score);
    let items = [bare("x", 0.9), bare("y", 0.8), part("a", i64::MAX, 0.7), part("a", 0, 0.6)];
    assert_eq!(placed(&items), ["a0", &format!("a{}", i64::MAX), "x", "y"]);
}

#[test]
fn an_item_without_a_document_is_one_of_its_own() {
    let lonely = scored(ContextItem::builder("position only", 10).position(0), 0.6);
    let items = [part("a", 1, 0.9), alone("alone", 0.8), part("a", 0, 0.7), lonely];
    assert_eq!(placed(&items), ["a0", "a1", "alone", "position only"]);
}

#[test]
fn documents_are_told_apart_to_the_byte() {
    let items = [part("a", 2, 0.9), part("A", 1, 0.8), part("a", 1, 0.7)];
    assert_eq!(placed(&items), ["a1", "a2", "A1"]);
}

#[test]
fn a_score_that_is_no_number_is_the_worst() {
    let items = [part("a", 1, f64::NAN), part("b", 1, f64::NEG_INFINITY), part("a", 0, f64::NAN)];
    assert_eq!(placed(&items), ["b1", "a0", "a1"]);
}

#[test]
fn u_shaped_the_best_documents_stand_at_both_ends() {
    let items = [
        part("a", 2, 0.9),
        part("b", 2, 0.8),
        alone("c", 0.7),
        part("b", 1, 0.6),
        part("a", 1, 0.5),
        alone("d", 0.4),
    ];
    let placed = ReadingOrderPlacer::u_shaped().place(&items);
    assert_eq!(owned(&placed), ["a1", "a2", "c", "d", "b1", "b2"]);
}

#[test]
fn in_a_run_ties_are_in_the_order_of_the_input_and_a_unit_stands_where_its_first_member_does() {
    let item = |name: &str, hint: f64| ContextItem::builder(name, 10).future_relevance_hint(hint);
    let at = |name: &str, position, hint| item(name, hint).document("a").position(position);
    let items = [
        at("low", 1, 0.1),
        at("high", 1, 0.9),
        at("call", 0, 0.2).group("g"),
        item("result", 0.3).group("g"),
        item("other", 0.95),
    ];
    let items = items.map(|item| item.build().unwrap());
    let pipeline = greedy().placer(ReadingOrderPlacer::default()).build().unwrap();
    let window = pipeline.run(&items, &budget(100)).unwrap();
    assert_eq!(owned(&window), ["other", "call", "result", "low", "high"]);
}
