//! An item with its relevance.

use super::ContextItem;

/// An item paired with the score a scorer gave it.
///
/// Scores are conventionally in `[0, 1]`; nothing enforces that.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredItem {
    /// The item.
    pub item: ContextItem,
    /// Its relevance.
    pub score: f64,
}
