//! The parts of the budget that kinds get.

/// One kind's part in the distribution, in tokens.
pub(super) struct Share {
    /// How many candidates it has.
    pub(super) count: usize,
    /// Their positions, ascending.
    pub(super) members: Vec<usize>,
    /// What the kind must have.
    pub(super) require: i64,
    /// What it may have.
    pub(super) cap: i64,
    /// What its candidates have.
    pub(super) mass: u128,
    /// What it gets.
    pub(super) budget: i64,
}

impl Share {
    /// Adds the next of its candidates. Room for all of them is made at once.
    pub(super) fn add_member(&mut self, position: usize) {
        if self.members.is_empty() {
            self.members.reserve_exact(self.count);
        }
        self.members.push(position);
    }

    /// Whether it takes part in what nobody requires.
    pub(super) fn grows(&self) -> bool {
        self.cap > self.require
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
