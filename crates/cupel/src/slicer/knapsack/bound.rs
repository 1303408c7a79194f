//! Settling most offers before the table is filled.
//!
//! For any price per bucket, the offers worth more than they cost at that price, each at its surplus,
//! plus the price of the whole knapsack, bound what any packing can be worth. A packing that decides
//! about one offer against its surplus is worth at most that bound less the surplus. Where this is
//! less than what a greedy packing reaches, *no* best packing decides so, and the offer is settled.
//! Every best packing survives, and with them the very one that the table would have found.

use super::Offer;
use crate::sort_keys::{descending, sorted_positions};

/// A price, and how far above a packing that exists its bound is.
///
/// Everything is multiplied by the weight of the offer that sets the price, to stay whole. Weights are
/// below 2^26, values below 2^63 and offers fewer than 2^26, as the guard on the table's size sees
/// to, so no sum here needs more than 116 bits.
pub(super) struct Bound {
    price_value: i128,
    price_weight: i128,
    gap: i128,
}

impl Bound {
    /// The bound at the price of the first offer that a greedy packing has no room for; `None` if it
    /// has room for all.
    pub(super) fn new(offers: &[Offer], capacity: usize) -> Option<Self> {
        let density = |at: usize| offers[at].value as f64 / offers[at].weight as f64;
        let densest_first = sorted_positions(offers.len(), |at| descending(density(at)));
        let (mut room, mut packed, mut first_left_out) = (capacity, 0, None);
        for offer in densest_first.map(|at| &offers[at]) {
            if offer.weight <= room {
                room -= offer.weight;
                packed += i128::from(offer.value);
            } else {
                first_left_out.get_or_insert(offer);
            }
        }
        let sets_price = first_left_out?;
        let (price_value, price_weight) = (sets_price.value.into(), sets_price.weight as i128);
        let mut bound = Self { price_value, price_weight, gap: 0 };
        let surpluses: i128 = offers.iter().map(|offer| bound.surplus(offer).max(0)).sum();
        bound.gap = price_value * capacity as i128 + surpluses - packed * price_weight;
        Some(bound)
    }

    /// Whether every best packing holds this offer (true) or none does (false), if that is settled.
    pub(super) fn settle(&self, offer: &Offer) -> Option<bool> {
        let surplus = self.surplus(offer);
        (surplus.abs() > self.gap).then_some(surplus > 0)
    }

    /// How much more an offer is worth than its weight at the price.
    fn surplus(&self, offer: &Offer) -> i128 {
        i128::from(offer.value) * self.price_weight - self.price_value * offer.weight as i128
    }
}
