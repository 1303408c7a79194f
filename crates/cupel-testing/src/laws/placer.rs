//! What a placer promises.

use cupel::{Candidate, ContextItem, Placer, RunContext, ScoredItem};

use super::equal_input::rebuilt_scored;
use super::instances::{names, positions, repeated};
use super::{BrokenLaw, Law};
use crate::describe;

/// Checks a placer on these items: [`ReorderOnly`](Law::ReorderOnly),
/// [`Deterministic`](Law::Deterministic) and [`ArrangeAgreesWithPlace`](Law::ArrangeAgreesWithPlace).
///
/// # Errors
/// The first law that does not hold.
pub fn check_placer<P: Placer + ?Sized>(placer: &P, items: &[ScoredItem]) -> Result<(), BrokenLaw> {
    let broken = |law, finding| Err(BrokenLaw::new(placer.name(), law, finding));

    let placed = placer.place(items);
    let order = match permutation(items, &placed) {
        Ok(order) => order,
        Err(finding) => return broken(Law::ReorderOnly, finding),
    };

    for (again, input) in
        [("the same items again", items.to_vec()), ("equal items", rebuilt_scored(items))]
    {
        let second = permutation(&input, &placer.place(&input));
        if second.as_ref() != Ok(&order) {
            let second = second.map_or_else(|strange| strange, |order| format!("{order:?}"));
            let finding = format!("first gave the order {order:?}, and given {again} {second}");
            return broken(Law::Deterministic, finding);
        }
    }

    let arranged = placer.arrange(&Candidate::all_of(items), &RunContext::default());
    let agrees =
        arranged.as_ref().is_ok_and(|at| names(at, items, &placed) && repeated(at).is_none());
    if !agrees {
        let finding = format!("answered {arranged:?} to arrange and {order:?} to place");
        return broken(Law::ArrangeAgreesWithPlace, finding);
    }
    Ok(())
}

/// [`check_placer`] for tests.
///
/// # Panics
/// When a law does not hold.
#[track_caller]
pub fn assert_placer<P: Placer + ?Sized>(placer: &P, items: &[ScoredItem]) {
    if let Err(broken) = check_placer(placer, items) {
        panic!("{broken}");
    }
}

/// The positions of the placed items, every one of those given.
fn permutation(given: &[ScoredItem], placed: &[ContextItem]) -> Result<Vec<usize>, String> {
    let order = positions(given, placed)?;
    match (0..given.len()).find(|at| !order.contains(at)) {
        None => Ok(order),
        Some(missing) => Err(format!("left out an item: {}", describe::item(&given[missing].item))),
    }
}
