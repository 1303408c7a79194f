//! Which items fit?
//!
//! | slicer | how it chooses | cost for N candidates |
//! |---|---|---|
//! | [`GreedySlice`] | best score per token first | N log N |
//! | [`KnapsackSlice`] | the most score in total, in token buckets | N × buckets, guarded |
//! | [`QuotaSlice`] | a share of the tokens per kind, then another slicer | N + the other's |
//! | [`CountQuotaSlice`] | at least and at most so many of a kind, then another slicer | N log N + the other's |
//! | [`CountConstrainedKnapsackSlice`] | the same, then a knapsack | N log N + the knapsack's |
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
mod greedy;
mod knapsack;
mod quota;
mod selection;
mod sweep;

pub use count::{
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, ScarcityBehavior,
};
pub use greedy::GreedySlice;
pub use knapsack::KnapsackSlice;
pub use quota::{QuotaConstraint, QuotaConstraintMode, QuotaEntry, QuotaPolicy, QuotaSlice};
pub use selection::{Refusal, RefusalReason, Selection};
pub use sweep::Sweep;

use std::sync::Arc;

use crate::marks::Marks;
use crate::{Candidate, ContextBudget, ContextItem, CupelError, ScoredItem, Scratch, contract};

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
    /// The default asks [`slice`](Self::slice) and matches its answer by instance. An override
    /// must choose the same items in the same order.
    fn select(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        _scratch: &mut Scratch,
    ) -> Result<Selection, CupelError> {
        let chosen = self.slice(&Candidate::to_scored(candidates), budget)?;
        let given = candidates.iter().map(Candidate::item);
        let kept = contract::match_instances(given, &chosen)
            .map_err(|problem| contract::violation("slicer", self.name(), problem))?;
        Ok(Selection::keeping(kept))
    }

    /// This slicer as one that does not need its candidates best score first, if it is.
    fn unsorted(&self) -> Option<&dyn UnsortedSlicer> {
        None
    }

    /// Prepares to choose from the same candidates at many budgets.
    ///
    /// The default selects anew every time.
    fn sweep<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Box<dyn Sweep + 'a> {
        Box::new(sweep::EachTime { slicer: self, candidates, scratch: Scratch::new() })
    }

    /// Whether this slicer chooses exactly as [`GreedySlice`] does. One around it may then choose in
    /// its place, for several kinds at once.
    fn is_greedy(&self) -> bool {
        false
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

/// A slicer that can do without the order of its candidates: a run that nobody listens to then sorts
/// only what was chosen.
pub trait UnsortedSlicer: Slicer {
    /// What [`select`](Slicer::select) chooses of the same candidates best score first, ties in the
    /// order given here; in any order.
    fn select_unsorted(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        scratch: &mut Scratch,
    ) -> Result<Selection, CupelError>;
}

/// [`Slicer::slice`] for a slicer that implements [`Slicer::select`].
fn slice_by_selecting(
    slicer: &(impl Slicer + ?Sized),
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<Vec<ContextItem>, CupelError> {
    let selection = slicer.select(&Candidate::all_of(sorted), budget, &mut Scratch::new())?;
    Ok(selection.kept.into_iter().map(|at| sorted[at].item.clone()).collect())
}

/// [`Slicer::select`] of a slicer inside another, with the answer held to the candidates there are.
fn select_checked(
    slicer: &(impl Slicer + ?Sized),
    candidates: &[Candidate<'_>],
    budget: &ContextBudget,
    scratch: &mut Scratch,
) -> Result<Selection, CupelError> {
    let selection = slicer.select(candidates, budget, scratch)?;
    check(slicer, &selection, candidates, &mut scratch.marks)?;
    Ok(selection)
}

/// Leaves what `selection` chooses marked, if it names none but the candidates there are, and
/// chooses each at most once.
pub(crate) fn check(
    slicer: &(impl Slicer + ?Sized),
    selection: &Selection,
    candidates: &[Candidate<'_>],
    chosen: &mut Marks,
) -> Result<(), CupelError> {
    chosen.clear(candidates.len());
    let is_named = |refusal: &Refusal| refusal.position < candidates.len();
    if chosen.insert_each_once(&selection.kept) && selection.refused.iter().all(is_named) {
        return Ok(());
    }
    Err(contract::violation("slicer", slicer.name(), misnaming(selection, candidates)))
}

/// What is wrong with the positions in `selection`.
#[cold]
fn misnaming(selection: &Selection, candidates: &[Candidate<'_>]) -> String {
    let mut chosen = vec![false; candidates.len()];
    for &at in &selection.kept {
        match chosen.get_mut(at) {
            Some(chosen) if !*chosen => *chosen = true,
            Some(_) => {
                let item = contract::describe(candidates[at].item());
                return format!("chose one candidate more than once: {item}");
            }
            None => return format!("named position {at} of {} candidates", candidates.len()),
        }
    }
    let mut refused = selection.refused.iter().map(|refusal| refusal.position);
    let at = refused.find(|at| *at >= candidates.len()).unwrap_or_default();
    format!("named position {at} of {} candidates", candidates.len())
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
                scratch: &mut Scratch,
            ) -> Result<Selection, CupelError> {
                (**self).select(candidates, budget, scratch)
            }

            fn unsorted(&self) -> Option<&dyn UnsortedSlicer> {
                (**self).unsorted()
            }

            fn sweep<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Box<dyn Sweep + 'a> {
                (**self).sweep(candidates)
            }

            fn is_greedy(&self) -> bool {
                (**self).is_greedy()
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
