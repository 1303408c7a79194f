//! What a slicer promises.

use std::fmt;

use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, ScoredItem, Scratch, Selection, Slicer,
};

use super::equal_input::rebuilt_scored;
use super::instances::{names, positions, repeated};
use super::{BrokenLaw, Law};
use crate::rank::best_first;

/// Whether what a slicer chooses must fit its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BudgetCompliance {
    /// It must.
    #[default]
    Required,
    /// It may cost more, as with count quotas, which commit to required items whatever they cost.
    Waived,
}

/// Checks a slicer on these items, put best score first as the pipeline would: [`Subset`](Law::Subset),
/// [`WithinBudget`](Law::WithinBudget) unless waived, [`NothingFromNothing`](Law::NothingFromNothing),
/// [`Deterministic`](Law::Deterministic), [`SelectAgreesWithSlice`](Law::SelectAgreesWithSlice),
/// [`UnsortedAgreesWithSelect`](Law::UnsortedAgreesWithSelect) for the items as they are given, and
/// [`SweepAgreesWithSelect`](Law::SweepAgreesWithSelect).
///
/// A slicer may refuse an input with an error, as long as it always does.
///
/// # Errors
/// The first law that does not hold.
pub fn check_slicer<S: Slicer + ?Sized>(
    slicer: &S,
    items: &[ScoredItem],
    budget: &ContextBudget,
    compliance: BudgetCompliance,
) -> Result<(), BrokenLaw> {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| best_first(a.score, b.score));

    chooses_nothing_from_nothing(slicer, &sorted, budget)?;
    chooses_a_subset(slicer, &sorted, budget, compliance)?;
    is_deterministic(slicer, &sorted, budget)?;
    select_agrees_with_slice(slicer, &sorted, budget)?;
    unsorted_agrees_with_select(slicer, items, budget)?;
    sweep_agrees_with_select(slicer, &sorted, budget)
}

/// [`check_slicer`] for tests.
///
/// # Panics
/// When a law does not hold.
#[track_caller]
pub fn assert_slicer<S: Slicer + ?Sized>(
    slicer: &S,
    items: &[ScoredItem],
    budget: &ContextBudget,
    compliance: BudgetCompliance,
) {
    if let Err(broken) = check_slicer(slicer, items, budget, compliance) {
        panic!("{broken}");
    }
}

fn chooses_nothing_from_nothing<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    for (without, answer) in [
        ("candidates", slicer.slice(&[], budget)),
        ("a target", slicer.slice(sorted, &with_target(budget, 0))),
    ] {
        let finding = match answer {
            Ok(chosen) if chosen.is_empty() => continue,
            Ok(chosen) => format!("chose {} items without {without}", chosen.len()),
            Err(error) => format!("refused to answer without {without}: {error}"),
        };
        return Err(BrokenLaw::new(slicer.name(), Law::NothingFromNothing, finding));
    }
    Ok(())
}

fn chooses_a_subset<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
    compliance: BudgetCompliance,
) -> Result<(), BrokenLaw> {
    let Ok(chosen) = slicer.slice(sorted, budget) else { return Ok(()) };
    if let Err(finding) = positions(sorted, &chosen) {
        return Err(BrokenLaw::new(slicer.name(), Law::Subset, finding));
    }
    let cost: i128 = chosen.iter().map(|item| i128::from(item.tokens())).sum();
    let target = budget.target_tokens();
    if compliance == BudgetCompliance::Required && cost > i128::from(target) {
        let finding = format!("chose {cost} tokens for a target of {target}");
        return Err(BrokenLaw::new(slicer.name(), Law::WithinBudget, finding));
    }
    Ok(())
}

fn is_deterministic<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    // One for all, so that later selections meet working memory that earlier ones have used.
    let mut scratch = Scratch::new();
    let mut answers = |input: &[ScoredItem]| {
        [
            told_slice(input, slicer.slice(input, budget)),
            told(slicer.select(&candidates(input), budget, &mut scratch)),
        ]
    };
    let first = answers(sorted);
    for (again, input) in
        [("the same items again", sorted.to_vec()), ("equal items", rebuilt_scored(sorted))]
    {
        let second = answers(&input);
        if let Some((first, second)) = first.iter().zip(&second).find(|(a, b)| a != b) {
            let finding = format!("first answered {first}, and given {again} {second}");
            return Err(BrokenLaw::new(slicer.name(), Law::Deterministic, finding));
        }
    }
    Ok(())
}

fn select_agrees_with_slice<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let sliced = slicer.slice(sorted, budget);
    let selected = slicer.select(&candidates(sorted), budget, &mut Scratch::new());
    let agree = match (&selected, &sliced) {
        (Ok(Selection { kept, .. }), Ok(chosen)) => {
            names(kept, sorted, chosen) && repeated(kept).is_none()
        }
        (Err(select), Err(slice)) => select == slice,
        _ => false,
    };
    if agree {
        return Ok(());
    }
    let selected = told(selected.map(|selection| selection.kept));
    let sliced = told_slice(sorted, sliced);
    let finding = format!("answered {selected} to select and {sliced} to slice");
    Err(BrokenLaw::new(slicer.name(), Law::SelectAgreesWithSlice, finding))
}

fn unsorted_agrees_with_select<S: Slicer + ?Sized>(
    slicer: &S,
    items: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let Some(unsorted) = slicer.unsorted() else { return Ok(()) };
    let candidates = candidates(items);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| best_first(items[*a].score, items[*b].score));
    let sorted: Vec<Candidate<'_>> = order.iter().map(|at| candidates[*at]).collect();

    let in_given_order = |mut chosen: Vec<usize>| {
        chosen.sort_unstable();
        chosen
    };
    let mut scratch = Scratch::new();
    let selected = slicer.select(&sorted, budget, &mut scratch);
    let selected = selected.map(|it| it.kept.iter().map(|at| order[*at]).collect());
    let selected = told(selected.map(in_given_order));
    let answered = unsorted.select_unsorted(&candidates, budget, &mut scratch);
    let answered = told(answered.map(|it| in_given_order(it.kept)));
    if answered == selected {
        return Ok(());
    }
    let finding = format!("answered {answered} to select_unsorted and {selected} to select");
    Err(BrokenLaw::new(slicer.name(), Law::UnsortedAgreesWithSelect, finding))
}

fn sweep_agrees_with_select<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let candidates = candidates(sorted);
    let mut scratch = Scratch::new();
    let mut sweep = slicer.sweep(&candidates);
    let target = budget.target_tokens();
    // Down and up again, because a sweep remembers.
    for target in [target, 0, target / 2] {
        let budget = with_target(budget, target);
        let selected = told(slicer.select(&candidates, &budget, &mut scratch));
        let swept = told(sweep.select(&budget));
        if swept != selected {
            let finding = format!(
                "answered {swept} in a sweep and {selected} to select at a target of {target}"
            );
            return Err(BrokenLaw::new(slicer.name(), Law::SweepAgreesWithSelect, finding));
        }
    }
    Ok(())
}

fn with_target(budget: &ContextBudget, target: i64) -> ContextBudget {
    ContextBudget::new(budget.max_tokens(), target, 0, Default::default(), 0.0)
        .expect("a target between 0 and the old one is valid")
}

fn candidates(sorted: &[ScoredItem]) -> Vec<Candidate<'_>> {
    sorted.iter().map(|it| Candidate::new(&it.item, it.score)).collect()
}

/// An answer of `slice` without its instances.
fn told_slice(sorted: &[ScoredItem], answer: Result<Vec<ContextItem>, CupelError>) -> String {
    match answer.map(|chosen| positions(sorted, &chosen)) {
        Ok(Err(strange)) => format!("with what it {strange}"),
        Ok(Ok(chosen)) => told(Ok(chosen)),
        Err(error) => told::<Vec<usize>>(Err(error)),
    }
}

/// An answer as text. NaN in a reason equals NaN there, which it would not as a value.
fn told<T: fmt::Debug>(answer: Result<T, CupelError>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => format!("with a refusal ({error})"),
    }
}
