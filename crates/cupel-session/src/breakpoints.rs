//! Where breakpoints go.
//!
//! At most four, those of the caller included. What they are for, the most needed first: the end of the history, where the
//! next request goes on; the end of the request before, where this one's reading starts, so that the look-back of twenty blocks
//! is never what it depends on; the end of tools and instructions, which survives every cut; and a place in the history
//! before which the next cut may leave everything as it is. If more than twenty blocks came in one turn, a breakpoint
//! between the two ends takes the place of the last.

use cupel_messages::Block;

use crate::{Cache, Price};

/// The most that are taken, and how many blocks before a breakpoint an entry is found.
const MOST: usize = 4;
const APART: usize = 20;

/// What to place breakpoints in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) blocks: &'a [Block],
    /// The tokens of all blocks up to each.
    pub(crate) sums: &'a [i64],
    /// How many blocks at the end are for this turn only.
    pub(crate) tail: usize,
    /// Where the last breakpoint of the request before was, if that is still there.
    pub(crate) end_before: Option<usize>,
    /// Breakpoints the caller set, wherever they are.
    pub(crate) taken: usize,
    /// How many tokens the next cut may leave untouched.
    pub(crate) anchor: i64,
}

/// The blocks that get a breakpoint, in order.
pub(crate) fn place(ground: Ground<'_>, price: &Price) -> Vec<usize> {
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
    let mut marks: Vec<usize> = Vec::with_capacity(room);
    for mark in [end, before, fixed, last].into_iter().flatten() {
        if marks.len() < room && !marks.contains(&mark) && !blocks[mark].marked {
            marks.push(mark);
        }
    }
    marks.sort_unstable();
    marks
}
