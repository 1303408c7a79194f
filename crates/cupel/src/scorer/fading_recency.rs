//! Newer is better, and what is old is nearly equal.

use super::{RecencyScorer, Scorer};
use crate::{ContextItem, CupelError, RunContext};

/// Scores items by how far back in the history they are: the newest scores 1, and the score halves with every `half_life` of
/// the history, counted in items with a timestamp.
///
/// [`RecencyScorer`](crate::RecencyScorer) falls evenly, so that something from the first tenth of a history is as much below the second tenth
/// as the last is above the one before. For an agent the last steps matter far more than that, and among old ones other scorers should
/// decide.
///
/// Items without a timestamp score 0.
///
/// ```
/// use cupel::{ContextItem, FadingRecencyScorer, Scorer};
///
/// let at = |second: i64| {
///     let time = chrono::DateTime::from_timestamp(second, 0).expect("a valid time");
///     ContextItem::builder("step", 1).timestamp(time).build()
/// };
/// let items = [at(0)?, at(1)?, at(2)?];
/// let scorer = FadingRecencyScorer::new(0.5)?;
/// assert_eq!(items.each_ref().map(|item| scorer.score(item, &items)), [0.25, 0.5, 1.0]);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FadingRecencyScorer {
    half_life: f64,
}

impl FadingRecencyScorer {
    /// `half_life` is a share of the history: above 0, at most 1.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(half_life: f64) -> Result<Self, CupelError> {
        if half_life > 0.0 && half_life <= 1.0 {
            return Ok(Self { half_life });
        }
        Err(CupelError::ScorerConfig(format!(
            "the half-life ({half_life}) of fading recency must be a share of the history, above 0 and at most 1"
        )))
    }

    /// Over which share of the history the score halves.
    pub fn half_life(&self) -> f64 {
        self.half_life
    }

    fn faded(&self, item: &ContextItem, recency: f64) -> f64 {
        if item.timestamp().is_none() {
            return 0.0;
        }
        // Not the standard library's power, which is the platform's.
        libm::exp2((recency - 1.0) / self.half_life)
    }
}

impl Scorer for FadingRecencyScorer {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        self.faded(item, RecencyScorer.score(item, all_items))
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let mut scores = RecencyScorer.score_batch(items, context)?;
        for (score, item) in scores.iter_mut().zip(items) {
            *score = self.faded(item, *score);
        }
        Ok(scores)
    }

    fn name(&self) -> &str {
        "fadingRecency"
    }
}
