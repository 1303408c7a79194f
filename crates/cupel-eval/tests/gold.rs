//! Evidence that is characters, against sets of characters.

use std::collections::BTreeSet;

use cupel_eval::Set;
use proptest::prelude::*;
use serde_json::json;

type Span = (u8, usize, usize);

/// A document of two, and characters of it.
fn span() -> impl Strategy<Value = Span> {
    (0_u8..2, 0_usize..20, 1_usize..12)
        .prop_map(|(document, start, length)| (document, start, start + length))
}

fn characters(spans: &[Span]) -> BTreeSet<(u8, usize)> {
    spans
        .iter()
        .flat_map(|(document, start, end)| (*start..*end).map(|at| (*document, at)))
        .collect()
}

fn set(items: &[Span], gold: &[Span]) -> Result<Set, cupel_eval::SetError> {
    let item = |(id, (document, start, end)): (usize, &Span)| json!({ "id": id, "content": "x", "document": document.to_string(), "start": start, "end": end });
    let entry = |(document, start, end): &Span| json!({ "document": document.to_string(), "start": start, "end": end });
    let pool =
        json!({ "pool": "p", "items": items.iter().enumerate().map(item).collect::<Vec<_>>() });
    let question =
        json!({ "question": "?", "pool": "p", "gold": gold.iter().map(entry).collect::<Vec<_>>() });
    Set::parse(&format!("{pool}\n{question}"))
}

proptest! {
    #[test]
    fn the_recall_of_characters_is_the_share_of_them_that_items_hold(
        items in prop::collection::vec(span(), 1..8),
        gold in prop::collection::vec(span(), 1..5),
        held in prop::collection::vec(any::<bool>(), 8),
    ) {
        let overlaps = |a: &Span, b: &Span| a.0 == b.0 && a.1 < b.2 && b.1 < a.2;
        let is_readable = gold.iter().all(|entry| items.iter().any(|item| overlaps(item, entry)));
        let read = set(&items, &gold);
        prop_assert_eq!(read.is_ok(), is_readable);
        let Ok(set) = read else { return Ok(()) };
        let read = set.questions()[0].gold();
        let in_window: Vec<Span> = items.iter().zip(&held).filter(|(_, held)| **held).map(|(it, _)| *it).collect();
        let (wanted, there) = (characters(&gold), characters(&in_window));
        let expected = wanted.intersection(&there).count() as f64 / wanted.len() as f64;
        prop_assert!((read.recall(|item| held[item].then_some(0)) - expected).abs() < 1e-12);
        let holders: Vec<usize> = (0..items.len())
            .filter(|at| !characters(&items[*at..=*at]).is_disjoint(&wanted))
            .collect();
        prop_assert_eq!(read.items(), holders);
    }
}

#[test]
fn an_item_ends_where_its_text_does_unless_it_says_otherwise() {
    let pool = r#"{"pool": "p", "items": [{"id": "a", "content": "dört söz", "document": "d", "start": 100}]}"#;
    let asked = |start: usize, end: usize| {
        let gold = json!({ "document": "d", "start": start, "end": end });
        Set::parse(&format!("{pool}\n{}", json!({ "question": "?", "pool": "p", "gold": [gold] })))
    };
    assert!(asked(107, 108).is_ok(), "the eighth character");
    assert!(asked(108, 109).is_err(), "there is no ninth");
    assert!(asked(0, usize::MAX).is_err(), "no document is that long");
}

#[test]
fn a_shorter_form_is_evidence_where_it_says_what_is_needed() {
    let pool = r#"{"pool": "p", "items": [{"id": "log", "content": "order W4711 late, order W4712 sent, and much more", "tokens": 100,
        "variants": [{"content": "order w4711 late, order W4712", "tokens": 20}, {"content": "order W4711", "tokens": 5}]}]}"#.replace('\n', " ");
    let recall = |gold: &str, form: usize| {
        let set = Set::parse(&format!(
            "{pool}\n{{\"question\": \"?\", \"pool\": \"p\", \"gold\": [{gold}]}}"
        ))
        .unwrap();
        set.questions()[0].gold().recall(|_| Some(form))
    };
    let one = r#"{"item": "log", "says": ["W4711"]}"#;
    let both = r#"{"item": "log", "says": ["W4711", "W4712"]}"#;
    assert_eq!([0, 1, 2].map(|form| recall(one, form)), [1.0, 1.0, 1.0]);
    assert_eq!([0, 1, 2].map(|form| recall(both, form)), [1.0, 1.0, 0.0]);
    assert_eq!([0, 1, 2].map(|form| recall("\"log\"", form)), [1.0, 0.0, 0.0]);
}
