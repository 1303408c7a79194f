//! What kept an item out, and what would let it in?

use super::probe::Probe;
use super::question::Question;
use crate::pipeline::input::Input;
use crate::pipeline::run::Run;
use crate::pipeline::shortened;
use crate::sort_keys::descending;
use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, ExclusionReason,
    Pipeline, Shortened, TraceDetailLevel, contract,
};

/// What kept one item out of a window, and what would let it in.
///
/// Its [`Display`](std::fmt::Display) is one readable sentence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Counterfactual {
    /// The item.
    pub item: ContextItem,
    /// Where it stands in the input.
    pub index: usize,
    /// Its score.
    pub score: f64,
    /// Why the run left it out.
    pub reason: ExclusionReason,
    /// The larger budget that lets it in, whole or shortened; `None` when none was found.
    pub remedy: Option<Remedy>,
    /// The larger budget that lets it in whole, if it has shorter forms and one was found.
    pub whole: Option<Remedy>,
    /// What stands in its way apart from the size of the budget.
    pub obstacles: Vec<Obstacle>,
}

/// What would bring an item into a window whole that holds it in a shorter form.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Restoration {
    /// The item, whole.
    pub item: ContextItem,
    /// Where it stands in the input.
    pub index: usize,
    /// The form it is in.
    pub shortened: Shortened,
    /// The larger budget that lets it in whole; `None` when none was found.
    pub remedy: Option<Remedy>,
}

/// A larger budget that lets an item in. A run at that budget has confirmed it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Remedy {
    /// By how much both `max_tokens` and `target_tokens` grow.
    pub additional_tokens: i64,
    /// Whether less would not do.
    pub certainty: Certainty,
    /// The form that the item is then in: 0 for whole, 1 for the first of its variants, and so on.
    pub form: usize,
    /// Items of the present window that the larger one would not hold, best score first.
    pub displaced: Vec<ContextItem>,
}

/// How much is known about a [`Remedy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Certainty {
    /// No smaller increase lets the item in.
    Smallest,
    /// One token less does not, but a much smaller increase that was not tried might: more tokens
    /// can also push items out.
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
    /// An item of the window says most of it, and the policy leaves such items out.
    NearDuplicateOf {
        /// The item of the window.
        kept: ContextItem,
        /// How much of it that item has: from 0 to 1.
        overlap: f64,
    },
    /// Enough items of its kind are chosen, now or at the largest budget tried.
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
    /// No larger budget that was tried admits it.
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
    /// With [`GreedySlice`](crate::GreedySlice) and [`RankSlice`](crate::RankSlice) the additional tokens are the smallest
    /// that do, computed from the order of trial in about one pass over it per item. With other slicers, where pinned
    /// items have variants, and for sizes so contrived that a million steps do not suffice, the increase is doubled until
    /// the item is in and then narrowed by halving, and the answer says so.
    /// Candidates are scored once.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn counterfactuals(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<Vec<Counterfactual>, CupelError> {
        self.answers(items, budget, None)
    }

    /// [`counterfactuals`](Self::counterfactuals) for one item; `None` when it is in the window.
    ///
    /// A handle given several times is in the window when one of them is; when none is, the answer
    /// is for the one that needs the fewest tokens.
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
        let effort = |answer: &Counterfactual| {
            let tokens = answer.remedy.as_ref().map(|remedy| remedy.additional_tokens);
            let repeats = matches!(answer.reason, ExclusionReason::Deduplicated { .. });
            (tokens.is_none(), tokens, repeats)
        };
        Ok(self.answers(items, budget, Some(target))?.into_iter().min_by_key(effort))
    }

    /// For every item that a run shortens, in window order: what would bring it in whole.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn restorations(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<Vec<Restoration>, CupelError> {
        let input = Input::new(items);
        let probe = Probe::prepare(self, &input, budget)?;
        let window = probe.window(budget)?;
        let question = Question::new(probe, items, budget)?;
        let shortened = window.iter().filter_map(|it| Some((it, shortened(it)?)));
        let restoration = |(candidate, shortened): (&Candidate<'_>, Shortened)| Restoration {
            item: candidate.item().clone(),
            index: candidate.index(),
            shortened,
            remedy: question.restore(candidate.index()),
        };
        Ok(shortened.map(restoration).collect())
    }

    /// The answers about `target`, unless it is in the window, or about everything left out.
    fn answers(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        target: Option<&ContextItem>,
    ) -> Result<Vec<Counterfactual>, CupelError> {
        let context = self.context().clone();
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let input = Input::new(items);
        let mut run = Run::new(self.policy(), budget, &context, &mut collector);
        run.trace.started(items, budget);
        run.trace.remember_left_out();
        let prepared = run.prepare(&input, Some(budget))?;
        let window = run.select(&prepared)?;
        let is_target = |item: &ContextItem| target.is_none_or(|it| it.is_same_instance(item));
        if target.is_some() && window.iter().any(|included| is_target(included.item())) {
            return Ok(Vec::new());
        }
        let mut left_out = run.trace.into_left_out();
        left_out.retain(|it| is_target(&items[it.index]));
        left_out.sort_by_key(|it| descending(it.score));

        let probe = Probe::new(self.policy(), prepared, context);
        let question = Question::new(probe, items, budget)?;
        Ok(left_out.into_iter().map(|it| question.answer(it)).collect())
    }
}
