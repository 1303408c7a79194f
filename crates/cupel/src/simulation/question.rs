//! Asking a finished run about what it left out.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::counterfactual::{Certainty, Counterfactual, Obstacle, Remedy};
use super::exact::{GaveUp, least_budget};
use super::probe::Probe;
use crate::pipeline::LeftOut;
use crate::pipeline::stage::Contents;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason};

/// A finished run, to be asked about what it left out.
pub(super) struct Question<'a> {
    probe: Probe<'a>,
    items: &'a [ContextItem],
    budget: &'a ContextBudget,
    /// The present window, pinned items first, then best score first.
    window: Vec<Candidate<'a>>,
    /// Where each item, or the unit it belongs to, stands in Sort order, if it got that far.
    positions: Vec<Option<usize>>,
    /// Of each item, whether it would be in the window if there were no pinned items.
    without_pinned: Vec<bool>,
    /// Looked for when something was left out as a repetition.
    survivors: OnceCell<Survivors<'a>>,
}

/// Where in Sort order stands what was kept of each content, or of each unit's contents.
type Survivors<'a> = BTreeMap<(u64, Contents<Candidate<'a>>), usize>;

impl<'a> Question<'a> {
    pub(super) fn new(
        probe: Probe<'a>,
        items: &'a [ContextItem],
        budget: &'a ContextBudget,
    ) -> Result<Self, CupelError> {
        let window = probe.chosen(budget)?;
        let mut positions = vec![None; items.len()];
        for (position, candidate) in probe.candidates().iter().enumerate() {
            for member in probe.members(candidate) {
                positions[member.index()] = Some(position);
            }
        }
        let without_pinned = by_index(&probe.chosen_without_pinned(budget), items.len());
        let survivors = OnceCell::new();
        Ok(Self { probe, items, budget, window, positions, without_pinned, survivors })
    }

    pub(super) fn answer(&self, left_out: LeftOut) -> Counterfactual {
        let LeftOut { index, score, reason } = left_out;
        let item = self.items[index].clone();
        let mut answer = Counterfactual {
            item,
            index,
            score,
            reason,
            remedy: None,
            whole: None,
            obstacles: Vec::new(),
        };
        match &answer.reason {
            ExclusionReason::NegativeTokens { tokens } => {
                answer.obstacles.push(Obstacle::NegativeTokens { tokens: *tokens });
            }
            ExclusionReason::GroupBroken { tokens, .. } => {
                answer.obstacles.push(Obstacle::NegativeTokens { tokens: *tokens });
            }
            ExclusionReason::Deduplicated { .. } => {
                let kept = self.survivor(index).cloned();
                answer.obstacles.extend(kept.map(|kept| Obstacle::DuplicateOf { kept }));
            }
            ExclusionReason::NearDuplicate { near_duplicate_of, overlap } => {
                // Not for want of room: with more of it, what it repeats stays.
                let kept = self.said_by(near_duplicate_of).cloned();
                let repeats = |kept| Obstacle::NearDuplicateOf { kept, overlap: *overlap };
                answer.obstacles.extend(kept.map(repeats));
            }
            _ => {
                if let Some(position) = self.positions[index] {
                    self.find_remedy(
                        &mut answer,
                        Goal { index, position: Some(position), whole: false },
                    );
                }
            }
        }
        answer
    }

    /// What was kept in place of the item at `index`, which repeats it; of a unit, its counterpart there.
    #[expect(clippy::mutable_key_type, reason = "a unit's stand-in is no part of its contents")]
    fn survivor(&self, index: usize) -> Option<&'a ContextItem> {
        let whole = self.probe.whole(index, &self.items[index]);
        let survivors = self.survivors.get_or_init(|| self.find_survivors());
        let position = *survivors.get(&contents_key(&whole))?;
        let is_own = |it: &ContextItem| it.is_same_instance(&self.items[index]);
        let counterpart = whole.items().position(is_own).unwrap_or_default();
        let mut kept = self.probe.members(&self.probe.candidates()[position]);
        kept.nth(counterpart).map(|it| it.item())
    }

    #[expect(clippy::mutable_key_type, reason = "a unit's stand-in is no part of its contents")]
    fn find_survivors(&self) -> Survivors<'a> {
        let candidates = self.probe.candidates().iter().enumerate();
        candidates.map(|(position, candidate)| (contents_key(candidate), position)).collect()
    }

    /// The item of the window that has this content, whole or in its form; of a unit, its first member.
    fn said_by(&self, content: &str) -> Option<&'a ContextItem> {
        let says = |it: &ContextItem| it.content() == content || it.whole().content() == content;
        let member = self.window.iter().map(|it| it.item()).find(|it| says(it));
        member.or_else(|| {
            let unit = self.probe.candidates().iter().find(|it| says(it.item()))?;
            self.probe.members(unit).next().map(|it| it.item())
        })
    }

    /// The larger budget that brings in whole what is in the window in a shorter form.
    pub(super) fn restore(&self, index: usize) -> Option<Remedy> {
        self.find(&Goal { index, position: self.positions[index], whole: true }).ok()
    }

    fn find_remedy(&self, answer: &mut Counterfactual, goal: Goal) {
        let position = goal.position.unwrap_or_default();
        if let ExclusionReason::CountCapExceeded { kind, cap, .. } = &answer.reason {
            answer.obstacles.push(Obstacle::KindCap { kind: kind.clone(), cap: *cap });
        }
        if self.without_pinned[goal.index] {
            answer.obstacles.extend(self.pinned());
        }
        match self.find(&goal) {
            Ok(remedy) => {
                if !answer.item.variants().is_empty() {
                    answer.whole = match remedy.form {
                        0 => Some(remedy.clone()),
                        _ => self.find(&Goal { whole: true, ..goal }).ok(),
                    };
                }
                answer.remedy = Some(remedy);
            }
            Err(obstacle) => {
                if let Obstacle::NotChosen { tried_up_to } = obstacle {
                    self.name_cap(answer, position, tried_up_to);
                }
                answer.obstacles.push(obstacle);
            }
        }
    }

    fn find(&self, goal: &Goal) -> Result<Remedy, Obstacle> {
        match self.compute(goal) {
            Ok(found) => found,
            Err(NotComputable) => self.search(goal),
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
    fn compute(&self, goal: &Goal) -> Result<Result<Remedy, Obstacle>, NotComputable> {
        const MOST_STEPS: u64 = 1_000_000;
        let position = goal.position.ok_or(NotComputable)?;
        let before = self.probe.tried_before(position).ok_or(NotComputable)?;
        let candidate = &self.probe.candidates()[position];
        let form = if goal.whole { 0 } else { candidate.shortest() };
        let tokens = candidate.tokens_in(form);
        let target_at = |more| self.probe.effective_target(&self.with_more(more));
        let least = least_budget(before, tokens, 0, self.most(), MOST_STEPS, target_at);
        match least.map_err(|GaveUp| NotComputable)? {
            Some(additional) => {
                let confirmed = self.remedy(goal, additional, Certainty::Smallest);
                Ok(Ok(confirmed.ok_or(NotComputable)?))
            }
            None => Ok(Err(Obstacle::NotChosen { tried_up_to: self.most() })),
        }
    }

    /// Doubles the increase until the item is in, then narrows it down.
    fn search(&self, goal: &Goal) -> Result<Remedy, Obstacle> {
        let (mut without, mut with) = (0, 1.min(self.most()));
        loop {
            match self.reaches(goal, with) {
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
            if let Ok(true) = self.reaches(goal, middle) {
                with = middle;
            } else {
                without = middle;
            }
        }
        let confirmed = self.remedy(goal, with, Certainty::Tested);
        confirmed.ok_or(Obstacle::NotChosen { tried_up_to: with })
    }

    /// Whether any share of the budget as large as a percent would hold all candidates.
    fn holds_everything(&self, additional: i64) -> bool {
        const SHARES: i128 = 100;
        let needed: i128 = self.probe.candidates().iter().map(|it| i128::from(it.tokens())).sum();
        i128::from(self.probe.effective_target(&self.with_more(additional))) > needed * SHARES
    }

    fn reaches(&self, goal: &Goal, additional: i64) -> Result<bool, CupelError> {
        match self.probe.chosen(&self.with_more(additional)) {
            Ok(chosen) => Ok(goal.form_in(&chosen).is_some()),
            Err(CupelError::Overflow { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The increase as a remedy, if a run confirms it.
    fn remedy(&self, goal: &Goal, additional_tokens: i64, certainty: Certainty) -> Option<Remedy> {
        let larger = self.probe.chosen(&self.with_more(additional_tokens)).ok()?;
        let form = goal.form_in(&larger)?;
        let is_kept = by_index(&larger, self.items.len());
        let displaced = self.window.iter().filter(|it| !is_kept[it.index()]);
        let displaced = displaced.map(|it| it.item().clone()).collect();
        Some(Remedy { additional_tokens, certainty, form, displaced })
    }

    fn pinned(&self) -> Option<Obstacle> {
        let first = self.probe.first_pinned()?.clone();
        Some(Obstacle::PinnedItems { tokens: self.probe.pinned_tokens(), first })
    }
}

/// What a larger budget is to bring about.
#[derive(Clone, Copy)]
struct Goal {
    /// Of the item.
    index: usize,
    /// Of it or its unit, in Sort order, unless it is pinned.
    position: Option<usize>,
    /// Whether the item is to be in whole; otherwise any form will do.
    whole: bool,
}

impl Goal {
    /// The form that the item is in, if that reaches the goal.
    fn form_in(&self, chosen: &[Candidate<'_>]) -> Option<usize> {
        let form = chosen.iter().find(|it| it.index() == self.index)?.form();
        (form == 0 || !self.whole).then_some(form)
    }
}

/// Equal for items, or units, with equal contents.
fn contents_key<'a>(candidate: &Candidate<'a>) -> (u64, Contents<Candidate<'a>>) {
    (candidate.fingerprint(), Contents(*candidate))
}

/// One mark for each of `len` items, set for those that are `chosen`.
fn by_index(chosen: &[Candidate<'_>], len: usize) -> Vec<bool> {
    let mut marks = vec![false; len];
    chosen.iter().for_each(|it| marks[it.index()] = true);
    marks
}

/// The slicer does not say in which order it tries, or there are too many cases.
struct NotComputable;
