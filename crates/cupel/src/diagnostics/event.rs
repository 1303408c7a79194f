//! What happened, step by step.

use std::fmt;

use crate::{ContextBudget, ContextItem};

/// A stage that reports. Sorting is an internal step and does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PipelineStage {
    /// Sets pinned and invalid items apart.
    Classify,
    /// Says how relevant each item is.
    Score,
    /// Drops repeated contents.
    Deduplicate,
    /// Chooses what fits.
    Slice,
    /// Merges, handles overflow and arranges.
    Place,
    /// A stage of another implementation or a later version.
    Unknown,
}

impl PipelineStage {
    /// The five stages in the order they run.
    pub const ALL: [Self; 5] =
        [Self::Classify, Self::Score, Self::Deduplicate, Self::Slice, Self::Place];

    /// The stage's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classify => "Classify",
            Self::Score => "Score",
            Self::Deduplicate => "Deduplicate",
            Self::Slice => "Slice",
            Self::Place => "Place",
            Self::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for PipelineStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something a stage did: the whole stage, or its decision about one item.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TraceEvent {
    /// The stage.
    pub stage: PipelineStage,
    /// How long the stage took; 0 for an item's event.
    pub duration_ms: f64,
    /// How many items entered the stage; 1 for an item's event.
    pub item_count: usize,
    /// What was decided about an item.
    pub message: Option<String>,
}

impl TraceEvent {
    /// The event of a whole stage.
    pub fn stage(stage: PipelineStage, duration_ms: f64, item_count: usize) -> Self {
        Self { stage, duration_ms, item_count, message: None }
    }

    /// The event of one item.
    pub fn item(stage: PipelineStage, message: String) -> Self {
        Self { stage, duration_ms: 0.0, item_count: 1, message: Some(message) }
    }
}

/// A selection larger than its window that was let through.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OverflowEvent {
    /// By how much.
    pub tokens_over_budget: i64,
    /// Everything selected, pinned items first.
    pub overflowing_items: Vec<ContextItem>,
    /// The budget it exceeds.
    pub budget: ContextBudget,
}

impl OverflowEvent {
    /// An event from its parts.
    pub fn new(
        tokens_over_budget: i64,
        overflowing_items: Vec<ContextItem>,
        budget: ContextBudget,
    ) -> Self {
        Self { tokens_over_budget, overflowing_items, budget }
    }
}
