//! Settling most items before the table is filled.
//!
//! For any price per bucket, the items worth more than they cost at that price, each at its surplus,
//! plus the price of the whole knapsack, bound what any packing can be worth. A packing that decides
//! about one item against its surplus is worth at most that bound less the surplus. Where this is
//! less than what a greedy packing reaches, *no* best packing decides so, and the item is settled.
//! Every best packing survives, and with them the very one that the table would have found.

use std::iter::Sum;
use std::ops::{Mul, Sub};

use super::table::Item;
use crate::{Scratch, order};

/// What is known about an item before the table is filled.
pub(super) enum Verdict {
    /// In every best packing.
    In,
    /// In no best packing.
    Out,
    /// For the table to decide.
    Open,
}

/// An integer wide enough for twice the value of all items times the capacity.
pub(super) trait Whole:
    Copy + Ord + From<i64> + Sum + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Whole for i64 {}
impl Whole for i128 {}

/// A price, and how far above a packing that exists its bound is. Everything is multiplied by the
/// weight of the item that sets the price, to stay whole.
pub(super) struct Bound<W> {
    price_value: W,
    price_weight: W,
    gap: W,
}

impl<W: Whole> Bound<W> {
    /// The bound at the price of the first item that a greedy packing has no room for; `None` if
    /// it has room for all.
    pub(super) fn new(items: &[Item], capacity: usize, scratch: &mut Scratch) -> Option<Self> {
        let densities = items.iter().map(|it| it.value as f64 / it.weight as f64);
        let (mut room, mut price, mut reached) = (capacity, None, W::from(0));
        scratch.visit_in_order(densities.map(order::descending), |at, _| {
            let item = &items[at];
            if item.weight <= room {
                room -= item.weight;
                reached = [reached, W::from(item.value)].into_iter().sum();
            } else if price.is_none() {
                price = Some(item);
            }
        });

        let price = price?;
        let zero = W::from(0);
        let (price_value, price_weight) = (W::from(price.value), weight(price.weight));
        let mut bound = Self { price_value, price_weight, gap: zero };
        let gained: W = items.iter().map(|item| bound.surplus(item).max(zero)).sum();
        let whole = [price_value * weight(capacity), gained].into_iter().sum::<W>();
        bound.gap = whole - reached * price_weight;
        Some(bound)
    }

    pub(super) fn verdict(&self, item: &Item) -> Verdict {
        let surplus = self.surplus(item);
        if surplus > self.gap {
            Verdict::In
        } else if W::from(0) - surplus > self.gap {
            Verdict::Out
        } else {
            Verdict::Open
        }
    }

    fn surplus(&self, item: &Item) -> W {
        W::from(item.value) * self.price_weight - self.price_value * weight(item.weight)
    }
}

/// A weight within a capacity that the guard on the size of the table allows.
fn weight<W: Whole>(weight: usize) -> W {
    W::from(weight as i64)
}
