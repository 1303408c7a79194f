//! Finding returned items among those given.

use cupel::{ContextItem, ScoredItem};

use crate::describe;

/// The position of each returned item, whole or shortened, among those given, or which one was not given that often.
pub(super) fn positions(
    given: &[ScoredItem],
    returned: &[ContextItem],
) -> Result<Vec<usize>, String> {
    let mut is_used = vec![false; given.len()];
    let find = |item: &ContextItem| {
        let mut same = (0..given.len()).filter(|at| given[*at].item.is_same_instance(item.whole()));
        let Some(first) = same.next() else {
            return Err(format!("returned an item it was not given: {}", describe::item(item)));
        };
        let Some(at) = std::iter::once(first).chain(same).find(|at| !is_used[*at]) else {
            let item = describe::item(item);
            return Err(format!("returned an item more often than it was given: {item}"));
        };
        is_used[at] = true;
        Ok(at)
    };
    returned.iter().map(find).collect()
}

/// Whether `order` names the very items of `expected`, position by position.
pub(super) fn names(order: &[usize], given: &[ScoredItem], expected: &[ContextItem]) -> bool {
    order.len() == expected.len()
        && order.iter().zip(expected).all(|(&at, item)| {
            given.get(at).is_some_and(|it| it.item.is_same_instance(item.whole()))
        })
}

/// The first position that appears twice.
pub(super) fn repeated(order: &[usize]) -> Option<usize> {
    (1..order.len()).find(|&at| order[..at].contains(&order[at])).map(|at| order[at])
}
