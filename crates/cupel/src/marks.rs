//! A set of positions.

/// One bit per position.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    positions: usize,
    /// In place of `many` where so few will do.
    few: u64,
    many: Vec<u64>,
}

impl Marks {
    /// Unmarks all, and makes room for `positions`.
    pub(crate) fn clear(&mut self, positions: usize) {
        self.positions = positions;
        self.few = 0;
        self.many.clear();
        if positions > 64 {
            self.many.resize(positions.div_ceil(64), 0);
        }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        if self.many.is_empty() { std::slice::from_ref(&self.few) } else { &self.many }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        if self.many.is_empty() { std::slice::from_mut(&mut self.few) } else { &mut self.many }
    }

    #[inline]
    pub(crate) fn contains(&self, position: usize) -> bool {
        self.words()[position / 64] >> (position % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, position: usize) {
        self.words_mut()[position / 64] |= 1 << (position % 64);
    }

    /// Marks all `positions` that there is room for; says whether these are all, each named once.
    #[inline]
    pub(crate) fn insert_each_once(&mut self, positions: &[usize]) -> bool {
        let mut greatest = 0;
        let words = self.words_mut();
        for &position in positions {
            greatest = greatest.max(position);
            if let Some(word) = words.get_mut(position / 64) {
                *word |= 1 << (position % 64);
            }
        }
        let marked: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        positions.is_empty() || (greatest < self.positions && marked == positions.len())
    }

    /// Calls `visit` with each marked position, ascending.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.words().iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(at * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_kept_apart() {
        let mut marks = Marks::default();
        for len in [1, 64, 65, 256, 257, 1_000, 1] {
            marks.clear(len);
            let marked: Vec<_> = (0..len).step_by(3).collect();
            marked.iter().for_each(|position| marks.insert(*position));
            let mut visited = Vec::new();
            marks.for_each(|position| visited.push(position));
            assert_eq!(visited, marked);
            for position in 0..len {
                assert_eq!(marks.contains(position), position % 3 == 0, "{position} of {len}");
            }
        }
    }

    #[test]
    fn positions_named_twice_or_out_of_room_are_noticed() {
        let mut marks = Marks::default();
        for (positions, is_fine) in [
            (&[][..], true),
            (&[69, 0, 64], true),
            (&[3, 70], false),
            (&[3, 128], false),
            (&[usize::MAX], false),
            (&[5, 6, 5], false),
        ] {
            marks.clear(70);
            assert_eq!(marks.insert_each_once(positions), is_fine, "{positions:?}");
        }
    }
}
