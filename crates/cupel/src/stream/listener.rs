//! Hearing what the stages decide, and forgetting what is left out.

use std::collections::BTreeMap;

use crate::{ExcludedItem, IncludedItem, Interests, OverflowEvent, TraceCollector, TraceEvent};

/// What a stream remembers of the decisions about it.
#[derive(Default)]
pub(super) struct Listener<'p> {
    pub(super) hear: Option<Box<dyn FnMut(ExcludedItem) + 'p>>,
    pub(super) included: Vec<IncludedItem>,
    pub(super) excluded: BTreeMap<&'static str, usize>,
    pub(super) overflow: Option<OverflowEvent>,
}

/// The listener to a run over some items of the stream.
pub(super) struct Numbering<'l, 'p> {
    listener: &'l mut Listener<'p>,
    /// Their numbers in the stream.
    numbers: &'l [usize],
}

impl<'p> Listener<'p> {
    /// Listens to a run over items of these `numbers` in the stream.
    pub(super) fn numbering<'l>(&'l mut self, numbers: &'l [usize]) -> Numbering<'l, 'p> {
        Numbering { listener: self, numbers }
    }
}

impl Numbering<'_, '_> {
    fn number(&self, index: Option<usize>) -> Option<usize> {
        index.and_then(|index| self.numbers.get(index).copied())
    }
}

impl TraceCollector for Numbering<'_, '_> {
    fn is_enabled(&self) -> bool {
        true
    }

    fn interests(&self) -> Interests {
        Interests::NOTHING.decisions(true)
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn record_inclusion(&mut self, entry: IncludedItem) {
        let index = self.number(entry.index);
        self.listener.included.push(IncludedItem { index, ..entry });
    }

    fn record_exclusion(&mut self, entry: ExcludedItem) {
        let index = self.number(entry.index);
        *self.listener.excluded.entry(entry.reason.name()).or_default() += 1;
        if let Some(hear) = &mut self.listener.hear {
            hear(ExcludedItem { index, ..entry });
        }
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        self.listener.overflow = Some(event);
    }
}
