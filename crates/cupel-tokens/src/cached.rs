//! Remembering counts by content.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::RandomState;

use crate::{Basis, Counter};

/// What an entry takes besides its text, roughly.
const ENTRY_BYTES: usize = 64;

/// A counter that remembers, so that a conversation that grows costs only what is new in it.
///
/// Texts are kept and compared in full: two texts never share a count, whatever their hashes. Memory is
/// bounded; what was not asked for recently is forgotten. Share it between threads behind an [`Arc`].
///
/// ```
/// use cupel_tokens::{CachedCounter, Counter, Vocabulary};
///
/// let counter = CachedCounter::new(Vocabulary::O200kBase);
/// for _turn in 0..3 {
///     assert_eq!(counter.count("You are a helpful assistant."), 6);
/// }
/// assert_eq!(counter.statistics().misses, 1);
/// ```
///
/// [`Arc`]: std::sync::Arc
#[derive(Debug)]
pub struct CachedCounter<C> {
    counter: C,
    memory: Mutex<Memory>,
}

/// What a cache has done, and holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheStatistics {
    /// How often a count was remembered.
    pub hits: u64,
    /// How often the counter had to be asked.
    pub misses: u64,
    /// How many texts are remembered.
    pub texts: usize,
    /// About how many bytes they take.
    pub bytes: usize,
}

impl<C: Counter> CachedCounter<C> {
    /// How much is kept unless said: 64 MiB.
    pub const DEFAULT_BYTES: usize = 64 << 20;

    /// Remembers what `counter` says.
    #[must_use]
    pub fn new(counter: C) -> Self {
        Self::with_bytes(counter, Self::DEFAULT_BYTES)
    }

    /// The same, in no more than about `bytes` of memory.
    #[must_use]
    pub fn with_bytes(counter: C, bytes: usize) -> Self {
        let memory = Memory { generation_bytes: bytes / 2, ..Memory::default() };
        Self { counter, memory: Mutex::new(memory) }
    }

    /// What it has done, and holds.
    #[must_use]
    pub fn statistics(&self) -> CacheStatistics {
        let memory = self.memory();
        CacheStatistics {
            texts: memory.young.counts.len() + memory.old.counts.len(),
            bytes: memory.young.bytes + memory.old.bytes,
            ..memory.statistics
        }
    }

    /// A panic elsewhere leaves at most a forgotten count behind.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Counter> Counter for CachedCounter<C> {
    fn count(&self, text: &str) -> i64 {
        if let Some(tokens) = self.memory().recall(text) {
            return tokens;
        }
        // Outside of the lock: others need not wait for it.
        let tokens = self.counter.count(text);
        self.memory().remember(text, tokens);
        tokens
    }

    fn count_up_to(&self, text: &str, limit: i64) -> Option<i64> {
        if let Some(tokens) = self.memory().recall(text) {
            return Some(tokens).filter(|tokens| *tokens <= limit);
        }
        let tokens = self.counter.count_up_to(text, limit)?;
        self.memory().remember(text, tokens);
        Some(tokens)
    }

    fn basis(&self) -> Basis {
        self.counter.basis()
    }
}

/// Two generations, each half of what may be kept. What is asked for moves to the young one; when that
/// is full, the old one is forgotten and the young one is old. So whatever was asked for within half of
/// the memory's worth of texts is still known.
#[derive(Debug, Default)]
struct Memory {
    young: Generation,
    old: Generation,
    generation_bytes: usize,
    statistics: CacheStatistics,
}

#[derive(Debug, Default)]
struct Generation {
    counts: HashMap<Box<str>, i64, RandomState>,
    bytes: usize,
}

impl Memory {
    fn recall(&mut self, text: &str) -> Option<i64> {
        let young = self.young.counts.get(text).copied();
        let found = young.or_else(|| {
            let (text, tokens) = self.old.counts.remove_entry(text)?;
            self.old.bytes -= ENTRY_BYTES + text.len();
            self.keep(text, tokens);
            Some(tokens)
        });
        match found {
            Some(_) => self.statistics.hits += 1,
            None => self.statistics.misses += 1,
        }
        found
    }

    fn remember(&mut self, text: &str, tokens: i64) {
        // A text that would push out everything else is not worth it.
        if ENTRY_BYTES + text.len() <= self.generation_bytes {
            self.keep(text.into(), tokens);
        }
    }

    fn keep(&mut self, text: Box<str>, tokens: i64) {
        let bytes = ENTRY_BYTES + text.len();
        if self.young.bytes + bytes > self.generation_bytes {
            self.old = std::mem::take(&mut self.young);
        }
        if self.young.counts.insert(text, tokens).is_none() {
            self.young.bytes += bytes;
        }
    }
}
