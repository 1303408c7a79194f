//! Where breakpoints go.
//!
//! At most four, those of the caller included. What they are for, the most needed first: the end of the history, where the
//! next request goes on; the end of the request before, where this one's reading starts, so that the look-back of twenty blocks
//! is never what it depends on; the end of tools and instructions, which survives every cut; and a place in the history
//! before which the next cut may leave everything as it is. If more than twenty blocks came in one turn, a breakpoint
//! between the two ends takes the place of the last. Where the provider sets one itself, behind the last thing that was said
//! to the model, the end needs none of ours.

use cupel_messages::Block;

use crate::settings::Terms;
use crate::window::Window;
use crate::{Cache, Price, Session};

/// The most that are taken, and how many blocks before a breakpoint an entry is found.
const MOST: usize = 4;
const APART: usize = 20;

/// Breakpoints that the caller set.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnMarks {
    /// The blocks that end with one.
    pub(crate) blocks: Vec<usize>,
    /// How many there are, wherever they are.
    pub(crate) count: usize,
}

impl OwnMarks {
    pub(crate) fn of(window: &Window) -> Self {
        let blocks = 0..window.blocks.len();
        let blocks: Vec<usize> = blocks.filter(|at| window.blocks[*at].marked).collect();
        let none = blocks.is_empty() && !window.request.text().contains("cache");
        Self { count: if none { 0 } else { window.request.marks() }, blocks }
    }
}

/// All breakpoints of a request, by block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    /// The caller's and ours, in order.
    pub(crate) all: Vec<usize>,
    /// Ours, in order.
    pub(crate) placed: Vec<usize>,
}

/// What became of the history: what was put behind it, and what stayed of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    /// How many blocks at the end are for this turn only.
    pub(crate) tail: usize,
    /// How many blocks at the beginning are those of the request before.
    pub(crate) kept: usize,
}

impl Session {
    /// Where breakpoints stand: the caller's, and with them ours, which come second by themselves.
    pub(crate) fn marks(
        &self,
        window: &Window,
        own: &OwnMarks,
        ends: Ends,
        terms: &Terms,
    ) -> Marks {
        if !self.settings().breakpoints {
            return Marks { all: own.blocks.clone(), placed: Vec::new() };
        }
        let ground = Ground {
            blocks: &window.blocks,
            sums: &window.sums,
            tail: ends.tail,
            end_before: self.state.marks.iter().copied().filter(|at| *at < ends.kept).max(),
            taken: own.count,
            anchor: (terms.levels.low / 2).max(0),
        };
        let placed = place(ground, &terms.price);
        let mut all: Vec<usize> = own.blocks.iter().chain(&placed).copied().collect();
        all.sort_unstable();
        all.dedup();
        Marks { all, placed }
    }

    /// The request with its breakpoints.
    pub(crate) fn marked(&self, window: &Window, placed: &[usize], key: u64) -> String {
        if !self.settings().breakpoints {
            return window.request.text().to_owned();
        }
        window.request.marked(&window.blocks, placed, Some(&format!("cupel-{key:016x}")))
    }
}

/// What to place breakpoints in.
#[derive(Debug, Clone, Copy)]
struct Ground<'a> {
    blocks: &'a [Block],
    /// The tokens of all blocks up to each.
    sums: &'a [i64],
    /// How many blocks at the end are for this turn only.
    tail: usize,
    /// Where the last breakpoint of the request before was, if that is still there.
    end_before: Option<usize>,
    /// Breakpoints the caller set, wherever they are.
    taken: usize,
    /// How many tokens the next cut may leave untouched.
    anchor: i64,
}

/// The blocks that get a breakpoint, in order.
fn place(ground: Ground<'_>, price: &Price) -> Vec<usize> {
    let most = match price.cache {
        Cache::Marked => MOST,
        // One is the provider's own.
        Cache::LastQuestion => MOST - 1,
        Cache::AnyPrefix => 0,
    };
    let room = most.saturating_sub(ground.taken);
    let blocks = ground.blocks;
    let markable_upto =
        |end: usize| (0..end.min(blocks.len())).rev().find(|at| blocks[*at].markable);
    let end = markable_upto(blocks.len().saturating_sub(ground.tail));
    let before = ground.end_before.and_then(|end| markable_upto(end + 1));
    let fixed = blocks.iter().take_while(|block| block.instructs).count();
    let fixed = markable_upto(fixed);
    let far = end.zip(before).is_some_and(|(end, before)| end > before + APART);
    let last = if far {
        end.and_then(|end| markable_upto(end + 1 - APART))
    } else {
        let upto = ground.sums.partition_point(|sum| *sum <= ground.anchor);
        markable_upto(upto).filter(|at| end.is_some_and(|end| at < &end))
    };
    let is_set = |mark: usize| {
        let asked = || blocks.iter().rposition(|block| block.asks);
        price.cache == Cache::LastQuestion && asked() == Some(mark)
    };
    let mut marks: Vec<usize> = Vec::with_capacity(room);
    for mark in [end, before, fixed, last].into_iter().flatten() {
        if !is_set(mark) && marks.len() < room && !marks.contains(&mark) && !blocks[mark].marked {
            marks.push(mark);
        }
    }
    marks.sort_unstable();
    marks
}
