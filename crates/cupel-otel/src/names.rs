//! What spans, events, attributes and instruments are called.

use cupel::{ExclusionReason, PipelineStage};

pub(crate) const PIPELINE_SPAN: &str = "cupel.pipeline";
pub(crate) const MAX_TOKENS: &str = "cupel.budget.max_tokens";
pub(crate) const VERBOSITY: &str = "cupel.verbosity";

pub(crate) const STAGE_NAME: &str = "cupel.stage.name";
pub(crate) const ITEM_COUNT_IN: &str = "cupel.stage.item_count_in";
pub(crate) const ITEM_COUNT_OUT: &str = "cupel.stage.item_count_out";

pub(crate) const EXCLUSION_COUNT: &str = "cupel.exclusion.count";
pub(crate) const EXCLUSION_EVENT: &str = "cupel.exclusion";
pub(crate) const EXCLUSION_REASON: &str = "cupel.exclusion.reason";
pub(crate) const EXCLUSION_ITEM_KIND: &str = "cupel.exclusion.item_kind";
pub(crate) const EXCLUSION_ITEM_TOKENS: &str = "cupel.exclusion.item_tokens";

pub(crate) const EXCLUSION_ITEM_GROUP: &str = "cupel.exclusion.item_group";
pub(crate) const EXCLUSION_UNIT_TOKENS: &str = "cupel.exclusion.unit_tokens";

pub(crate) const INCLUDED_EVENT: &str = "cupel.item.included";
pub(crate) const ITEM_KIND: &str = "cupel.item.kind";
pub(crate) const ITEM_TOKENS: &str = "cupel.item.tokens";
pub(crate) const ITEM_SCORE: &str = "cupel.item.score";
pub(crate) const ITEM_GROUP: &str = "cupel.item.group";
pub(crate) const ITEM_FORM: &str = "cupel.item.form";
pub(crate) const ITEM_TOKENS_SAVED: &str = "cupel.item.tokens_saved";
pub(crate) const SHORTENED_COUNT: &str = "cupel.shortened.count";
pub(crate) const SHORTENED_TOKENS_SAVED: &str = "cupel.shortened.tokens_saved";
pub(crate) const GROUP_COUNT: &str = "cupel.group.count";

pub(crate) const RUN_DURATION: &str = "cupel.run.duration";
pub(crate) const WINDOW_UTILIZATION: &str = "cupel.window.utilization";
pub(crate) const ITEMS_CONSIDERED: &str = "cupel.items.considered";
pub(crate) const ITEMS_INCLUDED: &str = "cupel.items.included";
pub(crate) const ITEMS_SHORTENED: &str = "cupel.items.shortened";
pub(crate) const TOKENS_SAVED: &str = "cupel.window.tokens_saved";
pub(crate) const EXCLUSIONS: &str = "cupel.exclusions";

// OpenTelemetry's own names for failures.
pub(crate) const ERROR_TYPE: &str = "error.type";
pub(crate) const EXCEPTION_EVENT: &str = "exception";
pub(crate) const EXCEPTION_TYPE: &str = "exception.type";
pub(crate) const EXCEPTION_MESSAGE: &str = "exception.message";

const STAGE_SPAN_PREFIX: &str = "cupel.stage.";

pub(crate) const fn stage_span(stage: PipelineStage) -> &'static str {
    match stage {
        PipelineStage::Classify => "cupel.stage.classify",
        PipelineStage::Score => "cupel.stage.score",
        PipelineStage::Deduplicate => "cupel.stage.deduplicate",
        PipelineStage::Slice => "cupel.stage.slice",
        PipelineStage::Place => "cupel.stage.place",
        _ => "cupel.stage.unknown",
    }
}

pub(crate) fn stage_name(stage: PipelineStage) -> &'static str {
    stage_span(stage).trim_start_matches(STAGE_SPAN_PREFIX)
}

/// The name under which a reason appears: its variant's name.
///
/// A reason this version does not know is `"Unknown"`. Later versions may know more, so do not rely
/// on the set of names.
///
/// ```
/// use cupel::ExclusionReason;
/// use cupel_otel::exclusion_reason_name;
///
/// let reason = ExclusionReason::BudgetExceeded { item_tokens: 2_048, available_tokens: 512 };
/// assert_eq!(exclusion_reason_name(&reason), "BudgetExceeded");
/// assert_eq!(exclusion_reason_name(&ExclusionReason::Unknown), "Unknown");
/// ```
pub fn exclusion_reason_name(reason: &ExclusionReason) -> &'static str {
    reason.name()
}
