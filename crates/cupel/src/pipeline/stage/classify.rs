//! Stage 1: set pinned and invalid items apart.

use std::borrow::Cow;

use crate::model::{clamp_tokens, sum_tokens};
use crate::order::MAX_POSITIONS;
use crate::pipeline::run::Run;
use crate::{
    ContextBudget, ContextItem, CupelError, ExclusionReason, PipelineStage, TraceCollector,
};

/// The candidates, apart.
pub(crate) struct Classified<'a> {
    /// In the window whatever happens, in input order.
    pub(crate) pinned: Vec<&'a ContextItem>,
    /// Their tokens.
    pub(crate) pinned_tokens: i128,
    /// To be scored, in input order. Usually that is all, or all but the first, and then it is not copied.
    pub(crate) scoreable: Cow<'a, [ContextItem]>,
}

impl<'a> Classified<'a> {
    /// All candidates, to be scored until they are classified.
    pub(crate) fn all(items: &'a [ContextItem]) -> Self {
        Self { pinned: Vec::new(), pinned_tokens: 0, scoreable: items.into() }
    }

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

impl<C: TraceCollector> Run<'_, C> {
    /// Sets pinned and invalid ones of all `items` apart; the pinned ones must fit under the ceiling.
    pub(crate) fn classify<'a>(
        &mut self,
        items: &'a [ContextItem],
        classified: &mut Classified<'a>,
    ) -> Result<(), CupelError> {
        self.trace.stage_started(PipelineStage::Classify);
        self.partition(items, classified)?;
        classified.check_pinned(self.budget)?;
        let left = classified.pinned.len() + classified.scoreable.len();
        self.trace.stage_done(PipelineStage::Classify, items.len(), left);
        Ok(())
    }

    /// [`classify`](Self::classify) without regard to the budget.
    pub(crate) fn partition<'a>(
        &mut self,
        items: &'a [ContextItem],
        classified: &mut Classified<'a>,
    ) -> Result<(), CupelError> {
        if items.len() > MAX_POSITIONS {
            return Err(CupelError::TooManyCandidates { count: items.len(), limit: MAX_POSITIONS });
        }
        if !items.iter().all(ContextItem::is_plain) {
            self.set_apart(items, classified);
        }
        Ok(())
    }

    /// Apart, so that the usual way stays short.
    #[inline(never)]
    fn set_apart<'a>(&mut self, items: &'a [ContextItem], classified: &mut Classified<'a>) {
        for item in items {
            if item.tokens() < 0 {
                self.trace.excluded(PipelineStage::Classify, item, 0.0, || {
                    ExclusionReason::NegativeTokens { tokens: item.tokens() }
                });
            } else if item.pinned() {
                classified.pinned.push(item);
            }
        }
        classified.pinned_tokens = sum_tokens(classified.pinned.iter().copied());
        classified.scoreable = plain(items);
    }
}

/// The items to be scored, uncopied if the others all stand at the ends: pinned items usually come first.
fn plain(items: &[ContextItem]) -> Cow<'_, [ContextItem]> {
    let first = items.iter().position(ContextItem::is_plain).unwrap_or(items.len());
    let end = items.iter().rposition(ContextItem::is_plain).map_or(first, |last| last + 1);
    let between = &items[first..end];
    if between.iter().all(ContextItem::is_plain) {
        return between.into();
    }
    let mut plain = Vec::with_capacity(between.len());
    plain.extend(between.iter().filter(|item| item.is_plain()).cloned());
    plain.into()
}
