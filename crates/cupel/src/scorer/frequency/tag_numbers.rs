//! Numbers for tags.

use std::hash::{BuildHasher, Hash, Hasher};

use crate::hash::{AnyCase, Seeded, lowercase_end};

/// Numbers different tags from 0 on, in the order in which they are first met.
///
/// A `HashMap` does the same at about 40 instructions more per tag: `score/frequency` in
/// `benches/instructions`.
pub(super) struct TagNumbers<'a> {
    tags: Vec<Tag<'a>>,
    /// One more than the number of each tag, in the first slot that was free from the one on that
    /// its hash names; 0 if free. They are a power of two, and no more than half are taken.
    slots: Vec<u32>,
    hasher: Seeded,
}

impl<'a> TagNumbers<'a> {
    /// With room for some tags. More is made when it is needed.
    pub(super) fn with_room(tags: usize, hasher: Seeded) -> Self {
        let slots = vec![0; (2 * tags).next_power_of_two()];
        Self { tags: Vec::with_capacity(tags), slots, hasher }
    }

    /// How many different tags were met.
    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    #[inline]
    pub(super) fn number(&mut self, text: &'a str) -> u32 {
        let tag = Tag::of(text);
        let mut slot = self.first_slot(tag);
        loop {
            match self.slots[slot] {
                0 => return self.add(tag, slot),
                taken if self.tags[taken as usize - 1] == tag => return taken - 1,
                _ => slot = self.after(slot),
            }
        }
    }

    fn first_slot(&self, tag: Tag<'_>) -> usize {
        self.hasher.hash_one(tag) as usize & (self.slots.len() - 1)
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn add(&mut self, tag: Tag<'a>, free_slot: usize) -> u32 {
        let number = self.tags.len() as u32;
        self.tags.push(tag);
        self.slots[free_slot] = number + 1;
        if 2 * self.tags.len() > self.slots.len() {
            self.spread();
        }
        number
    }

    /// Distributes all tags among twice as many slots.
    #[cold]
    fn spread(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for (taken, &tag) in (1..).zip(&self.tags) {
            let mut slot = self.first_slot(tag);
            while self.slots[slot] != 0 {
                slot = self.after(slot);
            }
            self.slots[slot] = taken;
        }
    }
}

/// A tag without regard to ASCII case. One of less than eight bytes is all in its end, a word.
#[derive(Clone, Copy)]
struct Tag<'a> {
    text: &'a str,
    end: u64,
}

impl<'a> Tag<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, end: lowercase_end(text) }
    }

    fn is_short(self) -> bool {
        self.text.len() < size_of::<u64>()
    }
}

impl PartialEq for Tag<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.end == other.end
            && self.text.len() == other.text.len()
            && (self.is_short() || AnyCase(self.text) == AnyCase(other.text))
    }
}

impl Eq for Tag<'_> {}

impl Hash for Tag<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.is_short() {
            state.write_u64(self.end);
        } else {
            AnyCase(self.text).hash(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tags_are_numbered_as_by_a_search(texts in vec("[aAbé@`]{0,3}([xX]{7}[yYz])?", 0..200)) {
            let mut numbers = TagNumbers::with_room(0, Seeded::default());
            let mut met: Vec<&str> = Vec::new();
            for text in &texts {
                let is_same = |other: &&str| other.eq_ignore_ascii_case(text);
                let expected = met.iter().position(is_same).unwrap_or_else(|| {
                    met.push(text);
                    met.len() - 1
                });
                prop_assert_eq!(numbers.number(text) as usize, expected, "{}", text);
                prop_assert_eq!(numbers.len(), met.len());
            }
        }
    }
}
