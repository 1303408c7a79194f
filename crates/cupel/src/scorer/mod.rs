//! How relevant is an item?
//!
//! | scorer | looks at | gives |
//! |---|---|---|
//! | [`RecencyScorer`] | timestamp, among the others' | rank: newest 1, oldest 0, none 0 |
//! | [`FadingRecencyScorer`] | the same | newest 1, halving with every share of the history, none 0 |
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
//! use cupel::{ContextItem, RunContext, Scorer};
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
//! assert_eq!(Brevity.score_batch(&items, &RunContext::default())?, [1.0, 0.25]);
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod breakdown;
mod composite;
mod decay;
mod fading_recency;
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

pub use breakdown::{ScoreBreakdown, ScoreDetail, ScorePart};
pub use composite::CompositeScorer;
pub use decay::{DecayCurve, DecayScorer, SystemTimeProvider, TimeProvider};
pub use fading_recency::FadingRecencyScorer;
pub use frequency::FrequencyScorer;
pub use kind::KindScorer;
pub use metadata_key::MetadataKeyScorer;
pub use metadata_trust::MetadataTrustScorer;
pub use priority::PriorityScorer;
pub use recency::RecencyScorer;
pub use reflexive::ReflexiveScorer;
pub use scaled::ScaledScorer;
pub use tag::TagScorer;

use std::sync::Arc;

use crate::{ContextItem, CupelError, RunContext, contract};

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
    ///
    /// # Errors
    /// When the scorer cannot do its work in this run.
    fn score_batch(
        &self,
        items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        Ok(items.iter().map(|item| self.score(item, items)).collect())
    }

    /// [`score_batch`](Self::score_batch), with what each score is made of: what
    /// [`Pipeline::score_breakdown`](crate::Pipeline::score_breakdown) calls.
    ///
    /// The default calls each score one part, this scorer's. One that makes its scores of other
    /// scorers' overrides it, passes on their parts, and gives the same scores as
    /// [`score_batch`](Self::score_batch) to the bit.
    ///
    /// # Errors
    /// When the scorer cannot do its work in this run.
    fn breakdown(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        let (name, own_type) = (self.name(), std::any::type_name::<Self>());
        let name = if name == own_type { breakdown::without_path(own_type) } else { name };
        Ok(breakdown::undivided(self.score_batch(items, context)?, name))
    }

    /// How many scorers deep this one is: 1, or one more than the deepest inside it. One that holds
    /// other scorers overrides it; a policy deeper than [`MAX_SCORER_DEPTH`] is refused.
    fn depth(&self) -> usize {
        1
    }

    /// What to call this scorer: its name in policy files if it is built in, its type name unless
    /// overridden.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }
}

/// How deep scorers may be inside scorers. Each level takes up to half a kilobyte of the stack, of
/// which a thread has two megabytes unless told otherwise.
pub const MAX_SCORER_DEPTH: usize = 1_000;

/// Whether a scorer may be `depth` scorers deep.
pub(crate) fn check_depth(depth: usize) -> Result<(), CupelError> {
    if depth <= MAX_SCORER_DEPTH {
        return Ok(());
    }
    Err(CupelError::ScorerConfig(format!(
        "a scorer {depth} scorers deep is over the limit of {MAX_SCORER_DEPTH}; nest fewer"
    )))
}

/// [`Scorer::score_batch`], held to one score per item.
pub(crate) fn score_checked(
    scorer: &dyn Scorer,
    items: &[ContextItem],
    context: &RunContext,
) -> Result<Vec<f64>, CupelError> {
    // Judged in a call of its own: nested scorers call each other through here, and each level takes stack.
    one_per_item(scorer.score_batch(items, context), scorer, items)
}

/// [`Scorer::breakdown`], held to one score per item.
pub(crate) fn breakdown_checked(
    scorer: &dyn Scorer,
    items: &[ContextItem],
    context: &RunContext,
) -> Result<Vec<ScoreBreakdown>, CupelError> {
    one_per_item(scorer.breakdown(items, context), scorer, items)
}

fn one_per_item<S>(
    scores: Result<Vec<S>, CupelError>,
    scorer: &dyn Scorer,
    items: &[ContextItem],
) -> Result<Vec<S>, CupelError> {
    match scores {
        Ok(scores) if scores.len() != items.len() => {
            let problem = format!("gave {} scores for {} items", scores.len(), items.len());
            Err(contract::violation("scorer", scorer.name(), problem))
        }
        checked => checked,
    }
}

macro_rules! forward {
    ($($pointer:ident),+) => {$(
        impl<S: Scorer + ?Sized> Scorer for $pointer<S> {
            fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
                (**self).score(item, all_items)
            }

            fn score_batch(
                &self,
                items: &[ContextItem],
                context: &RunContext,
            ) -> Result<Vec<f64>, CupelError> {
                (**self).score_batch(items, context)
            }

            fn breakdown(
                &self,
                items: &[ContextItem],
                context: &RunContext,
            ) -> Result<Vec<ScoreBreakdown>, CupelError> {
                (**self).breakdown(items, context)
            }

            fn depth(&self) -> usize {
                (**self).depth()
            }

            fn name(&self) -> &str {
                (**self).name()
            }
        }
    )+};
}

forward!(Box, Arc);
