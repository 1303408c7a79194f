//! What is asked of every placer.

use cupel::{
    ChronologicalPlacer, ContextItem, CupelError, OverflowStrategy, Placer, ScoredItem,
    UShapedPlacer,
};

use crate::shorthand::{
    TakeAll, assert_says, budget, contents, dated, greedy, hinted, pinned, plain,
};

/// A placer made of a function.
struct Arranging(fn(Vec<ContextItem>) -> Vec<ContextItem>);

impl Placer for Arranging {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        (self.0)(items.iter().map(|scored| scored.item.clone()).collect())
    }

    fn name(&self) -> &str {
        "Arranging"
    }
}

/// What becomes of three items, best first, under a placer.
fn run(placer: fn(Vec<ContextItem>) -> Vec<ContextItem>) -> Result<Vec<ContextItem>, CupelError> {
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), hinted("c", 10, 0.1)];
    greedy().placer(Arranging(placer)).build().unwrap().run(&items, &budget(100))
}

fn assert_broken(placer: fn(Vec<ContextItem>) -> Vec<ContextItem>, parts: &[&str]) {
    let error = run(placer).unwrap_err();
    assert!(matches!(error, CupelError::ContractViolation { family: "placer", .. }), "{error:?}");
    assert_says(&error, &["the placer Arranging broke its contract"]);
    assert_says(&error, parts);
}

fn scored() -> Vec<ScoredItem> {
    let twice = plain("twice");
    let items = [
        pinned("pinned", 5),
        twice.clone(),
        dated("new", "2025-01-02T00:00:00Z"),
        twice,
        dated("old", "2025-01-01T00:00:00Z"),
        plain("equal"),
        plain("equal"),
    ];
    let scores = [1.0, 0.5, 0.9, 0.5, 0.1, f64::NAN, 0.0];
    items.into_iter().zip(scores).map(|(item, score)| ScoredItem { item, score }).collect()
}

/// Rule [Placers]: the same items, none added, removed, replaced or repeated
#[test]
fn built_in_placers_return_what_they_were_given() {
    let scored = scored();
    for placer in [&ChronologicalPlacer as &dyn Placer, &UShapedPlacer] {
        let placed = placer.place(&scored);
        let times = |item: &ContextItem, among: &[&ContextItem]| {
            among.iter().filter(|other| other.is_same_instance(item)).count()
        };
        let given: Vec<_> = scored.iter().map(|it| &it.item).collect();
        let returned: Vec<_> = placed.iter().collect();
        assert_eq!(given.len(), returned.len());
        for item in &given {
            assert_eq!(times(item, &given), times(item, &returned), "{item:?}");
        }
    }
}

/// Rule [Placers]: deterministic
#[test]
fn built_in_placers_give_the_same_order_every_time() {
    for placer in [&ChronologicalPlacer as &dyn Placer, &UShapedPlacer] {
        let scored = scored();
        let first = placer.place(&scored);
        for _ in 0..3 {
            let again = placer.place(&scored);
            assert!(first.iter().zip(&again).all(|(a, b)| a.is_same_instance(b)));
        }
    }
}

/// Rule [Placers]: the placer decides the order
#[test]
fn a_custom_placer_decides_the_order() {
    let reversed = run(|items| items.into_iter().rev().collect()).unwrap();
    assert_eq!(contents(&reversed), ["c", "b", "a"]);
}

/// Rule [Placers]: given pinned items first, then sliced ones
#[test]
fn a_placer_is_given_pinned_items_first_then_the_others_best_first() {
    let items = [hinted("c", 10, 0.1), pinned("p", 10), hinted("a", 10, 0.9), pinned("q", 10)];
    let pipeline = greedy().placer(Arranging(|items| items)).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["p", "q", "a", "c"]);
}

/// Rule [Placers]: given what overflow handling left
#[test]
fn a_placer_is_given_what_truncation_left() {
    let items = [hinted("a", 40, 0.9), hinted("b", 40, 0.8), hinted("c", 40, 0.7)];
    let pipeline = greedy()
        .slicer(TakeAll)
        .overflow_strategy(OverflowStrategy::Truncate)
        .placer(Arranging(|items| items.into_iter().rev().collect()))
        .build()
        .unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(80)).unwrap()), ["b", "a"]);
}

/// Rule [Placers]: a custom placer is held to that
#[test]
fn a_placer_that_drops_an_item_is_refused() {
    assert_broken(|items| items[1..].to_vec(), &["2 of 3 items", "\"a\""]);
}

/// Rule [Placers]: a custom placer is held to that
#[test]
fn a_placer_that_adds_an_item_is_refused() {
    let adding = |mut items: Vec<ContextItem>| {
        items.push(plain("smuggled"));
        items
    };
    assert_broken(adding, &["not given", "\"smuggled\""]);
}

/// Rule [Placers]: a custom placer is held to that
#[test]
fn a_placer_that_repeats_an_item_is_refused() {
    let repeating = |mut items: Vec<ContextItem>| {
        items[2] = items[1].clone();
        items
    };
    assert_broken(repeating, &["more often than it was given", "\"b\""]);
}

/// Rule [Placers]: a custom placer is held to that
#[test]
fn a_placer_that_replaces_an_item_by_an_equal_one_is_refused() {
    let replacing = |mut items: Vec<ContextItem>| {
        items[0] = hinted("a", 10, 0.9);
        items
    };
    assert_broken(replacing, &["not given", "\"a\""]);
}

/// Rule [Placers]: nothing in, nothing out
#[test]
fn a_placer_given_nothing_returns_nothing() {
    let pipeline = greedy().placer(Arranging(|items| items)).build().unwrap();
    assert!(pipeline.run(&[], &budget(100)).unwrap().is_empty());
}
