//! What a turn costs: what its request shares with the one before it, as a provider would see it.

use serde::Serialize;

use crate::{Cache, Price};

/// How many blocks before a breakpoint an entry is found.
const LOOK_BACK: usize = 20;

/// What a turn's request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Costs {
    /// Tokens read from the cache.
    pub read: i64,
    /// Tokens written to it.
    pub written: i64,
    /// Tokens that are neither.
    pub plain: i64,
    /// What that costs, in thousandths of a plain token.
    pub thousandths: i64,
}

impl Costs {
    /// All tokens.
    pub fn tokens(&self) -> i64 {
        self.read.saturating_add(self.written).saturating_add(self.plain)
    }

    /// What the request costs, in plain tokens.
    pub fn cost(&self) -> f64 {
        self.thousandths as f64 / 1_000.0
    }

    /// The share of tokens that is read from the cache.
    pub fn share_read(&self) -> f64 {
        let tokens = self.tokens();
        if tokens == 0 { 0.0 } else { self.read as f64 / tokens as f64 }
    }

    fn of(read: i64, written: i64, total: i64, price: &Price) -> Self {
        let plain = total.saturating_sub(read).saturating_sub(written);
        let charge = |tokens: i64, each: i64| i128::from(tokens) * i128::from(each);
        let once = charge(read, price.read) + charge(written, price.write) + charge(plain, 1_000);
        let over = price.step.is_some_and(|step| total > step);
        let all = if over { once * i128::from(price.step_factor) / 1_000 } else { once };
        Self { read, written, plain, thousandths: i64::try_from(all).unwrap_or(i64::MAX) }
    }
}

/// Where a request leaves entries in a cache, by block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entries<'a> {
    pub(crate) marks: &'a [usize],
    /// The last block that the model is asked with.
    pub(crate) asked: Option<usize>,
}

/// What a request of `total` tokens costs whose first `kept` blocks are those of the one before it.
///
/// `sums` are the tokens of all blocks up to each, that one included.
pub(crate) fn costs(
    before: Entries<'_>,
    kept: usize,
    now: Entries<'_>,
    sums: &[i64],
    total: i64,
    price: &Price,
) -> Costs {
    let upto = |block: usize| sums.get(block).copied().unwrap_or(0);
    let cached = |block: &usize| *block < kept && upto(*block) >= price.minimum;
    let entry = match price.cache {
        Cache::AnyPrefix => kept.checked_sub(1).filter(cached),
        Cache::LastQuestion => {
            before.marks.iter().copied().chain(before.asked).filter(cached).max()
        }
        Cache::Marked => {
            let found = |entry: &usize| {
                now.marks.iter().any(|mark| *mark >= *entry && *mark - *entry <= LOOK_BACK)
            };
            before.marks.iter().copied().filter(|entry| cached(entry) && found(entry)).max()
        }
    };
    let read = entry.map_or(0, upto);
    let end = match price.cache {
        Cache::AnyPrefix => sums.len().checked_sub(1),
        Cache::LastQuestion => now.marks.iter().copied().chain(now.asked).max(),
        Cache::Marked => now.marks.iter().copied().max(),
    };
    let end = end.map_or(0, upto);
    let written = if end >= price.minimum { (end - read).max(0) } else { 0 };
    Costs::of(read, written, total, price)
}
