//! The dynamic program.
//!
//! Row by row, each cell holds the greatest value that fits its weight using the items so far, and
//! a bit remembers whether the row's item was needed for it. An item is only taken where it is
//! strictly better, so among equally good packings the walk back through the bits finds the one
//! that does without later items; every shortcut here must find that very one.

use super::packing::Item;
use crate::Scratch;

/// What the bound leaves open.
pub(super) struct Core<'i> {
    pub(super) items: &'i [Item],
    /// The capacity that is left for them.
    pub(super) room: usize,
}

impl<'i> Core<'i> {
    /// How many words hold one bit per cell of a row.
    fn words(&self) -> usize {
        self.room / 64 + 1
    }

    /// A row per item, with a bit per cell that the item is needed for.
    pub(super) fn table<'s>(&self, scratch: &'s mut Scratch) -> &'s [u64] {
        // The narrowest sums that cannot overflow make the fastest rows.
        let value: i128 = self.items.iter().map(|item| i128::from(item.value)).sum();
        if i32::try_from(value).is_ok() {
            self.fill::<i32>(scratch)
        } else if i64::try_from(value).is_ok() {
            self.fill::<i64>(scratch)
        } else {
            self.fill::<i128>(scratch)
        }
    }

    fn fill<'s, V: Value>(&self, scratch: &'s mut Scratch) -> &'s [u64] {
        let cells = self.room + 1;
        let mut memory = vec![V::default(); 2 * cells];
        let (mut best, mut next) = memory.split_at_mut(cells);
        let table = scratch.words(self.items.len() * self.words());
        for (item, needed) in self.items.iter().zip(table.chunks_exact_mut(self.words())) {
            if item.weight() > self.room {
                needed.fill(0);
                continue;
            }
            offer_row(best, next, item.weight(), V::from_i64(item.value));
            mark_changes(best, next, needed);
            std::mem::swap(&mut best, &mut next);
        }
        table
    }

    /// The items that are not chosen, the last one first.
    pub(super) fn left_out(&self, table: &[u64]) -> impl Iterator<Item = &'i Item> {
        let rows = table.chunks_exact(self.words()).rev();
        let mut room = self.room;
        self.items.iter().rev().zip(rows).filter_map(move |(item, row)| {
            let is_taken = row[room / 64] >> (room % 64) & 1 == 1;
            room -= if is_taken { item.weight() } else { 0 };
            (!is_taken).then_some(item)
        })
    }
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
