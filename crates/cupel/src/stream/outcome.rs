//! What came of a stream.

use std::collections::BTreeMap;

use super::listener::Listener;
use crate::model::clamp_tokens;
use crate::{ContextItem, IncludedItem, OverflowEvent};

/// The window of a stream, and what was seen of it. What was left out is counted and not held.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct StreamOutcome {
    /// The window, in its order. An entry's index is its number in the stream, from 0.
    pub included: Vec<IncludedItem>,
    /// How many items were left out, by the [name](crate::ExclusionReason::name) of the reason.
    pub excluded: BTreeMap<&'static str, usize>,
    /// How many items were pulled, or handed over.
    pub seen: usize,
    /// The sum of their tokens, in whole, clamped to `i64`.
    pub tokens_seen: i64,
    /// How many batches went through the stages.
    pub batches: usize,
    /// Whether nothing was left of the target. [`run_stream`](crate::Pipeline::run_stream) pulls nothing after that, so the
    /// stream may have had more.
    pub is_full: bool,
    /// If a selection larger than its window was let through: by how much.
    pub overflow: Option<OverflowEvent>,
}

impl StreamOutcome {
    /// The items of the window, in its order.
    pub fn window(&self) -> Vec<ContextItem> {
        self.included.iter().map(|entry| entry.item.clone()).collect()
    }

    /// How many items were left out.
    pub fn excluded_count(&self) -> usize {
        self.excluded.values().sum()
    }

    /// With what the stages decided.
    pub(super) fn completed(self, listener: Listener<'_>, tokens_seen: i128) -> Self {
        let Listener { included, excluded, overflow, .. } = listener;
        Self { included, excluded, overflow, tokens_seen: clamp_tokens(tokens_seen), ..self }
    }
}
