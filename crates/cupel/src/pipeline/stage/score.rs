//! Stage 2: say how relevant each item is.

use crate::pipeline::run::Run;
use crate::{ContextItem, CupelError, PipelineStage, TraceCollector, contract};

impl<C: TraceCollector> Run<'_, C> {
    /// One score per item, in their order. In two steps that are joined where they are used, so that the scores
    /// are not copied out of the room that an error would need.
    #[inline]
    pub(crate) fn score(&mut self, scoreable: &[ContextItem]) -> Result<Vec<f64>, CupelError> {
        let scores = self.ask_scorer(scoreable);
        self.check_scores(&scores, scoreable.len())?;
        Ok(scores)
    }

    /// What the scorer says, as it says it.
    fn ask_scorer(&mut self, scoreable: &[ContextItem]) -> Vec<f64> {
        self.trace.stage_started(PipelineStage::Score);
        if scoreable.is_empty() {
            return Vec::new();
        }
        self.policy.scorer.score_batch(scoreable, self.scratch)
    }

    /// Holds the scorer to one score for each item, and reports the stage as done.
    fn check_scores(&mut self, scores: &[f64], expected: usize) -> Result<(), CupelError> {
        if scores.len() != expected {
            let blamed = self.scratch.blamed();
            let (culprit, count) =
                blamed.unwrap_or_else(|| (self.policy.scorer.name().to_owned(), scores.len()));
            let problem = format!("gave {count} scores for {expected} items");
            return Err(contract::violation("scorer", &culprit, problem));
        }
        if self.trace.wants_items() {
            scores.iter().for_each(|score| self.trace.scored(*score));
        }
        self.trace.stage_done(PipelineStage::Score, expected, scores.len());
        Ok(())
    }
}
