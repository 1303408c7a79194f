//! Working memory that the strategies of one run share.

use std::cell::Cell;

use crate::Candidate;
use crate::marks::Marks;
use crate::pool::Pool;
use crate::sorting::{self, Few, Tie};

/// Working memory that the strategies of one run share, so that nesting them does not multiply
/// allocations.
///
/// The pipeline lends the same one to each strategy of a run in turn. A custom strategy can ignore
/// it; one that wraps another passes it on.
#[derive(Debug)]
pub struct Scratch {
    few: Few,
    words: Vec<u64>,
    /// For scores and positions alike: a run is done with its scores before it needs positions.
    columns: Pool<f64>,
    candidates: Pool<Candidate<'static>>,
    /// To check with that each position is named once.
    pub(crate) marks: Marks,
    /// The innermost scorer that gave a wrong number of scores, and how many it gave.
    miscounting: Option<(String, usize)>,
    /// Whether somebody may ask why a slicer left something out.
    wants_refusals: bool,
}

thread_local! {
    /// What the last run on this thread worked in: with a few dozen candidates, allocating takes
    /// longer than choosing.
    static SPARE: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// The size of the largest vector that a thread keeps after a run over so many candidates. What they
/// needed is kept for as many again: the system takes a good part of a run over 100,000 to hand out
/// fresh pages. Beyond [`KEPT_BYTES`] it is given back by a run that needs much less, or if it is huge.
fn most_kept_bytes(candidates: usize) -> usize {
    const NEEDED_PER_CANDIDATE: usize = 32;
    const HUGE: usize = 4 << 20;
    candidates.saturating_mul(NEEDED_PER_CANDIDATE).clamp(KEPT_BYTES, HUGE)
}

/// Enough for ten thousand candidates.
const KEPT_BYTES: usize = 256 << 10;

impl Default for Scratch {
    fn default() -> Self {
        Self {
            few: Few::default(),
            words: Vec::new(),
            columns: Pool::default(),
            candidates: Pool::default(),
            marks: Marks::default(),
            miscounting: None,
            wants_refusals: true,
        }
    }
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lends `work` on so many candidates this thread's memory; or some of its own, if a run is at work
    /// in that one already or the thread is about to end.
    #[inline]
    pub(crate) fn lend<T>(candidates: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut scratch = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let result = work(&mut scratch);
        scratch.forget(most_kept_bytes(candidates));
        // A thread that is about to end keeps nothing.
        let _ = SPARE.try_with(|spare| spare.set(Some(scratch)));
        result
    }

    /// Readies the memory for a run of which somebody may ask why a slicer left something out.
    pub(crate) fn begin(&mut self, wants_refusals: bool) {
        self.wants_refusals = wants_refusals;
        self.miscounting = None;
    }

    /// Gives everything back if a vector is larger than this.
    fn forget(&mut self, most_bytes: usize) {
        let greatest = [
            size_of_val(&*self.words),
            self.columns.greatest_bytes(),
            self.candidates.greatest_bytes(),
        ];
        if greatest.iter().any(|bytes| *bytes > most_bytes) {
            *self = Self::default();
        }
    }

    /// Whether a slicer needs to say why it leaves something out.
    pub(crate) fn wants_refusals(&self) -> bool {
        self.wants_refusals
    }

    /// Calls `visit` with the position of each value but zeroes, and the value: by value, ties by
    /// position.
    ///
    /// Fastest where values differ in their leading bits. At most
    /// [`MAX_POSITIONS`](crate::order::MAX_POSITIONS) of them.
    #[inline]
    pub(crate) fn visit_in_order(
        &mut self,
        values: impl ExactSizeIterator<Item = u64>,
        mut visit: impl FnMut(usize, u64),
    ) {
        self.visit_until(values, (), usize::MAX, |at, value| {
            visit(at, value);
            true
        });
    }

    /// [`visit_in_order`](Self::visit_in_order), ties by `tie` before position, until `visit` says no,
    /// which is expected after `expected` of them.
    #[inline]
    pub(crate) fn visit_until(
        &mut self,
        values: impl ExactSizeIterator<Item = u64>,
        tie: impl Tie,
        expected: usize,
        mut visit: impl FnMut(usize, u64) -> bool,
    ) {
        if values.len() <= sorting::FEW {
            let (values, positions) = sorting::sort_few(&mut self.few, values, tie);
            for (value, at) in values.iter().zip(positions) {
                if !visit(*at, *value) {
                    break;
                }
            }
        } else {
            let words = self.words(sorting::words_needed(values.len()));
            sorting::visit_many(words, values, tie, expected, visit);
        }
    }

    /// The positions of a few values but zeroes: by value, ties by position.
    #[inline]
    pub(crate) fn few_in_order(&mut self, values: impl ExactSizeIterator<Item = u64>) -> &[usize] {
        sorting::sort_few(&mut self.few, values, ()).1
    }

    /// `len` words of any contents. Asking for as many again allocates nothing.
    pub(crate) fn words(&mut self, len: usize) -> &mut [u64] {
        // With room for the column that a stage may ask for after a strategy asked for words.
        self.words_within(len, len + len / 2)
    }

    /// `len` words; if there are not as many yet, then from now on `room`.
    fn words_within(&mut self, len: usize, room: usize) -> &mut [u64] {
        if self.words.len() < len {
            self.words = vec![0; room];
        }
        &mut self.words[..len]
    }

    /// `2 * len` words of any contents, and beside them one word for each of `len` items: what is
    /// needed of items that are then visited out of their order, or with decisions on the way. Fetched
    /// before, by a loop that does nothing else, many are on their way at once.
    pub(crate) fn words_and_column(
        &mut self,
        len: usize,
        column: impl Iterator<Item = u64>,
    ) -> (&mut [u64], &[u64]) {
        let (words, beside) = self.words_within(3 * len, 3 * len).split_at_mut(2 * len);
        beside.iter_mut().zip(column).for_each(|(word, of_item)| *word = of_item);
        (words, beside)
    }

    /// An empty vector of scores with room for `len`, to be filled and returned by a scorer.
    pub(crate) fn take_scores(&mut self, len: usize) -> Vec<f64> {
        self.columns.take(len)
    }

    /// Takes back a vector of scores that is no longer needed.
    pub(crate) fn give_back(&mut self, scores: Vec<f64>) {
        self.columns.give_back(scores);
    }

    /// An empty vector of positions with room for `len`, to be filled and returned by a slicer or a
    /// placer.
    pub(crate) fn take_positions(&mut self, len: usize) -> Vec<usize> {
        let mut positions = emptied(self.columns.take(len));
        positions.reserve_exact(len); // for what has another size than a score
        positions
    }

    /// Takes back a vector of positions that is no longer needed.
    pub(crate) fn give_back_positions(&mut self, positions: Vec<usize>) {
        self.columns.give_back(emptied(positions));
    }

    /// An empty vector of candidates with room for `len`. To be given back.
    pub(crate) fn take_candidates<'a>(&mut self, len: usize) -> Vec<Candidate<'a>> {
        self.candidates.take(len)
    }

    /// Takes back a vector of candidates that is no longer needed.
    pub(crate) fn give_back_candidates(&mut self, candidates: Vec<Candidate<'_>>) {
        self.candidates.give_back(emptied(candidates));
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

    /// Remembers that the scorer called `name` gave `count` scores, which is wrong, unless one inside
    /// it is to blame.
    pub(crate) fn blame(&mut self, name: &str, count: usize) {
        self.miscounting.get_or_insert_with(|| (name.to_owned(), count));
    }

    /// The scorer to blame for a wrong number of scores, and that number.
    pub(crate) fn blamed(&mut self) -> Option<(String, usize)> {
        self.miscounting.take()
    }
}

/// The memory of a vector, for others of the same size: collecting into as many bytes keeps it.
#[inline]
fn emptied<T, U>(mut vector: Vec<T>) -> Vec<U> {
    vector.clear();
    vector.into_iter().map(|_| unreachable!("all were cleared")).collect()
}
