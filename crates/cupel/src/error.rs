//! What can go wrong, as values a caller can act on.

use std::fmt;

use chrono::{DateTime, Utc};

/// Every way a model type can be refused, a strategy misconfigured, or a run fail.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CupelError {
    /// An item was built with empty content.
    EmptyContent,
    /// A kind was empty or nothing but whitespace.
    EmptyKind,
    /// A source was empty or nothing but whitespace.
    EmptySource,
    /// A group was empty or nothing but whitespace.
    EmptyGroup,
    /// A document was empty or nothing but whitespace.
    EmptyDocument,
    /// An item's similarity to the query is not a finite number.
    InvalidSimilarity {
        /// What it is, in words.
        similarity: String,
    },
    /// A vector cannot be compared with another; the text says why.
    InvalidVector(String),
    /// A scorer judges by a query, and the run has none.
    MissingQuery {
        /// The scorer's name.
        scorer: String,
    },
    /// The variants of an item break a rule; the text names it.
    InvalidVariants(String),
    /// An item's timestamp is not within the years 0000 to 9999 in UTC, which is all that RFC 3339
    /// can write.
    TimestampOutOfRange {
        /// The timestamp.
        timestamp: DateTime<Utc>,
    },
    /// A budget, or a number derived from one, breaks a rule; the text names it.
    InvalidBudget(String),
    /// The pinned items alone do not fit between nothing and `max_tokens - output_reserve`.
    PinnedExceedsBudget {
        /// Sum of the pinned items' tokens, clamped to `i64`.
        pinned_tokens: i64,
        /// What the budget leaves for them.
        available: i64,
    },
    /// The selection is larger than the window and the strategy is `Throw`.
    Overflow {
        /// Sum of pinned and sliced tokens, clamped to `i64`.
        merged_tokens: i64,
        /// The limit it was measured against.
        target_tokens: i64,
    },
    /// A pipeline lacks a part, or is asked for something its parts cannot do.
    PipelineConfig(String),
    /// A scorer was given a parameter it cannot work with.
    ScorerConfig(String),
    /// A slicer was given a parameter it cannot work with, or a hard count requirement failed.
    SlicerConfig(String),
    /// A scorer contains itself.
    ///
    /// Scorers own their children here, so such a value cannot be built in safe Rust; the variant
    /// exists for code that loads scorer graphs from elsewhere.
    CycleDetected,
    /// The knapsack table would have more cells than the guard allows.
    TableTooLarge {
        /// Candidates that cost at least one token.
        candidates: usize,
        /// Budget in buckets.
        capacity: usize,
        /// `candidates * capacity`, saturating.
        cells: u64,
    },
    /// A custom strategy returned something its contract forbids.
    ContractViolation {
        /// `"scorer"`, `"slicer"` or `"placer"`.
        family: &'static str,
        /// The strategy's name, its type name unless it says otherwise.
        strategy: String,
        /// What it did.
        problem: String,
    },
    /// More candidates than one run can address.
    TooManyCandidates {
        /// How many were given.
        count: usize,
        /// How many are possible.
        limit: usize,
    },
    /// An item of a stream came when the rest of its group had been decided about.
    GroupSplit {
        /// The group.
        group: String,
        /// The item's number in the stream, from 0.
        index: usize,
        /// How far apart two members may be.
        batch_size: usize,
    },
}

impl CupelError {
    /// The variant's name: a stable code for messages that cross a process border.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::EmptyContent => "EmptyContent",
            Self::EmptyKind => "EmptyKind",
            Self::EmptySource => "EmptySource",
            Self::EmptyGroup => "EmptyGroup",
            Self::EmptyDocument => "EmptyDocument",
            Self::InvalidSimilarity { .. } => "InvalidSimilarity",
            Self::InvalidVector(_) => "InvalidVector",
            Self::MissingQuery { .. } => "MissingQuery",
            Self::InvalidVariants(_) => "InvalidVariants",
            Self::TimestampOutOfRange { .. } => "TimestampOutOfRange",
            Self::InvalidBudget(_) => "InvalidBudget",
            Self::PinnedExceedsBudget { .. } => "PinnedExceedsBudget",
            Self::Overflow { .. } => "Overflow",
            Self::PipelineConfig(_) => "PipelineConfig",
            Self::ScorerConfig(_) => "ScorerConfig",
            Self::SlicerConfig(_) => "SlicerConfig",
            Self::CycleDetected => "CycleDetected",
            Self::TableTooLarge { .. } => "TableTooLarge",
            Self::ContractViolation { .. } => "ContractViolation",
            Self::TooManyCandidates { .. } => "TooManyCandidates",
            Self::GroupSplit { .. } => "GroupSplit",
        }
    }
}

/// The largest knapsack table, in cells.
pub(crate) const MAX_TABLE_CELLS: u64 = 50_000_000;

impl fmt::Display for CupelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyContent => {
                f.write_str("content is empty (\"\"); an item needs at least one byte of content")
            }
            Self::EmptyKind => f.write_str(
                "kind is blank; a kind needs at least one character that is not whitespace",
            ),
            Self::EmptySource => f.write_str(
                "source is blank; a source needs at least one character that is not whitespace",
            ),
            Self::EmptyGroup => f.write_str(
                "group is blank; name what the item stays together with, or leave the group out",
            ),
            Self::EmptyDocument => f.write_str(
                "document is blank; name the text that the item is a part of, or leave the document out",
            ),
            Self::InvalidSimilarity { similarity } => write!(
                f,
                "the similarity {similarity} is not a finite number; say how close the item is, or leave it out"
            ),
            Self::InvalidVector(problem) => write!(f, "a vector cannot be compared: {problem}"),
            Self::MissingQuery { scorer } => write!(
                f,
                "the scorer {scorer} judges items by a query, and this run has none; give the run a query, or choose a \
                 policy without that scorer"
            ),
            Self::InvalidVariants(problem) => write!(f, "invalid variants: {problem}"),
            Self::TimestampOutOfRange { timestamp } => write!(
                f,
                "the timestamp {timestamp:?} is not within the years 0000 to 9999 (UTC); give the \
                 item another, or none"
            ),
            Self::InvalidBudget(problem) => write!(f, "invalid budget: {problem}"),
            Self::PinnedExceedsBudget { pinned_tokens, available } => write!(
                f,
                "Pinned items require {pinned_tokens} tokens, but only {available} are available; \
                 unpin items, raise max_tokens or lower output_reserve"
            ),
            Self::Overflow { merged_tokens, target_tokens } => write!(
                f,
                "Selected items require {merged_tokens} tokens, exceeding target budget of \
                 {target_tokens}; raise the target or choose the Truncate or Proceed strategy"
            ),
            Self::PipelineConfig(problem) => write!(f, "invalid pipeline configuration: {problem}"),
            Self::ScorerConfig(problem) => write!(f, "invalid scorer configuration: {problem}"),
            Self::SlicerConfig(problem) => write!(f, "invalid slicer configuration: {problem}"),
            Self::CycleDetected => {
                f.write_str("a scorer appears in its own dependency graph; break the cycle")
            }
            Self::TableTooLarge { candidates, capacity, cells } => write!(
                f,
                "a knapsack table of {candidates} candidates x {capacity} buckets is {cells} cells, \
                 over the limit of {MAX_TABLE_CELLS}; use a larger bucket size, fewer candidates or \
                 GreedySlice"
            ),
            Self::ContractViolation { family, strategy, problem } => {
                write!(f, "the {family} {strategy} broke its contract: it {problem}")
            }
            Self::TooManyCandidates { count, limit } => write!(
                f,
                "{count} candidates are more than one run can address ({limit}); split the input"
            ),
            Self::GroupSplit { group, index, batch_size } => write!(
                f,
                "item {} of the stream comes more than {batch_size} items after the others of its group {group:?}, which \
                 are decided about; bring the members of a group together or use larger batches",
                index + 1
            ),
        }
    }
}

impl std::error::Error for CupelError {}
