//! The dynamic program.
//!
//! Row by row, each cell holds the greatest value that fits its weight using the items so far, and
//! a bit remembers whether the row's item was needed for it. An item is only taken where it is
//! strictly better, so among equally good packings the walk back through the bits finds the one
//! that does without later items; every shortcut here must find that very one.

use super::reduce::{Bound, Verdict, Whole};
use crate::Scratch;

/// Items offered to a knapsack of a certain capacity.
pub(super) struct Packing {
    capacity: usize,
    items: Vec<Item>,
    total_weight: usize,
    total_value: i128,
}

pub(super) struct Item {
    position: usize,
    pub(super) weight: usize,
    pub(super) value: i64,
}

impl Packing {
    pub(super) fn new(capacity: usize, items: usize) -> Self {
        Self { capacity, items: Vec::with_capacity(items), total_weight: 0, total_value: 0 }
    }

    /// Offers an item, unless it can never be taken: it is worth nothing or fits nowhere.
    pub(super) fn offer(&mut self, position: usize, weight: i64, value: i64) {
        let Ok(weight) = usize::try_from(weight) else { return };
        if value > 0 && weight <= self.capacity {
            self.total_weight = self.total_weight.saturating_add(weight);
            self.total_value += i128::from(value);
            self.items.push(Item { position, weight, value });
        }
    }

    /// Adds the positions of the most valuable items that fit to `chosen`, last offered first.
    pub(super) fn choose(self, chosen: &mut Vec<usize>, scratch: &mut Scratch) {
        if self.total_weight <= self.capacity {
            chosen.extend(self.items.iter().rev().map(|item| item.position));
            return;
        }
        // The narrowest integers that cannot overflow are the fastest.
        let most = self.total_value.saturating_mul(2 * self.capacity as i128);
        if i64::try_from(most).is_ok() {
            self.choose_core::<i64>(chosen, scratch);
        } else {
            self.choose_core::<i128>(chosen, scratch);
        }
    }

    /// [`choose`](Self::choose), asking the table only about items that a bound does not settle.
    fn choose_core<W: Whole>(self, chosen: &mut Vec<usize>, scratch: &mut Scratch) {
        let Some(bound) = Bound::<W>::new(&self.items, self.capacity, scratch) else {
            chosen.extend(self.items.iter().rev().map(|item| item.position));
            return;
        };
        let mut core = Core { items: 0, value: 0, room: self.capacity };
        for item in &self.items {
            match bound.verdict(item) {
                Verdict::In => core.room -= item.weight,
                Verdict::Open => core.add(item),
                Verdict::Out => {}
            }
        }
        let is_open = |item: &&Item| matches!(bound.verdict(item), Verdict::Open);
        let table = core.table(self.items.iter().filter(is_open), scratch);

        let mut rows = table.chunks_exact(core.words()).rev();
        let mut room = core.room;
        for item in self.items.iter().rev() {
            let is_chosen = match bound.verdict(item) {
                Verdict::In => true,
                Verdict::Out => false,
                Verdict::Open => {
                    let row = rows.next().unwrap_or_default();
                    let is_taken = row.get(room / 64).is_some_and(|it| it >> (room % 64) & 1 == 1);
                    room -= if is_taken { item.weight } else { 0 };
                    is_taken
                }
            };
            if is_chosen {
                chosen.push(item.position);
            }
        }
    }
}

/// What the bound leaves open.
struct Core {
    items: usize,
    value: i128,
    /// The capacity that is left for them.
    room: usize,
}

impl Core {
    fn add(&mut self, item: &Item) {
        self.items += 1;
        self.value += i128::from(item.value);
    }

    /// How many words hold one bit per cell of a row.
    fn words(&self) -> usize {
        self.room / 64 + 1
    }

    /// A row per item, with a bit per cell that the item is needed for.
    fn table<'s, 'i>(
        &self,
        items: impl Iterator<Item = &'i Item>,
        scratch: &'s mut Scratch,
    ) -> &'s [u64] {
        // The narrowest sums that cannot overflow make the fastest rows.
        if i32::try_from(self.value).is_ok() {
            self.fill::<i32>(items, scratch)
        } else if i64::try_from(self.value).is_ok() {
            self.fill::<i64>(items, scratch)
        } else {
            self.fill::<i128>(items, scratch)
        }
    }

    fn fill<'s, 'i, V: Value>(
        &self,
        items: impl Iterator<Item = &'i Item>,
        scratch: &'s mut Scratch,
    ) -> &'s [u64] {
        let cells = self.room + 1;
        let mut memory = vec![V::default(); 2 * cells];
        let (mut best, mut next) = memory.split_at_mut(cells);
        let table = scratch.words(self.items * self.words());
        for (item, needed) in items.zip(table.chunks_exact_mut(self.words())) {
            if item.weight > self.room {
                needed.fill(0);
                continue;
            }
            offer_row(best, next, item.weight, V::from_i64(item.value));
            mark_changes(best, next, needed);
            std::mem::swap(&mut best, &mut next);
        }
        table
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The reference: a whole table, one bit per cell, walked back from its last row.
    fn reference(items: &[(i64, i64)], capacity: usize) -> Vec<usize> {
        let mut best = vec![0i128; capacity + 1];
        let mut keep = vec![vec![false; capacity + 1]; items.len()];
        for (keep, &(weight, value)) in keep.iter_mut().zip(items) {
            for room in (weight as usize..=capacity).rev() {
                let with = best[room - weight as usize] + i128::from(value);
                if with > best[room] {
                    best[room] = with;
                    keep[room] = true;
                }
            }
        }
        let mut room = capacity;
        let mut chosen = Vec::new();
        for (at, keep) in keep.iter().enumerate().rev() {
            if keep[room] {
                chosen.push(at);
                room -= items[at].0 as usize;
            }
        }
        chosen
    }

    /// Few different weights and values make many equally good packings.
    fn items() -> impl Strategy<Value = Vec<(i64, i64)>> {
        let weight = prop_oneof![4 => 1..4i64, 2 => 1..30i64, 1 => Just(200)];
        let value = prop_oneof![
            2 => Just(0i64),
            6 => 1..5i64,
            4 => 4_000..4_010i64,
            2 => 0..10_000i64,
        ];
        let value = prop_oneof![9 => value, 1 => Just(i64::MAX)];
        prop::collection::vec((weight, value), 0..70)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn the_choice_is_the_one_the_whole_table_gives(items in items(), capacity in 1..120usize) {
            let mut packing = Packing::new(capacity, items.len());
            for (at, &(weight, value)) in items.iter().enumerate() {
                packing.offer(at, weight, value);
            }
            let mut chosen = Vec::new();
            packing.choose(&mut chosen, &mut Scratch::new());
            prop_assert_eq!(chosen, reference(&items, capacity));
        }
    }
}
