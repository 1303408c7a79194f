//! Numbers that look random and are the same every time.

pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn within(&mut self, range: std::ops::Range<usize>) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        range.start + (self.0 >> 33) as usize % (range.end - range.start)
    }
}
