//! The parts of the budget that kinds get.

use std::ops::Range;

use crate::model::KindMap;
use crate::{ContextItem, ContextKind, Scratch};

/// Tokens a kind must and may have.
#[derive(Clone, Copy, Default)]
pub(super) struct Limits {
    pub(super) require: i64,
    pub(super) cap: i64,
}

/// One kind's part in the distribution.
#[derive(Default)]
pub(super) struct Share {
    pub(super) limits: Limits,
    /// Tokens its candidates have.
    pub(super) mass: u128,
    /// Tokens it gets.
    pub(super) budget: i64,
    /// Where its members stand among those of all kinds; at first only how many there can be.
    pub(super) members: Range<usize>,
}

impl Share {
    /// Puts one more position after those that stand in `members` already.
    pub(super) fn add_member(&mut self, at: usize, members: &mut [usize]) {
        members[self.members.end] = at;
        self.members.end += 1;
    }
}

/// How many kinds are well known.
const WELL_KNOWN: usize = ContextKind::WELL_KNOWN.len();

/// The parts of all kinds there are.
pub(super) struct Shares<'a> {
    /// Those of the well-known kinds, by place. Most candidates are of these, for which no list of kinds
    /// is made.
    well_known: [Share; WELL_KNOWN],
    others: KindMap<&'a ContextKind, Share>,
    /// Which kinds there are, in order of appearance.
    present: Vec<usize>,
}

impl<'a> Shares<'a> {
    /// None yet.
    #[inline]
    pub(super) fn new(scratch: &mut Scratch) -> Self {
        let present = scratch.take_positions(WELL_KNOWN);
        Self { well_known: Default::default(), others: KindMap::new(), present }
    }

    /// Where the part of the kind of `item` is, which has this [`place`](ContextItem::kind_place).
    #[inline]
    pub(super) fn place_of(&mut self, item: &'a ContextItem, kind_place: usize) -> usize {
        if kind_place < WELL_KNOWN { kind_place } else { self.place_of_other(item.kind()) }
    }

    #[cold]
    fn place_of_other(&mut self, kind: &'a ContextKind) -> usize {
        WELL_KNOWN + self.others.position_or_insert_with(kind, Share::default)
    }

    /// The part at this place.
    #[inline]
    pub(super) fn get_mut(&mut self, place: usize) -> &mut Share {
        match self.well_known.get_mut(place) {
            Some(share) => share,
            None => self.others.value_mut(place - WELL_KNOWN),
        }
    }

    /// One more candidate of a kind, whose `limits` are asked for if it is the first.
    #[inline]
    pub(super) fn count(&mut self, place: usize, tokens: u64, limits: impl FnOnce() -> Limits) {
        let share = self.get_mut(place);
        share.mass += u128::from(tokens);
        share.members.end += 1;
        if share.members.end == 1 {
            share.limits = limits();
            self.present.push(place);
        }
    }

    /// The parts of the kinds there are, in order of appearance.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Share> {
        self.present.iter().map(|&place| match self.well_known.get(place) {
            Some(share) => share,
            None => self.others.value(place - WELL_KNOWN),
        })
    }

    /// Does something to the part of each kind there is, in order of appearance.
    #[inline]
    pub(super) fn for_each(&mut self, mut change: impl FnMut(&mut Share)) {
        for at in 0..self.present.len() {
            change(self.get_mut(self.present[at]));
        }
    }

    /// Makes room for each kind's members after those of the kinds before, and none of them stand
    /// there yet.
    pub(super) fn stand_apart(&mut self) {
        let mut start = 0;
        self.for_each(|share| {
            let end = start + share.members.len();
            share.members = start..start;
            start = end;
        });
    }

    /// Puts all positions into `members` kind by kind, those of one kind in their order.
    pub(super) fn group(&mut self, of_candidates: &[usize], members: &mut [usize]) {
        for (at, &of_candidate) in of_candidates.iter().enumerate() {
            self.get_mut(of_candidate).add_member(at, members);
        }
    }

    /// Gives back what it was lent.
    pub(super) fn give_back(self, scratch: &mut Scratch) {
        scratch.give_back_positions(self.present);
    }
}

/// `percent` of `target`, rounded down, and never more than the target.
pub(super) fn percent_of(percent: f64, target: i64) -> i64 {
    if percent >= 100.0 {
        return target; // exact even where a double no longer holds the target
    }
    ((percent / 100.0 * target as f64) as i64).min(target)
}

/// `whole * part / total`, rounded down exactly, for `whole < 2^63` and `part <= total < 2^95`.
///
/// The product may need 158 bits, so it is divided in two steps of 32 bits of `whole`.
pub(super) fn proportion(whole: u128, part: u128, total: u128) -> i64 {
    let narrow = |it: u128| u64::try_from(it).ok();
    if let (Some(whole), Some(part), Some(total)) = (narrow(whole), narrow(part), narrow(total))
        && let Some(product) = whole.checked_mul(part)
    {
        return (product / total).cast_signed(); // at most `whole`
    }
    let (high, low) = (whole >> 32, whole & 0xffff_ffff);
    let (quotient, rest) = (high * part / total, high * part % total);
    let share = (quotient << 32) + ((rest << 32) + low * part) / total;
    i64::try_from(share).expect("a part of the whole is at most the whole, which was an i64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proportions_are_exact_where_the_product_exceeds_128_bits() {
        let huge = i64::MAX as u128;
        assert_eq!(proportion(huge, huge << 31, huge << 31), i64::MAX);
        assert_eq!(proportion(huge, huge << 30, huge << 31), i64::MAX / 2);
        assert_eq!(proportion(10, 1, 3), 3);
        assert_eq!(proportion(0, 5, 7), 0);
    }

    #[test]
    fn a_percentage_never_exceeds_its_target() {
        for target in [0, 1, 999, (1 << 53) + 1, i64::MAX - 1, i64::MAX] {
            for percent in [0.0, 1e-300, 33.3, 99.999_999_999_999_99, 100.0] {
                assert!((0..=target).contains(&percent_of(percent, target)));
            }
            assert_eq!(percent_of(100.0, target), target);
        }
        assert_eq!(percent_of(33.0, 1000), 330);
    }
}
