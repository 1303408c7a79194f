//! Asking a finished run about what it left out.

use std::collections::BTreeMap;

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use super::exact::{GaveUp, least_budget};
use super::probe::Probe;
use crate::pipeline::LeftOut;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason};

/// A finished run, to be asked about what it left out.
pub(super) struct Question<'a> {
    probe: Probe<'a>,
    items: &'a [ContextItem],
    budget: &'a ContextBudget,
    /// The present window, pinned items first, then best score first.
    window: Vec<Candidate<'a>>,
    /// Where each item stands in Sort order, if it got that far.
    positions: Vec<Option<usize>>,
    /// Of each item, whether it would be in the window if there were no pinned items.
    without_pinned: Vec<bool>,
    /// What was kept of each content.
    survivors: BTreeMap<(u64, &'a str), &'a ContextItem>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        probe: Probe<'a>,
        items: &'a [ContextItem],
        budget: &'a ContextBudget,
    ) -> Result<Self, CupelError> {
        let window = probe.chosen(budget)?;
        let mut positions = vec![None; items.len()];
        for (position, candidate) in probe.candidates().iter().enumerate() {
            positions[candidate.index()] = Some(position);
        }
        let survivors =
            probe.candidates().iter().map(|it| (it.item().content_key(), it.item())).collect();
        let without_pinned = by_index(&probe.chosen_without_pinned(budget), items.len());
        Ok(Self { probe, items, budget, window, positions, without_pinned, survivors })
    }

    pub(super) fn answer(&self, left_out: LeftOut) -> Counterfactual {
        let LeftOut { index, score, reason } = left_out;
        let item = self.items[index].clone();
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
                if let Some(position) = self.positions[index] {
                    self.find_remedy(&mut answer, position);
                }
            }
        }
        answer
    }

    fn find_remedy(&self, answer: &mut Counterfactual, position: usize) {
        if let ExclusionReason::CountCapExceeded { kind, cap, .. } = &answer.reason {
            answer.obstacles.push(Obstacle::KindCap { kind: kind.clone(), cap: *cap });
        }
        if self.without_pinned[self.probe.candidates()[position].index()] {
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
    fn name_cap(&self, answer: &mut Counterfactual, position: usize, additional: i64) {
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
    fn compute(&self, position: usize) -> Result<Result<Remedy, Obstacle>, NotComputable> {
        const MOST_STEPS: u64 = 1_000_000;
        let before = self.probe.tried_before(position).ok_or(NotComputable)?;
        let tokens = self.probe.candidates()[position].tokens();
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
    fn search(&self, position: usize) -> Result<Remedy, Obstacle> {
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
        let needed: i128 = self.probe.candidates().iter().map(|it| i128::from(it.tokens())).sum();
        i128::from(self.probe.effective_target(&self.with_more(additional))) > needed * SHARES
    }

    fn includes(&self, position: usize, additional: i64) -> Result<bool, CupelError> {
        match self.probe.chosen(&self.with_more(additional)) {
            Ok(chosen) => Ok(self.is_among(&chosen, position)),
            Err(CupelError::Overflow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn is_among(&self, chosen: &[Candidate<'_>], position: usize) -> bool {
        let wanted = self.probe.candidates()[position].index();
        chosen.iter().any(|it| it.index() == wanted)
    }

    /// The increase as a remedy, if a run confirms it.
    fn remedy(
        &self,
        position: usize,
        additional_tokens: i64,
        certainty: Certainty,
    ) -> Option<Remedy> {
        let larger = self.probe.chosen(&self.with_more(additional_tokens)).ok()?;
        if !self.is_among(&larger, position) {
            return None;
        }
        let is_kept = by_index(&larger, self.items.len());
        let displaced = self.window.iter().filter(|it| !is_kept[it.index()]);
        let displaced = displaced.map(|it| it.item().clone()).collect();
        Some(Remedy { additional_tokens, certainty, displaced })
    }

    fn pinned(&self) -> Option<Obstacle> {
        let first = self.probe.first_pinned()?.clone();
        Some(Obstacle::PinnedItems { tokens: self.probe.pinned_tokens(), first })
    }
}

/// One mark for each of `len` items, set for those that are `chosen`.
fn by_index(chosen: &[Candidate<'_>], len: usize) -> Vec<bool> {
    let mut marks = vec![false; len];
    chosen.iter().for_each(|it| marks[it.index()] = true);
    marks
}

/// The slicer does not say in which order it tries, or there are too many cases.
struct NotComputable;
