//! Stage 1: set pinned and invalid items apart.

use crate::pipeline::run::{Prepared, Run};
use crate::sort_keys::MAX_POSITIONS;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, PipelineStage,
    TraceCollector,
};

/// What a pinned item counts for when the window is arranged.
const PINNED_SCORE: f64 = 1.0;

impl<C: TraceCollector> Run<'_, C> {
    /// The items as candidates, those that are pinned apart, those with negative tokens left out. The
    /// pinned ones must fit into the budget, if there is one already.
    pub(crate) fn classify<'a>(
        &mut self,
        items: &'a [ContextItem],
        budget: Option<&ContextBudget>,
    ) -> Result<Prepared<'a>, CupelError> {
        self.trace.stage_started(PipelineStage::Classify);
        if items.len() > MAX_POSITIONS {
            return Err(CupelError::TooManyCandidates { count: items.len(), limit: MAX_POSITIONS });
        }
        let mut pinned = Vec::new();
        let mut candidates = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let candidate = Candidate::new(index, item, 0.0);
            if candidate.tokens() < 0 {
                let tokens = candidate.tokens();
                let reason = || ExclusionReason::NegativeTokens { tokens };
                self.trace.excluded(PipelineStage::Classify, &candidate, reason);
            } else if item.pinned() {
                pinned.push(Candidate::new(index, item, PINNED_SCORE));
            } else {
                candidates.push(candidate);
            }
        }
        let pinned_tokens = pinned.iter().map(|it| i128::from(it.tokens())).sum();
        let prepared = Prepared { pinned, pinned_tokens, candidates };
        if let Some(budget) = budget {
            prepared.check_pinned(budget)?;
        }
        let left = prepared.pinned.len() + prepared.candidates.len();
        self.trace.stage_done(PipelineStage::Classify, items.len(), left);
        Ok(prepared)
    }
}
