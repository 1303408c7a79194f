//! What would let items in that are out, and bring back whole what is shortened.

use std::collections::HashMap;

use cupel::{
    ContextBudget, ContextItem, Counterfactual, CupelError, Pipeline, Remedy, Restoration,
    SelectionReport,
};

use crate::input::Units;

/// For more items than this, finding out takes seconds.
const MOST_ITEMS: usize = 10_000;

/// What is known about the items of one run, by their place in the input.
#[derive(Debug, Default)]
pub(crate) struct Remedies {
    /// Whether there were too many items to find out.
    pub(crate) are_too_many: bool,
    left_out: HashMap<usize, Counterfactual>,
    shortened: HashMap<usize, Restoration>,
}

impl Remedies {
    /// Finds out, unless the run left out or shortened too many: each takes a pass over all candidates.
    pub(crate) fn find(
        pipeline: &Pipeline,
        items: &[ContextItem],
        budget: &ContextBudget,
        report: &SelectionReport,
    ) -> Result<Self, CupelError> {
        let shortened = report.included.iter().filter(|it| it.shortened.is_some()).count();
        if report.excluded.len() + shortened > MOST_ITEMS {
            return Ok(Self { are_too_many: true, ..Self::default() });
        }
        let left_out = pipeline.counterfactuals(items, budget)?.into_iter();
        let shortened = match shortened {
            0 => Vec::new(),
            _ => pipeline.restorations(items, budget)?,
        };
        Ok(Self {
            are_too_many: false,
            left_out: left_out.map(|it| (it.index, it)).collect(),
            shortened: shortened.into_iter().map(|it| (it.index, it)).collect(),
        })
    }

    /// What kept the item at `position` out.
    pub(crate) fn counterfactual(&self, position: usize) -> Option<&Counterfactual> {
        self.left_out.get(&position)
    }

    /// What kept the unit of the item at `position` out: what is told of the member that would be shortened most.
    pub(crate) fn counterfactual_of_unit(
        &self,
        units: &Units,
        position: usize,
    ) -> Option<&Counterfactual> {
        let form = |it: &&Counterfactual| it.remedy.as_ref().map_or(0, |remedy| remedy.form);
        let members = units.members(position).iter().filter_map(|it| self.counterfactual(*it));
        let most = members.max_by_key(form).filter(|it| form(it) > 0);
        most.or_else(|| self.counterfactual(position))
    }

    /// What lets the item at `position` in whole, if it is out, or in a shorter form.
    pub(crate) fn whole(&self, position: usize) -> Option<&Remedy> {
        let of_shortened = self.shortened.get(&position).and_then(|it| it.remedy.as_ref());
        of_shortened.or_else(|| self.left_out.get(&position)?.whole.as_ref())
    }
}
