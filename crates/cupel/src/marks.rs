//! A set of positions.

/// One bit per position. The first few hundred take no memory of their own.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    few: [u64; FEW],
    /// In place of `few` where those do not suffice.
    many: Vec<u64>,
}

const FEW: usize = 4;

impl Marks {
    /// Unmarks all, and makes room for `len` positions.
    pub(crate) fn clear(&mut self, len: usize) {
        let words = len.div_ceil(64);
        self.few = [0; FEW];
        self.many.clear();
        if words > FEW {
            self.many.resize(words, 0);
        }
    }

    /// The marks, to look at many of them.
    pub(crate) fn as_ref(&self) -> MarksRef<'_> {
        MarksRef(if self.many.is_empty() { &self.few } else { &self.many })
    }

    /// The marks, to set many of them.
    pub(crate) fn as_mut(&mut self) -> MarksMut<'_> {
        MarksMut(if self.many.is_empty() { &mut self.few } else { &mut self.many })
    }
}

/// Marks, wherever they are kept.
#[derive(Clone, Copy)]
pub(crate) struct MarksRef<'m>(&'m [u64]);

impl MarksRef<'_> {
    pub(crate) fn contains(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }
}

/// Marks, wherever they are kept.
pub(crate) struct MarksMut<'m>(&'m mut [u64]);

impl MarksMut<'_> {
    pub(crate) fn contains(&self, position: usize) -> bool {
        MarksRef(self.0).contains(position)
    }

    /// Unmarks all.
    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Marks `position`; says whether it was not marked before.
    pub(crate) fn insert(&mut self, position: usize) -> bool {
        let (word, bit) = (&mut self.0[position / 64], 1 << (position % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_kept_apart_on_both_sides_of_the_first_words() {
        let mut marks = Marks::default();
        for len in [1, 64, 65, 256, 257, 1_000, 1] {
            marks.clear(len);
            for position in (0..len).step_by(3) {
                assert!(marks.as_mut().insert(position) && !marks.as_mut().insert(position));
            }
            for position in 0..len {
                assert_eq!(
                    marks.as_ref().contains(position),
                    position % 3 == 0,
                    "{position} of {len}"
                );
            }
        }
    }
}
