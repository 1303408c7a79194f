//! Why an item is in or out.

use std::fmt;

/// Why an item was left out.
///
/// The built-in stages give `BudgetExceeded`, `Deduplicated`, `NegativeTokens`, `PinnedOverride`,
/// `CountCapExceeded` and `GroupBroken`. The others are for slicers of other crates and later versions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ExclusionReason {
    /// It did not fit.
    BudgetExceeded {
        /// What it costs; with all the members of its group, if it has one.
        item_tokens: i64,
        /// What was left when the stage was done.
        available_tokens: i64,
    },
    /// Its score was below a threshold.
    ScoredTooLow {
        /// Its score.
        score: f64,
        /// The threshold.
        threshold: f64,
    },
    /// Another item with the same content was kept.
    Deduplicated {
        /// Content of the item kept.
        deduplicated_against: String,
    },
    /// Its kind had its share already.
    QuotaCapExceeded {
        /// The kind.
        kind: String,
        /// The kind's cap.
        cap: i64,
        /// What the kind would have had.
        actual: i64,
    },
    /// It made room for what another kind must have.
    QuotaRequireDisplaced {
        /// That kind.
        displaced_by_kind: String,
    },
    /// Its token count is negative.
    NegativeTokens {
        /// The count.
        tokens: i64,
    },
    /// It would have fitted but for the pinned items.
    PinnedOverride {
        /// Content of the first pinned item.
        displaced_by: String,
    },
    /// A filter rejected it.
    Filtered {
        /// The filter's name.
        filter_name: String,
    },
    /// Enough items of its kind were chosen already.
    CountCapExceeded {
        /// The kind, as the item spells it.
        kind: String,
        /// The greatest number allowed.
        cap: usize,
        /// The number chosen before it.
        count: usize,
    },
    /// Another member of its group is invalid, and a group is in the window whole or not at all.
    GroupBroken {
        /// The group.
        group: String,
        /// That member's token count, which is negative.
        tokens: i64,
    },
    /// It says little that an item that was chosen does not say already.
    NearDuplicate {
        /// Content of the item chosen.
        near_duplicate_of: String,
        /// How much of it that item has: from 0 to 1.
        overlap: f64,
    },
    /// A reason of another implementation or a later version.
    Unknown,
}

impl ExclusionReason {
    /// The variant's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BudgetExceeded { .. } => "BudgetExceeded",
            Self::ScoredTooLow { .. } => "ScoredTooLow",
            Self::Deduplicated { .. } => "Deduplicated",
            Self::QuotaCapExceeded { .. } => "QuotaCapExceeded",
            Self::QuotaRequireDisplaced { .. } => "QuotaRequireDisplaced",
            Self::NegativeTokens { .. } => "NegativeTokens",
            Self::PinnedOverride { .. } => "PinnedOverride",
            Self::Filtered { .. } => "Filtered",
            Self::CountCapExceeded { .. } => "CountCapExceeded",
            Self::GroupBroken { .. } => "GroupBroken",
            Self::NearDuplicate { .. } => "NearDuplicate",
            Self::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for ExclusionReason {
    /// The name and the numbers behind it, as item events say it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::BudgetExceeded { item_tokens, available_tokens } => {
                write!(f, ": {item_tokens} tokens requested, {available_tokens} available")
            }
            Self::ScoredTooLow { score, threshold } => {
                write!(f, ": score {score}, threshold {threshold}")
            }
            Self::Deduplicated { deduplicated_against } => {
                write!(f, ": same content as {}", Excerpt(deduplicated_against))
            }
            Self::QuotaCapExceeded { kind, cap, actual } => {
                write!(f, ": {kind} would have {actual}, cap {cap}")
            }
            Self::QuotaRequireDisplaced { displaced_by_kind } => {
                write!(f, ": room required for {displaced_by_kind}")
            }
            Self::NegativeTokens { tokens } => write!(f, ": {tokens} tokens"),
            Self::PinnedOverride { displaced_by } => {
                write!(f, ": room taken by pinned {}", Excerpt(displaced_by))
            }
            Self::Filtered { filter_name } => write!(f, ": by {filter_name}"),
            Self::CountCapExceeded { kind, cap, count } => {
                write!(f, ": {count} {kind} items selected, cap {cap}")
            }
            Self::GroupBroken { group, tokens } => {
                write!(f, ": another member of {} has {tokens} tokens", Excerpt(group))
            }
            Self::NearDuplicate { near_duplicate_of, overlap } => {
                write!(f, ": {:.0}% of it is in {}", overlap * 100.0, Excerpt(near_duplicate_of))
            }
            Self::Unknown => Ok(()),
        }
    }
}

/// The beginning of a text, quoted, short enough for a message.
struct Excerpt<'a>(&'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        match self.0.char_indices().nth(SHOWN) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}…", &self.0[..end]),
        }
    }
}

/// Why an item is in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InclusionReason {
    /// It was chosen by its score.
    Scored,
    /// It is pinned.
    Pinned,
    /// It costs nothing.
    ZeroToken,
    /// A reason of another implementation or a later version.
    Unknown,
}

impl InclusionReason {
    /// The variant's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scored => "Scored",
            Self::Pinned => "Pinned",
            Self::ZeroToken => "ZeroToken",
            Self::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for InclusionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
