//! Vectors to be used again.

/// A few vectors that are not in use.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    spare: [Vec<T>; MOST],
    count: usize,
    /// The greatest capacity that was given back.
    greatest: usize,
}

/// Enough for strategies within strategies; custom ones may give back what they never took.
const MOST: usize = 4;

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { spare: Default::default(), count: 0, greatest: 0 }
    }
}

impl<T> Pool<T> {
    /// An empty vector with room for `len`.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Vec<T> {
        let mut taken = match self.count {
            0 => Vec::new(),
            count => {
                self.count = count - 1;
                std::mem::take(&mut self.spare[(count - 1) % MOST])
            }
        };
        taken.clear();
        taken.reserve_exact(len);
        taken
    }

    #[inline]
    pub(crate) fn give_back(&mut self, vector: Vec<T>) {
        self.greatest = self.greatest.max(vector.capacity());
        if self.count < MOST {
            self.spare[self.count] = vector;
            self.count += 1;
        }
    }

    /// The most bytes that a vector takes.
    pub(crate) fn greatest_bytes(&self) -> usize {
        self.greatest.saturating_mul(size_of::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_used_again() {
        let mut pool = Pool::default();
        let mut vector = pool.take(100);
        vector.push(1u8);
        let address = vector.as_ptr();
        pool.give_back(vector);

        let again = pool.take(50);
        assert_eq!((again.as_ptr(), again.len()), (address, 0));
        assert!(pool.take(3).capacity() >= 3);
        assert_eq!(pool.greatest_bytes(), 100);
    }

    #[test]
    fn what_nobody_took_is_not_hoarded() {
        let mut pool = Pool::default();
        for _ in 0..100 {
            pool.give_back(vec![0u8; 10]);
        }
        assert_eq!(pool.count, MOST);
    }
}
