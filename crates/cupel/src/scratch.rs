//! Working memory that the strategies of one run share.

use crate::marks::Marks;
use crate::sorting;

/// Working memory that the strategies of one run share, so that nesting them does not multiply
/// allocations.
///
/// The pipeline makes one per run and lends it to each strategy in turn. A custom strategy can
/// ignore it; one that wraps another passes it on.
#[derive(Debug)]
pub struct Scratch {
    /// In place of `words` where so few will do.
    few_words: [u64; FEW_WORDS],
    words: Vec<u64>,
    scores: Vec<f64>,
    positions: Vec<usize>,
    marks: Marks,
    /// The innermost scorer that gave a wrong number of scores.
    miscounting: Option<String>,
    /// Whether somebody may ask why a slicer left something out.
    wants_refusals: bool,
}

/// Enough to order a few dozen items without an allocation.
const FEW_WORDS: usize = 64;

impl Default for Scratch {
    fn default() -> Self {
        Self::for_run(true)
    }
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty working memory for a run of which somebody may ask why a slicer left something out.
    pub(crate) fn for_run(wants_refusals: bool) -> Self {
        Self {
            few_words: [0; FEW_WORDS],
            words: Vec::new(),
            scores: Vec::new(),
            positions: Vec::new(),
            marks: Marks::default(),
            miscounting: None,
            wants_refusals,
        }
    }

    /// Whether a slicer needs to say why it leaves something out.
    pub(crate) fn wants_refusals(&self) -> bool {
        self.wants_refusals
    }

    /// The positions of all values but zeroes, by value, ties by position; and the values.
    ///
    /// Fastest where values differ in their leading bits. At most
    /// [`MAX_POSITIONS`](crate::order::MAX_POSITIONS) of them.
    pub(crate) fn order(&mut self, values: impl ExactSizeIterator<Item = u64>) -> (&[u64], &[u64]) {
        sorting::order(self.words(sorting::words_needed(values.len())), values)
    }

    /// `len` words of any contents. Asking for the same number again allocates nothing.
    pub(crate) fn words(&mut self, len: usize) -> &mut [u64] {
        if len <= FEW_WORDS {
            return &mut self.few_words[..len];
        }
        if self.words.len() < len {
            self.words = vec![0; len];
        }
        &mut self.words[..len]
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

    /// An empty vector of positions with room for `len`, to be filled and returned by a slicer or a
    /// placer.
    pub(crate) fn take_positions(&mut self, len: usize) -> Vec<usize> {
        let mut positions = std::mem::take(&mut self.positions);
        positions.clear();
        positions.reserve_exact(len);
        positions
    }

    /// Takes back a vector of positions that is no longer needed.
    pub(crate) fn give_back_positions(&mut self, positions: Vec<usize>) {
        if positions.capacity() > self.positions.capacity() {
            self.positions = positions;
        }
    }

    /// Remembers that the scorer called `name` gave a wrong number of scores, unless one inside it
    /// is to blame.
    pub(crate) fn blame(&mut self, name: &str) {
        self.miscounting.get_or_insert_with(|| name.to_owned());
    }

    /// The scorer to blame for a wrong number of scores.
    pub(crate) fn blamed(&mut self) -> Option<String> {
        self.miscounting.take()
    }

    /// Marks for `len` positions, none set. To be given back.
    pub(crate) fn take_marks(&mut self, len: usize) -> Marks {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear(len);
        marks
    }

    /// Takes back marks that are no longer needed.
    pub(crate) fn give_back_marks(&mut self, marks: Marks) {
        self.marks = marks;
    }
}
