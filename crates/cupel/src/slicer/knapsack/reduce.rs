//! Settling most items before the table is filled.
//!
//! For any price per bucket, the items worth more than they cost at that price, each at its surplus,
//! plus the price of the whole knapsack, bound what any packing can be worth. A packing that decides
//! about one item against its surplus is worth at most that bound less the surplus. Where this is
//! less than what a greedy packing reaches, *no* best packing decides so, and the item is settled.
//! Every best packing survives, and with them the very one that the table would have found.

use super::table::Item;
use crate::Scratch;

/// What is known about an item before the table is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// In every best packing.
    In,
    /// In no best packing.
    Out,
    /// For the table to decide.
    Open,
}

/// One verdict per item, for items of which not all fit.
pub(super) fn settle(items: &[Item], capacity: usize, scratch: &mut Scratch) -> Vec<Verdict> {
    let densities = items.iter().map(|it| it.value as f64 / it.weight as f64);
    let (order, _) = scratch.order(densities.map(|it| Some(crate::order::descending(it))));

    // Fill greedily. The first item that does not fit sets the price, exactly: its value per weight.
    let (mut room, mut reached, mut price) = (capacity, 0i128, None);
    for item in order.iter().map(|&at| &items[at as usize]) {
        if item.weight <= room {
            room -= item.weight;
            reached += i128::from(item.value);
        } else {
            price.get_or_insert((i128::from(item.value), item.weight as i128));
        }
    }
    let Some((price_value, price_weight)) = price else {
        return vec![Verdict::In; items.len()];
    };

    // Everything below is multiplied by the weight of the pricing item to stay whole.
    let surplus =
        |item: &Item| i128::from(item.value) * price_weight - price_value * item.weight as i128;
    let gained: i128 = items.iter().map(|item| surplus(item).max(0)).sum();
    let bound = price_value * capacity as i128 + gained;
    let gap = bound - reached * price_weight;
    let verdict = |item: &Item| match surplus(item) {
        surplus if surplus > gap => Verdict::In,
        surplus if -surplus > gap => Verdict::Out,
        _ => Verdict::Open,
    };
    items.iter().map(verdict).collect()
}
