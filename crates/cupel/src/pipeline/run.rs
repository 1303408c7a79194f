//! One run on its way through the stages.

use super::Policy;
use super::trace::Trace;
use crate::model::clamp_tokens;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, TraceCollector};

/// What the stages of one run share. Each stage is a method, in a file of its own.
pub(crate) struct Run<'r, C> {
    pub(crate) policy: &'r Policy,
    pub(crate) budget: &'r ContextBudget,
    pub(crate) context: RunContext,
    pub(crate) trace: Trace<'r, C>,
}

/// A run up to and including Sort: all that does not depend on the budget. What is chosen from it at
/// the run's budget is the window; simulations choose from it at other budgets.
#[derive(Debug, Clone)]
pub(crate) struct Prepared<'a> {
    /// In the window whatever happens, in input order.
    pub(crate) pinned: Vec<Candidate<'a>>,
    pub(crate) pinned_tokens: i128,
    /// To be chosen from. In input order until they are sorted, best score first, ties in input order.
    pub(crate) candidates: Vec<Candidate<'a>>,
}

impl<'r, C: TraceCollector> Run<'r, C> {
    pub(crate) fn new(
        policy: &'r Policy,
        budget: &'r ContextBudget,
        context: &RunContext,
        collector: &'r mut C,
    ) -> Self {
        let trace = Trace::new(collector);
        let context = context.clone().with_reasons(trace.is_enabled());
        Self { policy, budget, context, trace }
    }
}

impl<'a> Prepared<'a> {
    /// Whether the pinned items fit under the ceiling of `budget`.
    pub(crate) fn check_pinned(&self, budget: &ContextBudget) -> Result<(), CupelError> {
        let available = budget.ceiling();
        if self.pinned_tokens <= i128::from(available) {
            return Ok(());
        }
        let pinned_tokens = clamp_tokens(self.pinned_tokens);
        Err(CupelError::PinnedExceedsBudget { pinned_tokens, available })
    }

    /// The slicer's part of `budget`.
    pub(crate) fn effective_budget(&self, budget: &ContextBudget) -> ContextBudget {
        budget.effective(self.pinned_tokens)
    }

    /// The same without the pinned items.
    pub(crate) fn unpinned(&self) -> Self {
        Self { pinned: Vec::new(), pinned_tokens: 0, candidates: self.candidates.clone() }
    }

    /// The first pinned item.
    pub(crate) fn first_pinned(&self) -> Option<&'a ContextItem> {
        self.pinned.first().map(Candidate::item)
    }
}
