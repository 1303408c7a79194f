//! How relevant is an item?
//!
//! | scorer | looks at | gives |
//! |---|---|---|
//! | [`RecencyScorer`] | timestamp, among the others' | rank: newest 1, oldest 0, none 0 |
//! | [`PriorityScorer`] | priority, among the others' | rank: highest 1, lowest 0, none 0 |
//! | [`FrequencyScorer`] | tags, among the others' | share of peers with a common tag |
//! | [`KindScorer`] | kind | a weight per kind |
//! | [`TagScorer`] | tags | matched weight over total weight |
//! | [`ReflexiveScorer`] | `future_relevance_hint` | the hint, within `[0, 1]` |
//! | [`MetadataTrustScorer`] | `metadata["cupel:trust"]` | that number, within `[0, 1]` |
//! | [`MetadataKeyScorer`] | one metadata entry | a boost when it matches, else 1 |
//! | [`DecayScorer`] | timestamp, against a clock | a curve of the item's age |
//! | [`CompositeScorer`] | other scorers | their weighted average |
//! | [`ScaledScorer`] | another scorer | its scores stretched to `[0, 1]` |
//!
//! A scorer of your own needs one method. Where scoring one item means looking at all of them,
//! override [`Scorer::score_batch`] as well to do the shared work once.
//!
//! ```
//! use cupel::{ContextItem, Scorer};
//!
//! /// Prefers short texts.
//! struct Brevity;
//!
//! impl Scorer for Brevity {
//!     fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
//!         1.0 / item.tokens().max(1) as f64
//!     }
//! }
//!
//! let items = [ContextItem::builder("ok", 1).build()?, ContextItem::builder("a lot", 4).build()?];
//! assert_eq!(Brevity.score_all(&items), [1.0, 0.25]);
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod composite;
mod decay;
mod frequency;
mod kind;
mod metadata_key;
mod metadata_trust;
mod priority;
mod rank;
mod recency;
mod reflexive;
mod scaled;
mod tag;
mod weight;

pub use composite::CompositeScorer;
pub use decay::{DecayCurve, DecayScorer, SystemTimeProvider, TimeProvider};
pub use frequency::FrequencyScorer;
pub use kind::KindScorer;
pub use metadata_key::MetadataKeyScorer;
pub use metadata_trust::MetadataTrustScorer;
pub use priority::PriorityScorer;
pub use recency::RecencyScorer;
pub use reflexive::ReflexiveScorer;
pub use scaled::ScaledScorer;
pub use tag::TagScorer;

use crate::{ContextItem, Scratch};

/// Says how relevant an item is among others.
///
/// A scorer is a pure function: same item, same peers, same score. Scores are conventionally in
/// `[0, 1]` but need not be. A NaN ranks below every number.
pub trait Scorer: Send + Sync {
    /// The score of `item`, one of `all_items`.
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64;

    /// The scores of all `items`, in their order: what the pipeline calls, once per run.
    ///
    /// The default asks [`score`](Self::score) once per item. An override must agree with it to
    /// the bit and return one score per item.
    fn score_batch(&self, items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
        let mut scores = scratch.take_scores(items.len());
        scores.extend(items.iter().map(|item| self.score(item, items)));
        scores
    }

    /// Adds the score of each of `items`, times `weight`, to its place in `sums`: what a composite asks
    /// of the scorers inside it. Says how many scores there were.
    ///
    /// The default asks [`score_batch`](Self::score_batch). An override must agree with it to the bit.
    fn add_batch(
        &self,
        items: &[ContextItem],
        weight: f64,
        sums: &mut [f64],
        scratch: &mut Scratch,
    ) -> usize {
        add_scores(self.score_batch(items, scratch), weight, sums, scratch)
    }

    /// [`score_batch`](Self::score_batch) with working memory of its own, for callers outside a
    /// run. There is no reason to override it.
    fn score_all(&self, items: &[ContextItem]) -> Vec<f64> {
        self.score_batch(items, &mut Scratch::new())
    }

    /// What to call this scorer in messages; its type name unless overridden.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }
}

/// Adds scores, times `weight`, to their places in `sums`, and says how many there were.
fn add_scores(scores: Vec<f64>, weight: f64, sums: &mut [f64], scratch: &mut Scratch) -> usize {
    for (sum, score) in sums.iter_mut().zip(&scores) {
        *sum += score * weight;
    }
    let count = scores.len();
    scratch.give_back(scores);
    count
}

macro_rules! forward {
    ($($pointer:ident),+) => {$(
        impl<S: Scorer + ?Sized> Scorer for $pointer<S> {
            fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
                (**self).score(item, all_items)
            }

            fn score_batch(&self, items: &[ContextItem], scratch: &mut Scratch) -> Vec<f64> {
                (**self).score_batch(items, scratch)
            }

            fn add_batch(
                &self,
                items: &[ContextItem],
                weight: f64,
                sums: &mut [f64],
                scratch: &mut Scratch,
            ) -> usize {
                (**self).add_batch(items, weight, sums, scratch)
            }

            fn name(&self) -> &str {
                (**self).name()
            }
        }
    )+};
}

use std::sync::Arc;
forward!(Box, Arc);
