//! What a slicer promises.

use cupel::{Candidate, ContextBudget, ContextItem, CupelError, ScoredItem, Scratch, Slicer};

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
/// [`SelectAgreesWithSlice`](Law::SelectAgreesWithSlice) and [`Deterministic`](Law::Deterministic).
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
    let broken = |law, finding| Err(BrokenLaw::new(slicer.name(), law, finding));

    chooses_nothing_from_nothing(slicer, &sorted, budget)?;
    let answer = slicer.slice(&sorted, budget);
    if let Ok(chosen) = &answer {
        if let Err(finding) = positions(&sorted, chosen) {
            return broken(Law::Subset, finding);
        }
        let cost: i128 = chosen.iter().map(|item| i128::from(item.tokens())).sum();
        let target = budget.target_tokens();
        if compliance == BudgetCompliance::Required && cost > i128::from(target) {
            let finding = format!("chose {cost} tokens for a target of {target}");
            return broken(Law::WithinBudget, finding);
        }
    }

    // The second selection meets working memory that the first has used.
    let mut scratch = Scratch::new();
    select_agrees(slicer, &sorted, budget, &answer, &mut scratch)?;
    select_agrees(slicer, &sorted, budget, &answer, &mut scratch)?;

    let first = outcome(&sorted, answer);
    for (again, input) in
        [("the same items again", sorted.clone()), ("equal items", rebuilt_scored(&sorted))]
    {
        let second = outcome(&input, slicer.slice(&input, budget));
        if first != second {
            let finding = format!("first answered {first}, and given {again} {second}");
            return broken(Law::Deterministic, finding);
        }
    }
    Ok(())
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
    let empty = ContextBudget::new(budget.max_tokens(), 0, 0, Default::default(), 0.0)
        .expect("a target of 0 is valid with every maximum");
    for (without, answer) in
        [("candidates", slicer.slice(&[], budget)), ("a target", slicer.slice(sorted, &empty))]
    {
        let finding = match answer {
            Ok(chosen) if chosen.is_empty() => continue,
            Ok(chosen) => format!("chose {} items without {without}", chosen.len()),
            Err(error) => format!("refused to answer without {without}: {error}"),
        };
        return Err(BrokenLaw::new(slicer.name(), Law::NothingFromNothing, finding));
    }
    Ok(())
}

fn select_agrees<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
    answer: &Result<Vec<ContextItem>, CupelError>,
    scratch: &mut Scratch,
) -> Result<(), BrokenLaw> {
    let candidates: Vec<Candidate<'_>> =
        sorted.iter().map(|it| Candidate::new(&it.item, it.score)).collect();
    let selected = slicer.select(&candidates, budget, scratch).map(|selection| selection.kept);
    let agree = match (&selected, answer) {
        (Ok(kept), Ok(chosen)) => names(kept, sorted, chosen) && repeated(kept).is_none(),
        (Err(select), Err(slice)) => select == slice,
        _ => false,
    };
    if agree {
        return Ok(());
    }
    let finding = format!(
        "answered {} to select and {} to slice",
        told(selected),
        outcome(sorted, answer.clone())
    );
    Err(BrokenLaw::new(slicer.name(), Law::SelectAgreesWithSlice, finding))
}

/// An answer without instances: the chosen positions, or the refusal.
fn outcome(sorted: &[ScoredItem], answer: Result<Vec<ContextItem>, CupelError>) -> String {
    match answer.map(|chosen| positions(sorted, &chosen)) {
        Ok(Err(strange)) => format!("with what it {strange}"),
        Ok(Ok(chosen)) => told(Ok(chosen)),
        Err(error) => told(Err(error)),
    }
}

fn told(answer: Result<Vec<usize>, CupelError>) -> String {
    match answer {
        Ok(positions) => format!("the positions {positions:?}"),
        Err(error) => format!("with a refusal ({error})"),
    }
}
