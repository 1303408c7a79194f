//! Where a greedy packing is full, found without putting all items in order.
//!
//! Items are tallied by density, roughly. From the densest on, whole tallies are packed as long as
//! they fit; only the items of the first that does not are put in order and packed one by one.

use std::cmp::Ordering;

use super::packing::Item;
use super::reduce::Whole;
use crate::Scratch;

/// A greedy packing, densest item first.
pub(super) struct Greedy {
    /// The first item that there is no room for.
    pub(super) full_at: Item,
    /// The room there is then.
    pub(super) room: u32,
    /// What some of the items after it are worth together that fit in there.
    pub(super) filling: i64,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    items: u32,
    weight: u32,
}

impl Greedy {
    /// `None` if there is room for all.
    pub(super) fn new<W: Whole>(
        items: &[Item],
        capacity: u32,
        scratch: &mut Scratch,
    ) -> Option<Self> {
        let densest = items.iter().map(|item| item.density).max()?;
        let rank = |item: &Item| W::rank(densest, item.density);
        let mut tallies = [Tally::default(); RANKS];
        for item in items {
            let tally = &mut tallies[rank(item)];
            tally.items += 1;
            tally.weight += item.weight;
        }
        let mut room = capacity;
        let split = tallies.iter().position(|tally| !take(tally.weight, &mut room))?;

        let places = scratch.words(tallies[split].items as usize);
        let in_split = (0..items.len()).filter(|at| rank(&items[*at]) == split);
        places.iter_mut().zip(in_split).for_each(|(place, at)| *place = at as u64);
        let item = |place: &u64| &items[*place as usize];
        places.sort_unstable_by(|a, b| denser_first::<W>(item(a), item(b)));

        let mut in_order = places.iter().map(item);
        let full_at = *in_order.find(|item| !take(item.weight, &mut room))?;
        let mut left = room;
        let rest = in_order.filter(|item| take(item.weight, &mut left)).map(|item| item.value);
        // A sum that does not fit is cut: a worse packing is one too.
        let filling = rest.fold(0, i64::saturating_add);
        let filling = filling.saturating_add(fill(left, items, |item| rank(item) > split));
        Some(Self { full_at, room, filling })
    }
}

/// How many items are looked for to fill a room: hardly ever is there any room left for more.
const FILLERS: u32 = 8;

/// What a few of the items that are free are worth together, each the densest that fits in what the
/// ones before leave of the room.
fn fill(mut room: u32, items: &[Item], is_free: impl Fn(&Item) -> bool) -> i64 {
    let (mut value, mut fillers, mut last) = (0, 0, u32::MAX);
    while room > 0 && fillers < FILLERS {
        let is_next = |it: &&Item| it.weight <= room && it.density < last && is_free(it);
        let Some(next) = items.iter().filter(is_next).max_by_key(|item| item.density) else {
            break;
        };
        value += next.value;
        room -= next.weight;
        last = next.density;
        fillers += 1;
    }
    value
}

/// Takes `weight` from `room` if it fits, and says so.
fn take(weight: u32, room: &mut u32) -> bool {
    let less = room.checked_sub(weight);
    *room = less.unwrap_or(*room);
    less.is_some()
}

fn denser_first<W: Whole>(a: &Item, b: &Item) -> Ordering {
    let times = |value: i64, weight: u32| W::from(value) * W::from(weight.into());
    times(b.value, a.weight).cmp(&times(a.value, b.weight))
}

/// The value per bucket of an item, roughly: a denser item never has less, as long as a float holds
/// their values.
pub(super) fn density(value: i64, weight: u32) -> u32 {
    // The bits of positive floats are in their order. Rounding a quotient keeps the order; rounding
    // what is divided might not.
    let density = value as f64 / f64::from(weight);
    (density.to_bits() >> 32) as u32
}

const RANKS: usize = 256;

/// The rank of a [`density`]: 16 further for each time that it halves.
pub(super) fn rank(densest: u32, density: u32) -> usize {
    (((densest - density) >> 16) as usize).min(RANKS - 1)
}
