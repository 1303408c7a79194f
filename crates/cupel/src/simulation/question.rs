//! Asking a finished run about what it left out.

use std::collections::{HashMap, VecDeque};

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use super::exact::{GaveUp, least_budget};
use super::probe::Probe;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, ExcludedItem, ExclusionReason,
    SelectionReport,
};

/// A finished run, to be asked about what it left out.
pub(super) struct Question<'a> {
    probe: Probe<'a>,
    budget: &'a ContextBudget,
    /// The present window.
    window: Vec<Candidate<'a>>,
    /// Positions in Sort order of what is not in it, by instance, in the order it was left out.
    outside: HashMap<usize, VecDeque<usize>>,
    /// Marks of what would be in it if there were no pinned items.
    without_pinned: Vec<bool>,
    /// What was kept of repeated contents.
    survivors: HashMap<&'a str, &'a ContextItem>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        mut probe: Probe<'a>,
        budget: &'a ContextBudget,
        sliced: &[Candidate<'_>],
        report: &SelectionReport,
    ) -> Result<Self, CupelError> {
        let window = probe.chosen(budget)?;
        let inside = probe.marks(&window);
        let sliced = probe.marks(sliced);
        let mut outside: HashMap<usize, VecDeque<usize>> = HashMap::new();
        // What the slicer did not choose was left out before what was cut off after it.
        for cut_off in [false, true] {
            for (position, candidate) in probe.sorted.iter().enumerate() {
                if !probe.is_marked(&inside, candidate)
                    && probe.is_marked(&sliced, candidate) == cut_off
                {
                    outside.entry(candidate.item().instance()).or_default().push_back(position);
                }
            }
        }
        let mut survivors = HashMap::new();
        if report
            .excluded
            .iter()
            .any(|it| matches!(it.reason, ExclusionReason::Deduplicated { .. }))
        {
            survivors = probe.sorted.iter().map(|it| (it.item().content(), it.item())).collect();
        }
        let without_pinned = probe.chosen_without_pinned(budget);
        let without_pinned = probe.marks(&without_pinned);
        Ok(Self { probe, budget, window, outside, without_pinned, survivors })
    }

    pub(super) fn answer(&mut self, excluded: &ExcludedItem) -> Result<Counterfactual, CupelError> {
        let ExcludedItem { item, score, reason } = excluded.clone();
        let mut answer =
            Counterfactual { item, score, reason, remedy: None, obstacles: Vec::new() };
        match &answer.reason {
            ExclusionReason::NegativeTokens { tokens } => {
                answer.obstacles.push(Obstacle::NegativeTokens { tokens: *tokens });
            }
            ExclusionReason::Deduplicated { deduplicated_against } => {
                if let Some(kept) = self.survivors.get(deduplicated_against.as_str()) {
                    answer.obstacles.push(Obstacle::DuplicateOf { kept: (*kept).clone() });
                }
            }
            _ => {
                let waiting = self.outside.get_mut(&answer.item.instance());
                if let Some(position) = waiting.and_then(VecDeque::pop_front) {
                    self.find_remedy(&mut answer, position)?;
                }
            }
        }
        Ok(answer)
    }

    fn find_remedy(
        &mut self,
        answer: &mut Counterfactual,
        position: usize,
    ) -> Result<(), CupelError> {
        if let ExclusionReason::CountCapExceeded { kind, cap, .. } = &answer.reason {
            answer.obstacles.push(Obstacle::KindCap { kind: kind.clone(), cap: *cap });
        }
        if self.probe.is_marked(&self.without_pinned, &self.probe.sorted[position]) {
            answer.obstacles.extend(self.pinned());
        }
        let found = match self.compute(position) {
            Ok(found) => found,
            Err(NotComputable) => self.search(position, answer)?,
        };
        if let Some((additional_tokens, certainty)) = found {
            let displaced = self.displaced_at(additional_tokens)?;
            answer.remedy = Some(Remedy { additional_tokens, certainty, displaced });
        }
        Ok(())
    }

    /// The present budget with more tokens; as many as an `i64` holds.
    fn with_more(&self, tokens: i64) -> ContextBudget {
        let more = |of: i64| of.saturating_add(tokens);
        self.budget.resized(more(self.budget.max_tokens()), more(self.budget.target_tokens()))
    }

    /// By how much the budget can grow at all.
    fn most(&self) -> i64 {
        i64::MAX - self.budget.max_tokens()
    }

    /// The smallest sufficient increase, from a slicer that lets it be computed.
    fn compute(&self, position: usize) -> Result<Option<(i64, Certainty)>, NotComputable> {
        const MOST_STEPS: u64 = 1_000_000;
        let before = self.probe.tried_before(position).ok_or(NotComputable)?;
        let tokens = self.probe.sorted[position].tokens();
        let target_at = |more| self.probe.effective_target(&self.with_more(more));
        let least = least_budget(&before, tokens, 0, self.most(), MOST_STEPS, target_at);
        let least = least.map_err(|GaveUp| NotComputable)?;
        Ok(least.map(|additional| (additional, Certainty::Smallest)))
    }

    /// Doubles the increase until the item is in, then narrows it down.
    fn search(
        &mut self,
        position: usize,
        answer: &mut Counterfactual,
    ) -> Result<Option<(i64, Certainty)>, CupelError> {
        let (mut without, mut with) = (0, 1.min(self.most()));
        loop {
            match self.includes(position, with) {
                Ok(true) => break,
                Ok(false) if self.holds_everything(with) || with == self.most() => {
                    answer.obstacles.push(Obstacle::NotChosen { tried_up_to: with });
                    return Ok(None);
                }
                Ok(false) => {
                    without = with;
                    with = with.saturating_mul(2).min(self.most());
                }
                Err(error) => {
                    let additional_tokens = with;
                    answer.obstacles.push(Obstacle::NotTestable { additional_tokens, error });
                    return Ok(None);
                }
            }
        }
        while with - without > 1 {
            let middle = without + (with - without) / 2;
            if self.includes(position, middle)? {
                with = middle;
            } else {
                without = middle;
            }
        }
        Ok(Some((with, Certainty::Tested)))
    }

    /// Whether any share of the budget as large as a percent would hold all candidates.
    fn holds_everything(&self, additional: i64) -> bool {
        const SHARES: i128 = 100;
        let needed: i128 = self.probe.sorted.iter().map(|it| i128::from(it.tokens())).sum();
        i128::from(self.probe.effective_target(&self.with_more(additional))) > needed * SHARES
    }

    fn includes(&mut self, position: usize, additional: i64) -> Result<bool, CupelError> {
        let wanted = self.probe.sorted[position].item();
        match self.probe.chosen(&self.with_more(additional)) {
            // By place, not by instance: one handle may be several candidates.
            Ok(chosen) => Ok(chosen.iter().any(|it| std::ptr::eq(it.item(), wanted))),
            Err(CupelError::Overflow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn displaced_at(&mut self, additional: i64) -> Result<Vec<ContextItem>, CupelError> {
        let larger = self.probe.chosen(&self.with_more(additional))?;
        let larger = self.probe.marks(&larger);
        let displaced = self.window.iter().filter(|it| !self.probe.is_marked(&larger, it));
        Ok(displaced.map(|it| it.item().clone()).collect())
    }

    fn pinned(&self) -> Option<Obstacle> {
        let first = self.probe.first_pinned()?.clone();
        Some(Obstacle::PinnedItems { tokens: self.probe.pinned_tokens(), first })
    }
}

/// The slicer does not say in which order it tries, or there are too many cases.
struct NotComputable;
