//! What a report is made of: events, reasons, entries.

use serde::{Deserialize, Serialize};

use super::as_defined_by;
#[cfg(feature = "schema")]
use super::float::Float;
#[cfg(feature = "schema")]
use super::reason_schema::any_reason;
#[cfg(feature = "schema")]
use super::reported::ReportedItem;
use super::{float, reported};
use crate::{
    ContextBudget, ContextItem, CountRequirementShortfall, ExcludedItem, ExclusionReason,
    IncludedItem, InclusionReason, OverflowEvent, PipelineStage, Shortened, StageTraceSnapshot,
    TraceEvent,
};

/// Something a stage did.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TraceEvent", expecting = "an event object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TraceEventDefinition {
    /// The stage.
    stage: PipelineStage,
    /// How long the stage took, in milliseconds; 0 for an item's event.
    #[serde(alias = "durationMs", with = "float")]
    #[cfg_attr(feature = "schema", schemars(with = "Float"))]
    duration_ms: f64,
    /// How many items entered the stage; 1 for an item's event.
    #[serde(alias = "itemCount")]
    item_count: usize,
    /// What was decided about an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

as_defined_by!(TraceEvent, TraceEventDefinition);

/// A selection larger than its window that was let through.
#[derive(Serialize, Deserialize)]
#[serde(remote = "OverflowEvent", expecting = "an overflow event object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OverflowEventDefinition {
    /// By how much.
    #[serde(alias = "tokensOverBudget")]
    tokens_over_budget: i64,
    /// Everything selected, pinned items first.
    #[serde(alias = "overflowingItems", deserialize_with = "reported::items")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ReportedItem>"))]
    overflowing_items: Vec<ContextItem>,
    /// The budget it exceeds.
    budget: ContextBudget,
}

as_defined_by!(OverflowEvent, OverflowEventDefinition);

/// Why an item was left out: the reason's name beside what it carries.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ExclusionReason", tag = "reason", expecting = "an exclusion reason object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = any_reason))]
enum ExclusionReasonDefinition {
    BudgetExceeded {
        #[serde(alias = "itemTokens")]
        item_tokens: i64,
        #[serde(alias = "availableTokens")]
        available_tokens: i64,
    },
    ScoredTooLow {
        #[serde(with = "float")]
        #[cfg_attr(feature = "schema", schemars(with = "Float"))]
        score: f64,
        #[serde(with = "float")]
        #[cfg_attr(feature = "schema", schemars(with = "Float"))]
        threshold: f64,
    },
    Deduplicated {
        #[serde(alias = "deduplicatedAgainst")]
        deduplicated_against: String,
    },
    QuotaCapExceeded {
        kind: String,
        cap: i64,
        actual: i64,
    },
    QuotaRequireDisplaced {
        #[serde(alias = "displacedByKind")]
        displaced_by_kind: String,
    },
    NegativeTokens {
        tokens: i64,
    },
    PinnedOverride {
        #[serde(alias = "displacedBy")]
        displaced_by: String,
    },
    Filtered {
        #[serde(alias = "filterName")]
        filter_name: String,
    },
    CountCapExceeded {
        kind: String,
        cap: usize,
        count: usize,
    },
    GroupBroken {
        group: String,
        tokens: i64,
    },
    NearDuplicate {
        #[serde(alias = "nearDuplicateOf")]
        near_duplicate_of: String,
        #[serde(with = "float")]
        #[cfg_attr(feature = "schema", schemars(with = "Float"))]
        overlap: f64,
    },
    #[serde(other)]
    Unknown,
}

as_defined_by!(ExclusionReason, ExclusionReasonDefinition);

/// Why an item is in the window, in the same envelope.
#[derive(Serialize, Deserialize)]
#[serde(remote = "InclusionReason", tag = "reason", expecting = "an inclusion reason object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = any_reason))]
enum InclusionReasonDefinition {
    Scored,
    Pinned,
    ZeroToken,
    #[serde(other)]
    Unknown,
}

as_defined_by!(InclusionReason, InclusionReasonDefinition);

/// An item in the window, and why.
#[derive(Serialize, Deserialize)]
#[serde(remote = "IncludedItem", expecting = "an included item object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct IncludedItemDefinition {
    /// The item.
    #[serde(deserialize_with = "reported::item")]
    #[cfg_attr(feature = "schema", schemars(with = "ReportedItem"))]
    item: ContextItem,
    /// Its score; 0 for pinned items and items that cost nothing.
    #[serde(with = "float")]
    #[cfg_attr(feature = "schema", schemars(with = "Float"))]
    score: f64,
    /// Why it is in.
    reason: InclusionReason,
    /// If it is in a shorter form: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shortened: Option<Shortened>,
    #[serde(skip)]
    index: Option<usize>,
}

as_defined_by!(IncludedItem, IncludedItemDefinition);

/// Which shorter form of an item is in the window.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Shortened", expecting = "a shortening object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShortenedDefinition {
    /// Which of its variants, counted from 1.
    form: usize,
    /// How many variants it has.
    forms: usize,
    /// How many tokens less it takes than the whole item.
    #[serde(alias = "tokensSaved")]
    tokens_saved: i64,
}

as_defined_by!(Shortened, ShortenedDefinition);

/// An item that was left out, and why.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ExcludedItem", expecting = "an excluded item object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExcludedItemDefinition {
    /// The item.
    #[serde(deserialize_with = "reported::item")]
    #[cfg_attr(feature = "schema", schemars(with = "ReportedItem"))]
    item: ContextItem,
    /// Its score when it was left out; 0 if that was before scoring.
    #[serde(with = "float")]
    #[cfg_attr(feature = "schema", schemars(with = "Float"))]
    score: f64,
    /// Why it is out.
    reason: ExclusionReason,
    #[serde(skip)]
    index: Option<usize>,
}

as_defined_by!(ExcludedItem, ExcludedItemDefinition);

/// A count requirement that there were not enough candidates for.
#[derive(Serialize, Deserialize)]
#[serde(remote = "CountRequirementShortfall", expecting = "a shortfall object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShortfallDefinition {
    /// The kind, as the requirement spells it.
    kind: String,
    /// How many were required.
    #[serde(alias = "requiredCount")]
    required_count: usize,
    /// How many there were.
    #[serde(alias = "satisfiedCount")]
    satisfied_count: usize,
}

as_defined_by!(CountRequirementShortfall, ShortfallDefinition);

/// One stage of a finished run.
#[derive(Serialize, Deserialize)]
#[serde(remote = "StageTraceSnapshot", expecting = "a stage snapshot object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SnapshotDefinition {
    /// The stage.
    stage: PipelineStage,
    /// How many items entered it.
    #[serde(alias = "itemCountIn")]
    item_count_in: usize,
    /// How many left it.
    #[serde(alias = "itemCountOut")]
    item_count_out: usize,
    /// How long it took, in milliseconds.
    #[serde(alias = "durationMs", with = "float")]
    #[cfg_attr(feature = "schema", schemars(with = "Float"))]
    duration_ms: f64,
    /// What it left out, in the order it did.
    excluded: Vec<ExcludedItem>,
}

as_defined_by!(StageTraceSnapshot, SnapshotDefinition);
