//! Stage 1: set pinned and invalid items apart.

use std::borrow::Cow;

use crate::model::{clamp_tokens, sum_tokens};
use crate::order::MAX_POSITIONS;
use crate::pipeline::trace::Trace;
use crate::{
    ContextBudget, ContextItem, CupelError, ExclusionReason, PipelineStage, TraceCollector,
};

/// The candidates, apart.
pub(crate) struct Classified<'a> {
    /// In the window whatever happens, in input order.
    pub(crate) pinned: Vec<&'a ContextItem>,
    /// Their tokens.
    pub(crate) pinned_tokens: i128,
    /// To be scored, in input order. Usually that is everything, and then it is not copied.
    pub(crate) scoreable: Cow<'a, [ContextItem]>,
}

pub(crate) fn classify<'a, C: TraceCollector>(
    items: &'a [ContextItem],
    budget: &ContextBudget,
    trace: &mut Trace<'_, C>,
) -> Result<Classified<'a>, CupelError> {
    if items.len() > MAX_POSITIONS {
        return Err(CupelError::TooManyCandidates { count: items.len(), limit: MAX_POSITIONS });
    }
    let classified = partition(items, trace);
    classified.check_pinned(budget)?;
    let left = classified.pinned.len() + classified.scoreable.len();
    trace.stage_done(PipelineStage::Classify, items.len(), left);
    Ok(classified)
}

fn partition<'a, C: TraceCollector>(
    items: &'a [ContextItem],
    trace: &mut Trace<'_, C>,
) -> Classified<'a> {
    let is_plain = |item: &ContextItem| item.tokens() >= 0 && !item.pinned();
    if items.iter().all(is_plain) {
        return Classified { pinned: Vec::new(), pinned_tokens: 0, scoreable: items.into() };
    }
    let mut pinned = Vec::new();
    let mut scoreable = Vec::with_capacity(items.len());
    for item in items {
        if item.tokens() < 0 {
            trace.excluded(PipelineStage::Classify, item, 0.0, || {
                ExclusionReason::NegativeTokens { tokens: item.tokens() }
            });
        } else if item.pinned() {
            pinned.push(item);
        } else {
            scoreable.push(item.clone());
        }
    }
    let pinned_tokens = sum_tokens(pinned.iter().copied());
    Classified { pinned, pinned_tokens, scoreable: scoreable.into() }
}

impl Classified<'_> {
    /// Whether the pinned items fit under the ceiling.
    pub(crate) fn check_pinned(&self, budget: &ContextBudget) -> Result<(), CupelError> {
        let available = budget.ceiling();
        if self.pinned_tokens <= i128::from(available) {
            return Ok(());
        }
        let pinned_tokens = clamp_tokens(self.pinned_tokens);
        Err(CupelError::PinnedExceedsBudget { pinned_tokens, available })
    }
}
