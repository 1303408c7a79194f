//! The data a selection works on: items, budgets and the names that classify them.
//!
//! | type | what it is |
//! |---|---|
//! | [`ContextItem`] | one candidate: a cheap handle to immutable text, token count and hints |
//! | [`ContextBudget`] | how much may be selected, validated when built |
//! | [`ContextKind`], [`ContextSource`] | open, ASCII-case-insensitive names |
//! | [`OverflowStrategy`] | what to do when a selection is larger than its window |
//! | [`ItemVariant`] | a shorter form of an item |
//! | [`Query`] | what the window is to answer |
//! | [`ScoredItem`] | an item with its relevance |
//!
//! ```
//! use cupel::{ContextBudget, ContextItemBuilder, ContextKind};
//!
//! let item = ContextItemBuilder::new("The deploy failed at 14:02.", 9)
//!     .kind(ContextKind::tool_output())
//!     .priority(5)
//!     .build()?;
//! let same = item.clone(); // one pointer, no text copied
//! assert!(same.is_same_instance(&item));
//!
//! let budget = ContextBudget::builder(8_000).output_reserve(1_000).build()?;
//! assert_eq!(budget.target_tokens(), 7_000);
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod budget;
mod fingerprint;
mod item;
mod kind;
mod kind_map;
mod name;
mod overflow;
mod passage;
mod query;
mod scored;
mod source;
mod tokens;
mod unit;
mod variant;

pub use budget::{ContextBudget, ContextBudgetBuilder};
pub use item::{ContextItem, ContextItemBuilder};
pub use kind::{ContextKind, ParseContextKindError};
pub(crate) use kind_map::KindMap;
pub use overflow::OverflowStrategy;
pub use query::Query;
pub use scored::ScoredItem;
pub use source::{ContextSource, ParseContextSourceError};
pub(crate) use tokens::{clamp_tokens, sum_tokens};
pub(crate) use unit::Unit;
pub use variant::{Form, ItemVariant};
