//! The dynamic program.
//!
//! Row by row, each cell holds the greatest value that fits its weight using the offers so far, and
//! a bit remembers whether the row's offer was needed for it. An offer is only taken where it is
//! strictly better, so among equally good packings the walk back through the bits finds the one
//! that does without later offers.
//!
//! Offers of one candidate are neighbours and exclude each other: each is added to what was best before the first of
//! them. The walk back takes the last of them that was needed, and passes over the others.

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
    let mut last_packed = None;
    for (at, row) in needed.chunks_exact(words(capacity)).enumerate().rev() {
        let is_needed = row[room / 64] >> (room % 64) & 1 == 1;
        if is_needed && last_packed != Some(offers[at].position) {
            last_packed = Some(offers[at].position);
            is_packed[at] = true;
            room -= offers[at].weight;
        }
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
    let mut rows = needed.chunks_exact_mut(words(capacity));
    for of_one_candidate in offers.chunk_by(|a, b| a.position == b.position) {
        // Of the best before this candidate, and with the offers of it so far.
        let mut with_so_far: Option<Vec<V>> = None;
        for (offer, bits) in of_one_candidate.iter().zip(&mut rows) {
            if offer.weight > capacity {
                continue;
            }
            let so_far = with_so_far.as_ref().unwrap_or(&best);
            offer_row(so_far, &best, &mut next, offer.weight, V::from_i64(offer.value));
            mark_changes(so_far, &next, bits);
            if of_one_candidate.len() == 1 {
                std::mem::swap(&mut best, &mut next);
            } else {
                with_so_far = Some(next.clone());
            }
        }
        best = with_so_far.unwrap_or(best);
    }
    needed
}

/// `next[w] = max(so_far[w], best[w - weight] + value)`, in a form the compiler vectorises.
fn offer_row<V: Value>(so_far: &[V], best: &[V], next: &mut [V], weight: usize, value: V) {
    next[..weight].copy_from_slice(&so_far[..weight]);
    for ((next, &without), &room) in next[weight..].iter_mut().zip(&so_far[weight..]).zip(best) {
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
