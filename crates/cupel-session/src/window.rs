//! A request that was sent, without breakpoints, as a cache sees it.

use cupel_messages::{Block, Format, Meter, Request};

use crate::Error;

/// A request in blocks.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) request: Request,
    pub(crate) blocks: Vec<Block>,
    /// The tokens of all blocks up to each.
    pub(crate) sums: Vec<i64>,
}

impl Window {
    pub(crate) fn read(text: String, format: Format, meter: &dyn Meter) -> Result<Self, Error> {
        let request = Request::read_as(text, format)?;
        let blocks = request.blocks(meter);
        let sums = sums(blocks.iter().map(|block| block.tokens));
        Ok(Self { request, blocks, sums })
    }

    pub(crate) fn hashes(&self) -> Vec<u64> {
        self.blocks.iter().map(|block| block.hash).collect()
    }

    /// How many blocks are those of a window before it, from the first on.
    pub(crate) fn common(&self, before: &[u64]) -> usize {
        common(before, self.blocks.iter().map(|block| block.hash))
    }

    /// The message that a block is in.
    pub(crate) fn message_of(&self, block: usize) -> Option<usize> {
        self.blocks.get(block)?.message
    }

    /// The last block that the model is asked with.
    pub(crate) fn asked(&self) -> Option<usize> {
        self.blocks.iter().rposition(|block| block.asks)
    }
}

/// How many hashes are those before them, from the first on.
pub(crate) fn common(before: &[u64], now: impl Iterator<Item = u64>) -> usize {
    before.iter().zip(now).take_while(|(one, other)| **one == *other).count()
}

/// The sum up to each, that one included.
pub(crate) fn sums(tokens: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut sum = 0_i64;
    let sums = tokens.map(|tokens| {
        sum = sum.saturating_add(tokens);
        sum
    });
    sums.collect()
}
