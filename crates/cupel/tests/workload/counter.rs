//! A strategy of every sort that counts what it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use cupel::{ContextBudget, ContextItem, CupelError, ScoredItem, Scorer, Slicer, TimeProvider};

/// Counts how often it is asked.
#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicUsize>);

impl Counter {
    fn add(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Scorer for Counter {
    fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
        self.add(1);
        item.future_relevance_hint().unwrap_or_default()
    }
}

impl TimeProvider for Counter {
    fn now(&self) -> DateTime<Utc> {
        self.add(1);
        DateTime::UNIX_EPOCH
    }
}

/// Counts the candidates it is given, and takes them all.
impl Slicer for Counter {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        self.add(sorted.len());
        Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
    }
}
