//! How well does it answer the query?
//!
//! | | |
//! |---|---|
//! | [`RelevanceScorer`] | by the words of the query, with neighbours, document and similarity: what to use |
//! | [`SimilarityScorer`] | by the caller's embeddings alone |
//! | [`DistinctSlice`] | keeps what repeats a chosen item for last, or out |
//! | [`Index`] | keeps what is known of texts between runs |
//!
//! ```
//! use cupel::{ContextBudget, ContextItem, InputOrderPlacer, Pipeline, RankSlice, RunContext};
//! use cupel_relevance::RelevanceScorer;
//!
//! let pipeline = Pipeline::builder()
//!     .scorer(RelevanceScorer::new())
//!     .slicer(RankSlice::new(0.25, 200)?)
//!     .placer(InputOrderPlacer)
//!     .build()?
//!     .in_context(RunContext::new().with_query("Who may borrow the projector?"));
//!
//! let items = [
//!     ContextItem::builder("Members borrow books for four weeks.", 8).build()?,
//!     ContextItem::builder("The projector may be borrowed by staff and by members over 18.", 14).build()?,
//! ];
//! let window = pipeline.run(&items, &ContextBudget::builder(15).build()?)?;
//! assert!(window[0].content().starts_with("The projector"));
//! # Ok::<(), cupel::CupelError>(())
//! ```
//!
//! Nothing here calls a model, reads a clock or depends on the platform: equal items and an equal query give equal scores, to the bit.

mod bm25;
mod distinct;
mod index;
mod language;
mod lexicon;
mod parameters;
mod pool;
mod relevance;
mod scorer;
mod sequence;
mod shingles;
mod similarity;
mod terms;
mod words;

pub use distinct::{DistinctSlice, NearDuplicateTreatment, NearDuplicates};
pub use index::Index;
pub use language::Language;
pub use parameters::RelevanceParameters;
pub use scorer::RelevanceScorer;
pub use similarity::SimilarityScorer;

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
