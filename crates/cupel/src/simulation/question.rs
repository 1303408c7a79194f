//! Asking a finished run about what it left out.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use super::exact::{GaveUp, least_budget};
use super::probe::Probe;
use crate::hash::Seeded;
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
    outside: HashMap<usize, VecDeque<usize>, Seeded>,
    /// Marks of what would be in it if there were no pinned items.
    without_pinned: Vec<bool>,
    /// What was kept of repeated contents.
    survivors: BTreeMap<(u64, &'a str), &'a ContextItem>,
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
        let mut outside: HashMap<usize, VecDeque<usize>, Seeded> = HashMap::default();
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
        let mut survivors = BTreeMap::new();
        if report
            .excluded
            .iter()
            .any(|it| matches!(it.reason, ExclusionReason::Deduplicated { .. }))
        {
            survivors =
                probe.sorted.iter().map(|it| (it.item().content_key(), it.item())).collect();
        }
        let without_pinned = probe.chosen_without_pinned(budget);
        let without_pinned = probe.marks(&without_pinned);
        Ok(Self { probe, budget, window, outside, without_pinned, survivors })
    }

    pub(super) fn answer(&mut self, excluded: &ExcludedItem) -> Counterfactual {
        let ExcludedItem { item, score, reason } = excluded.clone();
        let mut answer =
            Counterfactual { item, score, reason, remedy: None, obstacles: Vec::new() };
        match &answer.reason {
            ExclusionReason::NegativeTokens { tokens } => {
                answer.obstacles.push(Obstacle::NegativeTokens { tokens: *tokens });
            }
            ExclusionReason::Deduplicated { .. } => {
                if let Some(kept) = self.survivors.get(&answer.item.content_key()) {
                    answer.obstacles.push(Obstacle::DuplicateOf { kept: (*kept).clone() });
                }
            }
            _ => {
                let waiting = self.outside.get_mut(&answer.item.instance());
                if let Some(position) = waiting.and_then(VecDeque::pop_front) {
                    self.find_remedy(&mut answer, position);
                }
            }
        }
        answer
    }

    fn find_remedy(&mut self, answer: &mut Counterfactual, position: usize) {
        if let ExclusionReason::CountCapExceeded { kind, cap, .. } = &answer.reason {
            answer.obstacles.push(Obstacle::KindCap { kind: kind.clone(), cap: *cap });
        }
        if self.probe.is_marked(&self.without_pinned, &self.probe.sorted[position]) {
            answer.obstacles.extend(self.pinned());
        }
        let found = match self.compute(position) {
            Ok(found) => found,
            Err(NotComputable) => self.search(position),
        };
        match found {
            Ok(remedy) => answer.remedy = Some(remedy),
            Err(obstacle) => {
                if let Obstacle::NotChosen { tried_up_to } = obstacle {
                    self.name_cap(answer, position, tried_up_to);
                }
                answer.obstacles.push(obstacle);
            }
        }
    }

    /// Adds the cap that stands in the way at the largest budget tried. The present one may be too
    /// small to get that far.
    fn name_cap(&mut self, answer: &mut Counterfactual, position: usize, additional: i64) {
        let refusal = self.probe.refusal(position, &self.with_more(additional));
        if let Some(ExclusionReason::CountCapExceeded { kind, cap, .. }) = refusal {
            let cap = Obstacle::KindCap { kind, cap };
            if !answer.obstacles.contains(&cap) {
                answer.obstacles.push(cap);
            }
        }
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
    fn compute(&mut self, position: usize) -> Result<Result<Remedy, Obstacle>, NotComputable> {
        const MOST_STEPS: u64 = 1_000_000;
        let before = self.probe.tried_before(position).ok_or(NotComputable)?;
        let tokens = self.probe.sorted[position].tokens();
        let target_at = |more| self.probe.effective_target(&self.with_more(more));
        let least = least_budget(&before, tokens, 0, self.most(), MOST_STEPS, target_at);
        match least.map_err(|GaveUp| NotComputable)? {
            Some(additional) => {
                let confirmed = self.remedy(position, additional, Certainty::Smallest);
                Ok(Ok(confirmed.ok_or(NotComputable)?))
            }
            None => Ok(Err(Obstacle::NotChosen { tried_up_to: self.most() })),
        }
    }

    /// Doubles the increase until the item is in, then narrows it down.
    fn search(&mut self, position: usize) -> Result<Remedy, Obstacle> {
        let (mut without, mut with) = (0, 1.min(self.most()));
        loop {
            match self.includes(position, with) {
                Ok(true) => break,
                Ok(false) if self.holds_everything(with) || with == self.most() => {
                    return Err(Obstacle::NotChosen { tried_up_to: with });
                }
                Ok(false) => {
                    without = with;
                    with = with.saturating_mul(2).min(self.most());
                }
                Err(error) => {
                    return Err(Obstacle::NotTestable { additional_tokens: with, error });
                }
            }
        }
        while with - without > 1 {
            let middle = without + (with - without) / 2;
            // A budget at which the run fails lets nothing in.
            if let Ok(true) = self.includes(position, middle) {
                with = middle;
            } else {
                without = middle;
            }
        }
        let confirmed = self.remedy(position, with, Certainty::Tested);
        confirmed.ok_or(Obstacle::NotChosen { tried_up_to: with })
    }

    /// Whether any share of the budget as large as a percent would hold all candidates.
    fn holds_everything(&self, additional: i64) -> bool {
        const SHARES: i128 = 100;
        let needed: i128 = self.probe.sorted.iter().map(|it| i128::from(it.tokens())).sum();
        i128::from(self.probe.effective_target(&self.with_more(additional))) > needed * SHARES
    }

    fn includes(&mut self, position: usize, additional: i64) -> Result<bool, CupelError> {
        match self.probe.chosen(&self.with_more(additional)) {
            Ok(chosen) => Ok(self.is_among(&chosen, position)),
            Err(CupelError::Overflow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// By place, not by instance: one handle may be several candidates.
    fn is_among(&self, chosen: &[Candidate<'_>], position: usize) -> bool {
        let wanted = self.probe.sorted[position].item();
        chosen.iter().any(|it| std::ptr::eq(it.item(), wanted))
    }

    /// The increase as a remedy, if a run confirms it.
    fn remedy(
        &mut self,
        position: usize,
        additional_tokens: i64,
        certainty: Certainty,
    ) -> Option<Remedy> {
        let larger = self.probe.chosen(&self.with_more(additional_tokens)).ok()?;
        if !self.is_among(&larger, position) {
            return None;
        }
        let larger = self.probe.marks(&larger);
        let displaced = self.window.iter().filter(|it| !self.probe.is_marked(&larger, it));
        let displaced = displaced.map(|it| it.item().clone()).collect();
        Some(Remedy { additional_tokens, certainty, displaced })
    }

    fn pinned(&self) -> Option<Obstacle> {
        let first = self.probe.first_pinned()?.clone();
        Some(Obstacle::PinnedItems { tokens: self.probe.pinned_tokens(), first })
    }
}

/// The slicer does not say in which order it tries, or there are too many cases.
struct NotComputable;
