//! What a run decided, item by item.

use super::{ExclusionReason, InclusionReason, PipelineStage, TraceEvent};
use crate::ContextItem;
use crate::model::clamp_tokens;

/// An item in the window, and why.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct IncludedItem {
    /// The item, in the form that is in the window.
    pub item: ContextItem,
    /// Its score; 0 for pinned items and items that cost nothing.
    pub score: f64,
    /// Why it is in.
    pub reason: InclusionReason,
    /// If it is in a shorter form: which.
    pub shortened: Option<Shortened>,
    /// Where it stood in the run's input. Entries that no run made, as those read from a file, do not know; entries
    /// are equal without regard to it.
    pub index: Option<usize>,
}

impl IncludedItem {
    /// An entry from its parts, for an item that is in whole.
    pub fn new(item: ContextItem, score: f64, reason: InclusionReason) -> Self {
        Self { item, score, reason, shortened: None, index: None }
    }

    /// What the whole item costs.
    pub fn whole_tokens(&self) -> i64 {
        let saved = self.shortened.map_or(0, |shortened| shortened.tokens_saved);
        self.item.tokens().saturating_add(saved)
    }
}

impl PartialEq for IncludedItem {
    fn eq(&self, other: &Self) -> bool {
        let fields = |it: &Self| (it.score, it.reason, it.shortened);
        self.item == other.item && fields(self) == fields(other)
    }
}

/// Which shorter form of an item is in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shortened {
    /// Which of its [variants](ContextItem::variants), counted from 1.
    pub form: usize,
    /// How many variants it has.
    pub forms: usize,
    /// How many tokens less it takes than the whole item.
    pub tokens_saved: i64,
}

impl Shortened {
    /// A shortening from its parts.
    pub fn new(form: usize, forms: usize, tokens_saved: i64) -> Self {
        Self { form, forms, tokens_saved }
    }
}

/// An item that was left out, and why.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExcludedItem {
    /// The item, whole.
    pub item: ContextItem,
    /// Its score when it was left out; 0 if that was before scoring.
    pub score: f64,
    /// Why it is out.
    pub reason: ExclusionReason,
    /// Where it stood in the run's input. Entries that no run made, as those read from a file, do not know; entries
    /// are equal without regard to it.
    pub index: Option<usize>,
}

impl ExcludedItem {
    /// An entry from its parts.
    pub fn new(item: ContextItem, score: f64, reason: ExclusionReason) -> Self {
        Self { item, score, reason, index: None }
    }
}

impl PartialEq for ExcludedItem {
    fn eq(&self, other: &Self) -> bool {
        self.item == other.item && self.score == other.score && self.reason == other.reason
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
    /// Sum of all candidates' tokens, in whole, clamped to `i64`.
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
        let included_tokens = included.iter().map(|it| i128::from(it.whole_tokens()));
        let excluded_tokens = excluded.iter().map(|it| i128::from(it.item.tokens()));
        let total_tokens_considered = clamp_tokens(included_tokens.chain(excluded_tokens).sum());
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
