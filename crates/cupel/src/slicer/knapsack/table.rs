//! The dynamic program.
//!
//! Row by row, each cell holds the greatest value that fits its weight using the items so far, and
//! a bit remembers whether the row's item was needed for it. An item is only taken where it is
//! strictly better, so among equally good packings the walk back through the bits finds the one
//! that does without later items; every shortcut here must find that very one.

/// Items offered to a knapsack of a certain capacity.
pub(super) struct Packing {
    capacity: usize,
    items: Vec<Item>,
    total_weight: usize,
    total_value: i128,
}

struct Item {
    position: usize,
    weight: usize,
    value: i64,
}

impl Packing {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, items: Vec::new(), total_weight: 0, total_value: 0 }
    }

    /// Offers an item, unless it can never be taken: it is worth nothing or fits nowhere.
    pub(super) fn offer(&mut self, position: usize, weight: i64, value: i64) {
        let Ok(weight) = usize::try_from(weight) else { return };
        if value == 0 || weight > self.capacity {
            return;
        }
        self.total_weight = self.total_weight.saturating_add(weight);
        self.total_value += i128::from(value);
        self.items.push(Item { position, weight, value });
    }

    /// Positions of the most valuable items that fit, last offered first.
    pub(super) fn best(&self) -> Vec<usize> {
        if self.total_weight <= self.capacity {
            return self.items.iter().rev().map(|item| item.position).collect();
        }
        // The narrowest sums that cannot overflow make the fastest rows.
        if i32::try_from(self.total_value).is_ok() {
            self.solve::<i32>()
        } else if i64::try_from(self.total_value).is_ok() {
            self.solve::<i64>()
        } else {
            self.solve::<i128>()
        }
    }

    fn solve<V: Value>(&self) -> Vec<usize> {
        let cells = self.capacity + 1;
        let words = cells.div_ceil(64);
        let mut taken = vec![0u64; self.items.len() * words];
        let mut best = vec![V::default(); cells];
        let mut next = best.clone();
        for (item, taken) in self.items.iter().zip(taken.chunks_exact_mut(words)) {
            offer_row(&best, &mut next, item.weight, V::from_i64(item.value));
            mark_changes(&best, &next, taken);
            std::mem::swap(&mut best, &mut next);
        }

        let mut chosen = Vec::new();
        let mut room = self.capacity;
        for (item, taken) in self.items.iter().zip(taken.chunks_exact(words)).rev() {
            if taken[room / 64] >> (room % 64) & 1 == 1 {
                chosen.push(item.position);
                room -= item.weight;
            }
        }
        chosen
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
