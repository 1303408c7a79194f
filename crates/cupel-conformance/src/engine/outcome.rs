//! What an engine answers.
//!
//! Items are positions in the task's list. What a path of an engine cannot tell is absent and not
//! compared; a vector is passed only if some path tells each thing it asserts.

use serde::{Deserialize, Serialize};

use super::number;
use super::task::{BudgetSpec, DetailLevel};

/// Answer to a [`ScoreTask`](super::ScoreTask).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// One score for each wanted item, in that order. `None` is allowed for an item that is not in
    /// the list: a path that scores a whole list at once has no place for it.
    #[serde(with = "number::options")]
    pub scores: Vec<Option<f64>>,
}

/// Answer to a [`SliceTask`](super::SliceTask).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Selected {
    /// The chosen items, in any order.
    pub selected: Vec<usize>,
    /// Count requirements that were not met, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortfalls: Option<Vec<Shortfall>>,
    /// Number of items that count caps removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_excluded: Option<i64>,
}

/// Answer to a [`PlaceTask`](super::PlaceTask).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The items in their final order.
    pub order: Vec<usize>,
}

/// Answer to a [`RunTask`](super::RunTask).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// The window, in order.
    pub output: Vec<usize>,
    /// What was decided about every candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Report>,
}

/// What a traced run reports.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// The window with scores and reasons, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included: Option<Vec<Included>>,
    /// The rest, in reported order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Vec<Excluded>>,
    /// Number of candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_candidates: Option<i64>,
    /// Sum of their tokens, clamped to 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens_considered: Option<i64>,
    /// Count requirements that were not met, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortfalls: Option<Vec<Shortfall>>,
    /// The events, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Events>,
    /// The five stages, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<Vec<Snapshot>>,
    /// The overflow events: empty when there was none, absent when this path does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflows: Option<Vec<Overflow>>,
}

/// An item in the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Included {
    /// The item.
    pub item: usize,
    /// Its reported score.
    #[serde(with = "number")]
    pub score: f64,
    /// `Scored`, `Pinned` or `ZeroToken`.
    pub reason: String,
    /// The form it is in: 0 for whole, 1 for its first variant, and so on.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub form: usize,
}

fn is_whole(form: &usize) -> bool {
    *form == 0
}

/// An item left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// The item.
    pub item: usize,
    /// Its reported score.
    #[serde(with = "number")]
    pub score: f64,
    /// The reason's name.
    pub reason: String,
    /// What the reason carries.
    #[serde(default)]
    pub details: ReasonDetails,
}

/// What exclusion reasons carry; each reason has some of these.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReasonDetails {
    /// Of `BudgetExceeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_tokens: Option<i64>,
    /// Of `BudgetExceeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_tokens: Option<i64>,
    /// Of `Deduplicated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplicated_against: Option<String>,
    /// Of `NegativeTokens` and `GroupBroken`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
    /// Of `PinnedOverride`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displaced_by: Option<String>,
    /// Of `CountCapExceeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Of `CountCapExceeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<i64>,
    /// Of `CountCapExceeded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// Of `GroupBroken`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Of `NearDuplicate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_duplicate_of: Option<String>,
    /// Of `NearDuplicate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<f64>,
}

/// A count requirement that was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortfall {
    /// The kind, as the requirement spells it.
    pub kind: String,
    /// How many were required.
    pub required_count: i64,
    /// How many there were.
    pub satisfied_count: i64,
}

/// A trace, with the level it was taken at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Events {
    /// At which level.
    pub detail_level: DetailLevel,
    /// What was recorded, in order.
    pub recorded: Vec<Event>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The stage's name.
    pub stage: String,
    /// Of a whole stage, or of one item.
    pub level: DetailLevel,
    /// Items entering the stage; 1 for an item's event.
    pub item_count: i64,
    /// How long it took; 0 for an item's event.
    #[serde(with = "number")]
    pub duration_ms: f64,
    /// What was decided about an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One stage of a finished run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The stage's name.
    pub stage: String,
    /// How many items entered it.
    pub item_count_in: i64,
    /// How many left it.
    pub item_count_out: i64,
    /// What it left out.
    pub excluded: Vec<usize>,
}

/// A selection that was too large and let through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overflow {
    /// By how much it is too large.
    pub tokens_over_budget: i64,
    /// Everything selected, in merged order.
    pub items: Vec<usize>,
    /// The budget exceeded.
    pub budget: BudgetSpec,
}

/// Answer to a [`MarginalItemsTask`](super::MarginalItemsTask).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marginal {
    /// The items lost, in the full run's order.
    pub items: Vec<usize>,
}

/// Answer to a [`MinBudgetTask`](super::MinBudgetTask).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinBudget {
    /// The budget found.
    pub min_budget: Option<i64>,
}

/// Answer to a [`SensitivityTask`](super::SensitivityTask).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// What each variant includes, in the order of the variants.
    pub variants: Vec<VariantWindow>,
    /// The contents on which variants disagree, in order.
    pub diffs: Vec<Diff>,
}

/// One variant's window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantWindow {
    /// The variant.
    pub label: String,
    /// The window, in order.
    pub included: Vec<usize>,
}

/// A content on which variants disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// The content.
    pub content: String,
    /// One status per variant, in their order.
    pub statuses: Vec<VariantStatus>,
}

/// Whether one variant includes a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantStatus {
    /// The variant.
    pub label: String,
    /// `Included` or `Excluded`.
    pub status: String,
}
