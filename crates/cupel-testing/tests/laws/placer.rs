//! What a placer may not do.

use std::sync::atomic::{AtomicUsize, Ordering};

use cupel::{Candidate, ContextItem, CupelError, Placer, RunContext, ScoredItem};
use cupel_testing::laws::{Law, check_placer};

use crate::{handles, item, scored};

/// A placer from one function, and another for `arrange` if it has one.
struct TestPlacer<P> {
    place: P,
    arrange: Option<fn(usize) -> Vec<usize>>,
}

impl<P: Fn(&[ScoredItem]) -> Vec<ContextItem> + Send + Sync> Placer for TestPlacer<P> {
    fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
        (self.place)(items)
    }

    fn arrange(
        &self,
        items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        let identity = || (0..items.len()).collect();
        Ok(self.arrange.map_or_else(identity, |arrange| arrange(items.len())))
    }

    fn name(&self) -> &str {
        "TestPlacer"
    }
}

fn placer<P: Fn(&[ScoredItem]) -> Vec<ContextItem> + Send + Sync>(place: P) -> TestPlacer<P> {
    TestPlacer { place, arrange: None }
}

#[test]
fn a_placer_that_leaves_out_adds_or_repeats_is_caught() {
    let finding = |placed: fn(&[ScoredItem]) -> Vec<ContextItem>| {
        let broken = check_placer(&placer(placed), &scored()).unwrap_err();
        assert_eq!(broken.law(), Law::ReorderOnly);
        broken.to_string()
    };
    let law = "TestPlacer breaks the law that a placer reorders and nothing else: it ";
    assert_eq!(
        finding(|items| handles(&items[..2])),
        format!("{law}left out an item: \"gamma\" (Message, 2 tokens)")
    );
    assert_eq!(
        finding(|items| handles(items).into_iter().chain([item("new", 1)]).collect()),
        format!("{law}returned an item it was not given: \"new\" (Message, 1 tokens)")
    );
    assert_eq!(
        finding(|items| vec![items[0].item.clone(); 3]),
        format!(
            "{law}returned an item more often than it was given: \"alpha\" (Message, 4 tokens)"
        )
    );
}

#[test]
fn an_arrange_that_orders_otherwise_is_caught() {
    let arranging = |arrange| TestPlacer {
        place: |items: &[ScoredItem]| handles(items),
        arrange: Some(arrange),
    };
    let finding = |arrange: fn(usize) -> Vec<usize>| {
        let broken = check_placer(&arranging(arrange), &scored()).unwrap_err();
        assert_eq!(broken.law(), Law::ArrangeAgreesWithPlace);
        broken.finding().to_owned()
    };
    assert_eq!(
        finding(|len| (0..len).rev().collect()),
        "answered Ok([2, 1, 0]) to arrange and [0, 1, 2] to place"
    );
    assert_eq!(finding(|_| vec![0, 1]), "answered Ok([0, 1]) to arrange and [0, 1, 2] to place");
    assert_eq!(
        finding(|_| vec![0, 1, 9]),
        "answered Ok([0, 1, 9]) to arrange and [0, 1, 2] to place"
    );
}

#[test]
fn an_order_that_changes_is_caught() {
    let calls = AtomicUsize::new(0);
    let moody = placer(|items| {
        let mut placed = handles(items);
        if calls.fetch_add(1, Ordering::Relaxed) > 0 {
            placed.reverse();
        }
        placed
    });
    let broken = check_placer(&moody, &scored()).unwrap_err();
    assert_eq!(broken.law(), Law::Deterministic);
    assert_eq!(
        broken.finding(),
        "first gave the order [0, 1, 2], and given the same items again [2, 1, 0]"
    );
}

#[test]
fn a_handle_given_twice_may_be_placed_twice() {
    let twice = vec![scored()[0].clone(); 2];
    check_placer(&placer(handles), &twice).unwrap();
}
