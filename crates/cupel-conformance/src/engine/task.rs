//! What an engine is asked.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::name::names;
use super::number;
use super::strategy::{PipelineSpec, PlacerSpec, ScorerSpec, SlicerSpec};

/// A candidate's fields, none of them validated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemSpec {
    /// The text.
    pub content: String,
    /// The token count, possibly 0 or negative.
    pub tokens: i64,
    /// The kind.
    pub kind: String,
    /// The source.
    pub source: String,
    /// The priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    /// The tags, in order.
    pub tags: Vec<String>,
    /// The timestamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<DateTime<Utc>>,
    /// The hint, possibly not finite.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::option")]
    pub future_relevance_hint: Option<f64>,
    /// Whether it is pinned.
    pub pinned: bool,
    /// The token count before it was shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_tokens: Option<i64>,
    /// The metadata.
    pub metadata: BTreeMap<String, String>,
    /// What it stays together with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Its shorter forms, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<FormSpec>,
    /// The text that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Where in that text it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
}

/// A shorter form of a candidate, not validated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormSpec {
    /// The text.
    pub content: String,
    /// The token count.
    pub tokens: i64,
    /// How much of the candidate's worth it keeps, possibly not finite.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::option")]
    pub worth: Option<f64>,
}

/// One place in a list of candidates.
///
/// Items are named by their position in such a list. Every [`Entry::Item`] is to be built on its
/// own, also where two of them have equal fields; [`Entry::SameAs`] puts the very instance of an
/// earlier position into the list once more. Where an engine's answer names an instance that stands
/// at several positions, any of them will do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// The instance of an earlier position again.
    SameAs {
        /// That position.
        same_as: usize,
    },
    /// An instance of its own.
    Item(Box<ItemSpec>),
}

/// The first position of the instance that stands at `position`.
pub fn first_position(entries: &[Entry], mut position: usize) -> usize {
    while let Some(Entry::SameAs { same_as }) = entries.get(position)
        && *same_as < position
    {
        position = *same_as;
    }
    position
}

/// The fields of the item that stands at `position`.
pub fn item_at(entries: &[Entry], position: usize) -> Option<&ItemSpec> {
    match entries.get(first_position(entries, position)) {
        Some(Entry::Item(item)) => Some(item),
        _ => None,
    }
}

/// A budget's fields, none of them validated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BudgetSpec {
    /// The hard ceiling.
    pub max_tokens: i64,
    /// The soft goal.
    pub target_tokens: i64,
    /// Tokens kept free for the output.
    pub output_reserve: i64,
    /// Tokens kept free per kind, in the vector's order and spelling.
    pub reserved_slots: Vec<ReservedSlot>,
    /// The estimation safety margin.
    #[serde(with = "number")]
    pub safety_margin_percent: f64,
}

/// Tokens kept free for one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReservedSlot {
    /// The kind.
    pub kind: String,
    /// How many.
    pub tokens: i64,
}

names! {
    /// How much a trace records.
    pub DetailLevel, "detail level" {
        /// One event per stage.
        Stage = "stage",
        /// Also one per scored item and per exclusion.
        Item = "item",
    }
}

/// Score some items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreTask {
    /// The scorer.
    pub scorer: ScorerSpec,
    /// All items.
    pub items: Vec<Entry>,
    /// Positions of the items that make up the list to be scored against, in order.
    pub list: Vec<usize>,
    /// Positions of the items to score, which need not be in the list.
    pub wanted: Vec<usize>,
}

/// Choose from items that have scores already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SliceTask {
    /// The slicer.
    pub slicer: SlicerSpec,
    /// The candidates in the order they are handed over, which need not be that of their scores.
    pub items: Vec<Entry>,
    /// Their scores.
    #[serde(with = "number::each")]
    pub scores: Vec<f64>,
    /// The budget's hard ceiling.
    pub max_tokens: i64,
    /// The budget's soft goal.
    pub target_tokens: i64,
}

/// Arrange items that have scores already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlaceTask {
    /// The placer.
    pub placer: PlacerSpec,
    /// The items in the order they are handed over.
    pub items: Vec<Entry>,
    /// Their scores.
    #[serde(with = "number::each")]
    pub scores: Vec<f64>,
}

/// Run a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunTask {
    /// The pipeline.
    pub pipeline: PipelineSpec,
    /// The budget.
    pub budget: BudgetSpec,
    /// The candidates.
    pub items: Vec<Entry>,
    /// At which level events will be looked at; an engine may trace at others as well.
    pub detail_level: DetailLevel,
}

/// Which items would a smaller budget lose?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarginalItemsTask {
    /// The pipeline.
    pub pipeline: PipelineSpec,
    /// The full budget.
    pub budget: BudgetSpec,
    /// The candidates.
    pub items: Vec<Entry>,
    /// By how much the budget shrinks.
    pub slack_tokens: i64,
}

/// With which budget would an item get in?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinBudgetTask {
    /// The pipeline.
    pub pipeline: PipelineSpec,
    /// Output reserve, reserved slots and margin for all budgets tried.
    pub budget: BudgetSpec,
    /// The candidates.
    pub items: Vec<Entry>,
    /// Position of the item in question.
    pub target: usize,
    /// Whether to ask for a new item built from the same fields instead.
    pub target_rebuilt: bool,
    /// The largest budget to consider.
    pub search_ceiling: i64,
}

/// Where do several pipelines disagree?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SensitivityTask {
    /// The pipelines.
    pub variants: Vec<Variant>,
    /// The budget.
    pub budget: BudgetSpec,
    /// The candidates.
    pub items: Vec<Entry>,
}

/// A pipeline with a label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// What to call it.
    pub label: String,
    /// The pipeline.
    pub pipeline: PipelineSpec,
}
