//! Stage 2: say how relevant each item is.

use crate::pipeline::run::{Prepared, Run};
use crate::scorer::score_checked;
use crate::{ContextItem, CupelError, PipelineStage, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Gives each candidate its score.
    pub(crate) fn score(
        &mut self,
        items: &[ContextItem],
        prepared: &mut Prepared<'_>,
    ) -> Result<(), CupelError> {
        self.trace.stage_started(PipelineStage::Score);
        let candidates = &mut prepared.candidates;
        if !candidates.is_empty() {
            let scorer = &*self.policy.scorer;
            let scores = if candidates.len() == items.len() {
                score_checked(scorer, items, &self.context)?
            } else {
                let scoreable: Vec<_> = candidates.iter().map(|it| it.item().clone()).collect();
                score_checked(scorer, &scoreable, &self.context)?
            };
            for (candidate, score) in candidates.iter_mut().zip(scores) {
                candidate.set_score(score);
                self.trace.scored(score);
            }
        }
        self.trace.stage_done(PipelineStage::Score, candidates.len(), candidates.len());
        Ok(())
    }
}
