//! One run on its way through the stages.

use super::Policy;
use super::trace::Trace;
use crate::{ContextBudget, ContextItem, Scratch, TraceCollector};

/// What the stages of one run share. Each stage is a method, in a file of its own.
pub(crate) struct Run<'r, C> {
    pub(crate) policy: &'r Policy,
    pub(crate) budget: &'r ContextBudget,
    pub(crate) scratch: &'r mut Scratch,
    pub(crate) trace: Trace<'r, C>,
}

impl<'r, C: TraceCollector> Run<'r, C> {
    pub(crate) fn new(
        policy: &'r Policy,
        items: &[ContextItem],
        budget: &'r ContextBudget,
        collector: &'r mut C,
        scratch: &'r mut Scratch,
    ) -> Self {
        let trace = Trace::new(collector, items, budget);
        scratch.begin(trace.is_enabled());
        Self { policy, budget, scratch, trace }
    }
}
