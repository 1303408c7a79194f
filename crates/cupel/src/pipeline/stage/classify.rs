//! Stage 1: set pinned and invalid items apart, and make units of items that stay together.

use crate::pipeline::input::Input;
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
        input: &'a Input<'a>,
        budget: Option<&ContextBudget>,
    ) -> Result<Prepared<'a>, CupelError> {
        self.trace.stage_started(PipelineStage::Classify);
        let items = input.items;
        if items.len() > MAX_POSITIONS {
            return Err(CupelError::TooManyCandidates { count: items.len(), limit: MAX_POSITIONS });
        }
        let mut classes =
            Classes { candidates: Vec::with_capacity(items.len()), ..Classes::default() };
        let mut grouped = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if item.has_group() {
                if grouped.is_empty() {
                    grouped.reserve_exact(items.len() - index);
                }
                grouped.push(index as u32);
            } else {
                classes.add(index, item);
            }
        }
        if !grouped.is_empty() {
            classes.add_groups(input, &grouped);
        }
        for (index, reason) in classes.invalid {
            let candidate = Candidate::new(index, &items[index], 0.0);
            self.trace.excluded(PipelineStage::Classify, &candidate, || reason);
        }
        let prepared = Prepared::new(input, classes.pinned, classes.candidates);
        if let Some(budget) = budget {
            prepared.pinned_within(budget)?;
        }
        let left = prepared.count(&prepared.pinned) + prepared.count(&prepared.candidates);
        self.trace.stage_done(PipelineStage::Classify, items.len(), left);
        Ok(prepared)
    }
}

/// What Classify tells apart, each in input order.
#[derive(Default)]
struct Classes<'a> {
    pinned: Vec<Candidate<'a>>,
    candidates: Vec<Candidate<'a>>,
    invalid: Vec<(usize, ExclusionReason)>,
}

impl<'a> Classes<'a> {
    /// Adds an item.
    #[inline]
    fn add(&mut self, index: usize, item: &'a ContextItem) {
        if item.tokens() < 0 {
            let reason = ExclusionReason::NegativeTokens { tokens: item.tokens() };
            self.invalid.push((index, reason));
        } else if item.pinned() {
            self.pinned.push(Candidate::new(index, item, PINNED_SCORE));
        } else {
            self.candidates.push(Candidate::new(index, item, 0.0));
        }
    }

    /// Adds the items at `indices`, those that share a group as one.
    fn add_groups(&mut self, input: &'a Input<'a>, indices: &[u32]) {
        let groups = input.groups(indices);
        let mut shared = Vec::with_capacity(groups.count());
        for number in 0..groups.count() {
            let group = groups.members(number);
            let member = |index: &u32| &input.items[*index as usize];
            if let Some(broken) = group.iter().map(member).find(|it| it.tokens() < 0) {
                self.leave_out(input.items, group, broken.tokens());
            } else if let [alone] = group {
                self.add(*alone as usize, member(alone));
            } else {
                shared.push(number);
            }
        }
        if !shared.is_empty() {
            for unit in input.make_units(groups, &shared) {
                match unit.pinned() {
                    true => self.pinned.push(Candidate::of_unit(unit, PINNED_SCORE)),
                    false => self.candidates.push(Candidate::of_unit(unit, 0.0)),
                }
            }
        }
        for candidates in [&mut self.pinned, &mut self.candidates] {
            // As they are where all items are in groups.
            if !candidates.is_sorted_by_key(Candidate::index) {
                candidates.sort_by_key(Candidate::index);
            }
        }
        self.invalid.sort_by_key(|(index, _)| *index);
    }

    /// Leaves out all members of a group, one of which has a negative number of tokens.
    fn leave_out(&mut self, items: &[ContextItem], group: &[u32], negative: i64) {
        for &index in group {
            let item = &items[index as usize];
            let reason = match item.tokens() {
                tokens @ ..0 => ExclusionReason::NegativeTokens { tokens },
                _ => ExclusionReason::GroupBroken {
                    group: item.group().unwrap_or_default().to_owned(),
                    tokens: negative,
                },
            };
            self.invalid.push((index as usize, reason));
        }
    }
}
