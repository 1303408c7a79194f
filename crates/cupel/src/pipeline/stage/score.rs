//! Stage 2: say how relevant each item is.

use crate::pipeline::run::Run;
use crate::{ContextItem, CupelError, PipelineStage, TraceCollector, contract};

impl<C: TraceCollector> Run<'_, C> {
    /// One score per item, in their order.
    pub(crate) fn score(&mut self, scoreable: &[ContextItem]) -> Result<Vec<f64>, CupelError> {
        self.trace.stage_started(PipelineStage::Score);
        let scorer = &self.policy.scorer;
        let scores = if scoreable.is_empty() {
            Vec::new()
        } else {
            scorer.score_batch(scoreable, self.scratch)
        };
        if scores.len() != scoreable.len() {
            let blamed = self.scratch.blamed();
            let (culprit, count) =
                blamed.unwrap_or_else(|| (scorer.name().to_owned(), scores.len()));
            let problem = format!("gave {count} scores for {} items", scoreable.len());
            return Err(contract::violation("scorer", &culprit, problem));
        }
        if self.trace.wants_items() {
            scores.iter().for_each(|score| self.trace.scored(*score));
        }
        self.trace.stage_done(PipelineStage::Score, scoreable.len(), scores.len());
        Ok(scores)
    }
}
