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
    /// None are to be marked before.
    #[inline]
    pub(crate) fn insert_each_once(&mut self, positions: &[usize]) -> bool {
        let (mut greatest, mut repeated) = (0, 0);
        if self.many.is_empty() {
            let mut marked = 0u64;
            for &position in positions {
                let bit = 1 << (position % 64);
                greatest = greatest.max(position);
                repeated |= marked & bit;
                marked |= bit;
            }
            self.few = marked;
        } else {
            for &position in positions {
                let bit = 1 << (position % 64);
                greatest = greatest.max(position);
                if let Some(word) = self.many.get_mut(position / 64) {
                    repeated |= *word & bit;
                    *word |= bit;
                }
            }
        }
        positions.is_empty() || (greatest < self.positions && repeated == 0)
    }

    /// Calls `visit` with each marked position, ascending.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.words().iter().enumerate() {
            for_each_bit(word, |bit| visit(at * 64 + bit));
        }
    }

    /// Calls `visit` with each position that is not marked, ascending.
    #[inline]
    pub(crate) fn for_each_other(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.words().iter().enumerate() {
            let beyond = (at * 64 + 64).saturating_sub(self.positions);
            let none_beyond = u64::MAX.checked_shr(beyond as u32).unwrap_or(0);
            for_each_bit(!word & none_beyond, |bit| visit(at * 64 + bit));
        }
    }
}

#[inline]
fn for_each_bit(word: u64, mut visit: impl FnMut(usize)) {
    let mut left = word;
    while left != 0 {
        visit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_kept_apart() {
        let mut marks = Marks::default();
        for len in [0, 1, 64, 65, 256, 257, 1_000, 1] {
            marks.clear(len);
            let (marked, others): (Vec<_>, Vec<_>) = (0..len).partition(|at| at % 3 == 0);
            marked.iter().for_each(|position| marks.insert(*position));
            let (mut visited, mut visited_others) = (Vec::new(), Vec::new());
            marks.for_each(|position| visited.push(position));
            marks.for_each_other(|position| visited_others.push(position));
            assert_eq!((visited, visited_others), (marked, others), "{len}");
            for position in 0..len {
                assert_eq!(marks.contains(position), position % 3 == 0, "{position} of {len}");
            }
        }
    }

    #[test]
    fn positions_named_twice_or_out_of_room_are_noticed() {
        let mut marks = Marks::default();
        for (room, positions, is_fine) in [
            (70, &[][..], true),
            (70, &[69, 0, 64], true),
            (70, &[3, 70], false),
            (70, &[3, 128], false),
            (70, &[usize::MAX], false),
            (70, &[5, 6, 5], false),
            (0, &[], true),
            (0, &[0], false),
            (10, &[9, 0, 5], true),
            (10, &[3, 10], false),
            (10, &[3, 64], false),
            (10, &[5, 6, 5], false),
        ] {
            marks.clear(room);
            assert_eq!(marks.insert_each_once(positions), is_fine, "{positions:?} of {room}");
        }
    }
}
