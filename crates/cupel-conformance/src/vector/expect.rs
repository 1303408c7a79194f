//! What a vector expects.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::engine::{DetailLevel, Phase, ReasonDetails, Shortfall};

/// An item by its content, its position, or both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ItemRef {
    /// Its content.
    pub content: Option<String>,
    /// A position at which the very instance stands.
    pub index: Option<usize>,
}

/// An expected score.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedScore {
    /// Position of the item.
    pub item: usize,
    /// Its score.
    pub score: f64,
}

/// `[expected]` of a slicing vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ExpectedSelection {
    /// Contents chosen, as a set.
    pub selected_contents: Option<Vec<String>>,
    /// Positions chosen, as a multiset of instances.
    pub selected_indices: Option<Vec<usize>>,
    /// Number of shortfalls.
    pub shortfall_count: Option<usize>,
    /// Number of items that count caps removed.
    pub cap_excluded_count: Option<i64>,
    /// The shortfalls, in order.
    pub shortfalls: Option<Vec<Shortfall>>,
}

/// `[expected]` of a placing vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ExpectedOrder {
    /// Contents in order.
    pub ordered_contents: Option<Vec<String>>,
    /// Positions in order.
    pub ordered_indices: Option<Vec<usize>>,
}

/// `[expected]` of a `marginal_items` vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ExpectedMarginal {
    /// Contents lost, in order.
    pub marginal_contents: Option<Vec<String>>,
    /// Positions lost, in order.
    pub marginal_indices: Option<Vec<usize>>,
}

/// `[expected]` of a `find_min_budget` vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ExpectedMinBudget {
    /// Whether there is an answer.
    pub found: Option<bool>,
    /// The answer.
    pub min_budget: Option<i64>,
}

/// `[expected]` of a `sensitivity` vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ExpectedSensitivity {
    /// What each variant includes.
    pub variants: Option<Vec<ExpectedVariant>>,
    /// Where they disagree, in order.
    pub diffs: Option<Vec<ExpectedDiff>>,
}

/// What one variant includes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedVariant {
    /// The variant.
    pub label: String,
    /// Contents, in order.
    pub included_contents: Vec<String>,
}

/// A content on which variants disagree.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedDiff {
    /// The content.
    pub content: String,
    /// One status per variant, in their order.
    pub statuses: Vec<String>,
}

/// `[expected.diagnostics]` of a pipeline vector.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct ExpectedDiagnostics {
    /// The window, in order.
    pub included: Option<Vec<ExpectedIncluded>>,
    /// The rest, in order.
    pub excluded: Option<Vec<ExpectedExcluded>>,
    /// Totals.
    pub summary: Option<ExpectedSummary>,
    /// Count requirements not met, in order.
    pub shortfalls: Option<Vec<Shortfall>>,
    /// Events, in order.
    pub events: Option<Vec<ExpectedEvent>>,
    /// Stages, in order.
    pub snapshots: Option<Vec<ExpectedSnapshot>>,
    /// The overflow event, or that there is none.
    pub overflow: Option<ExpectedOverflow>,
}

/// An item expected in the window.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ExpectedIncluded {
    /// Its content.
    pub content: Option<String>,
    /// Its position.
    pub index: Option<usize>,
    /// Its reported score.
    pub score_approx: Option<f64>,
    /// Why it is in.
    pub inclusion_reason: Option<String>,
    /// The form it is in.
    pub form: Option<usize>,
}

/// An item expected to be left out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ExpectedExcluded {
    /// Its content.
    pub content: Option<String>,
    /// Its position.
    pub index: Option<usize>,
    /// Its reported score.
    pub score_approx: Option<f64>,
    /// Why it is out.
    pub exclusion_reason: Option<String>,
    /// Of `BudgetExceeded`.
    pub item_tokens: Option<i64>,
    /// Of `BudgetExceeded`.
    pub available_tokens: Option<i64>,
    /// Of `Deduplicated`.
    pub deduplicated_against: Option<String>,
    /// Of `NegativeTokens` and `GroupBroken`.
    pub tokens: Option<i64>,
    /// Of `PinnedOverride`.
    pub displaced_by: Option<String>,
    /// Of `CountCapExceeded`.
    pub kind: Option<String>,
    /// Of `CountCapExceeded`.
    pub cap: Option<i64>,
    /// Of `CountCapExceeded`.
    pub count: Option<i64>,
    /// Of `GroupBroken`.
    pub group: Option<String>,
    /// Of `NearDuplicate`.
    pub near_duplicate_of: Option<String>,
    /// Of `NearDuplicate`.
    pub overlap: Option<f64>,
}

impl ExpectedExcluded {
    /// What the reason must carry.
    pub fn details(&self) -> ReasonDetails {
        ReasonDetails {
            item_tokens: self.item_tokens,
            available_tokens: self.available_tokens,
            deduplicated_against: self.deduplicated_against.clone(),
            tokens: self.tokens,
            displaced_by: self.displaced_by.clone(),
            kind: self.kind.clone(),
            cap: self.cap,
            count: self.count,
            group: self.group.clone(),
            near_duplicate_of: self.near_duplicate_of.clone(),
            overlap: self.overlap,
        }
    }
}

/// Expected totals.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedSummary {
    /// Number of candidates.
    pub total_candidates: Option<i64>,
    /// Sum of their tokens.
    pub total_tokens_considered: Option<i64>,
}

/// An expected event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedEvent {
    /// The stage.
    pub stage: String,
    /// Items entering it, or 1.
    pub item_count: i64,
    /// Of a stage, or of an item.
    #[serde(default = "stage_level")]
    pub level: DetailLevel,
    /// The event's text.
    pub message: Option<String>,
    /// How its text begins.
    pub message_prefix: Option<String>,
}

fn stage_level() -> DetailLevel {
    DetailLevel::Stage
}

/// An expected stage.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedSnapshot {
    /// The stage.
    pub stage: String,
    /// Items entering it.
    pub item_count_in: i64,
    /// Items leaving it.
    pub item_count_out: i64,
    /// Contents it left out, as a multiset.
    #[serde(default)]
    pub excluded_contents: Vec<String>,
}

/// An expected overflow event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedOverflow {
    /// The excess; 0 says that there is no event.
    pub tokens_over_budget: i64,
    /// Contents, in merged order.
    pub overflowing_contents: Option<Vec<String>>,
}

/// `[expected_error]`, or a bare `expect_construction_error`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedError {
    /// When it must happen.
    pub phase: Phase,
    /// Which error.
    pub variant: Option<String>,
    /// Numbers it must carry.
    pub fields: BTreeMap<String, i64>,
    /// The text it must carry.
    pub message: Option<String>,
    /// Texts its text must contain.
    pub message_contains: Vec<String>,
}
