//! The dynamic program.
//!
//! Row by row, each cell holds the greatest value that fits its weight using the offers so far, and
//! a bit remembers whether the row's offer was needed for it. An offer is only taken where it is
//! strictly better, so among equally good packings the walk back through the bits finds the one
//! that does without later offers.

use super::Offer;

/// Of some offers, which of them the best packing holds.
pub(super) fn best_packing(offers: &[&Offer], capacity: usize) -> Vec<bool> {
    // Narrow sums make fast rows.
    let value: i128 = offers.iter().map(|offer| i128::from(offer.value)).sum();
    let needed = if i32::try_from(value).is_ok() {
        needed_bits::<i32>(offers, capacity)
    } else if i64::try_from(value).is_ok() {
        needed_bits::<i64>(offers, capacity)
    } else {
        needed_bits::<i128>(offers, capacity)
    };
    let mut is_packed = vec![false; offers.len()];
    let mut room = capacity;
    for (at, row) in needed.chunks_exact(words(capacity)).enumerate().rev() {
        is_packed[at] = row[room / 64] >> (room % 64) & 1 == 1;
        room -= if is_packed[at] { offers[at].weight } else { 0 };
    }
    is_packed
}

/// How many words hold one bit per cell of a row.
fn words(capacity: usize) -> usize {
    capacity / 64 + 1
}

/// A row per offer, with a bit per cell that the offer is needed for.
fn needed_bits<V: Value>(offers: &[&Offer], capacity: usize) -> Vec<u64> {
    let mut best = vec![V::default(); capacity + 1];
    let mut next = best.clone();
    let mut needed = vec![0; offers.len() * words(capacity)];
    for (offer, bits) in offers.iter().zip(needed.chunks_exact_mut(words(capacity))) {
        if offer.weight <= capacity {
            offer_row(&best, &mut next, offer.weight, V::from_i64(offer.value));
            mark_changes(&best, &next, bits);
            std::mem::swap(&mut best, &mut next);
        }
    }
    needed
}

/// `next[w] = max(best[w], best[w - weight] + value)`, in a form the compiler vectorises.
fn offer_row<V: Value>(best: &[V], next: &mut [V], weight: usize, value: V) {
    next[..weight].copy_from_slice(&best[..weight]);
    for ((next, &without), &room) in next[weight..].iter_mut().zip(&best[weight..]).zip(best) {
        *next = without.max(room + value);
    }
}

/// Sets a bit per cell that the row improved.
fn mark_changes<V: Value>(best: &[V], next: &[V], bits: &mut [u64]) {
    for ((bits, best), next) in bits.iter_mut().zip(best.chunks(64)).zip(next.chunks(64)) {
        let changed = best.iter().zip(next).enumerate();
        *bits = changed.fold(0, |bits, (at, (a, b))| bits | u64::from(a != b) << at);
    }
}

/// An integer wide enough for a sum of values.
trait Value: Copy + Default + Ord + std::ops::Add<Output = Self> {
    /// `value`, which is part of a sum that fits.
    fn from_i64(value: i64) -> Self;
}

impl Value for i32 {
    fn from_i64(value: i64) -> Self {
        value as i32
    }
}

impl Value for i64 {
    fn from_i64(value: i64) -> Self {
        value
    }
}

impl Value for i128 {
    fn from_i64(value: i64) -> Self {
        value.into()
    }
}
