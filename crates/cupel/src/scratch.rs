//! Working memory that the strategies of one run share.

/// Working memory that the strategies of one run share, so that nesting them does not multiply
/// allocations.
///
/// The pipeline makes one per run and lends it to each strategy in turn. A custom strategy can
/// ignore it; one that wraps another passes it on.
#[derive(Debug, Default)]
pub struct Scratch {
    keys: Vec<u128>,
    scores: Vec<f64>,
    marks: Vec<bool>,
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer of packed keys with room for `len`; see [`order`](crate::order).
    pub(crate) fn keys(&mut self, len: usize) -> &mut Vec<u128> {
        self.keys.clear();
        self.keys.reserve_exact(len);
        &mut self.keys
    }

    /// An empty vector of scores with room for `len`, to be filled and returned by a scorer.
    pub(crate) fn take_scores(&mut self, len: usize) -> Vec<f64> {
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        scores.reserve_exact(len);
        scores
    }

    /// Takes back a vector of scores that is no longer needed.
    pub(crate) fn give_back(&mut self, scores: Vec<f64>) {
        if scores.capacity() > self.scores.capacity() {
            self.scores = scores;
        }
    }

    /// `len` marks, none set.
    pub(crate) fn take_marks(&mut self, len: usize) -> Vec<bool> {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.resize(len, false);
        marks
    }

    /// Takes back marks that are no longer needed.
    pub(crate) fn give_back_marks(&mut self, marks: Vec<bool>) {
        if marks.capacity() > self.marks.capacity() {
            self.marks = marks;
        }
    }
}
