//! What repeats a chosen item comes last.

use std::fmt;

use cupel::slicer::{select_checked, slice_by_selecting};
use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, ExclusionReason, Refusal, RunContext,
    ScoredItem, Selection, Slicer,
};

use crate::shingles::{Repeat, repeats};

/// When an item repeats another, and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NearDuplicates {
    /// The share of an item's shingles that a better item must have for it to be a repetition: above 0, at most 1.
    pub threshold: f64,
    /// How many words in a row make a shingle, at least 1. Fewer find looser repetitions.
    pub shingle_words: usize,
    /// What becomes of repetitions.
    pub treatment: NearDuplicateTreatment,
}

/// What becomes of an item that repeats a chosen one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum NearDuplicateTreatment {
    /// It is chosen only if there is room when all others have been.
    #[default]
    Last,
    /// It is left out.
    LeaveOut,
}

impl Default for NearDuplicates {
    fn default() -> Self {
        Self { threshold: 0.8, shingle_words: 5, treatment: NearDuplicateTreatment::Last }
    }
}

/// Lets another slicer choose among items that repeat nothing, and only then among those that repeat what was chosen.
///
/// Candidates are compared best score first, by the words they have in a row. What repeats an item that was *not* chosen has its turn before what
/// repeats a chosen one. Reports name the item that is repeated, and how much of it:
/// [`ExclusionReason::NearDuplicate`].
///
/// How exact that is: shingles are compared by 64-bit fingerprints, so that two different ones are taken for one once in about 10^19
/// pairs. A shingle that more than 32 texts have is looked for in the first 32 only, so that an overlap may be understated
/// with a later one, never overstated: at worst a repetition is not seen as one. After 8 rounds of choosing, what is still open counts as a
/// repetition. Time grows in proportion to the text.
///
/// Put it around the slicer that fills the window and inside quotas: what it leaves for later rounds is less of the budget, of which
/// shares would be taken anew.
///
/// For answering questions over overlapping passages, repetitions are evidence too, and this was measured to hurt; it helps agents,
/// whose histories hold the same output many times.
///
/// ```
/// use cupel::RankSlice;
/// use cupel_relevance::{DistinctSlice, NearDuplicates};
///
/// let mut near_duplicates = NearDuplicates::default();
/// near_duplicates.threshold = 0.6;
/// let slicer = DistinctSlice::new(RankSlice::default(), near_duplicates)?;
/// # let _ = slicer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct DistinctSlice {
    inner: Box<dyn Slicer>,
    near_duplicates: NearDuplicates,
}

/// Each round takes something that the one before could not know of; more are not worth their time.
const MOST_ROUNDS: usize = 8;

impl DistinctSlice {
    /// Around another slicer.
    ///
    /// # Errors
    /// When the threshold is not above 0 and at most 1, or a shingle has no words.
    pub fn new(
        inner: impl Slicer + 'static,
        near_duplicates: NearDuplicates,
    ) -> Result<Self, CupelError> {
        let NearDuplicates { threshold, shingle_words, .. } = near_duplicates;
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(CupelError::SlicerConfig(format!(
                "the threshold ({threshold}) of near-duplicates must be a share above 0, at most 1"
            )));
        }
        if shingle_words == 0 {
            return Err(CupelError::SlicerConfig(
                "the shingleWords (0) of near-duplicates must be at least 1".to_owned(),
            ));
        }
        Ok(Self { inner: Box::new(inner), near_duplicates })
    }

    /// When an item repeats another, and what becomes of it.
    pub fn near_duplicates(&self) -> &NearDuplicates {
        &self.near_duplicates
    }

    /// What repeats a better one of these candidates. What costs nothing may repeat what it likes.
    fn repeats(&self, candidates: &[Candidate<'_>]) -> Vec<Option<Repeat>> {
        let NearDuplicates { threshold, shingle_words, .. } = self.near_duplicates;
        repeats(candidates.iter().map(compared_text), shingle_words, threshold)
    }
}

fn compared_text<'a>(candidate: &Candidate<'a>) -> &'a str {
    if candidate.tokens() > 0 { candidate.item().content() } else { "" }
}

impl Slicer for DistinctSlice {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        slice_by_selecting(self, sorted, budget)
    }

    fn select(
        &self,
        candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let mut filling = Filling::new(&*self.inner, candidates, budget, context);
        let mut repeated: Vec<Option<Repeat>> = vec![None; candidates.len()];
        let mut open: Vec<usize> = (0..candidates.len()).collect();
        for _ in 0..MOST_ROUNDS {
            let among: Vec<_> = open.iter().map(|at| candidates[*at]).collect();
            for (at, repeat) in open.iter().zip(self.repeats(&among)) {
                repeated[*at] = repeat.map(|it| Repeat { of: open[it.of], ..it });
            }
            let distinct: Vec<_> =
                open.iter().copied().filter(|at| repeated[*at].is_none()).collect();
            filling.choose_among(&distinct)?;
            // What repeats an item that did not get in is judged anew, without that item.
            let left = filling.left();
            let is_open = |at: &usize| {
                repeated[*at].is_some_and(|it| !filling.is_chosen[it.of])
                    && least_tokens(&candidates[*at]) <= left
            };
            open.retain(is_open);
            if open.is_empty() {
                break;
            }
        }
        let repetitions = (0..candidates.len()).filter(|at| repeated[*at].is_some());
        let repetitions: Vec<_> = repetitions.filter(|at| !filling.is_chosen[*at]).collect();
        if self.near_duplicates.treatment == NearDuplicateTreatment::Last {
            filling.choose_among(&repetitions)?;
        }
        if context.wants_reasons() {
            let left_out = repetitions.into_iter().filter(|at| !filling.is_chosen[*at]);
            let refusals: Vec<_> =
                left_out.filter_map(|at| refusal(at, repeated[at]?, &filling)).collect();
            filling.selection.refused.extend(refusals);
        }
        Ok(filling.selection)
    }

    fn is_knapsack(&self) -> bool {
        self.inner.is_knapsack()
    }

    fn is_quota(&self) -> bool {
        self.inner.is_quota()
    }

    fn is_count_quota(&self) -> bool {
        self.inner.is_count_quota()
    }

    fn name(&self) -> &str {
        "DistinctSlice"
    }
}

impl fmt::Debug for DistinctSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DistinctSlice")
            .field("inner", &self.inner.name())
            .field("near_duplicates", &self.near_duplicates)
            .finish()
    }
}

/// Why a repetition is left out: it repeats what was chosen, unless the whole budget would not have been enough for it.
fn refusal(at: usize, repeat: Repeat, filling: &Filling<'_>) -> Option<Refusal> {
    let could_fit = least_tokens(&filling.candidates[at]) <= filling.budget.target_tokens();
    (could_fit && filling.is_chosen[repeat.of]).then(|| {
        let near_duplicate_of = filling.candidates[repeat.of].item().content().to_owned();
        let overlap = repeat.overlap;
        Refusal::new(at, ExclusionReason::NearDuplicate { near_duplicate_of, overlap })
    })
}

/// A selection that grows from round to round.
struct Filling<'a> {
    slicer: &'a dyn Slicer,
    candidates: &'a [Candidate<'a>],
    budget: &'a ContextBudget,
    context: RunContext,
    selection: Selection,
    is_chosen: Vec<bool>,
}

impl<'a> Filling<'a> {
    fn new(
        slicer: &'a dyn Slicer,
        candidates: &'a [Candidate<'a>],
        budget: &'a ContextBudget,
        context: &RunContext,
    ) -> Self {
        // The order of trial depends on what was chosen before.
        let context = context.clone().with_trial(false);
        let (selection, is_chosen) = (Selection::nothing(), vec![false; candidates.len()]);
        Self { slicer, candidates, budget, context, selection, is_chosen }
    }

    /// What is left of the budget.
    fn left(&self) -> i64 {
        let kept = self.selection.kept_tokens(self.candidates);
        let left = i128::from(self.budget.target_tokens()) - kept;
        i64::try_from(left.max(0)).unwrap_or(i64::MAX)
    }

    /// Lets the slicer choose among the candidates at these positions, as far as there is room.
    fn choose_among(&mut self, positions: &[usize]) -> Result<(), CupelError> {
        let among: Vec<_> = positions.iter().map(|at| self.candidates[*at]).collect();
        let budget = match self.selection.kept.is_empty() {
            true => self.budget.clone(),
            false => ContextBudget::builder(self.left()).build()?,
        };
        let chosen = select_checked(self.slicer, &among, &budget, &self.context)?;
        chosen.kept.iter().for_each(|at| self.is_chosen[positions[*at]] = true);
        self.selection.absorb(chosen, positions);
        Ok(())
    }
}

/// What a candidate costs in its shortest form.
fn least_tokens(candidate: &Candidate<'_>) -> i64 {
    candidate.forms().last().map_or(candidate.tokens(), |form| form.tokens)
}
