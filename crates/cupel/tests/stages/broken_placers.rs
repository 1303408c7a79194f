//! Placers that do not return exactly what they were given.

use cupel::{ContextItem, CupelError, Placer};

use crate::fixtures::custom::{ArrangePositions, PlaceBy};
use crate::fixtures::{assert_names, budget, contents, hinted, item, pinned, plain};

/// The error of a run that places p, a and b.
fn error(placer: impl Placer + 'static) -> CupelError {
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), pinned("p", 10)];
    plain().placer(placer).build().unwrap().run(&items, &budget(100)).unwrap_err()
}

#[track_caller]
fn assert_broken(error: &CupelError, name: &str, parts: &[&str]) {
    let CupelError::ContractViolation { family, strategy, .. } = error else { panic!("{error:?}") };
    assert_eq!((*family, strategy.as_str()), ("placer", name));
    assert_names(error, &["placer", name]);
    assert_names(error, parts);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn a_dropped_item_breaks_the_contract() {
    let dropping = PlaceBy(|mut items: Vec<ContextItem>| {
        items.remove(1);
        items
    });
    assert_broken(&error(dropping), "PlaceBy", &["2 of 3", "\"a\""]);
    let nothing = PlaceBy(|_: Vec<ContextItem>| Vec::new());
    assert_broken(&error(nothing), "PlaceBy", &["0 of 3", "\"p\""]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn a_dropped_pinned_item_breaks_the_contract() {
    let dropping = PlaceBy(|items: Vec<ContextItem>| items[1..].to_vec());
    assert_broken(&error(dropping), "PlaceBy", &["2 of 3", "\"p\""]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn a_duplicated_item_breaks_the_contract() {
    let adding = PlaceBy(|mut items: Vec<ContextItem>| {
        items.push(items[2].clone());
        items
    });
    assert_broken(&error(adding), "PlaceBy", &["more often than it was given", "\"b\""]);
    // In place of another, so that the number is right.
    let replacing = PlaceBy(|mut items: Vec<ContextItem>| {
        items[0] = items[2].clone();
        items
    });
    assert_broken(&error(replacing), "PlaceBy", &["more often than it was given", "\"b\""]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn an_invented_item_breaks_the_contract() {
    let adding = PlaceBy(|mut items: Vec<ContextItem>| {
        items.push(item("invented", 3));
        items
    });
    assert_broken(&error(adding), "PlaceBy", &["not given", "\"invented\"", "3 tokens"]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn an_item_rebuilt_from_equal_fields_breaks_the_contract() {
    let rebuilding = PlaceBy(|mut items: Vec<ContextItem>| {
        items[1] = hinted("a", 10, 0.9);
        items
    });
    assert_broken(&error(rebuilding), "PlaceBy", &["not given", "\"a\""]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn positions_must_name_every_item_once() {
    let arranged = |order: &[usize]| error(ArrangePositions(order.to_vec()));
    let name = "ArrangePositions";
    assert_broken(&arranged(&[0, 1, 1]), name, &["more than once", "\"a\""]);
    assert_broken(&arranged(&[0, 1, 3]), name, &["position 3", "3 items"]);
    assert_broken(&arranged(&[0, usize::MAX, 1]), name, &["position"]);
    assert_broken(&arranged(&[2, 0]), name, &["2 of 3"]);
    assert_broken(&arranged(&[2, 0, 1, 0]), name, &["4 of 3"]);
}

#[test]
fn too_few_or_too_many_positions_name_the_item() {
    let arranged = |order: &[usize]| error(ArrangePositions(order.to_vec()));
    assert_broken(&arranged(&[2, 0]), "ArrangePositions", &["\"a\""]);
    assert_broken(&arranged(&[2, 0, 1, 0]), "ArrangePositions", &["\"p\""]);
}

/// Rule [Stage 6: Place]: any order of what it received is allowed
#[test]
fn every_order_of_the_items_keeps_the_contract() {
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), pinned("p", 10)];
    let backwards = PlaceBy(|items: Vec<ContextItem>| items.into_iter().rev().collect());
    let pipeline = plain().placer(backwards).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["b", "a", "p"]);
    let pipeline = plain().placer(ArrangePositions(vec![1, 2, 0])).build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &budget(100)).unwrap()), ["a", "b", "p"]);
}

/// Rule [Stage 6: Place]: a placer returns exactly what it received, or the run fails
#[test]
fn a_handle_given_twice_is_to_be_placed_twice() {
    let twin = hinted("twin", 10, 0.5);
    let items = [twin.clone(), twin];
    let once = PlaceBy(|items: Vec<ContextItem>| items[..1].to_vec());
    let pipeline = plain().placer(once).deduplication(false).build().unwrap();
    let error = pipeline.run(&items, &budget(100)).unwrap_err();
    assert_broken(&error, "PlaceBy", &["1 of 2", "\"twin\""]);
}
