//! Settling most items before the table is filled.
//!
//! For any price per bucket, the items worth more than they cost at that price, each at its surplus,
//! plus the price of the whole knapsack, bound what any packing can be worth. A packing that decides
//! about one item against its surplus is worth at most that bound less the surplus. Where this is
//! less than what a greedy packing reaches, *no* best packing decides so, and the item is settled.
//! Every best packing survives, and with them the very one that the table would have found.

use std::ops::{Mul, Sub};

use super::greedy::{self, Greedy};
use super::packing::Item;
use crate::Scratch;

/// An integer wide enough for the difference of two products of a value and a weight.
pub(super) trait Whole:
    Copy + Ord + From<i64> + Sub<Output = Self> + Mul<Output = Self>
{
    /// From the [`density`](greedy::density) of an item, a rank: those of a higher one are all less
    /// dense.
    fn rank(densest: u32, density: u32) -> usize;
}

impl Whole for i64 {
    fn rank(densest: u32, density: u32) -> usize {
        greedy::rank(densest, density)
    }
}

impl Whole for i128 {
    /// The same for all: floats do not hold such values.
    fn rank(_: u32, _: u32) -> usize {
        0
    }
}

/// A price, and how far above a packing that exists its bound is. Everything is multiplied by the
/// weight of the item that sets the price, to stay whole.
pub(super) struct Bound<W> {
    price_value: W,
    price_weight: W,
    gap: W,
    minus_gap: W,
}

impl<W: Whole> Bound<W> {
    /// The bound at the price of the first item that a greedy packing has no room for; `None` if
    /// it has room for all.
    pub(super) fn new(items: &[Item], capacity: u32, scratch: &mut Scratch) -> Option<Self> {
        let Greedy { full_at, room, filling } = Greedy::new::<W>(items, capacity, scratch)?;
        let (price_value, price_weight) = (W::from(full_at.value), W::from(full_at.weight.into()));
        // The items before that one count in full in both, and none after it has a surplus: all
        // that differs is what becomes of the room.
        let gap = price_value * W::from(room.into()) - price_weight * W::from(filling);
        Some(Self { price_value, price_weight, gap, minus_gap: W::from(0) - gap })
    }

    /// How much more an item is worth than its weight at the price.
    pub(super) fn surplus(&self, item: &Item) -> W {
        W::from(item.value) * self.price_weight - self.price_value * W::from(item.weight.into())
    }

    /// Whether an item of this surplus is in every best packing.
    pub(super) fn keeps_in(&self, surplus: W) -> bool {
        surplus > self.gap
    }

    /// Whether an item of this surplus is in no best packing.
    pub(super) fn keeps_out(&self, surplus: W) -> bool {
        surplus < self.minus_gap
    }
}
