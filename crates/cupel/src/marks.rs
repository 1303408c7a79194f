//! A set of positions.

/// One bit per position. Up to 64 of them take no memory of their own.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    first: u64,
    /// Bits 64 and up.
    more: Vec<u64>,
}

impl Marks {
    /// Unmarks all, and makes room for `len` positions.
    pub(crate) fn clear(&mut self, len: usize) {
        self.first = 0;
        self.more.clear();
        self.more.resize(len.saturating_sub(64).div_ceil(64), 0);
    }

    pub(crate) fn contains(&self, position: usize) -> bool {
        self.word(position) >> (position % 64) & 1 == 1
    }

    /// Marks `position`; says whether it was not marked before.
    pub(crate) fn insert(&mut self, position: usize) -> bool {
        let bit = 1 << (position % 64);
        let word = match position / 64 {
            0 => &mut self.first,
            word => &mut self.more[word - 1],
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn word(&self, position: usize) -> u64 {
        match position / 64 {
            0 => self.first,
            word => self.more[word - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_kept_apart_on_both_sides_of_the_first_word() {
        let mut marks = Marks::default();
        for len in [1, 64, 65, 128, 129, 1_000] {
            marks.clear(len);
            for position in (0..len).step_by(3) {
                assert!(marks.insert(position) && !marks.insert(position));
            }
            for position in 0..len {
                assert_eq!(marks.contains(position), position % 3 == 0, "{position} of {len}");
            }
        }
    }
}
