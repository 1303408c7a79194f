//! One kind's part of the budget.

use std::ops::Range;

use crate::ContextKind;
use crate::model::KindMap;

/// Tokens a kind must and may have.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) require: i64,
    pub(super) cap: i64,
}

/// One kind's part in the distribution.
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

/// Makes room for each kind's members after those of the kinds before, and none of them stand there
/// yet.
pub(super) fn stand_apart(shares: &mut KindMap<&ContextKind, Share>) {
    let mut start = 0;
    for share in shares.values_mut() {
        let end = start + share.members.len();
        share.members = start..start;
        start = end;
    }
}

/// Puts all positions into `members` kind by kind, those of one kind in their order.
pub(super) fn group(
    of_candidate: &[usize],
    shares: &mut KindMap<&ContextKind, Share>,
    members: &mut [usize],
) {
    for (at, &of_candidate) in of_candidate.iter().enumerate() {
        shares.value_mut(of_candidate).add_member(at, members);
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
