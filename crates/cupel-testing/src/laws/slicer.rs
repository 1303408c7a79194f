//! What a slicer promises.

use std::fmt;

use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, RunContext, ScoredItem, Selection, Slicer,
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
/// [`OneForm`](Law::OneForm) and [`TrialAgreesWithSelect`](Law::TrialAgreesWithSelect).
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
    chooses_one_form(slicer, &sorted, budget)?;
    trial_agrees_with_select(slicer, &sorted, budget)
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
    let answers = |input: &[ScoredItem]| {
        [
            told_slice(input, slicer.slice(input, budget)),
            told(slicer.select(&Candidate::all_of(input), budget, &asking())),
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
    let selected = slicer.select(&Candidate::all_of(sorted), budget, &RunContext::default());
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

/// Whether what it shortens is what it chooses, each once, in a form that there is.
fn chooses_one_form<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let candidates = Candidate::all_of(sorted);
    let Ok(selection) = slicer.select(&candidates, budget, &RunContext::default()) else {
        return Ok(());
    };
    let broken = |finding| Err(BrokenLaw::new(slicer.name(), Law::OneForm, finding));
    let positions: Vec<usize> = selection.shortened.iter().map(|it| it.position).collect();
    if let Some(at) = repeated(&positions) {
        return broken(format!("shortened position {at} more than once"));
    }
    for shortened in &selection.shortened {
        let at = shortened.position;
        if !selection.kept.contains(&at) {
            return broken(format!("shortened position {at}, which it did not choose"));
        }
        let forms = candidates[at].forms().len();
        if !(1..=forms).contains(&shortened.form) {
            return broken(format!("chose form {} of {forms} at position {at}", shortened.form));
        }
    }
    Ok(())
}

/// Whether its order of trial, if it says one, gives its choice at several targets.
fn trial_agrees_with_select<S: Slicer + ?Sized>(
    slicer: &S,
    sorted: &[ScoredItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let candidates = Candidate::all_of(sorted);
    let at = |target| slicer.select(&candidates, &with_target(budget, target), &asking());
    let Ok(Selection { trial: Some(trial), .. }) = at(0) else { return Ok(()) };
    let broken = |finding| Err(BrokenLaw::new(slicer.name(), Law::TrialAgreesWithSelect, finding));
    let mut named = trial.clone();
    named.sort_unstable();
    if named != (0..sorted.len()).collect::<Vec<_>>() {
        return broken(format!("gave the order of trial {trial:?} for {} items", sorted.len()));
    }
    let target = budget.target_tokens();
    for target in [target, target / 2, target / 3] {
        let mut left = target;
        let tried = trial.iter().filter_map(|&at| {
            // The richest form that fits, the whole being the richest of all.
            let mut costs = vec![candidates[at].tokens()];
            costs.extend(candidates[at].forms().iter().map(|form| form.tokens));
            let form = costs.iter().position(|cost| target > 0 && *cost <= left)?;
            left = left.saturating_sub(costs[form]);
            Some(Chosen { at, form })
        });
        let tried = told(Ok(tried.collect::<Vec<_>>()));
        let selected = told(at(target).map(|selection| kept_in_forms(&selection)));
        if tried != selected {
            return broken(format!(
                "answered {selected} to select at a target of {target}, where its order of trial \
                 gives {tried}"
            ));
        }
    }
    Ok(())
}

/// A position, and the form it is chosen in: 0 for whole.
struct Chosen {
    at: usize,
    form: usize,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            0 => write!(f, "{}", self.at),
            form => write!(f, "{} in form {form}", self.at),
        }
    }
}

fn kept_in_forms(selection: &Selection) -> Vec<Chosen> {
    let shortened = |at: usize| selection.shortened.iter().find(|it| it.position == at);
    let chosen = |at: usize| Chosen { at, form: shortened(at).map_or(0, |it| it.form) };
    selection.kept.iter().map(|&at| chosen(at)).collect()
}

/// Somebody asks for all there is.
fn asking() -> RunContext {
    RunContext::default().with_reasons(true).with_trial(true)
}

fn with_target(budget: &ContextBudget, target: i64) -> ContextBudget {
    ContextBudget::new(budget.max_tokens(), target, 0, [], 0.0)
        .expect("a target between 0 and the old one is valid")
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
