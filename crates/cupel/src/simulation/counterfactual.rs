//! What kept an item out, and what would let it in?

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use super::exact::{GaveUp, least_budget};
use super::probe::Probe;
use crate::pipeline::run::Run;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, ExcludedItem,
    ExclusionReason, Pipeline, SelectionReport, TraceDetailLevel, contract,
};

/// What kept one item out of a window, and what would let it in.
///
/// Its [`Display`](fmt::Display) is one readable sentence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Counterfactual {
    /// The item.
    pub item: ContextItem,
    /// Its score.
    pub score: f64,
    /// Why the run left it out.
    pub reason: ExclusionReason,
    /// The larger budget that lets it in; `None` when none was found.
    pub remedy: Option<Remedy>,
    /// What stands in its way apart from the size of the budget.
    pub obstacles: Vec<Obstacle>,
}

/// A larger budget that lets an item in. A run at that budget has confirmed it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Remedy {
    /// By how much both `max_tokens` and `target_tokens` grow.
    pub additional_tokens: i64,
    /// Whether less would not do.
    pub certainty: Certainty,
    /// Items of the present window that the larger one would not hold.
    pub displaced: Vec<ContextItem>,
}

/// How much is known about a [`Remedy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Certainty {
    /// No smaller increase lets the item in.
    Smallest,
    /// The next smaller increase that was tried does not, but between those tried a smaller one
    /// might: with this slicer more tokens can also push items out.
    Tested,
}

/// What stands in an item's way apart from the size of the budget.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Its token count is negative; no budget admits it.
    NegativeTokens {
        /// The count.
        tokens: i64,
    },
    /// A better or earlier item has the same content; no budget admits both.
    DuplicateOf {
        /// The item kept.
        kept: ContextItem,
    },
    /// Enough items of its kind are chosen.
    KindCap {
        /// The kind.
        kind: String,
        /// The greatest number allowed.
        cap: usize,
    },
    /// The pinned items leave too little: without their cost it would be in.
    PinnedItems {
        /// What they cost together, clamped to `i64`.
        tokens: i64,
        /// The first of them.
        first: ContextItem,
    },
    /// No budget that was tried admits it, though the largest would hold everything.
    NotChosen {
        /// By how much the largest budget tried exceeds the present one.
        tried_up_to: i64,
    },
    /// Larger budgets could not be tried.
    NotTestable {
        /// By how much the budget that failed exceeds the present one.
        additional_tokens: i64,
        /// How it failed.
        error: CupelError,
    },
}

impl Pipeline {
    /// For every item that a run leaves out, in the report's order: what kept it out and what
    /// would let it in.
    ///
    /// With [`GreedySlice`](crate::GreedySlice) the additional tokens are the smallest that do,
    /// computed from the order of trial in about one pass over it per item. With other slicers the
    /// increase is doubled until the item is in and then narrowed by halving, and says so.
    /// Candidates are scored once.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn counterfactuals(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<Vec<Counterfactual>, CupelError> {
        self.counterfactuals_of(items, budget, |_| true)
    }

    /// [`counterfactuals`](Self::counterfactuals) for one item; `None` when it is in the window.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`CupelError::InvalidBudget`] when `target` is not one of
    /// `items`, by instance.
    pub fn counterfactual(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        target: &ContextItem,
    ) -> Result<Option<Counterfactual>, CupelError> {
        if !items.iter().any(|item| item.is_same_instance(target)) {
            return Err(CupelError::InvalidBudget(format!(
                "{} is not one of the items; an equal item is another one",
                contract::describe(target)
            )));
        }
        let mut found =
            self.counterfactuals_of(items, budget, |item| item.is_same_instance(target))?;
        Ok(found.pop())
    }

    fn counterfactuals_of(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        wanted: impl Fn(&ContextItem) -> bool,
    ) -> Result<Vec<Counterfactual>, CupelError> {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let mut run = Run::new(self.policy(), items, budget, &mut collector);
        let classified = run.classify(items)?;
        let scores = run.score(&classified.scoreable)?;
        let repeated = run.deduplicate(&classified.scoreable, &scores);
        let sorted = run.sort(&classified.scoreable, &scores, repeated);
        let chosen = run.slice(sorted.clone(), &classified)?;
        run.place(chosen, &classified)?;
        let report = collector.into_report();

        let probe = Probe::new(self.policy(), &classified, &sorted);
        let mut question = Question::new(probe, budget, &report)?;
        let excluded = report.excluded.iter().filter(|excluded| wanted(&excluded.item));
        excluded.map(|excluded| question.answer(excluded)).collect()
    }
}

/// A finished run, to be asked about what it left out.
struct Question<'a> {
    probe: Probe<'a>,
    budget: &'a ContextBudget,
    /// The present window.
    window: Vec<Candidate<'a>>,
    /// Positions in Sort order of what is not in it, by instance.
    outside: HashMap<usize, VecDeque<usize>>,
    /// Positions in Sort order that would be chosen if pinned items cost nothing.
    without_pinned: HashSet<usize>,
    /// What was kept of repeated contents.
    survivors: HashMap<&'a str, &'a ContextItem>,
}

impl<'a> Question<'a> {
    fn new(
        mut probe: Probe<'a>,
        budget: &'a ContextBudget,
        report: &SelectionReport,
    ) -> Result<Self, CupelError> {
        let window = probe.chosen(budget)?;
        let inside = probe.marks(&window);
        let mut outside: HashMap<usize, VecDeque<usize>> = HashMap::new();
        for (position, candidate) in probe.sorted.iter().enumerate() {
            if !probe.is_marked(&inside, candidate) {
                outside.entry(candidate.item().instance()).or_default().push_back(position);
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
        let without_pinned = probe.chosen_without_pinned(budget)?;
        Ok(Self { probe, budget, window, outside, without_pinned, survivors })
    }

    fn answer(&mut self, excluded: &ExcludedItem) -> Result<Counterfactual, CupelError> {
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
        if self.without_pinned.contains(&position) {
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

impl fmt::Display for Counterfactual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remedy {
            None => f.write_str("no larger budget lets it in")?,
            Some(remedy) => write!(f, "{remedy}")?,
        }
        for obstacle in &self.obstacles {
            write!(f, "; {obstacle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = match self.certainty {
            Certainty::Smallest => "",
            Certainty::Tested => "at most ",
        };
        write!(f, "{about}{} more tokens let it in", self.additional_tokens)?;
        match self.displaced.as_slice() {
            [] => Ok(()),
            [one] => write!(f, " and push out {}", contract::describe(one)),
            many => write!(f, " and push out {} items", many.len()),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegativeTokens { tokens } => write!(f, "its token count is negative ({tokens})"),
            Self::DuplicateOf { kept } => {
                write!(f, "it repeats {}", contract::describe(kept))
            }
            Self::KindCap { kind, cap } => write!(f, "the cap of {cap} {kind} items is reached"),
            Self::PinnedItems { tokens, .. } => {
                write!(f, "pinned items take {tokens} tokens, without which it would fit")
            }
            Self::NotChosen { tried_up_to } => {
                write!(f, "no budget up to {tried_up_to} tokens larger chooses it")
            }
            Self::NotTestable { additional_tokens, error } => {
                write!(f, "{additional_tokens} more tokens could not be tried: {error}")
            }
        }
    }
}
