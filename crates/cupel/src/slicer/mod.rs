//! Which items fit?
//!
//! | slicer | how it chooses | cost for N candidates |
//! |---|---|---|
//! | [`GreedySlice`] | best score per token first | N log N |
//! | [`RankSlice`] | best score first, if wished with some regard to size | N log N |
//! | [`KnapsackSlice`] | the most score in total, in token buckets of one size, or one that follows the budget | N × buckets, guarded |
//! | [`QuotaSlice`] | a share of the tokens per kind, then another slicer | N + the other's |
//! | [`CountQuotaSlice`] | at least and at most so many of a kind, then another slicer | N log N + the other's |
//! | [`CountConstrainedKnapsackSlice`] | the same, then a knapsack | N log N + the knapsack's |
//!
//! Candidates that come one by one are chosen from in batches, by any of these without quotas: see
//! [`stream`](crate::stream).
//!
//! A slicer of your own needs one method. What it returns is matched to what it was given by
//! instance; returning anything else is reported as a broken contract. One that knows *why* it
//! leaves something out overrides [`Slicer::select`] and says so.
//!
//! ```
//! use cupel::{ContextBudget, ContextItem, CupelError, ScoredItem, Slicer};
//!
//! /// The best `n`, as far as they fit.
//! struct TopN(usize);
//!
//! impl Slicer for TopN {
//!     fn slice(
//!         &self,
//!         sorted: &[ScoredItem],
//!         budget: &ContextBudget,
//!     ) -> Result<Vec<ContextItem>, CupelError> {
//!         let mut left = budget.target_tokens();
//!         let fitting = sorted.iter().take(self.0).take_while(|scored| {
//!             left -= scored.item.tokens();
//!             left >= 0
//!         });
//!         Ok(fitting.map(|scored| scored.item.clone()).collect())
//!     }
//! }
//! ```

mod count;
mod fill;
mod greedy;
mod knapsack;
mod quota;
mod rank;
mod selection;

pub use count::{
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, ScarcityBehavior,
};
pub(crate) use fill::fill;
pub use greedy::GreedySlice;
pub use knapsack::KnapsackSlice;
pub use quota::{QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy, QuotaSlice};
pub use rank::RankSlice;
pub use selection::{Refusal, Selection, Shortening};

use std::sync::Arc;

use crate::{Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem, contract};

/// Chooses items that fit a budget.
///
/// Implement [`slice`](Self::slice); everything else has a default.
pub trait Slicer: Send + Sync {
    /// The chosen items of `sorted`, which comes best score first, each at most once.
    ///
    /// Nothing is chosen when there are no candidates or the target is 0.
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError>;

    /// The same choice as positions, together with what the slicer knows about the rest: what the
    /// pipeline calls.
    ///
    /// The default asks [`slice`](Self::slice), matches its answer by instance, and offers what is left of the budget to
    /// those it did not choose and that have shorter forms, best score first. What it returns may be shorter forms, as
    /// another slicer that it asks returns them. An override must choose the same items in the same order.
    fn select(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        _context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let chosen = self.slice(&Candidate::to_scored(candidates), budget)?;
        let given = candidates.iter().map(Candidate::item);
        let kept = contract::match_instances(given, &chosen)
            .map_err(|problem| contract::violation("slicer", self.name(), problem))?;
        let mut selection = Selection::nothing();
        kept.into_iter().zip(&chosen).for_each(|(at, item)| selection.keep(at, item.form()));
        fill::add_shortened(&mut selection, candidates, budget.target_tokens());
        Ok(selection)
    }

    /// Whether this slicer, or one inside it, fills a knapsack and so returns items out of score
    /// order.
    fn is_knapsack(&self) -> bool {
        false
    }

    /// Whether this slicer, or one inside it, shares the budget out by percentage.
    fn is_quota(&self) -> bool {
        false
    }

    /// Whether this slicer, or one inside it, requires or caps numbers of items.
    fn is_count_quota(&self) -> bool {
        false
    }

    /// What to call this slicer in messages; its type name unless overridden.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }
}

/// [`Slicer::slice`] for a slicer that implements [`Slicer::select`].
///
/// # Errors
/// What the slicer refuses.
pub fn slice_by_selecting(
    slicer: &impl Slicer,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<Vec<ContextItem>, CupelError> {
    let selection = slicer.select(&Candidate::all_of(sorted), budget, &RunContext::default())?;
    if selection.shortened.is_empty() {
        return Ok(selection.kept.into_iter().map(|at| sorted[at].item.clone()).collect());
    }
    let mut forms = vec![0; sorted.len()];
    selection.shortened.iter().for_each(|it| forms[it.position] = it.form);
    Ok(selection.kept.into_iter().map(|at| sorted[at].item.in_form(forms[at])).collect())
}

/// [`Slicer::select`], held to naming none but the candidates there are, and choosing each at most
/// once: how a slicer asks one that it wraps.
///
/// # Errors
/// [`CupelError::ContractViolation`] when it does not hold, and what the slicer refuses.
pub fn select_checked(
    slicer: &dyn Slicer,
    candidates: &[Candidate<'_>],
    budget: &ContextBudget,
    context: &RunContext,
) -> Result<Selection, CupelError> {
    let selection = slicer.select(candidates, budget, context)?;
    match misnaming(&selection, candidates) {
        None => Ok(selection),
        Some(problem) => Err(contract::violation("slicer", slicer.name(), problem)),
    }
}

/// What is wrong with the positions in `selection`.
fn misnaming(selection: &Selection, candidates: &[Candidate<'_>]) -> Option<String> {
    let out_of_range =
        |at: usize| format!("named position {at} of {} candidates", candidates.len());
    let refused = selection.refused.iter().map(|refusal| refusal.position);
    if let Some(at) = refused.into_iter().find(|at| *at >= candidates.len()) {
        return Some(out_of_range(at));
    }
    let repeated = |positions: &[usize]| {
        let mut is_free = vec![true; candidates.len()];
        positions.iter().copied().find(|at| !is_free.get_mut(*at).is_some_and(std::mem::take))
    };
    if let Some(at) = repeated(&selection.kept) {
        let Some(candidate) = candidates.get(at) else { return Some(out_of_range(at)) };
        let item = contract::describe(candidate.item());
        return Some(format!("chose one candidate more than once: {item}"));
    }
    if let Some(problem) = misshapen(selection, candidates) {
        return Some(problem);
    }
    let trial = selection.trial.as_ref()?;
    if trial.len() != candidates.len() || repeated(trial).is_some() {
        return Some("gave an order of trial that does not name each candidate once".to_owned());
    }
    None
}

/// What is wrong with the shorter forms in `selection`, whose chosen positions are in order.
fn misshapen(selection: &Selection, candidates: &[Candidate<'_>]) -> Option<String> {
    if selection.shortened.is_empty() {
        return None;
    }
    let mut is_open = vec![false; candidates.len()];
    selection.kept.iter().for_each(|at| is_open[*at] = true);
    selection.shortened.iter().find_map(|it| {
        if !is_open.get_mut(it.position).is_some_and(std::mem::take) {
            return Some(format!(
                "shortened position {}, which it did not choose or shortened before",
                it.position
            ));
        }
        let candidate = &candidates[it.position];
        let forms = candidate.shortest();
        (!(1..=forms).contains(&it.form)).then(|| {
            let item = contract::describe(candidate.item());
            format!("chose form {} of {forms} of {item}", it.form)
        })
    })
}

macro_rules! forward {
    ($($pointer:ident),+) => {$(
        impl<S: Slicer + ?Sized> Slicer for $pointer<S> {
            fn slice(
                &self,
                sorted: &[ScoredItem],
                budget: &ContextBudget,
            ) -> Result<Vec<ContextItem>, CupelError> {
                (**self).slice(sorted, budget)
            }

            fn select(
                &self,
                candidates: &[Candidate<'_>],
                budget: &ContextBudget,
                context: &RunContext,
            ) -> Result<Selection, CupelError> {
                (**self).select(candidates, budget, context)
            }

            fn is_knapsack(&self) -> bool {
                (**self).is_knapsack()
            }

            fn is_quota(&self) -> bool {
                (**self).is_quota()
            }

            fn is_count_quota(&self) -> bool {
                (**self).is_count_quota()
            }

            fn name(&self) -> &str {
                (**self).name()
            }
        }
    )+};
}

forward!(Box, Arc);
