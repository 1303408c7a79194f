//! Filling a knapsack: what can be settled is, and the table decides the rest.

use std::cell::Cell;

use super::greedy::density;
use super::reduce::{Bound, Whole};
use super::table::Core;
use crate::Scratch;
use crate::error::MAX_TABLE_CELLS;

/// Items offered to a knapsack of a certain capacity.
pub(super) struct Packing {
    capacity: u32,
    items: Vec<Item>,
    /// The bits that their values have between them: no value is more.
    value_bits: i64,
}

/// What might be packed.
pub(super) struct Offer {
    pub(super) position: usize,
    /// At least 1.
    pub(super) weight: i64,
    pub(super) value: i64,
}

/// An offer that is worth something and fits.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// Among the candidates; of items that are left open, among those chosen so far.
    position: u32,
    pub(super) weight: u32,
    pub(super) value: i64,
    pub(super) density: u32,
}

/// Up to here, two products of a value and a weight fit 64 bits together, as no weight exceeds the
/// guard on the size of the table; and a float holds every value.
const MAX_NARROW: i64 = i64::MAX / (2 * MAX_TABLE_CELLS as i64);

impl Packing {
    /// At most `count` offers; `capacity` times `count` is within the guard, and with it any sum of
    /// weights.
    pub(super) fn new(capacity: usize, count: usize, offers: impl Iterator<Item = Offer>) -> Self {
        let mut items = Vec::with_capacity(count);
        let mut value_bits = 0;
        for Offer { position, weight, value } in offers {
            // There is room for all; where the compiler sees it, the loop is a fifth shorter.
            if value > 0 && weight <= capacity as i64 && items.len() < items.capacity() {
                let (position, weight) = (position as u32, weight as u32);
                value_bits |= value;
                items.push(Item { position, weight, value, density: density(value, weight) });
            }
        }
        Self { capacity: capacity as u32, items, value_bits }
    }

    /// Adds the positions of the most valuable items that fit to `chosen`, last offered first.
    pub(super) fn choose(self, chosen: &mut Vec<usize>, scratch: &mut Scratch) {
        // The narrowest integers that cannot overflow are the fastest.
        if self.value_bits <= MAX_NARROW {
            self.choose_core::<i64>(chosen, scratch);
        } else {
            self.choose_core::<i128>(chosen, scratch);
        }
    }

    /// [`choose`](Self::choose), asking the table only about items that a bound does not settle.
    fn choose_core<W: Whole>(mut self, chosen: &mut Vec<usize>, scratch: &mut Scratch) {
        let Some(bound) = Bound::<W>::new(&self.items, self.capacity, scratch) else {
            chosen.extend(self.items.iter().rev().map(Item::position));
            return;
        };
        let mut room = self.capacity;
        // What is left open is gathered at the end, where it has been read already.
        let items = Cell::from_mut(self.items.as_mut_slice()).as_slice_of_cells();
        let mut open = items.len();
        for item in items.iter().rev().map(Cell::get) {
            let surplus = bound.surplus(&item);
            if bound.keeps_out(surplus) {
                continue;
            }
            if bound.keeps_in(surplus) {
                room -= item.weight;
            } else {
                open -= 1;
                items[open].set(Item { position: chosen.len() as u32, ..item });
            }
            chosen.push(item.position());
        }
        let core = Core { items: &self.items[open..], room: room as usize };
        let table = core.table(scratch);
        remove_all(chosen, core.left_out(table).map(Item::position));
    }
}

impl Item {
    fn position(&self) -> usize {
        self.position as usize
    }

    pub(super) fn weight(&self) -> usize {
        self.weight as usize
    }
}

/// Removes the elements at these places, which ascend.
fn remove_all(list: &mut Vec<usize>, mut places: impl Iterator<Item = usize>) {
    let Some(mut end) = places.next() else { return };
    let mut start = end + 1;
    for place in places.chain([list.len()]) {
        list.copy_within(start..place, end);
        end += place - start;
        start = place + 1;
    }
    list.truncate(end);
}
