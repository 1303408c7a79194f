//! Stage 5: choose what fits.

use crate::model::clamp_tokens;
use crate::pipeline::stage::Classified;
use crate::pipeline::trace::Trace;
use crate::slicer::{Refusal, Selection, select_checked};
use crate::{
    Candidate, ContextBudget, CupelError, ExclusionReason, OverflowStrategy, PipelineStage,
    Scratch, Slicer, TraceCollector, contract,
};

/// The candidates the slicer chose, still best score first.
pub(crate) fn slice<'a, C: TraceCollector>(
    slicer: &dyn Slicer,
    mut sorted: Vec<Candidate<'a>>,
    classified: &Classified<'_>,
    budget: &ContextBudget,
    overflow: OverflowStrategy,
    scratch: &mut Scratch,
    trace: &mut Trace<'_, C>,
) -> Result<Vec<Candidate<'a>>, CupelError> {
    let entered = sorted.len();
    let effective = effective_budget(budget, classified.pinned_tokens);
    let Selection { kept, refused, shortfalls } =
        select_checked(slicer, &sorted, &effective, scratch)?;
    let mut is_kept = scratch.take_marks(sorted.len());
    for &at in &kept {
        if std::mem::replace(&mut is_kept[at], true) {
            let item = contract::describe(sorted[at].item());
            let problem = format!("chose one candidate more than once: {item}");
            return Err(contract::violation("slicer", slicer.name(), problem));
        }
    }

    trace.shortfalls(shortfalls);
    if trace.is_enabled() {
        let reasons =
            Reasons::new(&sorted, &is_kept, refused, classified, budget, &effective, overflow);
        reasons.report(&sorted, &is_kept, trace);
    }
    let mut marks = is_kept.iter();
    sorted.retain(|_| marks.next().copied().unwrap_or(false));
    scratch.give_back_marks(is_kept);
    trace.stage_done(PipelineStage::Slice, entered, sorted.len());
    Ok(sorted)
}

/// What is left for the slicer after pinned items, reservations and the safety margin.
pub(crate) fn effective_budget(budget: &ContextBudget, pinned_tokens: i128) -> ContextBudget {
    let taken = pinned_tokens + budget.slot_tokens();
    let left_of = |tokens: i64| clamp_tokens((i128::from(tokens) - taken).max(0));
    let mut max = left_of(budget.ceiling());
    let mut target = left_of(budget.target_tokens()).min(max);
    let margin = budget.estimation_safety_margin_percent();
    if margin > 0.0 {
        let multiplier = 1.0 - margin / 100.0;
        // Beyond 2^53 a double may round up; a margin never adds.
        let reduced = |tokens: i64| ((tokens as f64 * multiplier).floor() as i64).min(tokens);
        max = reduced(max);
        target = reduced(target).min(max);
    }
    ContextBudget::plain(max, target)
}

/// Why each candidate that was not chosen was not.
struct Reasons<'a> {
    /// By position.
    refused: Vec<Refusal>,
    available_tokens: i64,
    /// Content of the first pinned item, if pinned items may be to blame.
    pinned: Option<&'a str>,
    effective_target: i64,
    /// The effective target if pinned items cost nothing.
    unpinned_target: i64,
}

impl<'a> Reasons<'a> {
    fn new(
        sorted: &[Candidate<'_>],
        is_kept: &[bool],
        mut refused: Vec<Refusal>,
        classified: &Classified<'a>,
        budget: &ContextBudget,
        effective: &ContextBudget,
        overflow: OverflowStrategy,
    ) -> Self {
        refused.sort_by_key(|refusal| refusal.position);
        let chosen = sorted.iter().zip(is_kept).filter(|(_, kept)| **kept);
        let chosen_tokens: i128 = chosen.map(|(it, _)| i128::from(it.tokens())).sum();
        let truncating = overflow == OverflowStrategy::Truncate && classified.pinned_tokens > 0;
        let first_pinned = classified.pinned.first().map(|item| item.content());
        Self {
            refused,
            available_tokens: clamp_tokens(i128::from(effective.target_tokens()) - chosen_tokens),
            pinned: first_pinned.filter(|_| truncating),
            effective_target: effective.target_tokens(),
            unpinned_target: effective_budget(budget, 0).target_tokens(),
        }
    }

    fn report<C: TraceCollector>(
        self,
        sorted: &[Candidate<'_>],
        is_kept: &[bool],
        trace: &mut Trace<'_, C>,
    ) {
        for (at, (candidate, _)) in
            sorted.iter().zip(is_kept).enumerate().filter(|(_, (_, kept))| !**kept)
        {
            trace.excluded(PipelineStage::Slice, candidate.item(), candidate.score(), || {
                self.of(at, candidate.tokens())
            });
        }
    }

    fn of(&self, position: usize, item_tokens: i64) -> ExclusionReason {
        if let Ok(at) = self.refused.binary_search_by_key(&position, |it| it.position) {
            return self.refused[at].reason.clone();
        }
        match self.pinned {
            Some(pinned)
                if item_tokens > self.effective_target && item_tokens <= self.unpinned_target =>
            {
                ExclusionReason::PinnedOverride { displaced_by: pinned.to_owned() }
            }
            _ => ExclusionReason::BudgetExceeded {
                item_tokens,
                available_tokens: self.available_tokens,
            },
        }
    }
}
