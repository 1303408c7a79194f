//! What a run decided, item by item.

use super::{ExclusionReason, InclusionReason, PipelineStage, TraceEvent};
use crate::ContextItem;

/// An item in the window, and why.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IncludedItem {
    /// The item.
    pub item: ContextItem,
    /// Its score; 0 for pinned items and items that cost nothing.
    pub score: f64,
    /// Why it is in.
    pub reason: InclusionReason,
}

impl IncludedItem {
    /// An entry from its parts.
    pub fn new(item: ContextItem, score: f64, reason: InclusionReason) -> Self {
        Self { item, score, reason }
    }
}

/// An item that was left out, and why.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExcludedItem {
    /// The item.
    pub item: ContextItem,
    /// Its score when it was left out; 0 if that was before scoring.
    pub score: f64,
    /// Why it is out.
    pub reason: ExclusionReason,
}

impl ExcludedItem {
    /// An entry from its parts.
    pub fn new(item: ContextItem, score: f64, reason: ExclusionReason) -> Self {
        Self { item, score, reason }
    }
}

/// A count requirement that there were not enough candidates for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountRequirementShortfall {
    /// The kind, as the requirement spells it.
    pub kind: String,
    /// How many were required.
    pub required_count: usize,
    /// How many there were.
    pub satisfied_count: usize,
}

impl CountRequirementShortfall {
    /// A shortfall from its parts.
    pub fn new(kind: impl Into<String>, required_count: usize, satisfied_count: usize) -> Self {
        Self { kind: kind.into(), required_count, satisfied_count }
    }
}

/// One stage of a finished run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StageTraceSnapshot {
    /// The stage.
    pub stage: PipelineStage,
    /// How many items entered it.
    pub item_count_in: usize,
    /// How many left it.
    pub item_count_out: usize,
    /// How long it took.
    pub duration_ms: f64,
    /// What it left out, in the order it did.
    pub excluded: Vec<ExcludedItem>,
}

impl StageTraceSnapshot {
    /// A snapshot from its parts.
    pub fn new(
        stage: PipelineStage,
        item_count_in: usize,
        item_count_out: usize,
        duration_ms: f64,
        excluded: Vec<ExcludedItem>,
    ) -> Self {
        Self { stage, item_count_in, item_count_out, duration_ms, excluded }
    }
}

/// Everything a run decided: every candidate is in exactly one of the two lists.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SelectionReport {
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
    /// The window, in its order.
    pub included: Vec<IncludedItem>,
    /// What was left out, best score first, earlier decisions first among equals.
    pub excluded: Vec<ExcludedItem>,
    /// `included.len() + excluded.len()`.
    pub total_candidates: usize,
    /// Sum of all candidates' tokens, clamped to `i64`.
    pub total_tokens_considered: i64,
    /// Count requirements that were not met, in the order they were configured.
    pub count_requirement_shortfalls: Vec<CountRequirementShortfall>,
}

impl SelectionReport {
    /// A report from its parts; the totals follow from the lists.
    pub fn new(
        events: Vec<TraceEvent>,
        included: Vec<IncludedItem>,
        excluded: Vec<ExcludedItem>,
        count_requirement_shortfalls: Vec<CountRequirementShortfall>,
    ) -> Self {
        let items = included.iter().map(|it| &it.item).chain(excluded.iter().map(|it| &it.item));
        let total_tokens_considered = crate::model::clamp_tokens(crate::model::sum_tokens(items));
        Self {
            total_candidates: included.len() + excluded.len(),
            total_tokens_considered,
            events,
            included,
            excluded,
            count_requirement_shortfalls,
        }
    }
}
