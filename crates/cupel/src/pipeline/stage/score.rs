//! Stage 2: say how relevant each item is.

use crate::pipeline::trace::Trace;
use crate::{ContextItem, CupelError, PipelineStage, Scorer, Scratch, TraceCollector, contract};

pub(crate) fn score<C: TraceCollector>(
    scorer: &dyn Scorer,
    scoreable: &[ContextItem],
    scratch: &mut Scratch,
    trace: &mut Trace<'_, C>,
) -> Result<Vec<f64>, CupelError> {
    let scores =
        if scoreable.is_empty() { Vec::new() } else { scorer.score_batch(scoreable, scratch) };
    if scores.len() != scoreable.len() {
        let problem = format!("gave {} scores for {} items", scores.len(), scoreable.len());
        return Err(contract::violation("scorer", scorer.name(), problem));
    }
    if trace.wants_items() {
        scores.iter().for_each(|score| trace.scored(*score));
    }
    trace.stage_done(PipelineStage::Score, scoreable.len(), scores.len());
    Ok(scores)
}
