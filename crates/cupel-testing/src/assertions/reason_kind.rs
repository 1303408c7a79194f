//! Reasons without their data.

use std::fmt;

use cupel::ExclusionReason;

/// An [`ExclusionReason`] without its data: which variant it is, and nothing else.
///
/// Assertions about reasons compare variants. They take this, or a whole reason whose data they
/// ignore:
///
/// ```
/// use cupel::ExclusionReason;
/// use cupel_testing::ReasonKind;
///
/// let reason = ExclusionReason::NegativeTokens { tokens: -1 };
/// assert_eq!(ReasonKind::from(&reason), ReasonKind::NegativeTokens);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReasonKind {
    /// [`ExclusionReason::BudgetExceeded`].
    BudgetExceeded,
    /// [`ExclusionReason::ScoredTooLow`].
    ScoredTooLow,
    /// [`ExclusionReason::Deduplicated`].
    Deduplicated,
    /// [`ExclusionReason::QuotaCapExceeded`].
    QuotaCapExceeded,
    /// [`ExclusionReason::QuotaRequireDisplaced`].
    QuotaRequireDisplaced,
    /// [`ExclusionReason::NegativeTokens`].
    NegativeTokens,
    /// [`ExclusionReason::PinnedOverride`].
    PinnedOverride,
    /// [`ExclusionReason::Filtered`].
    Filtered,
    /// [`ExclusionReason::CountCapExceeded`].
    CountCapExceeded,
    /// [`ExclusionReason::GroupBroken`].
    GroupBroken,
    /// [`ExclusionReason::NearDuplicate`].
    NearDuplicate,
    /// [`ExclusionReason::Unknown`].
    Unknown,
}

impl From<&ExclusionReason> for ReasonKind {
    fn from(reason: &ExclusionReason) -> Self {
        match reason {
            ExclusionReason::BudgetExceeded { .. } => Self::BudgetExceeded,
            ExclusionReason::ScoredTooLow { .. } => Self::ScoredTooLow,
            ExclusionReason::Deduplicated { .. } => Self::Deduplicated,
            ExclusionReason::QuotaCapExceeded { .. } => Self::QuotaCapExceeded,
            ExclusionReason::QuotaRequireDisplaced { .. } => Self::QuotaRequireDisplaced,
            ExclusionReason::NegativeTokens { .. } => Self::NegativeTokens,
            ExclusionReason::PinnedOverride { .. } => Self::PinnedOverride,
            ExclusionReason::Filtered { .. } => Self::Filtered,
            ExclusionReason::CountCapExceeded { .. } => Self::CountCapExceeded,
            ExclusionReason::GroupBroken { .. } => Self::GroupBroken,
            ExclusionReason::NearDuplicate { .. } => Self::NearDuplicate,
            unknown => {
                // The engine's enum may grow; a variant missing above must not pass for `Unknown`.
                debug_assert_eq!(unknown.name(), "Unknown", "ReasonKind lacks this variant");
                Self::Unknown
            }
        }
    }
}

impl From<ExclusionReason> for ReasonKind {
    fn from(reason: ExclusionReason) -> Self {
        Self::from(&reason)
    }
}

impl fmt::Display for ReasonKind {
    /// The variant's name, as [`ExclusionReason::name`] has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
